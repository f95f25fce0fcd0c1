"""Settings of pursuits."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from surefoot.arrays import count, number
from surefoot.errors import InputError, one_of
from surefoot.limits import MAX_INTEGER

Seams = Literal["steps", "nodes"]
"""Where a new plan may begin; see `PursuitSettings.seams`."""

Clock = Literal["counts", "measured"]
"""How long planning takes in a pursuit; see `PursuitSettings.clock`."""


@dataclass(frozen=True, kw_only=True)
class PursuitSettings:
    """How somebody is pursued (levine2011, section 7.3).

    Attributes:
        catch: [m], > 0: how near to the target is to have caught it.
        margin: > 0: the next episode may take so many times what the last one took.
        first: evaluations, >= 1, that the first episode may take. What earlier episodes have run
            is recalled and does not count.
        least: evaluations, >= 1, that an episode may take however short the last one was.
        most: evaluations, >= 1, that none may pass.
        clock: "counts": planning lasts as long as its evaluations do at `rate`, so that a pursuit
            has the same bits anywhere. "measured": as long as those of the last episode took in
            fact; every episode keeps its rate, and with these a pursuit can be repeated.
        rate: [evaluations/ms], > 0: of the clock "counts", and of the first episode of the other;
            with all that is around them.
        horizon: [s], > 0: how far ahead a plan looks, or up to four times as far where the target
            is not likely reached in that time.
        lead: [s], >= 0: for so long the target is taken to go on as it does.
        pause: [s], > 0: from the beginning of an episode to that of the next, at least.
        hurry: [s], > 0: likewise while no way to the target is known; no more than `pause`.
        seams: "steps": a new plan begins as soon as it is there, in a wait or between two steps.
            "nodes": where a way to a landmark ends, as in the paper.
    """

    seams: Seams = "steps"
    clock: Clock = "counts"
    catch: float = 1.2
    margin: float = 1.5
    first: int = 400
    least: int = 400
    most: int = 400
    rate: float = 4.0
    horizon: float = 40.0
    lead: float = 0.6
    pause: float = 0.5
    hurry: float = 0.15

    def __post_init__(self) -> None:
        for name, choices in (("seams", get_args(Seams)), ("clock", get_args(Clock))):
            if getattr(self, name) not in choices:
                raise InputError(one_of(f"pursuit: {name}", getattr(self, name), choices))
        for field in fields(self)[2:]:
            value: Any = getattr(self, field.name)
            title = f"pursuit: {field.name}"
            if field.name in ("first", "least", "most"):
                if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                    raise InputError(f"{title} must be a whole number >= 1, got {value!r}")
                count(value, title, at_most=MAX_INTEGER)
            elif field.name == "lead":
                number(value, title, at_least=0.0)
            else:
                number(value, title, above=0.0)
        if self.least > self.most:
            raise InputError(f"pursuit: least ({self.least}) must not be above most ({self.most})")
