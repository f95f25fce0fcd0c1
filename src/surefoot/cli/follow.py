"""`surefoot follow`: a simulated body follows a plan through a built-in scene."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.errors import InputError, one_of

if TYPE_CHECKING:
    from surefoot.physics.policies import Policy

NAME = "follow"
HELP = "let a simulated body follow a plan, also over what moves"
SCENE = "ferry landing"
ENDINGS = (".glb", ".gltf")


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "scene", metavar="SCENE", nargs="?", default=SCENE, help=f"{SCENE} by default"
    )
    parser.add_argument("--to", metavar="PLACE", default="goal", help="a place of the scene (goal)")
    parser.add_argument(
        "--policy",
        metavar="FILE",
        type=Path,
        help="from `surefoot train policy --task go-to-point`; the humanoid's when not given, which"
        " is trained once, in minutes",
    )
    parser.add_argument("--start", metavar="S", type=float, default=0.0, help="when it begins (0)")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write it (.glb, .gltf)")
    parser.add_argument("--picture", metavar="FILE", type=Path, help="write a filmstrip (.png)")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(args: Namespace) -> int:
    """Plans, simulates, checks and writes; 0 when the body is there and the plan holds."""
    import surefoot as sf
    from surefoot.agents.following import follow

    if args.scene not in sf.scenes.names():
        raise InputError(one_of("scene", args.scene, sf.scenes.names(timed=True)))
    if args.output is not None and args.output.suffix not in ENDINGS:
        raise InputError(f"{args.output} must end in {', '.join(ENDINGS)}")
    if args.picture is not None and args.picture.suffix != ".png":
        raise InputError(f"{args.picture} must end in .png")
    scene = sf.scenes.load(args.scene)
    problem = sf.Problem(
        world=scene.world,
        character=sf.people.adult(),
        start=scene.start,
        goal=sf.Goal(scene.place(args.to), tolerance=0.4),
        start_time=args.start,
        horizon=scene.horizon,
    )
    followed = follow(problem, _policy(args))
    checks = [plan.check(scene.world) for plan in followed.plans]
    if not args.quiet:
        print(followed.plans[-1])
        print("\n".join(followed.told()))
    for check in checks:
        if not check:
            print(f"surefoot: {check}", file=sys.stderr)
    if args.output is not None:
        from surefoot.animation import save_world

        save_world(args.output, followed.world(), end=followed.end, rate=followed.rate / 2)
        print(args.output)
    if args.picture is not None:
        from surefoot.agents.following.showing import followed_strip

        followed_strip(followed).save(args.picture)
        print(args.picture)
    return 0 if followed and all(checks) else 1


def _policy(args: Namespace) -> Policy:
    from surefoot.physics import load_body, policies

    if args.policy is not None:
        return policies.Policy.load(args.policy)
    return policies.train(load_body("humanoid"), policies.GoToPoint()).policy
