"""Settings of the footstep planner."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import pi
from typing import Any

from surefoot.arrays import count, number, several
from surefoot.errors import ProblemError, one_of
from surefoot.limits import MAX_INTEGER
from surefoot.motion.steps import MODES

STEPPING = ("walk", "run", "turn", "step up", "step down", "jump", "crouch")
"""All modes beside standing; after the first three come platform actions (4.1), for ground that
asks for them."""

_AT_LEAST = {
    "run_penalty": 1.0,
    "astray_penalty": 0.0,
    "change_price": 0.0,
    "weight": 1.0,
    "first_weight": 1.0,
    "horizon": 0.0,
    "nodes": 1.0,
    "merge": 0.0,
    "room": 0.0,
    "doubt": 0.0,
    "most_doubt": 0.0,
}


@dataclass(frozen=True, kw_only=True)
class FootstepSettings:
    """What the footstep planner may do, and how hard it looks.

    Attributes:
        modes: locomotion modes (beacco2013 4.1) of the steps that may be used; a stand always may.
        speeds: how much faster than they were captured steps may be played, each > 0; 1 must be
            one of them (5.2).
        turns: [rad], >= 0: by which a straight step may be turned beyond what it does (6).
        wait: [s], > 0: how long one stand-still action lasts.
        run_penalty: >= 1: what running costs, over the effort that its speed asks for (4.1).
        astray_penalty: >= 0: what going backward costs beyond that effort, of it; half as much
            sideways.
        feet_apart: [m], > 0: how far a foot may be, where one step ends, from where the next one
            has it (5.4).
        speed_change: [m/s], > 0: how much velocities may differ there (5.4).
        change_price: [J/(kg m)], >= 0: what a change costs for each metre that feet are apart.
        weight: >= 1: how greedily the search goes for the goal; 1 finds the best plan.
        first_weight: at which an anytime search begins that repairs what it has found (ARA*,
            section 8); no anytime search where it is not greater than `weight`.
        weight_step: > 0: by how much the weight falls from one round of it to the next.
        horizon: how many steps are searched for at once, >= 0; 0: all the way to the goal.
        nodes: how many nodes may be expanded for one plan, > 0.
        merge: [m], >= 0: states closer than this to each other are one; 0: none are.
        merge_turn: [rad], > 0: likewise.
        merge_time: [s], > 0: likewise.
        way_point: [m], > 0: around a way-point (5.1), from where on the next one counts.
        rise: [m], > 0: how far up and down one step may go; the character's step height when not
            given.
        room: [m], >= 0: kept around the five cylinders (5.5).
        view: [m], > 0: how far away others must be not to be looked at (5.5).
        doubt: [m/s], >= 0: how fast the room grows that is kept from bodies whose future nobody
            knows (5.5.3).
        most_doubt: [m], >= 0: to how much.
        foresight: [s], > 0: how far ahead such bodies are looked for.
    """

    modes: tuple[str, ...] = STEPPING
    speeds: tuple[float, ...] = (0.85, 1.0, 1.15)
    turns: tuple[float, ...] = (0.14,)
    wait: float = 0.5
    run_penalty: float = 1.25
    astray_penalty: float = 1.0
    feet_apart: float = 0.18
    speed_change: float = 0.55
    change_price: float = 8.0
    weight: float = 1.05
    first_weight: float = 2.0
    weight_step: float = 0.5
    horizon: int = 0
    nodes: int = 50_000
    merge: float = 0.15
    merge_turn: float = pi / 10
    merge_time: float = 0.4
    way_point: float = 0.6
    rise: float | None = None
    room: float = 0.05
    view: float = 12.0
    doubt: float = 0.25
    most_doubt: float = 0.4
    foresight: float = 2.5

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "modes", several(self.modes, str, "footsteps: modes", error=ProblemError))
        for name, least in (("speeds", None), ("turns", 0.0)):
            given = several(getattr(self, name), object, f"footsteps: {name}", error=ProblemError)
            put(self, name, tuple(self._checked(name, value, least) for value in given))
        for mode in self.modes:
            if mode not in MODES:
                raise ProblemError(one_of("mode", mode, MODES))
        if 1.0 not in self.speeds:
            raise ProblemError(f"speeds must hold 1, got {self.speeds}")
        for field in fields(self)[3:]:
            name, title = field.name, f"footsteps: {field.name}"
            if name == "rise" and self.rise is None:
                continue
            value: float = getattr(self, name)
            if name in _AT_LEAST:
                value = number(value, title, at_least=_AT_LEAST[name], error=ProblemError)
            else:
                value = number(value, title, above=0.0, error=ProblemError)
            if name in ("horizon", "nodes"):
                value = count(int(value), title, at_most=MAX_INTEGER, error=ProblemError)
            put(self, name, value)

    @property
    def steps(self) -> tuple[object, ...]:
        """What decides which actions there are; settings that agree in it share a repertoire."""
        return (
            self.modes, self.speeds, self.turns, self.wait, self.run_penalty, self.astray_penalty,
            self.feet_apart, self.speed_change, self.change_price,
        )  # fmt: skip

    @staticmethod
    def _checked(name: str, value: Any, least: float | None = None) -> float:
        title = f"footsteps: {name}"
        if least is None:
            return number(value, title, above=0.0, error=ProblemError)
        return number(value, title, at_least=least, error=ProblemError)
