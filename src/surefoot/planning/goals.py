"""Where a character is to go: a place, a region, any of several, or all of them.

A goal on a moving body moves with it. A wide disc is a `Goal` with a wide tolerance. Goals may be
made of points and names; a `Problem` resolves them in its world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf, pi
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from surefoot import arrays, limits, schema
from surefoot.arrays import ArrayLike, Bools, Floats, floats, frozen, number, shortened
from surefoot.errors import ProblemError, one_of
from surefoot.planning.frames import headings_to_world, to_frame, to_world, turn_between
from surefoot.planning.places import PlaceLike, Unresolved, read_place
from surefoot.world import Place, World

ANY_TIME = (-inf, inf)
"""[s] An arrival window that never closes."""

STOREY = 0.5
"""[m] How far above or below a goal still counts as there: less than a storey, more than a step."""


@schema.record("place goal")
@dataclass(frozen=True)
class Goal:
    """Stand within `tolerance` of a place.

    Attributes:
        place: on the surface to stand on. It may be given as a point or a name, see `PlaceLike`;
            the goal of a `Problem` then has the place that it means in the problem's world.
        heading: [rad] to face, in the frame of the place's body; None for any.
        tolerance: [m], > 0: horizontal distance from the place that still counts.
        arrive: (earliest, latest) [s].
        heading_tolerance: [rad], > 0.
    """

    place: Place
    heading: float | None = None
    tolerance: float = 0.25
    arrive: tuple[float, float] = ANY_TIME
    heading_tolerance: float = pi / 12

    if TYPE_CHECKING:  # takes more than the attribute holds in the end

        def __init__(
            self,
            place: PlaceLike,
            heading: float | None = None,
            tolerance: float = 0.25,
            arrive: tuple[float, float] = ANY_TIME,
            heading_tolerance: float = pi / 12,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", read_place(self.place, "goal"))
        _check(self)
        arrays.length(self.tolerance, "goal tolerance", above=0.0, error=ProblemError)

    def reached(
        self, world: World, points: ArrayLike, times: ArrayLike, headings: ArrayLike | None = None
    ) -> Bools:
        """Whether standing at `points` `(n, 3)` at `times` `(n,)` is to have arrived.

        Headings `(n,)` [rad] are in the world's frame; without them any will do.
        """
        points, times = _moments(points, times)
        here = np.tile(self.place.position, (len(times), 1))
        shift = points - to_world(world, self.place.body, here, times)
        near = np.hypot(shift[:, 0], shift[:, 1]) <= self.tolerance
        near &= np.abs(shift[:, 2]) <= STOREY
        return near & _timely(self, times) & _facing(self, world, self.place.body, times, headings)

    def __str__(self) -> str:
        return str(self.place)


def _low() -> Floats:
    return np.full(3, -inf)


def _high() -> Floats:
    return np.full(3, inf)


@schema.record("region goal")
@dataclass(frozen=True, kw_only=True, eq=False)
class Region:
    """Stand anywhere on a body, or on any body with a tag, inside a box of its frame.

    Attributes:
        body: name of the body to stand on.
        tag: the bodies to stand on are those with this tag; give a body or a tag or neither.
        low: `(3,)` [m] corner of the box in the body's frame; in the world's for neither.
        high: `(3,)` [m] the other corner; infinite where the box does not end.
        heading: [rad] to face, in that frame; None for any.
        arrive: (earliest, latest) [s].
        heading_tolerance: [rad], > 0.
    """

    body: str | None = None
    tag: str | None = None
    low: Floats = field(default_factory=_low)
    high: Floats = field(default_factory=_high)
    heading: float | None = None
    arrive: tuple[float, float] = ANY_TIME
    heading_tolerance: float = pi / 12

    def __post_init__(self) -> None:
        _check(self)
        if self.body is not None and self.tag is not None:
            raise ProblemError(
                f"a region is on a body or on a tag, got both: {self.body!r}, {self.tag!r}"
            )
        for name in ("low", "high"):
            corner = floats(
                getattr(self, name), f"region {name}", limit=limits.MAX_COORDINATE, unit="m",
                infinite=True, error=ProblemError,
            )  # fmt: skip
            if corner.shape != (3,):
                raise ProblemError(f"region {name} must be three numbers [m], got {corner}")
            object.__setattr__(self, name, frozen(corner))
        if not (self.low < self.high).all():
            raise ProblemError(f"region low must be below high, got {self.low} and {self.high}")
        if self.body is None and self.tag is None and np.isinf(self.low).all():
            raise ProblemError("a region needs a body, a tag or a box")

    def bodies(self, world: World) -> tuple[str | None, ...]:
        """The bodies it lies on, (None,) for a box of the world's own frame."""
        if self.tag is not None:
            found = tuple(name for name, body in world.bodies.items() if body.tags.get(self.tag))
            if not found:
                tags = {tag for body in world.bodies.values() for tag in body.tags}
                raise ProblemError(f"goal: {one_of('tag', self.tag, tags)}")
            return found
        if self.body is not None and self.body not in world:
            raise ProblemError(f"goal: {one_of('body', self.body, world.bodies)}")
        return (self.body,)

    def reached(
        self, world: World, points: ArrayLike, times: ArrayLike, headings: ArrayLike | None = None
    ) -> Bools:
        """Whether standing at `points` `(n, 3)` at `times` `(n,)` is to have arrived.

        Headings `(n,)` [rad] are in the world's frame; without them any will do.
        """
        points, times = _moments(points, times)
        on = world.support(points, times, up=STOREY, down=STOREY).body
        there = np.zeros(len(times), dtype=np.bool_)
        for body in self.bodies(world):
            local = to_frame(world, body, points, times)
            inside = ((local >= self.low) & (local <= self.high)).all(axis=1)
            if body is not None:
                inside &= np.isin(on, [i for i, name in enumerate(world.names) if name == body])
            there |= inside & _facing(self, world, body, times, headings)
        return there & _timely(self, times)

    def __str__(self) -> str:
        on = f"any body tagged {self.tag!r}" if self.tag is not None else f"{self.body!r}"
        if np.isinf(self.low).all() and np.isinf(self.high).all():
            return f"anywhere on {on}"
        on = "" if self.body is None and self.tag is None else f" of {on}"
        return f"the box {self.low.tolist()} to {self.high.tolist()}{on}"


