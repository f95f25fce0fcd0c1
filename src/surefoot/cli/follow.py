"""`surefoot follow`: a simulated body follows a plan through a scene or a world file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli import options
from surefoot.cli.report import plan_facts, world_facts
from surefoot.errors import InputError

if TYPE_CHECKING:
    from surefoot.physics.policies import Policy

NAME = "follow"
HELP = "let a simulated body follow a plan, also over what moves"
SCENE = "ferry landing"
ENDINGS = (".glb", ".gltf")


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    options.add_input(parser, options.LEVELS, default=SCENE)
    options.add_options(parser, "start", "goal", "scale", "up", "repeat")
    parser.add_argument(
        "--policy",
        metavar="FILE",
        type=Path,
        help="from `surefoot train policy --task go-to-point`; the humanoid's when not given, which"
        " is trained once, in minutes",
    )
    parser.add_argument(
        "--time", metavar="S", type=options.MOMENT, default=0.0, help="when it begins (0)"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write it (.glb, .gltf)")
    parser.add_argument("--picture", metavar="FILE", type=Path, help="write a filmstrip (.png)")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Plans, simulates, checks and writes; 0 when the body is there and the plan holds."""
    from dataclasses import replace

    import surefoot as sf
    from surefoot.agents.following import follow

    if args.output is not None and args.output.suffix not in ENDINGS:
        raise InputError(f"{args.output} must end in {', '.join(ENDINGS)}")
    if args.picture is not None and args.picture.suffix != ".png":
        raise InputError(f"{args.picture} must end in .png")
    # The body that follows is not a scenario's character: those are planned as people.
    found = options.find(args)
    (role,) = options.load_scenario(args, found).roles
    there = role.problem.goal
    assert isinstance(there, sf.Goal)
    problem = replace(
        role.problem, goal=replace(there, tolerance=0.4), start_time=args.time,
    )  # fmt: skip
    report, world = args.report, problem.world
    followed = follow(problem, _policy(args))
    checks = [plan.check(world) for plan in followed.plans]
    report.say(followed.plans[-1])
    report.say("\n".join(followed.told()))
    report.put(
        world=world_facts(world), arrived=followed.arrived, standing=followed.standing,
        plans=[
            plan_facts(plan, world, check)
            for plan, check in zip(followed.plans, checks, strict=True)
        ],
    )  # fmt: skip
    for check in checks:
        if not check:
            report.warn(str(check))
    if args.output is not None:
        from surefoot.animation import save_world

        save_world(args.output, followed.world(), end=followed.end, rate=followed.rate / 2)
        report.wrote(args.output)
    if args.picture is not None:
        from surefoot.agents.following.showing import followed_strip

        followed_strip(followed).save(args.picture)
        report.wrote(args.picture)
    return 0 if followed and all(checks) else 1


def _policy(args: Namespace) -> Policy:
    from surefoot.physics import load_body, policies

    if args.policy is not None:
        return policies.Policy.load(args.policy)
    return policies.train(load_body("humanoid"), policies.GoToPoint()).policy
