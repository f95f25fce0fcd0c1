from __future__ import annotations

import sys
from pathlib import Path

# The benchmarks are no part of the package: they are imported from the repository.
sys.path.insert(0, str(Path(__file__).parents[2]))
