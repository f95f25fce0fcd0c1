"""`surefoot studio`: a scene, a world file or a scenario on a web page."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli import options
from surefoot.cli.report import Report, plan_facts

if TYPE_CHECKING:
    from surefoot.animation import Animation
    from surefoot.scenario import Planned, Scenario
    from surefoot.studio.content import Shown

NAME = "studio"
HELP = "watch a scenario, a world file or a built-in scene in the browser"

DEMO = "yard"
"""The scene that is shown when nothing is named."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    options.add_input(parser, default=DEMO)
    options.add_options(parser, *options.WALK)
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--dark", action="store_true", help="begin with a dark page")
    parser.add_argument(
        "--port",
        metavar="NUMBER",
        type=options.PORT,
        default=8080,
        help="the first port to try (8080)",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help="listen at this address, by default for this machine only; the URL holds a token",
    )
    parser.add_argument(
        "--save", metavar="PAGE", type=Path, help="write a page that plays by itself (.html)"
    )
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Serves the page until Ctrl-C, or writes it."""
    from surefoot import studio
    from surefoot.studio import extra
    from surefoot.studio.serving import LOOPBACK, check_address

    # What would fail in the end should fail before a plan is made.
    extra.viser()
    if args.save is not None:
        studio.check_page(args.save)
        args.report.wrote(studio.save(_shown(args), args.save, dark=args.dark))
        return 0
    host = LOOPBACK if args.host is None else args.host
    check_address(host, args.port)
    studio.show(
        _shown(args),
        host=host,
        port=args.port,
        open_browser=args.open,
        dark=args.dark,
    )
    return 0


def _shown(args: Namespace) -> Shown:
    """The walks that were asked for; the world alone where there is nothing to walk."""
    from surefoot.scenario.inputs import InputKind

    found = options.find(args)
    asked = [name for name in ("start", "goal", "planner") if getattr(args, name) is not None]
    if found.kind is InputKind.WORLD and not asked:
        ground = options.load_ground(args, found)
        if not ground.has_walk():
            return ground.world
    return _planned(options.load_scenario(args, found), args.report)


def _planned(scenario: Scenario, report: Report) -> Shown:
    """The scenario's characters, planned; its world alone where none of them can move."""
    from surefoot.planning import explain

    shown: list[Animation] = []
    for planned in scenario.plans():
        report.say(planned.plan)
        if planned.plan.choice:
            report.say(f"the {explain.choice(planned.plan)}")
        report.append("plans", plan_facts(planned.plan, planned.role.problem.world))
        if planned.plan or planned.plan.segments:
            # Those planned before stand in the way as cylinders; they are shown as they are.
            shown.append(replace(_animation(planned), world=scenario.world))
    return shown or scenario.world


def _animation(planned: Planned) -> Animation:
    from surefoot.animation import animate

    problem = planned.role.problem
    return animate(planned.plan, problem.world, problem.character)
