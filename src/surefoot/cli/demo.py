"""`surefoot demo`: a way through a scene, from plan to animation and picture."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from surefoot.cli import options

NAME = "demo"
HELP = "walk through a scene, and write the animation and a picture"
SCENE = "train yard 1"


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    options.add_input(parser, default=SCENE)
    options.add_options(parser, *options.WALK)
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, default=Path("demo.glb"), help="demo.glb"
    )
    parser.add_argument(
        "--picture", metavar="FILE", type=Path, default=Path("demo.png"), help="demo.png"
    )
    parser.add_argument("--plan", metavar="FILE", type=Path, help="write the plan (.json)")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Plans, checks, animates, writes; then says how to watch."""
    from surefoot.cli import plan

    plan.check_outputs(args)
    code = plan.carry_out(options.load_scenario(args, options.find(args)), args)
    if code == 0:
        args.report.say(f"{args.output} opens in any glTF viewer; to watch it in the browser:")
        args.report.say(f"  {_command()} studio {' '.join(_asked(args))}")
    return code


def _asked(args: Namespace) -> list[str]:
    """The input and the options, for the studio to show the same walk."""
    given = [(name, getattr(args, name)) for name in options.WALK]
    more = [f"--{name}={shlex.quote(str(value))}" for name, value in given if value is not None]
    return [shlex.quote(args.input), *more]


def _command() -> str:
    """What to type: the command as it was called, so that it is found outside the path too."""
    called = sys.argv[0]
    return called if Path(called).stem == "surefoot" else "surefoot"