@schema.record("any of")
@dataclass(frozen=True)
class AnyOf:
    """Reach one of several goals, whichever is best; each may be given as `GoalLike`."""

    goals: tuple[AnyGoal, ...]

    if TYPE_CHECKING:  # takes more than the attribute holds in the end

        def __init__(self, goals: Iterable[GoalLike]) -> None: ...

    def __post_init__(self) -> None:
        _check_several(self, "any of")

    def __str__(self) -> str:
        return " or ".join(str(goal) for goal in self.goals)


@schema.record("all of")
@dataclass(frozen=True)
class AllOf:
    """Visit several goals in one plan; in the order given, or in the best one.

    Each may be given as `GoalLike`.
    """

    goals: tuple[AnyGoal, ...]
    ordered: bool = False

    if TYPE_CHECKING:  # takes more than the attribute holds in the end

        def __init__(self, goals: Iterable[GoalLike], ordered: bool = False) -> None: ...

    def __post_init__(self) -> None:
        _check_several(self, "all of")

    def __str__(self) -> str:
        return (", then " if self.ordered else " and ").join(str(goal) for goal in self.goals)


AnyGoal: TypeAlias = Goal | Region | AnyOf | AllOf
"""Everything that a problem can have as its goal."""

GoalLike: TypeAlias = AnyGoal | PlaceLike
"""A goal, or where to stand within 0.25 m: a place, a point or a name."""


def read_goal(given: GoalLike, field: str = "goal") -> AnyGoal:
    """What was given as a goal; points and names in it are not resolved yet."""
    if isinstance(given, Goal | Region | AnyOf | AllOf):
        return given
    try:
        return Goal(cast("Place", read_place(given, field)))
    except ProblemError as reason:
        raise ProblemError(
            f"{field}: expected a Goal, Region, AnyOf or AllOf, a Place, a point of three numbers"
            f" [m], or the name of a place or a body{str(reason).partition('a body')[2]}"
        ) from reason


