"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data made by others; tests that need it are skipped without it."""
    folder = os.environ.get("SUREFOOT_DATA")
    if not folder:
        pytest.skip("SUREFOOT_DATA is not set: no real data here")
    return Path(folder)
