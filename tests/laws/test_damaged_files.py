"""Whatever a file holds, it is read or refused with an error of our own, in little memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from references.damage import READERS, write_files

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    write_files(folder)
    return folder


def check(files: Path, kinds: str, seed: int, count: int) -> None:
    """In a process of its own: its memory is limited, and what crashes takes no test along."""
    done = subprocess.run(
        [sys.executable, "-m", "references.damage", files, kinds, str(seed), str(count)],
        capture_output=True,
        text=True,
        check=False,
        # Memory is counted in addresses: each thread of BLAS takes many and uses few.
        env={**os.environ, "PYTHONPATH": str(TESTS), "OPENBLAS_NUM_THREADS": "1"},
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert not [line for line in lines if "wrong" in line]
    last = lines[-1] if lines else "the good files"
    assert done.returncode == 0, f"ended by {done.returncode} at {last}: {done.stderr[-2000:]}"
    assert len(lines) == count * len(READERS if kinds == "all" else kinds.split(","))


def test_damaged_files_are_read_or_refused(files: Path) -> None:
    check(files, "all", seed=0, count=15)


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
def test_many_damaged_files_are_read_or_refused(files: Path, kind: str) -> None:
    check(files, kind, seed=1000, count=60)
