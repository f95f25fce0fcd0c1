"""`surefoot plan`: a scenario, or a world file and two points, to an animation."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

from surefoot.errors import FileError, InputError, ScenarioError, one_of
from surefoot.quantities import duration

if TYPE_CHECKING:
    from surefoot.scenario import Planned, Scenario

NAME = "plan"
HELP = "plan a scenario, or a walk through a world file, and write the animation"

_Write: TypeAlias = tuple[Path, Callable[[Path], object]]
"""A file, and what writes it whole."""

_WORLD_ONLY = ("start", "goal", "character", "up")


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a scenario (.toml), or a world")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write the animation (.glb, .gltf, .bvh)"
    )
    parser.add_argument("--plan", metavar="FILE", type=Path, help="write the plan (.json)")
    parser.add_argument("--picture", metavar="FILE", type=Path, help="write a picture (.png)")
    parser.add_argument(
        "--cells",
        metavar="FILE",
        type=Path,
        help="write a picture of the grid planner's cells (.png)",
    )
    parser.add_argument("--planner", metavar="NAME", help="plan with this planner")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    world = parser.add_argument_group("for a world file")
    world.add_argument("--start", metavar="X,Y,Z", help="where the walk starts [m]")
    world.add_argument("--goal", metavar="X,Y,Z", help="where it goes [m]")
    world.add_argument("--character", metavar="NAME", help="who goes, an adult by default")
    world.add_argument("--up", metavar="AXIS", help="which axis of the file is up, y or z")
    # -9,3,0 is a point, not an option; argparse knows only single negative numbers.
    vars(parser)["_negative_number_matcher"] = re.compile(r"^-\.?\d")


def run(args: Namespace) -> int:
    """Loads, plans, checks, animates and writes; 0 when every goal is reached."""
    check_outputs(args)
    scenario = _scenario(args)
    if args.planner is not None:
        scenario = scenario.with_planner(args.planner)
    return carry_out(scenario, args)


def carry_out(scenario: Scenario, args: Namespace) -> int:
    """Plans, checks, animates and writes what `args` names: output, plan, picture, quiet."""
    voice = _Voice(quiet=args.quiet)
    moving = sum(body.trajectory.moving for body in scenario.world)
    voice.say(f"{scenario.name}: {len(scenario.world)} bodies, {moving} of them moving")
    done = _planned(scenario, voice)
    unsound = [planned for planned in done if not _sound(planned, voice)]
    writes = [] if unsound else _animated(scenario, done, args, voice)
    if args.plan is not None:
        paths = _beside(args.plan, done)
        writes += [(path, each.plan.save) for path, each in zip(paths, done, strict=True)]
    if getattr(args, "cells", None) is not None:
        writes += _cells(done, args.cells, voice)
    # Everything is made before anything is written, so that Ctrl-C hardly ever leaves some files.
    for path, write in writes:
        write(path)
        voice.say(f"wrote {path}")
    return 1 if unsound else 0


# --- what was asked ------------------------------------------------------------------------------


def check_outputs(args: Namespace) -> None:
    """Refuses what cannot be written before any work is done."""
    endings = {
        "output": (".glb", ".gltf", ".bvh"),
        "plan": (".json",),
        "picture": (".png",),
        "cells": (".png",),
    }
    for option, allowed in endings.items():
        path: Path | None = getattr(args, option, None)
        if path is None:
            continue
        if path.suffix.lower() not in allowed:
            raise FileError(f"{path}: the name must end in {', '.join(allowed)}")
        if not path.parent.is_dir():
            raise FileError(f"{path}: there is no folder {path.parent}")


def _scenario(args: Namespace) -> Scenario:
    from surefoot.scenario import Scenario
    from surefoot.world.loaders import EXTENSIONS

    file: Path = args.file
    ending = file.suffix.lower()
    if ending == ".toml":
        given = [f"--{name}" for name in _WORLD_ONLY if getattr(args, name) is not None]
        if given:
            raise InputError(f"{', '.join(given)}: only for a world file; {file} is a scenario")
        return Scenario.load(file)
    if ending not in EXTENSIONS:
        raise FileError(f"{file}: {one_of('extension', ending, ('.toml', *EXTENSIONS))}")
    return _walk(args, file)


def _walk(args: Namespace, file: Path) -> Scenario:
    """The scenario of one character in a world file."""
    from surefoot.scenario import VERSION, Scenario

    missing = [f"--{name} X,Y,Z" for name in ("start", "goal") if getattr(args, name) is None]
    if missing:
        raise InputError(f"a walk through {file} needs {' and '.join(missing)}")
    who: str = args.character or "adult"
    world: dict[str, Any] = {"file": str(file)}
    if args.up is not None:
        world["up"] = args.up
    walk = {"character": who, "start": _point(args, "start"), "goal": _point(args, "goal")}
    data = {
        "surefoot": "scenario",
        "version": VERSION,
        "world": world,
        "characters": {"walker" if args.character is None else who: walk},
    }
    try:
        return Scenario.from_data(data, name=str(file))
    except ScenarioError as wrong:
        raise InputError("; ".join(map(_as_option, wrong.problems))) from wrong


def _point(args: Namespace, name: str) -> list[float]:
    text: str = getattr(args, name)
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--{name}: expected three numbers X,Y,Z, got {text!r}") from None
    return [x, y, z]


def _as_option(problem: str) -> str:
    """A problem of the scenario behind a short command, in the command's words."""
    problem = re.sub(r"^world\.file: ", "", problem)
    problem = re.sub(r"^world\.(\w+)", r"--\1", problem)
    return re.sub(r"^characters\.(\w+|\"[^\"]*\")\.(\w+)(\.position)?", r"--\2", problem)


