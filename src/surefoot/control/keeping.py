"""A cache of what was learned, in the user's own folder: keyed by everything it depends on."""

from __future__ import annotations

import hashlib
import inspect
import io
import sys
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from surefoot import __version__
from surefoot.control.repertoire import Repertoire
from surefoot.control.task import Task, Worth
from surefoot.errors import FileError
from surefoot.files import read_bytes, write_atomic
from surefoot.learning import Early, Report, Solution
from surefoot.motion.families.cache import folder

VERSION = 4
"""Of the files."""

Told = Callable[[str], None]

_NO_INTS = np.zeros(0, dtype=np.int32)


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


@dataclass(frozen=True, eq=False)
class Kept:
    """What is kept of a controller.

    Attributes:
        values: of states and tasks.
        report: how they came about.
        worth: what actions are worth at each task, which takes longer to work out than to read.
    """

    values: npt.NDArray[np.float32]
    report: Report
    worth: Worth


def read(path: Path, told: Told) -> Kept | None:
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
            changes = tuple(float(change) for change in arrays["changes"])
            report = Report(changes, bool(arrays["converged"]), float(arrays["bound"]))
            shape = tuple(arrays["shape"].tolist())
            reward = np.frombuffer(zlib.decompress(arrays["reward"]), dtype=np.float32)
            ends = np.frombuffer(zlib.decompress(arrays["ends"]), dtype=np.bool_)
            depth: npt.NDArray[np.float32] = arrays["depth"]
            columns = np.frombuffer(zlib.decompress(arrays["columns"]), dtype=np.int32)
            first, early, saved = (arrays[f"early_{name}"] for name in Early._fields)
            worth = Worth(
                reward.reshape(shape),
                ends.reshape(shape) if len(ends) else None,
                depth if len(depth) else None,
                columns if len(columns) else None,
                Early(first, early, saved) if len(first) else None,
            )
            values: npt.NDArray[np.float32] = arrays["values"]
            if not np.isfinite(values).all():
                raise ValueError("values that are no numbers")
            return Kept(values, report, worth)
    except (
        *(FileError, OSError, ValueError, KeyError, EOFError),
        *(zipfile.BadZipFile, zlib.error),
    ) as reason:
        told(f"{path} is damaged ({reason}); trained anew")
        return None


def write(path: Path, solution: Solution, worth: Worth, told: Told) -> None:
    """Keeps what was learned."""
    data, report = io.BytesIO(), solution.report
    ends = np.zeros(0, dtype=np.bool_) if worth.ends is None else worth.ends
    columns = _NO_INTS if worth.columns is None else worth.columns
    early = worth.early or Early(_NO_INTS, _NO_INTS, np.zeros(0, dtype=np.float32))
    np.savez(
        data, allow_pickle=False, version=np.array(VERSION), values=solution.values,
        changes=np.array(report.changes), converged=np.array(report.converged),
        bound=np.array(report.bound), shape=np.array(worth.reward.shape),
        reward=_packed(worth.reward.astype(np.float32)), ends=_packed(ends),
        depth=np.zeros(0, dtype=np.float32)
        if worth.depth is None
        else worth.depth.astype(np.float32),
        columns=_packed(columns.astype(np.int32)),
        **{f"early_{name}": array for name, array in early._asdict().items()},
    )  # fmt: skip
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, data.getvalue())
    except (OSError, FileError) as reason:
        # A cache that cannot be written costs time, nothing else.
        told(f"nothing is kept in {path.parent}: {reason}")


def _packed(
    array: npt.NDArray[np.float32] | npt.NDArray[np.bool_] | npt.NDArray[np.int32],
) -> npt.NDArray[np.uint8]:
    """Rewards repeat themselves: a fiftieth of their size."""
    return np.frombuffer(zlib.compress(array.tobytes(), 1), dtype=np.uint8)
