"""`surefoot train`: controllers learned over clips; gaits and policies of simulated bodies."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli import options, train_gait, train_policy
from surefoot.cli.report import Report
from surefoot.errors import InputError

if TYPE_CHECKING:
    from surefoot.character import Character
    from surefoot.control import Controller, Repertoire, Task
    from surefoot.motion import Library

NAME = "train"
HELP = "train controllers over a library of clips, or gaits and policies of simulated bodies"

_BAR = 30


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action")
    controllers = actions.add_parser(
        "controllers", help="go, run, corner, avoid, jump, leap, and waits", allow_abbrev=False
    )
    controllers.add_argument(
        "--library",
        metavar="FOLDER",
        type=Path,
        help="BVH and glTF files, or a library file; the built-in clips of an adult when not given",
    )
    controllers.add_argument(
        "--controller", metavar="NAME", action="append", help="only this one, and what it needs"
    )
    controllers.add_argument(
        "--threads", metavar="N", type=options.THREADS, default=2, help="to use (2)"
    )
    controllers.add_argument("--fresh", action="store_true", help="train anew what is kept")
    controllers.add_argument(
        "--plots", metavar="DIR", type=Path, help="draw values and rollouts of each controller"
    )
    options.add_json(controllers)

    train_gait.add_arguments(actions)
    train_policy.add_arguments(actions)


def run(args: Namespace) -> int:
    """Trains, and tells what came of it."""
    if args.action is None:
        raise InputError(
            "train needs an action: controllers, gait, policy; see `surefoot train --help`"
        )
    if args.action == "gait":
        return train_gait.run(args)
    if args.action == "policy":
        return train_policy.run(args)
    from surefoot import control

    tasks = {task.name: task for task in control.built_in_tasks()}
    for name in args.controller or ():
        if name not in tasks:
            raise InputError(f"unknown controller {name!r}; there are: {', '.join(tasks)}")
    chosen = [tasks[name] for name in args.controller or tasks]
    acting = control.repertoire(_source(args.library))
    report: Report = args.report
    report.say(
        f"{len(acting.moves)} moves that {', '.join(acting.modes)};"
        f" {acting.actions} actions, {len(acting.states)} states"
    )
    for line in acting.left_out:
        report.say(line)
    if not args.controller:
        chosen = _possible(chosen, acting, report)
    trained = control.train(
        acting, chosen, threads=args.threads, fresh=args.fresh, progress=_progress
    )
    for name, controller in trained.items():
        report.say(_told(name, controller))
        report.append("controllers", {"name": name, "bounds": controller.bounds})
        if args.plots is not None:
            _plot(args.plots, controller)
    return 0


def _possible(tasks: list[Task], acting: Repertoire, report: Report) -> list[Task]:
    """Those that there are clips for; which clips the others lack is said."""
    found: list[Task] = []
    for task in tasks:
        try:
            task.check(acting)
        except InputError as missing:
            report.say(f"left out: {missing}")
        else:
            found.append(task)
    return found


def _source(library: Path | None) -> Character | Library:
    from surefoot.character import people
    from surefoot.motion import build_library, load_library

    if library is None:
        return people.adult()
    return build_library(library) if library.is_dir() else load_library(library)


def _told(name: str, controller: Controller) -> str:
    from surefoot import control

    bounds, report = controller.bounds, controller.learned.solution.report
    text = f"{name}: {report}; at most {bounds.speed:.1f} m/s"
    if bounds.reach > 0:
        text += f", {bounds.reach:.1f} m through the air"
    if isinstance(controller.task, control.Wait):
        ready = control.preparation(controller.task, controller.learned)
        text += f"; ready after {ready.time():g} s (half of them after {ready.time(share=0.5):g} s)"
    return text


def _plot(folder: Path, controller: Controller) -> None:
    from surefoot.animation.plots.controllers import rollouts_plot, value_plot

    folder.mkdir(parents=True, exist_ok=True)
    name = controller.name.replace(" ", "_")
    value_plot(controller).save(folder / f"{name}_values.png")
    if controller.task.subject == "target" and not controller.name.startswith("wait"):
        rollouts_plot(controller).save(folder / f"{name}_rollouts.png")


def _progress(name: str, share: float) -> None:
    """A bar on the standard error, where that is a terminal; names alone elsewhere."""
    if sys.stderr.isatty():
        done = round(_BAR * share)
        bar = "#" * done + "." * (_BAR - done)
        end = "\n" if share >= 1.0 else ""
        print(f"\r{name:<24} [{bar}] {100 * share:3.0f}%", end=end, file=sys.stderr, flush=True)
    elif share >= 1.0:
        print(f"trained {name}", file=sys.stderr, flush=True)
