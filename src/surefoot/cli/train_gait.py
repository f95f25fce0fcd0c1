"""`surefoot train gait`: makes a gait from a description, or repairs one."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

from surefoot.cli import options
from surefoot.errors import InputError


def add_arguments(actions: Any) -> None:
    """Declares the action and its arguments."""
    parser: ArgumentParser = actions.add_parser(
        "gait", help="a gait of a simulated body, from a description", allow_abbrev=False
    )
    parser.add_argument(
        "--body", metavar="NAME", required=True, help="humanoid, bird, raptor, or a TOML file"
    )
    parser.add_argument(
        "--like", metavar="TEXT", required=True, help='what it is like: "run at 2.5 m/s"'
    )
    parser.add_argument(
        "--from",
        dest="base",
        metavar="GAIT",
        default="walk",
        help="a gait's name or TOML file to start from (walk)",
    )
    parser.add_argument(
        "--set",
        dest="changes",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help='of that gait, first: "ahead.wanted=2", "hold=0", "swing elbow=1.4"; again for more',
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="(gait.toml)")
    parser.add_argument(
        "--generations",
        metavar="N",
        type=options.whole(),
        default=40,
        help="to try (40); 0 only sets",
    )
    parser.add_argument(
        "--seeds", metavar="N", type=options.whole(1), default=4, help="starts for each (4)"
    )
    parser.add_argument(
        "--window",
        metavar="S",
        type=options.real(at_least=0.1, at_most=600.0),
        default=12.0,
        help="of each that is judged (12)",
    )
    parser.add_argument(
        "--spread",
        metavar="N",
        type=options.real(at_least=0.01, at_most=2.0),
        default=0.5,
        help="of the first tries (0.5)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=options.SEED, default=0, help="of the search (0)"
    )
    parser.add_argument(
        "--gait-threads", metavar="N", type=options.THREADS, default=2, help="to use (2)"
    )
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Searches, and writes the gait; a search that was stopped goes on where it was."""
    from surefoot.physics import load_body, load_gait, save_gait
    from surefoot.physics.gait import changed
    from surefoot.physics.tuning import Effort, Tuner
    from surefoot.physics.wishes import wish

    output: Path = args.output or Path("gait.toml")
    if output.suffix != ".toml":
        raise InputError(f"{output} must end in .toml")
    for name, least in (("generations", 0), ("seeds", 1), ("gait_threads", 1)):
        if getattr(args, name) < least:
            raise InputError(f"--{name.replace('_', '-')} must be at least {least}")
    body = load_body(args.body)
    base = load_gait(args.base) if args.base.endswith(".toml") else body.gait(args.base)
    for change in args.changes:
        base = changed(base, change)
    base.compiled(body.anatomy)
    effort = Effort(
        generations=args.generations,
        seeds=args.seeds,
        seed=args.seed,
        settle=args.window / 4,
        window=args.window,
        sigma=args.spread,
        threads=args.gait_threads,
    )
    tuner = Tuner(body, base, wish(args.like), effort)
    kept = output.with_suffix(".search.npz")
    name = output.stem.replace("_", " ")
    gait, told = replace(base, name=name), "as set"
    if args.generations > 0:
        gait = tuner.run(name, keep=kept, progress=_progress)
        search = tuner.search
        told = f"cost {search.best_cost:.2f} after {search.generation} generations"
    # Gaits of the body itself need no making first; files do.
    before = base.made if args.base.endswith(".toml") else ()
    save_gait(output, replace(gait, made=(*before, _command(args, output))))
    args.report.say(f"{output}: {told}")
    args.report.put(files=[str(output)])
    return 0


def _command(args: Namespace, output: Path) -> str:
    """What gives this gait again, in the folder of the files that it names."""
    base = Path(args.base).name if args.base.endswith(".toml") else args.base
    words = ["--body", args.body, "--from", base, "--like", args.like]
    for change in args.changes:
        words += ["--set", change]
    for name in ("generations", "seeds", "window", "spread", "seed"):
        words += [f"--{name}", f"{getattr(args, name):g}"]
    words += ["-o", output.name]
    quoted = [f'"{word}"' if " " in word else word for word in words]
    return " ".join(["surefoot train gait", *quoted]).replace("'", "")


def _progress(generation: int, cost: float) -> None:
    print(f"generation {generation}: least cost {cost:.3f}", file=sys.stderr, flush=True)
