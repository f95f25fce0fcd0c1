"""Tells which tests made a sanitizer report something: a plugin of pytest for `sanitized_tests.py`.

A report is written by the test's process or by one that it started, while the test runs.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FOLDER = Path(os.environ["SUREFOOT_SANITIZER_REPORTS"])
RUNNING = FOLDER / "running"


def pytest_runtest_logstart(nodeid: str) -> None:
    """A test begins: it is named where the process is stopped in it."""
    RUNNING.write_text(f"{nodeid}\n")


def pytest_runtest_logfinish(nodeid: str) -> None:
    """A test is over."""
    sizes = {str(path): path.stat().st_size for path in FOLDER.glob("report.*")}
    if sizes != _sizes:
        with (FOLDER / "tests").open("a") as file:
            file.write(f"{nodeid}\n")
    _sizes.clear()
    _sizes.update(sizes)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """All tests are over."""
    del session
    RUNNING.unlink(missing_ok=True)


_sizes: dict[str, int] = {}
