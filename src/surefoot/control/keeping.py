"""A cache of what was learned, in the user's own folder: keyed by everything it depends on."""

from __future__ import annotations

import hashlib
import inspect
import io
import sys
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from surefoot import __version__
from surefoot.control.repertoire import Repertoire
from surefoot.control.task import Task
from surefoot.errors import FileError
from surefoot.files import read_bytes, write_atomic
from surefoot.learning import Report
from surefoot.motion.families.cache import folder

VERSION = 1
"""Of the files."""

Told = Callable[[str], None]


def tell(message: str) -> None:
    """On the standard error."""
    print(f"surefoot: {message}", file=sys.stderr)


@cache
def _source() -> str:
    """A name for how learning is done: changes with every line of it."""
    root = Path(__file__).resolve().parents[1]
    total = hashlib.sha256(f"{__version__} {np.__version__}".encode())
    for part in ("learning", "control"):
        for file in sorted((root / part).glob("*.py")):
            total.update(file.read_bytes())
    return total.hexdigest()


def path_of(task: Task, repertoire: Repertoire) -> Path | None:
    """Where a controller is kept; None where nothing should be."""
    place = folder()
    if place is None:
        return None
    try:
        # Of a task of the user's own, what it says is worth what.
        own = inspect.getsource(type(task))
    except (OSError, TypeError):
        own = ""
    key = "\n".join([_source(), own, task.key, repertoire.hash])
    return place / f"controller-{hashlib.sha256(key.encode()).hexdigest()[:32]}.npz"


def read(path: Path, told: Told) -> tuple[npt.NDArray[np.float32], Report] | None:
    """What was learned; None where there is no such file, or one that cannot be used.

    The latter is told.
    """
    if not path.is_file():
        return None
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
            version = int(arrays["version"])
            if version != VERSION:
                told(f"{path} is of version {version}, this is {VERSION}; trained anew")
                return None
            values = arrays["values"]
            changes = tuple(float(change) for change in arrays["changes"])
            return values, Report(changes, bool(arrays["converged"]), float(arrays["bound"]))
    except (FileError, OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as reason:
        told(f"{path} is damaged ({reason}); trained anew")
        return None


def write(path: Path, values: npt.NDArray[np.float32], report: Report, told: Told) -> None:
    """Keeps what was learned."""
    data = io.BytesIO()
    np.savez(
        data, allow_pickle=False, version=np.array(VERSION), values=values,
        changes=np.array(report.changes), converged=np.array(report.converged),
        bound=np.array(report.bound),
    )  # fmt: skip
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data.getvalue())
    except (OSError, FileError) as reason:
        # A cache that cannot be written costs time, nothing else.
        told(f"nothing is kept in {path.parent}: {reason}")
