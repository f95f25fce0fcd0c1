"""`surefoot studio`: a scenario, a world file or a scene on a web page."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.errors import InputError, one_of

if TYPE_CHECKING:
    from surefoot.animation import Animation
    from surefoot.scenario import Planned
    from surefoot.studio.content import Shown

NAME = "studio"
HELP = "watch a scenario, a world file or a built-in scene in the browser"

DEMO = "yard"
"""The scene that is shown when nothing is named."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default=DEMO,
        help=f"a scenario (.toml), a world, or a scene to walk through, {DEMO} by default",
    )
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--dark", action="store_true", help="begin with a dark page")
    parser.add_argument(
        "--port", metavar="NUMBER", type=int, default=8080, help="the first port to try (8080)"
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        help="listen at this address, by default for this machine only; the URL holds a token",
    )
    parser.add_argument(
        "--save", metavar="PAGE", type=Path, help="write a page that plays by itself (.html)"
    )


def run(args: Namespace) -> int:
    """Serves the page until Ctrl-C, or writes it."""
    from surefoot import studio
    from surefoot.studio import extra
    from surefoot.studio.serving import LOOPBACK, check_address

    # What would fail in the end should fail before a plan is made.
    extra.viser()
    if args.save is not None:
        studio.check_page(args.save)
        print(f"wrote {studio.save(_shown(args.file), args.save, dark=args.dark)}")
        return 0
    host = LOOPBACK if args.host is None else args.host
    check_address(host, args.port)
    studio.show(
        _shown(args.file),
        host=host,
        port=args.port,
        open_browser=args.open,
        dark=args.dark,
    )
    return 0


def _shown(file: str) -> Shown:
    from surefoot.world.loaders import EXTENSIONS, load_world

    ending = Path(file).suffix.lower()
    if ending == ".toml":
        return _scenario(Path(file))
    if ending in EXTENSIONS:
        return load_world(file)
    if ending:
        raise InputError(f"{file}: {one_of('extension', ending, ('.toml', *EXTENSIONS))}")
    return _walk(file)


def _walk(name: str) -> Shown:
    """Someone who crosses a built-in scene; the scene alone where that cannot be done."""
    from surefoot.animation import animate
    from surefoot.character import people
    from surefoot.planning import Goal, Problem, planners
    from surefoot.world import scenes

    scene, character = scenes.load(name), people.adult()
    problem = Problem(
        world=scene.world, character=character, start=scene.start, goal=Goal(scene.goal)
    )
    plan = planners.plan(problem)
    print(plan, flush=True)
    return animate(plan, scene.world, character) if plan.segments else scene


def _scenario(file: Path) -> Shown:
    """The scenario's characters, planned; its world alone where none of them can move."""
    from surefoot.scenario import Scenario

    scenario = Scenario.load(file)
    shown: list[Animation] = []
    for planned in scenario.plans():
        print(planned.plan, flush=True)
        if planned.plan or planned.plan.segments:
            # Those planned before stand in the way as cylinders; they are shown as they are.
            shown.append(replace(_animation(planned), world=scenario.world))
    return shown or scenario.world


def _animation(planned: Planned) -> Animation:
    from surefoot.animation import animate

    problem = planned.role.problem
    return animate(planned.plan, problem.world, problem.character)
