"""`surefoot play policy`: a simulated body after its goals."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from surefoot.cli import options
from surefoot.errors import InputError

if TYPE_CHECKING:
    from surefoot.physics.policies.playing import Performance

ENDINGS = (".glb", ".gltf", ".html", ".png")


def add_arguments(subjects: Any) -> None:
    """Declares the subject and its arguments."""
    parser: ArgumentParser = subjects.add_parser(
        "policy", help="a body that a policy leads to its goals", allow_abbrev=False
    )
    parser.add_argument("policy", metavar="FILE", type=Path, help="from `surefoot train policy`")
    parser.add_argument(
        "--goal",
        metavar="NUMBERS",
        action="append",
        help="of the task, as the body sees them: 3 for a line ahead, 2,-1 for a place, 90 for a"
        " heading in degrees; again for what comes next (--goal=-2,1 where it begins with a minus)",
    )
    parser.add_argument(
        "--seconds", metavar="S", type=options.PLAYED, default=30.0, help="a goal (30)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help=f"write it: {', '.join(ENDINGS)}"
    )
    parser.add_argument(
        "--port", metavar="N", type=options.PORT, default=8080, help="of the page (8080)"
    )
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Simulates, tells what happened, and shows it; 1 when a goal was not done."""
    import numpy as np

    from surefoot.cli.train_policy import task_named
    from surefoot.physics.policies import Policy
    from surefoot.physics.policies.playing import perform

    if args.output is not None and args.output.suffix not in ENDINGS:
        raise InputError(f"{args.output} must end in {', '.join(ENDINGS)}")
    policy = Policy.load(args.policy)
    goals = [_goal(policy, text) for text in args.goal or _usual(policy)]
    for goal in goals:
        for line in policy.clamped(np.array([goal])):
            args.report.warn(line)
    played = perform(policy, task_named(policy.task), goals, seconds=args.seconds)
    for line in played.told():
        args.report.say(line)
    args.report.put(
        policy=str(args.policy), goals=goals, standing=played.standing, reached=len(played.times),
        seconds=played.seconds,
    )  # fmt: skip
    _show(played, args)
    return 0 if played.standing and len(played.times) == len(goals) else 1


def _usual(policy: Any) -> list[str]:
    """A goal for each kind of axis."""
    usual = {"line": 3.0, "ahead": 2.0, "left": 1.0, "heading": 60.0, "speed": 0.7, "nothing": 0.0}
    axes = [axis for axis in policy.space.axes if len(axis.points) > 1] or policy.space.axes
    return [",".join(f"{usual.get(axis.name, 0.0):g}" for axis in axes)]


def _goal(policy: Any, text: str) -> list[float]:
    """Numbers for every axis; those with one point only need not be said."""
    from math import radians

    free = [axis for axis in policy.space.axes if len(axis.points) > 1] or policy.space.axes
    named = ", ".join(axis.name for axis in free)
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"--goal: expected {named}, got {text!r}") from None
    if len(numbers) != len(free):
        raise InputError(f"--goal: {policy.task} has {len(free)} numbers ({named}), got {text!r}")
    given = dict(zip((axis.name for axis in free), numbers, strict=True))
    if "heading" in given:
        given["heading"] = radians(given["heading"])
    return [given.get(axis.name, 0.0) for axis in policy.space.axes]


def _show(played: Performance, args: Namespace) -> None:
    world, output = played.world(), args.output
    if output is None:
        from surefoot import studio

        studio.show(world, port=args.port)
        return
    if output.suffix == ".html":
        from surefoot import studio

        studio.save(world, output)
    elif output.suffix == ".png":
        from surefoot.animation.plots.policies import performance_strip

        performance_strip(played).save(output)
    else:
        from surefoot.animation import save_world

        save_world(output, world, end=played.seconds, rate=played.rate)
    args.report.wrote(output)
