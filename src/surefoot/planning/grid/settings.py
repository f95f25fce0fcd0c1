"""Settings of the grid planner."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from surefoot.arrays import count, number
from surefoot.errors import ProblemError, one_of
from surefoot.limits import MAX_INTEGER

Metric = Literal["euclidean", "steps"]
Neighbours = Literal["all", "first layer"]
Diagonals = Literal["both flanks", "one flank", "cut"]
Borders = Literal["last resort", "closed"]
Smoothing = Literal["line of sight", "junctions"]
Searching = Literal["A*", "bushfire", "front"]
Rerouting = Literal["nearest", "whole"]

MOST_LAYERS = 200
"""Of border cells around obstacles and edges."""

_OPTIONAL = ("cell", "speed", "step_over", "layers")
"""Settings that may be left to the character."""

ACTIONS = ("walk", "step over", "bend", "jump")
"""What the planner can do, in the order in which it is preferred where two cost the same."""


@dataclass(frozen=True, kw_only=True)
class GridSettings:
    """How finely the grid planner looks, and what it prefers.

    The defaults are today's choices; what bandi2000 does instead is named with its section.

    Attributes:
        cell: side of a cell seen from above [m], > 0; as far as the feet of the character stand
            apart when not given (3.3).
        rise: height of a slice [m], > 0 (3.3).
        memory: [bytes], > 0: cells that would need more are refused.
        capability: the usual way of moving, whose size and limits decide.
        speed: how fast it goes [m/s], > 0; the capability's own speed when not given.
        actions: what may be done, of "walk", "step over", "bend" and "jump", as far as the
            character has the capabilities; of moves that cost the same the earlier wins (8.2).
        step_over: how far a step over a gap reaches [m], >= 0, at most the body's height; as the
            legs allow when not given (the horizontal foot span of 6.1).
        step_over_price: what a metre of stepping over costs, in metres of walking, >= 1.
        jump_price: what a metre of jumping costs, in metres of walking, >= 1.
        connectivity: 8, or 4 for moves across sides only (3.4).
        metric: what is shortest: "euclidean", or the number of "steps" (5.2).
        neighbours: "all" cells that can be reached, or the "first layer" of them (7.1; it misses
            ways, 7.2).
        diagonals: what a move across a corner needs: "both flanks" free, "one flank" (Fig. 5), or
            nothing ("cut").
        search: "A*" (5.4), "bushfire" without its heuristic (4.1), or the whole "front" of a goal,
            which is kept for all who have the same goal while the world stays as it is.
        borders: cells too close to obstacles or edges are "closed" (7.3), or used as the "last
            resort" where there is no other way and the body has room.
        layers: how many cells wide borders are, 0 to 200; what the body's radius needs when not
            given.
        border_sides: 8 sides of a cell make it a border cell, or 4 (7.3).
        clearance: wish for this much more room around the body [m], >= 0; not a demand.
        shyness: how many times its length a metre without that room costs extra, >= 0.
        support: the least share of a cell that must offer ground, 0 to 1 (9.1).
        smoothing: "line of sight" over all cells, or between "junctions" only (7.4).
        rounding: radius with which corners are cut [m], >= 0.
        rerouting: where a broken way is left and joined again: in its last sound cell and at the
            "nearest" one behind the break (8.3), or so that the "whole" is shortest.
        tries: how often the search may be repeated when the exact queries refuse its way, >= 1.
        wait_step: how finely departures are tried when something moves in the way [s], > 0.
    """

    cell: float | None = None
    rise: float = 0.05
    memory: int = 2_000_000_000
    capability: str = "walk"
    speed: float | None = None
    actions: tuple[str, ...] = ACTIONS
    step_over: float | None = None
    step_over_price: float = 1.5
    jump_price: float = 3.0
    connectivity: Literal[8, 4] = 8
    metric: Metric = "euclidean"
    neighbours: Neighbours = "all"
    diagonals: Diagonals = "both flanks"
    search: Searching = "A*"
    borders: Borders = "last resort"
    layers: int | None = None
    border_sides: Literal[8, 4] = 8
    clearance: float = 0.2
    shyness: float = 0.5
    support: float = 0.35
    smoothing: Smoothing = "line of sight"
    rounding: float = 0.8
    rerouting: Rerouting = "nearest"
    tries: int = 64
    wait_step: float = 0.1

    def __post_init__(self) -> None:
        self._check_choices()
        for name in ("cell", "rise", "memory", "speed", "wait_step"):
            self._check_number(name, above=0.0)
        for name in ("step_over", "clearance", "shyness", "rounding"):
            self._check_number(name, at_least=0.0)
        for name in ("step_over_price", "jump_price", "tries"):
            self._check_number(name, at_least=1.0)
        self._check_number("support", at_least=0.0, at_most=1.0)
        self._check_number("layers", at_least=0.0, at_most=MOST_LAYERS)
        for name in ("layers", "tries", "memory", "connectivity", "border_sides"):
            self._check_whole(name)
        self._check_actions()

    def _check_number(
        self,
        name: str,
        *,
        above: float | None = None,
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> None:
        value: Any = getattr(self, name)
        if isinstance(value, bool):
            raise ProblemError(f"grid {name} must be a number, got {value!r}")
        if value is not None or name not in _OPTIONAL:
            number(
                value,
                f"grid {name}",
                above=above,
                at_least=at_least,
                at_most=at_most,
                error=ProblemError,
            )

    def _check_whole(self, name: str) -> None:
        value: Any = getattr(self, name)
        if value is None:
            return
        if not float(value).is_integer():
            raise ProblemError(f"grid {name} must be a whole number, got {value!r}")
        whole = count(value, f"grid {name}", at_most=MAX_INTEGER, error=ProblemError)
        object.__setattr__(self, name, whole)

    def _check_choices(self) -> None:
        for name, choices in _choices().items():
            value: Any = getattr(self, name)
            if not isinstance(value, str | int | float | None) or value not in choices:
                raise ProblemError(one_of(f"grid {name}", value, map(str, choices)))

    def _check_actions(self) -> None:
        given: Any = self.actions
        if isinstance(given, str) or not isinstance(given, tuple | list):
            raise ProblemError(f"grid actions must be a list of names, got {given!r}")
        names = tuple(cast("tuple[Any, ...]", given))
        for name in names:
            if name not in ACTIONS:
                raise ProblemError(one_of("grid action", name, ACTIONS))
        if "walk" not in names:
            raise ProblemError(f"grid actions must hold 'walk', got {', '.join(names) or 'none'}")
        object.__setattr__(self, "actions", names)


@cache
def _choices() -> dict[str, tuple[Any, ...]]:
    """The fields that are one of several, and of which."""
    hints = get_type_hints(GridSettings)
    return {
        field.name: get_args(hints[field.name])
        for field in fields(GridSettings)
        if get_origin(hints[field.name]) is Literal
    }