def _beside(path: Path, done: list[Planned]) -> list[Path]:
    """Where files of one character go: to the path itself, or beside it for each of several."""
    if len(done) == 1:
        return [path]
    paths: list[Path] = []
    for planned in done:
        name = re.sub(r"[^\w-]+", "_", planned.role.name)
        while (free := path.with_name(f"{path.stem}.{name}{path.suffix}")) in paths:
            name += "_"
        paths.append(free)
    return paths


# --- the work ------------------------------------------------------------------------------------


def _planned(scenario: Scenario, voice: _Voice) -> list[Planned]:
    done: list[Planned] = []
    with voice:
        for planned in scenario.plans(progress=voice.progress):
            voice.say(str(planned.plan))
            done.append(planned)
    return done


def _sound(planned: Planned, voice: _Voice) -> bool:
    """Whether the plan reaches its goal and all it claims holds; says why not."""
    if not planned.plan:
        # The plan's first line has said why, unless nothing is to be said.
        voice.complain(f"{planned.role.name}: {planned.plan.status.message}", only_if_quiet=True)
        return False
    clock = perf_counter()
    check = planned.plan.check(planned.role.problem.world)
    if not check:
        voice.complain(f"{planned.role.name}: {check}")
        return False
    voice.say(f"{planned.role.name}: {check}, checked in {_since(clock)}")
    return True


def _animated(
    scenario: Scenario, done: list[Planned], args: Namespace, voice: _Voice
) -> list[_Write]:
    """The animation and the picture, ready to be written."""
    if args.output is None and args.picture is None:
        return []
    from surefoot.scenario import results

    with voice:
        voice.progress("all", "animation", 0.0)
        clock = perf_counter()
        shown = results.animations(scenario, done)
        voice.say(f"animated {sum(len(each.times) for each in shown)} frames in {_since(clock)}")
        writes: list[_Write] = []
        root_motion = scenario.output.root_motion
        if args.output is not None and not results.fit_together(args.output, shown):
            for path, each in zip(_beside(args.output, done), shown, strict=True):
                writes.append((path, partial(each.save, root_motion=root_motion)))
        elif args.output is not None:
            save = partial(results.save_together, shown=shown, root_motion=root_motion)
            writes.append((args.output, save))
        if args.picture is not None:
            voice.progress("all", "picture", 0.0)
            writes.append((args.picture, results.picture(shown).save))
    return writes


def _cells(done: list[Planned], target: Path, voice: _Voice) -> list[_Write]:
    """Pictures of the cells that plans were found in, ready to be written."""
    from surefoot.animation.pictures.cells import cells_picture
    from surefoot.planning.grid import Grid

    writes: list[_Write] = []
    for path, each in zip(_beside(target, done), done, strict=True):
        role, problem = each.role, each.role.problem
        if not isinstance(role.planner, Grid):
            raise InputError(
                f"--cells: {role.name!r} is planned by {role.planner.name!r}, which has none;"
                " try --planner grid"
            )
        with voice:
            voice.progress(role.name, "cells", 0.0)
            shown = cells_picture(each.plan, problem.world, role.planner.map(problem))
            writes.append((path, shown.save))
    return writes


def _since(clock: float) -> str:
    return duration(perf_counter() - clock)


class _Voice:
    """Lines on the standard output, and progress where somebody watches."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._watched = not quiet and sys.stderr.isatty()

    def say(self, text: str) -> None:
        self._clear()
        if not self._quiet:
            print(text, flush=True)

    def complain(self, text: str, *, only_if_quiet: bool = False) -> None:
        self._clear()
        if self._quiet or not only_if_quiet:
            print(f"surefoot: {text}", file=sys.stderr)

    def progress(self, who: str, stage: str, share: float) -> None:
        if self._watched:
            print(f"\r\x1b[K{who}: {stage} {share:.0%}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> _Voice:
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def _clear(self) -> None:
        if self._watched:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
