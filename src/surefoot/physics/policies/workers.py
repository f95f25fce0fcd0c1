"""Who simulates: threads of this process, or joblib's workers, here or on a cluster.

Which of them, and how many, changes no bit of what comes out: steps are independent, and results
are put in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from surefoot.errors import InputError, MissingExtraError
from surefoot.physics.body import Body
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import Run, States, gathered

THREADS = "threads"
BACKENDS = (THREADS, "loky", "multiprocessing", "threading", "dask", "ray")

_ROWS = 32  # steps that a worker gets at a time


@dataclass(frozen=True, kw_only=True)
class Workers:
    """Who simulates.

    Attributes:
        count: threads or workers.
        backend: "threads", or one of joblib's by name: "loky" (local processes), "dask", "ray".
            A cluster's client or connection is the caller's to open.
    """

    count: int = 1
    backend: str = THREADS

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError(f"workers must be at least 1, got {self.count}")
        if self.backend not in BACKENDS:
            known = ", ".join(BACKENDS)
            raise InputError(f"unknown backend {self.backend!r}; there are: {known}")

    def stepping(self, stage: Stage) -> Callable[[States, Sequence[Action]], Run]:
        """A function that steps bodies of a stage without scenery."""
        if self.backend == THREADS:
            return lambda states, actions: stage.step(states, actions, threads=self.count)
        joblib = _joblib()
        body = stage.body

        def step(states: States, actions: Sequence[Action]) -> Run:
            jobs = [
                joblib.delayed(_stepped)(body, _part(states, i), actions[i : i + _ROWS])
                for i in range(0, len(states), _ROWS)
            ]
            with joblib.parallel_config(backend=self.backend, n_jobs=self.count):
                runs: list[Run] = joblib.Parallel()(jobs)
            return joined(runs)

        return step


def joined(runs: Sequence[Run]) -> Run:
    """Several runs as one."""
    return Run(
        states=gathered([run.states for run in runs]),
        endings=np.concatenate([run.endings for run in runs]),
        culprits=np.concatenate([run.culprits for run in runs]),
        measures=np.concatenate([run.measures for run in runs]),
        frames=np.zeros((0, 0, 0)),
    )


def _part(states: States, first: int) -> States:
    return states[slice(first, first + _ROWS)].copy()


def _stepped(body: Body, states: States, actions: Sequence[Action]) -> Run:
    """In a worker."""
    return _stage(_Key(body)).step(states, actions)


class _Key:
    """A body by its content: bodies hold dictionaries, which have no hash."""

    def __init__(self, body: Body) -> None:
        self.body, self._text = body, repr(body)

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._text == other._text


@lru_cache(maxsize=4)
def _stage(key: _Key) -> Stage:
    return Stage(key.body)


def _joblib() -> Any:
    try:
        return import_module("joblib")
    except ModuleNotFoundError:
        raise MissingExtraError(
            "workers other than threads need joblib: pip install 'surefoot[cluster]'"
        ) from None
