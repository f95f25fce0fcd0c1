"""`surefoot travel`: through a world whose future nobody knows, watched frame by frame."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.errors import InputError, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from surefoot.animation import Animation
    from surefoot.animation.pictures import Picture
    from surefoot.character import Character
    from surefoot.planning import Plan
    from surefoot.planning.topology import TopologySettings, Traveller
    from surefoot.studio.live import LiveView
    from surefoot.world import Place, World

NAME = "travel"
HELP = "go through a world whose future nobody knows: platforms, flying books, falling furniture"

WATCHED = ("disconnected", "living room")
RUN_BY_PHYSICS = ("physics 1", "physics 2")


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    known = ", ".join((*WATCHED, *RUN_BY_PHYSICS))
    parser.add_argument("scene", metavar="SCENE", nargs="?", default="disconnected", help=known)
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of what moves and falls")
    parser.add_argument("--goal", metavar="PLACE", default="goal", help="a place of the scene")
    parser.add_argument(
        "--seconds", metavar="S", type=float, default=120.0, help="that it may take; 120"
    )
    parser.add_argument(
        "--watch", metavar="S", type=float, default=20.0, help="before the first step; 20"
    )
    parser.add_argument(
        "--daring", choices=("careful", "usual", "bold"), default="usual", help="how risky a way"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="the animation (.glb)")
    parser.add_argument("--plan", metavar="FILE", type=Path, help="what was done (.json)")
    parser.add_argument("--picture", metavar="FILE", type=Path, help="six moments of it (.png)")
    parser.add_argument("--who", choices=("little", "adult"), default="little", help="who goes")
    parser.add_argument("--live", action="store_true", help="watch it happen in the browser")
    parser.add_argument(
        "--port", metavar="NUMBER", type=int, default=8080, help="of the page, the first to try"
    )
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(args: Namespace) -> int:
    """Watches, goes, checks what was done, and writes it; 1 where the goal was not reached."""
    import surefoot as sf
    from surefoot.cli.plan import check_outputs
    from surefoot.planning import statistics
    from surefoot.planning.topology import TopologySettings

    check_outputs(args)
    make = {
        "careful": TopologySettings.careful, "usual": TopologySettings,
        "bold": TopologySettings.bold,
    }[args.daring]  # fmt: skip
    settings = make(watch=args.watch)
    plan, world = _journey(args, settings)
    if not args.quiet:
        print(plan.status.message)
        print(statistics.in_words(plan.statistics))
        print(str(plan.check(world)).splitlines()[0])
    if args.plan is not None:
        plan.save(args.plan)
    if args.output is not None or args.picture is not None:
        animation = sf.animate(plan, world, _who(args))
        if args.output is not None:
            animation.save(args.output)
            if not args.quiet:
                print(f"{args.output} opens in any glTF viewer")
        if args.picture is not None:
            _picture(animation, world).save(args.picture)
    return 0 if plan else 1


def _journey(args: Namespace, settings: TopologySettings) -> tuple[Plan, World]:
    import surefoot as sf
    from surefoot.physics.scenes import ADULT_SCALE
    from surefoot.planning.topology import travel

    who = _who(args)
    scale = 1.0 if args.who == "little" else ADULT_SCALE
    if args.scene in RUN_BY_PHYSICS:
        from surefoot.physics import scenes

        scene = scenes.load(args.scene, seed=args.seed, scale=scale)
        scene.live.record()
        source, places, happened = scene, scene.places, scene.live.recording
    elif args.scene in WATCHED:
        from surefoot.world import Played, Watching
        from surefoot.world.scenes import disconnected, living_room

        made = disconnected.made if args.scene == "disconnected" else living_room.made
        world, places = made(args.seed, scale)
        shown = Played(world, start=-settings.watch, watching=Watching(ahead=settings.ahead))
        source, happened = shown, shown.recording
    else:
        raise InputError(one_of("scene", args.scene, (*WATCHED, *RUN_BY_PHYSICS)))
    goal = sf.Goal(_place(places, args))
    with _Page(args) as page:
        traveller = travel(
            source, who, places["start"], goal, settings=settings, seconds=args.seconds,
            each=page.show,
        )  # fmt: skip
        page.stay()
    world = happened()
    return traveller.plan(world), world


class _Page:
    """The page of a journey, opened when it begins; nothing where nobody asked for one."""

    def __init__(self, args: Namespace) -> None:
        self._live, self._port = args.live, args.port
        self._view: LiveView | None = None
        if self._live:
            from surefoot.studio import extra

            extra.viser()

    def __enter__(self) -> _Page:
        return self

    def __exit__(self, *_: object) -> None:
        if self._view is not None:
            self._view.stop()

    def show(self, traveller: Traveller) -> None:
        """A frame."""
        if not self._live:
            return
        if self._view is None:
            from surefoot.studio.live import LiveView

            self._view = LiveView(traveller.atlas.world, [traveller], port=self._port)
            print(f"{self._view.url} (Ctrl-C ends it)", flush=True)
        self._view.show(traveller.atlas.now)

    def stay(self) -> None:
        """Until Ctrl-C, once somebody is there."""
        import contextlib
        import time

        with contextlib.suppress(KeyboardInterrupt):
            while self._view is not None:
                time.sleep(0.5)


def _who(args: Namespace) -> Character:
    import surefoot as sf

    return sf.people.little() if args.who == "little" else sf.people.adult()


def _picture(animation: Animation, world: World) -> Picture:
    """Six moments, with the way gone until then."""
    import numpy as np

    from surefoot.animation.pictures import Camera, filmstrip, path, person, render

    motion, plan = animation.motion, animation.plan
    gone = np.asarray(animation.path)
    # All of the way, and somebody's height around it.
    tall = animation.character.measures.height
    around = np.array([gone.min(axis=0) - tall, gone.max(axis=0) + tall])
    camera = Camera.framing(around, azimuth=-2.0, elevation=0.8, size=(560, 420))
    moments: list[float] = np.linspace(plan.start, plan.end, 6).tolist()
    shots: list[Picture] = []
    for t in moments:
        i = int(np.argmin(np.abs(np.asarray(motion.times) - t)))
        cast = [person(animation.character, motion.root[i], motion.rotations[i])]
        if i > 6:
            cast.append(path(gone[: i + 1 : 3], radius=0.02))
        shots.append(render(world, t, camera, extras=cast, quality="draft"))
    return filmstrip(shots, [f"{t:.1f} s" for t in moments], columns=3)


def _place(places: Mapping[str, Place], args: Namespace) -> Place:
    if args.goal not in places:
        raise InputError(one_of(f"place in {args.scene!r}", args.goal, places))
    return places[args.goal]
