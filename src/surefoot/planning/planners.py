"""The planners by name: `planners.make("grid", {"cell": 0.2})`.

Files and commands name a planner and give settings as plain values; this is where they become a
planner, or an error that names the valid ones. A new planner is one line in `_KINDS`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

from surefoot.arrays import expect
from surefoot.errors import InputError, ProblemError, one_of
from surefoot.planning.automatic import Automatic
from surefoot.planning.footsteps import Footsteps, FootstepSettings
from surefoot.planning.grid import Grid, GridSettings
from surefoot.planning.plan import Plan
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.topology import Topology, TopologySettings


class Planner(Protocol):
    """What every planner can do."""

    @property
    def name(self) -> str:
        """As in `names()`."""
        ...

    @property
    def settings(self) -> Any:
        """Of the type that its `PlannerKind` says."""
        ...

    def plan(
        self,
        problem: Problem,
        *,
        progress: Callable[[str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:
        """A plan that solves the problem, or one that says why there is none.

        Args:
            problem: what is asked.
            progress: told the stage and how much is done, 0 to 1.
            cancel: asked now and then; the plan found so far is returned once it says true.
        """
        ...


@dataclass(frozen=True)
class PlannerKind:
    """A planner to choose.

    Attributes:
        description: one line.
        settings: its settings, a frozen dataclass that has a default for every field.
        make: the planner with such settings.
    """

    description: str
    settings: type[Any]
    make: Callable[[Any], Planner]


DEFAULT = "automatic"
"""The planner where none is named."""

_KINDS: Mapping[str, PlannerKind] = {
    "automatic": PlannerKind(
        "grid, and space-time where that does not reach", GridSettings, Automatic
    ),
    "footsteps": PlannerKind("every foot, in time", FootstepSettings, Footsteps),
    "grid": PlannerKind("any mesh, walked on as it is at rest", GridSettings, Grid),
    "space-time": PlannerKind(
        "worlds that move, whose future is known", SpaceTimeSettings, SpaceTime
    ),
    "topology": PlannerKind(
        "worlds that move, whose future nobody knows", TopologySettings, Topology
    ),
}


def names() -> list[str]:
    """The names of all planners."""
    return sorted(_KINDS)


def kind(name: str) -> PlannerKind:
    """The planner called `name`."""
    if name not in _KINDS:
        raise ProblemError(one_of("planner", name, _KINDS))
    return _KINDS[name]


def make(name: str, settings: Mapping[str, Any] | None = None) -> Planner:
    """The planner called `name` with some of its settings changed."""
    chosen, values = kind(name), dict(settings or {})
    for field, why in wrong_fields(chosen.settings, values).items():
        raise ProblemError(f"planner {name!r}: {field}: {why}")
    return chosen.make(chosen.settings(**values))


def plan(
    problem: Problem,
    planner: Planner | str | None = None,
    *,
    progress: Callable[[str, float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Plan:
    """Solves a problem.

    Args:
        problem: what is asked.
        planner: such as `sf.Grid()`, or a planner's name. When not given, the grid planner and,
            where that does not reach, space-time; `plan.choice` says which and why.
        progress: told the stage and how much is done, 0 to 1.
        cancel: asked now and then; the plan found so far is returned once it says true.

    Returns:
        the plan; truthy when it reaches the goal. Otherwise `plan.status.message` says why, and
        the plan holds the best way towards the goal that was found.
    """
    expect(problem, Problem, "problem", error=ProblemError)
    chosen = make(planner or DEFAULT) if isinstance(planner, str | None) else planner
    if not callable(getattr(chosen, "plan", None)) or isinstance(chosen, type):
        raise ProblemError(
            f"planner: expected a planner such as sf.Grid(), or one of the names"
            f" {', '.join(names())}, got {planner!r}"
        )
    return chosen.plan(problem, progress=progress, cancel=cancel)


def wrong_fields(settings: type[Any], values: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with each of `values` as a field of a settings dataclass; nothing when fine."""
    hints = get_type_hints(settings)
    known = [field.name for field in fields(settings)]
    wrong: dict[str, str] = {}
    for name, value in values.items():
        if name not in known:
            wrong[name] = one_of("setting", name, known)
        elif not _fits(value, hints[name]):
            got = "a larger one" if _is_whole(value) and not _is_small(value) else repr(value)
            wrong[name] = f"expected {_said(hints[name])}, got {got}"
        else:
            # Bounds are the settings' own to check; alone, so that each error has its field.
            try:
                settings(**{name: value})
            except InputError as reason:
                wrong[name] = str(reason)
    return wrong


def _fits(value: Any, hint: Any) -> bool:
    if get_origin(hint) in (Union, types.UnionType):
        return any(_fits(value, part) for part in get_args(hint))
    if get_origin(hint) is Literal:
        return value in get_args(hint)
    if hint is float:
        return isinstance(value, float) or (_is_whole(value) and _is_small(value))
    if hint is int:
        return _is_whole(value) and _is_small(value)
    return not isinstance(hint, type) or isinstance(value, hint)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_small(value: int) -> bool:
    """Whether native code can take it; files can hold whole numbers of any length."""
    return value.bit_length() < 64


_WORDS: Mapping[Any, str] = {
    float: "a number",
    int: "a whole number",
    str: "text",
    bool: "true or false",
    type(None): "nothing",
}


def _said(hint: Any) -> str:
    if get_origin(hint) in (Union, types.UnionType):
        return _or(_said(part) for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is Literal:
        return _or(repr(choice) for choice in get_args(hint))
    return _WORDS.get(hint, str(hint))


def _or(words: Iterable[str]) -> str:
    return " or ".join(words)
