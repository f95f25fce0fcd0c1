"""Threads and processes simulate the same."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.physics import Stage, load_body
from surefoot.physics.policies.workers import Workers
from surefoot.physics.trials import limit_cycle
from surefoot.physics.tuning import disturbed


def test_processes_give_the_same_bits_as_threads() -> None:
    stage = Stage(load_body("humanoid"))
    # More than one worker's share.
    states = disturbed(limit_cycle(stage, "walk").repeated(40), kick=0.05, seed=0)
    actions = ["walk"] * 20 + ["in place"] * 20
    here = Workers(count=1).stepping(stage)(states, actions)
    there = Workers(count=2, backend="loky").stepping(stage)(states, actions)
    for name in ("duration", "strikes"):
        np.testing.assert_array_equal(here.of(name), there.of(name))
    np.testing.assert_array_equal(here.standing, there.standing)


def test_workers_that_are_not_there() -> None:
    with pytest.raises(InputError, match="unknown backend 'slurm'"):
        Workers(count=2, backend="slurm")
    with pytest.raises(InputError, match="at least 1"):
        Workers(count=0)
