"""`surefoot plan`: a scene, a world file or a scenario, to a plan and its animation."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from surefoot.cli import options
from surefoot.cli.report import Report, plan_facts, world_facts
from surefoot.errors import FileError, InputError
from surefoot.quantities import duration

if TYPE_CHECKING:
    from surefoot.scenario import Planned, Scenario

NAME = "plan"
HELP = "plan a scenario, or a walk through a scene or a world file, and write the animation"

_Write: TypeAlias = tuple[Path, Callable[[Path], object]]
"""A file, and what writes it whole."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    options.add_input(parser)
    options.add_options(parser, *options.WALK)
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
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Loads, plans, checks, animates and writes; 0 when every goal is reached."""
    check_outputs(args)
    return carry_out(options.load_scenario(args, options.find(args)), args)


def carry_out(scenario: Scenario, args: Namespace) -> int:
    """Plans, checks, animates and writes what `args` names: output, plan, picture, quiet."""
    report: Report = args.report
    voice = _Voice(report)
    facts = world_facts(scenario.world)
    report.put(name=scenario.name, world=facts, plans=[])
    voice.say(f"{scenario.name}: {facts['bodies']} bodies, {facts['moving']} of them moving")
    done = _planned(scenario, voice)
    unsound = [planned for planned in done if not _is_sound(planned, voice)]
    writes = [] if unsound else _animated(scenario, done, args, voice)
    if args.plan is not None:
        paths = _beside(args.plan, done)
        writes += [(path, each.plan.save) for path, each in zip(paths, done, strict=True)]
    if getattr(args, "cells", None) is not None:
        writes += _cells(done, args.cells, voice)
    # Everything is made before anything is written, so that Ctrl-C hardly ever leaves some files.
    for path, write in writes:
        write(path)
        report.wrote(path)
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
    from surefoot.planning import explain

    with voice:
        for planned in scenario.plans(progress=voice.progress):
            voice.say(str(planned.plan))
            if planned.plan.choice:
                voice.say(f"the {explain.choice(planned.plan)}")
            done.append(planned)
    return done


def _is_sound(planned: Planned, voice: _Voice) -> bool:
    """Whether the plan reaches its goal and all it claims holds; says why not."""
    plan, world = planned.plan, planned.role.problem.world
    if not plan:
        voice.report.append("plans", plan_facts(plan, world))
        # The plan's first line has said why, unless nothing is to be said.
        if voice.report.is_silent:
            voice.complain(f"{planned.role.name}: {plan.status.message}")
        return False
    clock = perf_counter()
    check = plan.check(world)
    voice.report.append("plans", plan_facts(plan, world, check))
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
        if each.plan.planner != Grid.name:
            raise InputError(
                f"--cells: {role.name!r} is planned by {each.plan.planner!r}, which has none;"
                " try --planner grid"
            )
        grid = Grid(role.planner.settings)
        with voice:
            voice.progress(role.name, "cells", 0.0)
            shown = cells_picture(each.plan, problem.world, grid.map(problem))
            writes.append((path, shown.save))
    return writes


def _since(clock: float) -> str:
    return duration(perf_counter() - clock)


class _Voice:
    """The report, and progress on a terminal, which every line wipes away."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._watched = not report.is_silent and sys.stderr.isatty()

    def say(self, text: str) -> None:
        self._clear()
        self.report.say(text)

    def complain(self, text: str) -> None:
        self._clear()
        self.report.warn(text)

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
