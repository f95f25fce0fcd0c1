"""Options that mean the same on every command that has them."""

from __future__ import annotations

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from math import isfinite
from typing import TYPE_CHECKING, Any

from surefoot import arrays, limits
from surefoot.errors import InputError, ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from surefoot.planning.places import PlaceLike
    from surefoot.scenario import Scenario
    from surefoot.scenario.inputs import Ground, Input

POINT = "X,Y,Z or NAME"
"""How a start or a goal is written: a point in metres, or the name of a place or a body."""

_USES = {
    "start": ("PLACE", f"where the walk starts: {POINT} of a place or a body"),
    "goal": ("PLACE", f"where the walk goes: {POINT} of a place or a body"),
    "character": ("NAME", "who walks, an adult by default"),
    "planner": ("NAME", "plan with this planner; by default the grid planner and, where that does"
                " not reach the goal, space-time"),
    "scale": ("METRES", "in one unit of a world file, 1 by default"),
    "up": ("AXIS", "which axis of a world file is up, y or z"),
    "repeat": ("HOW", "what animated bodies of a world file do after their animation's end: loop"
               " (the default), once or ping-pong"),
    "horizon": ("SECONDS", "how long the walk may take, 60 by default, or what the scene or the"
                " scenario says"),
}  # fmt: skip

WALK = tuple(_USES)
"""All shared options of a command that plans a walk."""


def whole(at_least: int = 0, at_most: int = limits.MAX_INTEGER) -> Callable[[str], int]:
    """The type of an option that is a whole number within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or not at_least <= value <= at_most:
            raise ArgumentTypeError(
                f"must be a whole number from {at_least:,} to {at_most:,}, got {text}"
            )
        return value

    return read


def real(
    *, above: float | None = None, at_least: float | None = None, at_most: float | None = None
) -> Callable[[str], float]:
    """The type of an option that is a finite number within bounds."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise ArgumentTypeError(f"must be a number, got {text!r}") from None
        try:
            return arrays.number(value, "", above=above, at_least=at_least, at_most=at_most)
        except InputError as reason:
            raise ArgumentTypeError(str(reason).strip()) from None

    return read


SEED = whole()
PORT = whole(at_most=65535)
THREADS = whole(1, 1024)
AGENTS = whole(1, 100_000)
"""People in a crowd; more would take the memory of a machine."""
SECONDS = real(above=0.0, at_most=limits.MAX_TIME)
PLAYED = real(above=0.0, at_most=600.0)
"""[s] that a simulated body is shown."""
MOMENT = real(at_least=-limits.MAX_TIME, at_most=limits.MAX_TIME)
POSITIVE = real(above=0.0)
FPS = real(at_least=1.0, at_most=240.0)

_KINDS = {
    "scene": "a scene",
    "world file": "a world file",
    "scenario": "a scenario (.toml)",
    "crowd": "a built-in crowd",
    "SteerSuite or Menge file": "a SteerSuite or Menge file (.xml)",
    "scene run by physics": "a scene run by physics (physics 1, physics 2)",
}
"""What each kind of input is called in help, by the value of its `InputKind`."""

LEVELS = ("scene", "world file")
WORLDS = (*LEVELS, "scenario")


def add_input(
    parser: ArgumentParser,
    kinds: Sequence[str] = WORLDS,
    *,
    default: str | None = None,
    optional: bool = False,
) -> None:
    """Declares INPUT: what the command works with. `find` takes these kinds and no others.

    Args:
        parser: the command's.
        kinds: values of `InputKind`, which is imported later: it takes all that plans.
        default: what is taken when nothing is named.
        optional: whether nothing need be named, without a default.
    """
    words = [_KINDS[kind] for kind in kinds]
    said = f"{', '.join(words[:-1])} or {words[-1]}"
    parser.set_defaults(kinds=tuple(kinds))
    parser.add_argument(
        "input",
        metavar="INPUT",
        nargs="?" if optional or default is not None else None,
        default=default,
        help=said if default is None else f"{said}; {default} by default",
    )


def add_options(parser: ArgumentParser, *names: str) -> None:
    """Declares some of the shared options."""
    for name in names:
        metavar, use = _USES[name]
        kind = {"scale": POSITIVE, "horizon": SECONDS}.get(name, str)
        parser.add_argument(f"--{name}", metavar=metavar, type=kind, help=use)
    # -9,3,0 is a point, not an option; argparse knows only single negative numbers.
    vars(parser)["_negative_number_matcher"] = re.compile(r"^-\.?\d")


def add_json(parser: ArgumentParser) -> None:
    """Declares `--json`."""
    parser.add_argument(
        "--json", action="store_true", help="print one JSON document instead of text"
    )


def given_place(args: Namespace, name: str) -> PlaceLike | None:
    """The start or goal that was given: a point or a name; None where none was."""
    text: str | None = getattr(args, name)
    if text is None:
        return None
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        return text
    if len(numbers) != 3 or not all(map(isfinite, numbers)):
        raise InputError(f"--{name}: expected {POINT}, got {text!r}")
    return numbers


def find(args: Namespace) -> Input:
    """What the command's INPUT is: one of the kinds that it declared."""
    from surefoot.scenario.inputs import InputKind, find_input

    takes = [InputKind(kind) for kind in args.kinds]
    return find_input(args.input, takes=takes, user=f"surefoot {args.report.command}")


def load_ground(args: Namespace, found: Input) -> Ground:
    """The world of a scene or a world file, as the options say."""
    from surefoot.scenario import inputs

    check_world_options(args, found)
    return inputs.load_ground(
        found, up=_get(args, "up"), scale=_get(args, "scale"), repeat=_get(args, "repeat")
    )


def load_scenario(args: Namespace, found: Input) -> Scenario:
    """What the planners are asked, as the options say."""
    from surefoot.scenario import inputs

    check_world_options(args, found)
    return in_its_words(
        args,
        lambda start, goal: inputs.load_scenario(
            found, start=start, goal=goal, character=_get(args, "character"),
            planner=_get(args, "planner"), up=_get(args, "up"), scale=_get(args, "scale"),
            repeat=_get(args, "repeat"), horizon=_get(args, "horizon"),
        ),
    )  # fmt: skip


def in_its_words(
    args: Namespace, make: Callable[[PlaceLike | None, PlaceLike | None], Scenario]
) -> Scenario:
    """What is made of the start and the goal that were given; errors name the options."""
    start, goal = given_place(args, "start"), given_place(args, "goal")
    try:
        return make(start, goal)
    except ProblemError as reason:
        text = str(reason)
        given = [name for name, value in (("start", start), ("goal", goal)) if value is not None]
        if any(re.match(rf"{name}\b", text) for name in given):
            raise ProblemError(f"--{text}") from reason
        raise


def check_world_options(args: Namespace, found: Input) -> None:
    """Refuses options for a world file, or for a walk, where the input is something else."""
    from surefoot.scenario.inputs import InputKind

    if found.kind is not InputKind.WORLD:
        refuse(args, found, "scale", "up", "repeat")
    if found.kind is InputKind.SCENARIO:
        refuse(args, found, "character")


def refuse(args: Namespace, found: Input, *names: str) -> None:
    """Raises an error where one of some options is given that the input does not go with."""
    given = [f"--{name}" for name in names if _get(args, name) is not None]
    if given:
        raise InputError(f"{', '.join(given)}: not for this input; {found}")


def _get(args: Namespace, name: str) -> Any:
    return getattr(args, name, None)
