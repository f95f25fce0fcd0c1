"""How a simulated body follows a plan."""

from __future__ import annotations

from dataclasses import dataclass, fields

from surefoot.arrays import number
from surefoot.errors import InputError


@dataclass(frozen=True, kw_only=True)
class FollowSettings:
    """How a simulated body follows a plan.

    Attributes:
        pace: above 0, at most 1: of a person's usual speeds, at which the plan is made.
        slack: [s], >= 0: how late a boarding should still be possible.
        ahead: [s], > 0: the body is told to go where the plan has it so much later.
        room: [m], >= 0: a body that waits keeps so far from edges, if it can.
        farthest: [m], > 0: a place farther away is aimed at as if it were as far as this.
        astray: [m], > 0: a body farther than this from where the plan has it plans anew.
        plans: >= 1: so many are made at most.
        patience: [s], >= 0: for so long after the plan's end the body may still arrive.
        arrival: [m], > 0: how near to the goal is there.
        rate: [1/s], > 0: of the recorded motion.
    """

    pace: float = 0.4
    slack: float = 3.0
    ahead: float = 1.5
    room: float = 0.6
    farthest: float = 2.5
    astray: float = 1.2
    plans: int = 5
    patience: float = 15.0
    arrival: float = 0.3
    rate: float = 50.0

    def __post_init__(self) -> None:
        for field in fields(self):
            title = f"following: {field.name}"
            value = getattr(self, field.name)
            if field.name in ("slack", "room", "patience"):
                number(value, title, at_least=0.0)
            else:
                number(value, title, above=0.0)
        if self.pace > 1.0:
            raise InputError(f"following: pace must be at most 1, got {self.pace:g}")
        if self.plans != int(self.plans):
            raise InputError(f"following: plans must be a whole number, got {self.plans:g}")
