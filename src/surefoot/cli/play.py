"""`surefoot play`: simulated bodies, on a page or as a file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli import options, play_policy
from surefoot.errors import InputError

if TYPE_CHECKING:
    from surefoot.physics import Action, Body
    from surefoot.physics.playing import Played

NAME = "play"
HELP = "watch a simulated body walk"

ENDINGS = (".glb", ".gltf", ".html")


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    subjects = parser.add_subparsers(title="what", metavar="WHAT", dest="subject")
    body = subjects.add_parser("body", help="a body and its gaits", allow_abbrev=False)
    body.add_argument("body", metavar="BODY", help="humanoid, bird, raptor, or a TOML file")
    body.add_argument(
        "--gait",
        metavar="NAME",
        action="append",
        help="a gait's name, a TOML file, or a blend as walk+run:0.5; again for what comes next",
    )
    body.add_argument(
        "--seconds", metavar="S", type=options.PLAYED, default=8.0, help="for each gait (8)"
    )
    body.add_argument("--list", action="store_true", help="list the body's gaits")
    body.add_argument(
        "-o", "--output", metavar="FILE", type=Path, help=f"write it instead: {', '.join(ENDINGS)}"
    )
    body.add_argument(
        "--port", metavar="N", type=options.PORT, default=8080, help="of the page (8080)"
    )
    options.add_json(body)
    play_policy.add_arguments(subjects)


def run(args: Namespace) -> int:
    """Simulates, tells what happened, and shows it; 1 when the body fell."""
    if args.subject is None:
        raise InputError("play needs to know what: body, policy; see `surefoot play --help`")
    if args.subject == "policy":
        return play_policy.run(args)
    from surefoot import physics
    from surefoot.physics.playing import play

    body = physics.load_body(args.body)
    if args.list:
        args.report.say("\n".join(body.gaits))
        args.report.put(gaits=list(body.gaits))
        return 0
    if args.output is not None and args.output.suffix not in ENDINGS:
        raise InputError(f"{args.output} must end in {', '.join(ENDINGS)}")
    body, actions = _actions(body, args.gait or ["walk"])
    played = play(body, actions, args.seconds)
    for line in played.told():
        args.report.say(line)
    args.report.put(body=args.body, standing=played.standing, seconds=played.seconds)
    _show(played, args)
    return 0 if played.standing else 1


def _actions(body: Body, given: list[str]) -> tuple[Body, list[Action]]:
    """What the names stand for; gaits of files are added to the body."""
    from dataclasses import replace

    from surefoot.physics import Blend, load_gait

    actions: list[Action] = []
    for text in given:
        if text.endswith(".toml"):
            gait = load_gait(text)
            body = replace(body, gaits={**body.gaits, gait.name: gait})
            actions.append(gait.name)
        elif "+" in text:
            names, _, share = text.partition(":")
            first, second = names.split("+", 1)
            try:
                actions.append(Blend(first.strip(), second.strip(), float(share or 0.5)))
            except ValueError:
                raise InputError(f"a blend is written walk+run:0.5, got {text!r}") from None
        else:
            actions.append(body.gait(text).name)
    return body, actions


def _show(played: Played, args: Namespace) -> None:
    world, output = played.world(), args.output
    if output is None:
        from surefoot import studio

        studio.show(world, port=args.port)
    elif output.suffix == ".html":
        from surefoot import studio

        studio.save(world, output)
        args.report.wrote(output)
    else:
        from surefoot.animation import save_world

        save_world(output, world, end=played.seconds, rate=played.rate)
        args.report.wrote(output)
