"""What bodies are trained with: their actions and how far to explore (coros2009 Table 2).

The paper's thresholds are a starting point: they belong to its bodies, and two of its weights are
not printed. Ours are those at which explorations of our bodies close, or nearly, in minutes.
"""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.errors import InputError
from surefoot.physics.body import Body
from surefoot.physics.policies.exploring import Limits
from surefoot.physics.policies.tasks import Task
from surefoot.physics.stage import Action, Blend


@dataclass(frozen=True, kw_only=True)
class Setup:
    """How one body is explored for some tasks.

    Attributes:
        name: of the vocabulary.
        basic: gaits whose steady states are trusted, and from which good changes begin.
        between: torque blends of two gaits, with the share of the second.
        limits: of exploration.
        wandering: bodies that wander to learn the metric from and to be trusted; 0: the paper's
            way, with the weights of Table 1 and every change between two basic actions.
    """

    name: str
    basic: tuple[str, ...]
    between: tuple[Blend, ...]
    limits: Limits
    wandering: int = 64

    @property
    def actions(self) -> tuple[Action, ...]:
        """All of them."""
        return (*self.basic, *self.between)


def _shares(first: str, second: str, *shares: float) -> tuple[Blend, ...]:
    return tuple(Blend(first, second, share) for share in shares)


def _sides(first: str, second: str, share: float) -> tuple[Blend, ...]:
    return tuple(Blend(first, f"{second} {side}", share) for side in ("left", "right"))


_LINE = {
    "humanoid": Setup(
        name="line",
        basic=("tread", "stroll", "stroll fast", "stroll backward"),
        between=(
            *_shares("tread", "stroll", 0.25, 0.5, 0.75),
            *_shares("tread", "stroll backward", 0.5),
            *_shares("stroll", "stroll fast", 0.5),
        ),
        limits=Limits(trust=3.0, novelty=0.3, states=1500),
    ),
    "bird": Setup(
        name="line",
        basic=("in place", "walk slowly", "walk", "walk fast", "walk backward"),
        between=(
            *_shares("in place", "walk", 0.33, 0.67),
            *_shares("in place", "walk backward", 0.5),
            *_shares("walk", "walk fast", 0.5),
            *_shares("walk", "walk backward", 0.5),
        ),
        limits=Limits(trust=2.0, margin=1.0, novelty=0.15, coarser=0.25, states=2000),
    ),
    "raptor": Setup(
        name="line",
        basic=("in place", "walk slowly", "walk", "walk fast", "walk backward"),
        between=(
            *_shares("in place", "walk backward", 0.5),
            *_shares("walk", "walk fast", 0.5),
            *_shares("walk", "walk backward", 0.5),
        ),
        limits=Limits(trust=2.0, margin=1.0, novelty=0.15, coarser=0.25, states=2000),
    ),
}

_PLANE = {
    "humanoid": Setup(
        name="plane",
        basic=(
            *("tread", "stroll", "stroll backward", "stroll left", "stroll right"),
            *("pivot left", "pivot right", "tread left", "tread right"),
        ),
        between=(
            *_shares("tread", "stroll", 0.5),
            *_shares("tread", "stroll backward", 0.5),
            *_sides("stroll", "stroll", 0.5),
            *_sides("tread", "pivot", 0.5),
            *_sides("tread", "tread", 0.5),
        ),
        limits=Limits(trust=3.0, margin=1.0, novelty=0.3, coarser=0.3, states=1500),
    ),
    "bird": Setup(
        name="plane",
        basic=(
            *("in place", "walk slowly", "walk", "walk fast", "walk backward"),
            *("turn left", "turn right", "turn left sharply", "turn right sharply"),
            *("sidestep left", "sidestep right"),
        ),
        between=(
            *_sides("walk", "turn", 0.5),
            *_sides("in place", "turn", 0.5),
            *_sides("in place", "sidestep", 0.5),
        ),
        limits=Limits(trust=2.0, margin=1.0, novelty=0.2, coarser=0.3, states=1500),
    ),
    "raptor": Setup(
        name="plane",
        basic=("in place", "walk slowly", "walk", "walk fast", "turn left", "turn right"),
        between=(
            *_shares("in place", "walk", 0.5),
            *_sides("walk", "turn", 0.5),
            *_sides("in place", "turn", 0.5),
        ),
        limits=Limits(trust=2.0, margin=1.0, novelty=0.2, coarser=0.3, states=1500),
    ),
}

_ROBUST = {
    "humanoid": Setup(
        name="robust",
        basic=(
            *("in place", "walk", "walk backward", "lean forward", "lean back", "recovery"),
            *("sidestep left", "sidestep right"),
        ),
        between=(
            *_shares("in place", "walk", 0.5),
            *_shares("recovery", "walk", 0.5),
            *_shares("walk", "walk fast", 0.5),
            *_sides("walk", "sidestep", 0.5),
        ),
        limits=Limits(trust=6.0, novelty=1.5, states=2000),
    ),
}

_OF_TASK = {"go-to-line": _LINE, "robust-walk": _ROBUST}


def setup_for(body: Body, task: Task) -> Setup:
    """The built-in set-up of a body for a task; new tasks get the one for the plane."""
    setups = _OF_TASK.get(task.name, _PLANE)
    if body.name not in setups:
        known = ", ".join(setups)
        raise InputError(f"{task.name}: no set-up for body {body.name!r}; there are: {known}")
    return setups[body.name]
