"""The costs to choose from: `costs.time() + 2 * costs.avoid("road")`."""

from __future__ import annotations

from collections.abc import Mapping

from surefoot.arrays import number
from surefoot.errors import ProblemError
from surefoot.planning.cost import Cost
from surefoot.planning.cost_terms import (
    Avoid,
    Effort,
    Function,
    Moving,
    Prefer,
    RateFunction,
    Time,
)


def time() -> Cost:
    """One per second: be quick."""
    return Cost((Time(),))


def effort() -> Cost:
    """Joules per kilogram: e_s + e_w v^2 per second, v relative to what one stands on.

    Riding costs no more than standing.
    """
    return Cost((Effort(),))


def least_motion(*, waiting: float = 0.1) -> Cost:
    """One per second of doing anything: rather wait and ride than walk.

    Args:
        waiting: [1/s], in 0..1: what a second of waiting costs, so that plans end at all.
    """
    waiting = number(waiting, "waiting", at_least=0.0, at_most=1.0, error=ProblemError)
    return Cost((Time(waiting), Moving(1.0 - waiting)))


def avoid(tag: str) -> Cost:
    """One per second of moving (not of waiting) on bodies with the tag.

    A tag with a number charges that number; scale the cost to charge more: `4 * avoid("road")`.
    """
    return Cost((Avoid(tag=tag),))


def prefer(capability: str) -> Cost:
    """One per second of moving in any other way than this capability."""
    return Cost((Prefer(mode=capability),))


def function(
    rate: RateFunction, *, lower: float | Mapping[str, float], waiting_upper: float
) -> Cost:
    """A rate of your own; the bounds are checked at every evaluation.

    Args:
        rate: `rate(position, t, mode, velocity)`, the cost per second; position `(3,)` [m] and
            velocity relative to the supporting body `(3,)` [m/s] in world coordinates; mode is
            "wait" or a capability's name.
        lower: [1/s], >= 0: no second costs less; one number, or one for each capability.
        waiting_upper: [1/s], >= 0: no second of waiting costs more.
    """
    bounds = lower if isinstance(lower, Mapping) else {"": lower}
    for mode, bound in bounds.items():
        name = f"lower bound of {mode!r}" if mode else "lower"
        number(bound, name, at_least=0.0, error=ProblemError)
    number(waiting_upper, "waiting_upper", at_least=0.0, error=ProblemError)
    return Cost((Function(function=rate, lower=lower, waiting_upper=waiting_upper),))
