"""Settings of the space-time planner."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from surefoot.arrays import count, number, several
from surefoot.errors import ProblemError, one_of
from surefoot.limits import MAX_INTEGER

Waiting = Literal["safe intervals", "paper", "no culling"]
"""How waits are found; see `SpaceTimeSettings.waiting`."""

CONTROLLERS = ("walk", "run", "avoid", "avoid running", "corner", "stride", "jump", "leap")
"""That go somewhere, in the order they are tried where they cost the same."""


@dataclass(frozen=True, kw_only=True)
class SpaceTimeSettings:
    """How the space-time planner looks for a way, and with what.

    Attributes:
        waiting: "safe intervals": departures are found, as long as one can stay where one stands.
            "paper": waits are sampled, and what can be reached by waiting for no more is culled
            (5.2, 5.3). "no culling": waits are sampled, with a closed set (7.2).
        controllers: that may be run; those whose capability the problem does not allow are not.
        spacing: [m], > 0: between landmarks of a large surface; small ones have denser ones.
        nearest: [m], > 0: the densest.
        inset: [m], >= 0: how far landmarks keep from edges.
        along: [m], > 0: how far apart landmarks of one body may be to go from one to the other, or
            of two that are level and never move against each other.
        across: [m], > 0: likewise of two bodies, a moment after the departure: a jump, its run-up
            and insets.
        arrival: [m], > 0: how near to a landmark counts as there; None: the controllers' own (1 m
            in the paper, 5.1).
        boarding: [m], > 0: how near to a landmark of another body counts as there.
        anywhere: who boards is there wherever on the other body the first move ends that leads
            there, and goes on from the landmark nearest to that; where any price is paid. Else only
            near the landmark that was gone for.
        tick: [s], > 0: between departures that are tried.
        wait: [s], > 0: between waits that are sampled (5.1: 1 s).
        preparation: [s], >= 0: who has waited so long is ready for anything (t_min in 5.2).
        culled_heuristic: what is left at least counts that landmarks are not gone to while they are
            culled (5.5), where waiting is "paper"; it saves few trajectories, for much more time.
        closed: [s], >= 0: nodes as near as this in time are the same to a closed set (7.2).
        readying: [s], >= 0: for so long before a departure one gets ready for it (4.3).
        spread: [s], > 0: how much longer than at its fastest a way may take.
        attempts: to adapt a controller, >= 1, for each choice of its fit (4.2).
        price: >= 1: no way that is found costs more than so many times the best one. 1: the best;
            infinite: what seems best as far as is known, which is found soonest.
        haste: >= 1, where the price allows: so many times as much does it weigh what is left most
            likely. More finds a way sooner that may cost more.
        polish: >= 0: until so many trajectories were tried in all, a cheaper way than the first one
            is looked for, where the price allows.
        milestones: [m], > 0: for large worlds: between milestones on the way that the grid planner
            finds over what rests; one plan from each to the next. None: one plan for all.
        stage: [s], > 0: how long each of those may last.
    """

    waiting: Waiting = "safe intervals"
    controllers: tuple[str, ...] = CONTROLLERS
    spacing: float = 4.0
    nearest: float = 1.2
    inset: float = 0.4
    along: float = 8.0
    across: float = 3.5
    arrival: float | None = None
    boarding: float = 1.5
    anywhere: bool = True
    tick: float = 0.2
    wait: float = 1.0
    preparation: float = 0.4
    culled_heuristic: bool = False
    closed: float = 0.05
    readying: float = 4.0
    spread: float = 4.0
    attempts: int = 5
    price: float = math.inf
    haste: float = 1.2
    polish: int = 200
    milestones: float | None = None
    stage: float = 30.0

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.waiting not in get_args(Waiting):
            raise ProblemError(one_of("waiting", self.waiting, get_args(Waiting)))
        names = several(self.controllers, str, "space-time: controllers", error=ProblemError)
        put(self, "controllers", names)
        if not self.controllers:
            raise ProblemError("space-time: controllers must name at least one")
        least = {"inset": 0.0, "preparation": 0.0, "closed": 0.0, "readying": 0.0, "attempts": 1.0,
                 "price": 1.0, "haste": 1.0, "polish": 0.0}  # fmt: skip
        for field in fields(self)[2:]:
            value: Any = getattr(self, field.name)
            if field.type == "bool":
                if not isinstance(value, bool):
                    raise ProblemError(
                        f"space-time: {field.name} must be True or False, got {value!r}"
                    )
                continue
            if field.name in ("arrival", "milestones") and value is None:
                continue
            title = f"space-time: {field.name}"
            if field.name in least:
                value = number(value, title, at_least=least[field.name], error=ProblemError,
                               infinite=field.name == "price")  # fmt: skip
            else:
                value = number(value, title, above=0.0, error=ProblemError)
            if field.type == "int":
                value = count(int(value), title, at_most=MAX_INTEGER, error=ProblemError)
            put(self, field.name, value)

    @classmethod
    def of_the_paper(cls, **changes: Any) -> SpaceTimeSettings:
        """As levine2011 prints them: culling, waits of 1 s, t_min 1 s, arrival within 1 m.

        With controllers for what its own do (7): to run, also round an obstacle and a corner, and
        to jump; and with about as few landmarks as still find a way through every built-in scene.
        """
        printed = cls(
            waiting="paper", anywhere=False, preparation=1.0, arrival=1.0, boarding=1.0,
            price=1.0, polish=0, controllers=("run", "avoid running", "corner", "jump"),
            spacing=6.0, nearest=2.0,
        )  # fmt: skip
        return replace(printed, **changes)

    @property
    def sampling(self) -> tuple[float, float, float]:
        """What decides where landmarks are."""
        return self.spacing, self.nearest, self.inset
