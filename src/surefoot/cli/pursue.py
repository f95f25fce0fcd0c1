"""`surefoot pursue`: somebody pursues a runner through a built-in scene."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from surefoot.cli import plan as planning
from surefoot.errors import InputError, one_of

if TYPE_CHECKING:
    from surefoot.agents.pursuit import Pursuit

NAME = "pursue"
HELP = "pursue a runner through a built-in scene, and write the animation"
SCENE = "platform game 1"


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "scene", metavar="SCENE", nargs="?", default=SCENE, help=f"{SCENE} by default"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help="write both of them (.glb, .gltf)"
    )
    parser.add_argument("--picture", metavar="FILE", type=Path, help="write a filmstrip (.png)")
    parser.add_argument(
        "--plan", metavar="FILE", type=Path, help="write the pursuer's plan (.json)"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the runner, 0")
    parser.add_argument("--duration", metavar="S", type=float, default=60.0, help="at most, 60 s")
    parser.add_argument(
        "--clock", metavar="NAME", default="counts", help="counts (default) or measured"
    )
    parser.add_argument(
        "--seams", metavar="NAME", default="steps", help="where plans begin: steps or nodes"
    )
    parser.add_argument("--episodes", action="store_true", help="print every episode")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(args: Namespace) -> int:
    """Pursues, checks and writes; 0 when the runner is caught and every claim holds."""
    from surefoot.agents.pursuit import PursuitSettings, Runner, pursue
    from surefoot.character import people
    from surefoot.world import scenes

    planning.check_outputs(args)
    if args.output is not None and args.output.suffix.lower() == ".bvh":
        raise InputError(f"{args.output}: two people need a .glb or .gltf file")
    if args.scene not in scenes.names():
        raise InputError(one_of("scene", args.scene, scenes.names(timed=True)))
    settings = PursuitSettings(clock=args.clock, seams=args.seams)
    scene, adult = scenes.load(args.scene), people.adult()
    runner = Runner(
        scene.world, adult, scene.goal, scene.stops, seed=args.seed, until=args.duration
    )
    clock = perf_counter()
    pursuit = pursue(
        scene.world, adult, scene.start, runner, settings=settings, duration=args.duration,
        progress=None if args.quiet else _progress,
    )  # fmt: skip
    if not args.quiet:
        print(f"{args.scene}: {pursuit}")
        print(f"{pursuit.plan.end - pursuit.plan.start:.1f} s in {perf_counter() - clock:.1f} s")
        if args.episodes:
            print(_table(pursuit))
    check = pursuit.plan.check(scene.world)
    if not check:
        print(f"surefoot: {check}", file=sys.stderr)
    elif not args.quiet:
        print(check)
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
            if not args.quiet:
                print(f"wrote {path}")


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
