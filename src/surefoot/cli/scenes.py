"""`surefoot scenes`: the worlds that come with surefoot."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from surefoot.cli import options
from surefoot.cli.report import Report, place_facts

NAME = "scenes"
HELP = "list the built-in scenes, or tell what one holds"


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("scene", metavar="SCENE", nargs="?", help="tell what this one holds")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Prints the list, or one scene."""
    from surefoot.world import scenes

    report: Report = args.report
    if args.scene is None:
        widest = max(map(len, scenes.names()))
        for name in scenes.names():
            report.say(f"{name:<{widest}}  {scenes.describe(name)}")
            report.append("scenes", {"name": name, "description": scenes.describe(name)})
        return 0
    scene = scenes.load(args.scene)
    report.put(
        name=scene.name,
        description=scene.description,
        horizon=scene.horizon,
        places={name: place_facts(place, scene.world, 0.0) for name, place in scene.places.items()},
    )
    report.say(f"{scene.name}: {scene.description}")
    report.say(f"places: {', '.join(scene.places)}")
    for body in scene.world:
        triangles, moves = len(body.mesh.faces), body.trajectory.moving
        tags = "".join(f", {tag} {value}" for tag, value in body.tags.items())
        report.say(
            f"body {body.name}: {triangles} triangles, {'moves' if moves else 'rests'}{tags}"
        )
        facts = {"name": body.name, "triangles": triangles, "moves": moves, "tags": body.tags}
        report.append("bodies", facts)
    return 0
