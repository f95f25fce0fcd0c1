"""What bodies are trained with: their actions and how far to explore (coros2009 Table 2).

The paper's thresholds belong to its bodies and its metric. With a learned metric they are metres
that bodies will be apart within four steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from surefoot.errors import InputError
from surefoot.physics.body import Body
from surefoot.physics.policies.exploring import Limits
from surefoot.physics.policies.lessons import Lessons
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
        steady: the gait that counts as the steady walk.
        wandering: bodies that wander to learn the metric from and to be trusted; 0: the paper's
            way, with the weights of Table 1 and every change between two basic actions.
        kick: [m/s] of pushes after which states are trusted; 0: none are.
        lessons: from which it learns to stay up after pushes; None: the paper's way, values alone.
    """

    name: str
    basic: tuple[str, ...]
    between: tuple[Blend, ...]
    limits: Limits
    steady: str = "walk"
    wandering: int = 64
    kick: float = field(default=0.0, repr=False)
    lessons: Lessons | None = field(default=None, repr=False)

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
        basic=("amble in place", "amble", "amble fast", "amble backward"),
        between=(
            *_shares("amble in place", "amble", 0.25, 0.5, 0.75),
            *_shares("amble in place", "amble backward", 0.5),
            *_shares("amble", "amble fast", 0.5),
        ),
        limits=Limits(trust=0.2, novelty=0.02, states=1500),
        steady="amble",
    ),
    "bird": Setup(
        name="line",
        basic=("tread", "waddle slowly", "waddle", "waddle fast", "waddle backward"),
        between=(
            *_shares("tread", "waddle slowly", 0.5),
            *_shares("tread", "waddle backward", 0.5),
            *_shares("waddle slowly", "waddle", 0.5),
            *_shares("waddle", "waddle fast", 0.5),
        ),
        limits=Limits(trust=0.2, novelty=0.02, states=1500),
        steady="waddle",
    ),
    "raptor": Setup(
        name="line",
        basic=("in place", "walk slowly", "walk", "walk fast", "walk backward"),
        between=(
            *_shares("in place", "walk backward", 0.5),
            *_shares("walk", "walk fast", 0.5),
            *_shares("walk", "walk backward", 0.5),
        ),
        limits=Limits(trust=0.2, novelty=0.03, states=800),
    ),
}

_PLANE = {
    "humanoid": Setup(
        name="plane",
        basic=(
            *("amble in place", "amble", "amble fast", "amble backward", "amble left"),
            *("amble right", "curve left", "curve right", "pivot left", "pivot right"),
        ),
        between=(
            *_shares("amble in place", "amble", 0.5),
            *_shares("amble in place", "amble backward", 0.5),
            *_sides("amble", "curve", 0.5),
            *_sides("amble in place", "pivot", 0.5),
            *_sides("amble in place", "amble", 0.5),
        ),
        limits=Limits(trust=0.1, novelty=0.04, states=1200),
        steady="amble",
    ),
    "bird": Setup(
        name="plane",
        basic=(
            *("tread", "waddle slowly", "waddle", "waddle fast", "waddle backward"),
            *("curve left", "curve right", "pivot left", "pivot right"),
            *("tread left", "tread right"),
        ),
        between=(
            *_shares("tread", "waddle slowly", 0.5),
            *_shares("tread", "waddle backward", 0.5),
            *_sides("waddle slowly", "pivot", 0.5),
            *_sides("tread", "pivot", 0.5),
            *_sides("tread", "tread", 0.5),
        ),
        limits=Limits(trust=0.07, novelty=0.028, states=1200),
        steady="waddle",
    ),
    "raptor": Setup(
        name="plane",
        basic=("in place", "walk slowly", "walk", "walk fast", "turn left", "turn right"),
        between=(
            *_shares("in place", "walk", 0.5),
            *_sides("walk", "turn", 0.5),
            *_sides("in place", "turn", 0.5),
        ),
        limits=Limits(trust=0.2, novelty=0.05, states=900),
    ),
}

_ROBUST = {
    "humanoid": Setup(
        name="robust",
        basic=("stroll", "brace", "brace back", "brace ahead", "brace slowly"),
        between=(),
        limits=Limits(trust=0.5, novelty=0.1, states=900),
        steady="stroll",
        kick=1.5,
        lessons=Lessons(),
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
