"""`surefoot pursue`: a character pursues a runner through a scene or a world file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from surefoot.cli import options
from surefoot.cli import plan as planning
from surefoot.cli.report import plan_facts, world_facts
from surefoot.errors import InputError

if TYPE_CHECKING:
    from surefoot.agents.pursuit import Pursuit

NAME = "pursue"
HELP = "pursue a runner through a scene or a world file, and write the animation"
SCENE = "platform game 1"


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    options.add_input(parser, options.LEVELS, default=SCENE)
    options.add_options(parser, "start", "goal", "scale", "up", "repeat")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write both of them (.glb, .gltf)"
    )
    parser.add_argument("--picture", metavar="FILE", type=Path, help="write a filmstrip (.png)")
    parser.add_argument(
        "--plan", metavar="FILE", type=Path, help="write the pursuer's plan (.json)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=options.SEED, default=0, help="of the runner, 0"
    )
    parser.add_argument(
        "--duration", metavar="S", type=options.SECONDS, default=60.0, help="at most, 60 s"
    )
    parser.add_argument(
        "--clock", metavar="NAME", default="counts", help="counts (default) or measured"
    )
    parser.add_argument(
        "--seams", metavar="NAME", default="steps", help="where plans begin: steps or nodes"
    )
    parser.add_argument("--episodes", action="store_true", help="print every episode")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Pursues, checks and writes; 0 when the runner is caught and every claim holds."""
    from surefoot.agents.pursuit import PursuitSettings, Runner, pursue
    from surefoot.character import people
    from surefoot.planning import Goal
    from surefoot.scenario.inputs import walk_through

    planning.check_outputs(args)
    if args.output is not None and args.output.suffix.lower() == ".bvh":
        raise InputError(f"{args.output}: two people need a .glb or .gltf file")
    settings = PursuitSettings(clock=args.clock, seams=args.seams)
    # A scenario has no runner: what it says of its characters would be passed over.
    found = options.find(args)
    ground, report = options.load_ground(args, found), args.report
    world, adult = ground.world, people.adult()
    # The pursuer's walk is posed as any other: from the start to where the runner is at first.
    (role,) = options.in_its_words(
        args, lambda start, goal: walk_through(ground, start=start, goal=goal)
    ).roles
    start, first = role.problem.start, role.problem.goal
    assert isinstance(first, Goal)
    stops = [place for name, place in world.places.items() if name not in ("start", "goal")]
    runner = Runner(
        world, adult, first.place, stops if len(stops) > 1 else [start, first.place],
        seed=args.seed, until=args.duration,
    )  # fmt: skip
    clock = perf_counter()
    pursuit = pursue(
        world, adult, start, runner, settings=settings, duration=args.duration,
        progress=None if report.is_silent else _progress,
    )  # fmt: skip
    report.say(f"{ground.name}: {pursuit}")
    report.say(f"{pursuit.plan.end - pursuit.plan.start:.1f} s in {perf_counter() - clock:.1f} s")
    if args.episodes:
        report.say(_table(pursuit))
    check = pursuit.plan.check(world)
    report.put(
        name=ground.name,
        world=world_facts(world),
        caught=bool(pursuit),
        plan=plan_facts(pursuit.plan, world, check),
        report=str(pursuit.report),
        episodes=pursuit.episodes,
    )
    report.judge(check)
    _write(pursuit, args)
    return 0 if pursuit and check else 1


def _write(pursuit: Pursuit, args: Namespace) -> None:
    writes: list[tuple[Path | None, Callable[[Path], object]]] = [
        (args.output, pursuit.save),
        (args.plan, pursuit.plan.save),
        (args.picture, lambda path: pursuit.picture().save(path)),
    ]
    for path, write in writes:
        if path is not None:
            write(path)
            args.report.wrote(path)


def _table(pursuit: Pursuit) -> str:
    lines = ["begins  starts  budget  tried     ms  away  "]
    for each in pursuit.episodes:
        what = "found" if each.found else "taken" if each.taken else each.why
        lines.append(
            f"{each.begins:6.2f}  {each.starts:6.2f}  {each.budget:6d} {each.evaluations:6d}"
            f"  {each.milliseconds:5.0f}  {each.distance:4.1f}  {what}"
        )
    return "\n".join(lines)


def _progress(share: float) -> None:
    if sys.stderr.isatty():
        end = "\r\x1b[K" if share >= 1.0 else ""
        print(f"\r\x1b[Kpursuit {share:.0%}{end}", end="", file=sys.stderr, flush=True)