def resolve_goal(goal: AnyGoal, resolve: Callable[[Goal], Place]) -> AnyGoal:
    """The goal with a place wherever it had a point or a name.

    Args:
        goal: as `read_goal` gives it.
        resolve: gives the place of a goal that has none yet.
    """
    if isinstance(goal, AnyOf | AllOf):
        parts = tuple(resolve_goal(part, resolve) for part in goal.goals)
        same = all(new is old for new, old in zip(parts, goal.goals, strict=True))
        return goal if same else replace(goal, goals=parts)
    if isinstance(goal, Goal) and isinstance(cast("object", goal.place), Unresolved):
        return replace(goal, place=resolve(goal))
    return goal


def leaves(goal: AnyGoal) -> tuple[Goal | Region, ...]:
    """The places and regions in a goal, in order."""
    if isinstance(goal, Goal | Region):
        return (goal,)
    return tuple(leaf for part in goal.goals for leaf in leaves(part))


def first_reached(
    goal: AnyGoal, world: World, points: Floats, times: Floats, headings: Floats, start: int = 0
) -> int | None:
    """Index of the first moment, from `start` on, at which a walk has done what the goal asks."""
    if isinstance(goal, Goal | Region):
        there = np.flatnonzero(goal.reached(world, points[start:], times[start:], headings[start:]))
        return start + int(there[0]) if len(there) else None
    found: list[int | None] = []
    begin = start
    for part in goal.goals:
        at = first_reached(part, world, points, times, headings, begin)
        if isinstance(goal, AllOf):
            if at is None:
                return None
            begin = at if goal.ordered else begin
        found.append(at)
    reached = [at for at in found if at is not None]
    if not reached:
        return None
    return max(reached) if isinstance(goal, AllOf) else min(reached)


def _moments(points: ArrayLike, times: ArrayLike) -> tuple[Floats, Floats]:
    points = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    times = np.broadcast_to(np.asarray(times, dtype=np.float64), points.shape[:1])
    return points, times


def _timely(goal: Goal | Region, times: Floats) -> Bools:
    return (times >= goal.arrive[0]) & (times <= goal.arrive[1])


def _facing(
    goal: Goal | Region, world: World, body: str | None, times: Floats, headings: ArrayLike | None
) -> Bools:
    if goal.heading is None or headings is None:
        return np.ones(len(times), dtype=np.bool_)
    wanted = headings_to_world(world, body, np.full(len(times), goal.heading), times)
    return np.abs(turn_between(headings, wanted)) <= goal.heading_tolerance


def _check(goal: Goal | Region) -> None:
    if goal.heading is not None:
        number(goal.heading, "goal heading", error=ProblemError)
    number(goal.heading_tolerance, "goal heading_tolerance", above=0.0, error=ProblemError)
    window: Any = goal.arrive
    if not isinstance(window, tuple | list) or len(window) != 2:  # pyright: ignore[reportUnknownArgumentType]
        raise ProblemError(f"goal arrive must be (earliest, latest) [s], got {window!r}")
    earliest, latest = (
        arrays.time(t, "goal arrive", infinite=True, error=ProblemError) for t in goal.arrive
    )
    if earliest > latest:
        raise ProblemError(f"goal arrive must be (earliest, latest), got {earliest:g}, {latest:g}")
    object.__setattr__(goal, "arrive", (earliest, latest))


def _check_several(goal: AnyOf | AllOf, name: str) -> None:
    given: Any = goal.goals
    if isinstance(given, str | bytes | Place | Goal | Region | AnyOf | AllOf) or not isinstance(
        given, Iterable
    ):
        raise ProblemError(f"{name} takes a list of goals, got {shortened(given)}")
    items = enumerate(cast("Iterable[GoalLike]", given))
    goals = tuple(read_goal(part, f"{name}: goal {i + 1}") for i, part in items)
    object.__setattr__(goal, "goals", goals)
    if not goals:
        raise ProblemError(f"{name} needs at least one goal")
