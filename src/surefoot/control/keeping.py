"""A cache of what was learned, in the user's own folder: keyed by everything it depends on."""

from __future__ import annotations

import hashlib
import inspect
import zlib
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from surefoot import __version__, caches
from surefoot.archives import Record, inflated
from surefoot.control.repertoire import Repertoire
from surefoot.control.task import Task, Worth
from surefoot.errors import VersionError
from surefoot.learning import Early, Report, Solution

VERSION = 4
"""Of the files."""

Told = caches.Say
tell = caches.say

N = TypeVar("N", bound=np.generic)

_NO_INTS = np.zeros(0, dtype=np.int32)
_EMPTY = zlib.compress(b"", 1)


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
    place = caches.folder()
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
    return caches.read(path, lambda arrays: _decoded(path, arrays), anew="trained anew", say=told)


def write(path: Path, solution: Solution, worth: Worth, told: Told) -> None:
    """Keeps what was learned."""
    caches.write(path, encoded(solution.values, solution.report, worth), say=told)


def encoded(values: npt.NDArray[np.float32], report: Report, worth: Worth) -> Record:
    """What is kept of a controller, as arrays; see `Kept`."""
    ends = np.zeros(0, dtype=np.bool_) if worth.ends is None else worth.ends
    depth = np.zeros(0, dtype=np.float32) if worth.depth is None else worth.depth
    columns = _NO_INTS if worth.columns is None else worth.columns
    early = worth.early or Early(_NO_INTS, _NO_INTS, np.zeros(0, dtype=np.float32))
    return {
        "version": np.array(VERSION), "values": values,
        "changes": np.array(report.changes), "converged": np.array(report.converged),
        "bound": np.array(report.bound), "shape": np.array(worth.reward.shape),
        "reward": _deflated(worth.reward.astype(np.float32)), "ends": _deflated(ends),
        "depth": depth.astype(np.float32), "columns": _deflated(columns.astype(np.int32)),
        **{f"early_{name}": array for name, array in early._asdict().items()},
    }  # fmt: skip


def _decoded(path: Path, arrays: Record) -> Kept:
    version = int(arrays["version"])
    if version != VERSION:
        raise VersionError(f"{path} is of version {version}, this is {VERSION}")
    changes = tuple(float(change) for change in arrays["changes"])
    report = Report(changes, bool(arrays["converged"]), float(arrays["bound"]))
    shape = tuple(int(n) for n in arrays["shape"])
    values: npt.NDArray[np.float32] = arrays["values"]
    if not np.isfinite(values).all():
        raise ValueError("values that are no numbers")
    tasks = values.shape[1:]
    reward = np.frombuffer(inflated(arrays["reward"].tobytes(), 4 * prod(shape)), np.float32)
    ends = _known(arrays["ends"], np.bool_, shape)
    columns = _known(arrays["columns"], np.int32, (prod(tasks),))
    depth: npt.NDArray[np.float32] = arrays["depth"]
    first, early, saved = (arrays[f"early_{name}"] for name in Early._fields)
    worth = Worth(
        reward.reshape(shape),
        ends,
        depth if len(depth) else None,
        columns,
        Early(first, early, saved) if len(first) else None,
    )
    return Kept(values, report, worth)


def _deflated(
    array: npt.NDArray[np.float32] | npt.NDArray[np.bool_] | npt.NDArray[np.int32],
) -> npt.NDArray[np.uint8]:
    """Rewards repeat themselves: a fiftieth of their size."""
    return np.frombuffer(zlib.compress(array.tobytes(), 1), dtype=np.uint8)


def _known(data: npt.NDArray[Any], dtype: type[N], shape: tuple[int, ...]) -> npt.NDArray[N] | None:
    """An array that may be empty, which stands for None."""
    if data.tobytes() == _EMPTY:
        return None
    size = prod(shape) * np.dtype(dtype).itemsize
    return np.frombuffer(inflated(data.tobytes(), size), dtype).reshape(shape)
