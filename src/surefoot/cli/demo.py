"""`surefoot demo`: a way through a built-in scene, from plan to animation and picture."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

NAME = "demo"
HELP = "cross a built-in scene, and write the animation and a picture"
SCENE = "train yard 1"


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "scene", metavar="SCENE", nargs="?", default=SCENE, help=f"{SCENE} by default"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, default=Path("demo.glb"), help="demo.glb"
    )
    parser.add_argument(
        "--picture", metavar="FILE", type=Path, default=Path("demo.png"), help="demo.png"
    )
    parser.add_argument("--plan", metavar="FILE", type=Path, help="write the plan (.json)")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(args: Namespace) -> int:
    """Plans, checks, animates, writes; then says how to watch."""
    from surefoot.cli import plan
    from surefoot.scenario import VERSION, Scenario
    from surefoot.world import scenes

    plan.check_outputs(args)
    walk = {"character": "adult", "start": "start", "goal": "goal"}
    if args.scene in scenes.names(timed=True):
        walk["planner"] = "space-time"
    data = {
        "surefoot": "scenario",
        "version": VERSION,
        "world": {"scene": args.scene},
        "characters": {"walker": walk},
    }
    code = plan.carry_out(Scenario.from_data(data, name=args.scene), args)
    if code == 0 and not args.quiet:
        print(f"{args.output} opens in any glTF viewer; to watch it in the browser:")
        print(f"  {_command()} studio {args.scene!r}")
    return code


def _command() -> str:
    """What to type: the command as it was called, so that it is found outside the path too."""
    called = sys.argv[0]
    return called if Path(called).stem == "surefoot" else "surefoot"
