"""`surefoot scenes`: the worlds that come with surefoot."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

NAME = "scenes"
HELP = "list the built-in scenes, or tell what one holds"


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("scene", metavar="SCENE", nargs="?", help="tell what this one holds")


def run(args: Namespace) -> int:
    """Prints the list, or one scene."""
    from surefoot.world import scenes

    if args.scene is None:
        widest = max(map(len, scenes.names()))
        for name in scenes.names():
            print(f"{name:<{widest}}  {scenes.describe(name)}")
        return 0
    scene = scenes.load(args.scene)
    print(f"{scene.name}: {scene.description}")
    print(f"places: {', '.join(scene.places)}")
    for body in scene.world:
        motion = "moves" if body.trajectory.moving else "rests"
        tags = "".join(f", {tag} {value}" for tag, value in body.tags.items())
        print(f"body {body.name}: {len(body.mesh.faces)} triangles, {motion}{tags}")
    return 0
