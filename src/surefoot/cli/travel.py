"""`surefoot travel`: through a world whose future nobody knows, watched frame by frame."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from surefoot.cli import options
from surefoot.cli.report import Report, plan_facts, world_facts
from surefoot.errors import InputError, one_of

if TYPE_CHECKING:
    from surefoot.animation import Animation
    from surefoot.animation.pictures import Picture
    from surefoot.character import Character
    from surefoot.planning import AnyGoal, Plan, Problem
    from surefoot.planning.topology import TopologySettings, Traveller
    from surefoot.planning.topology.travelling import Source
    from surefoot.scenario import Scenario
    from surefoot.studio.live import LiveView
    from surefoot.world import Place, World

NAME = "travel"
HELP = "go through a world whose future nobody knows: platforms, flying books, falling furniture"

SEEDED = ("disconnected", "living room")
"""Scenes that are made for a character half a metre tall, another one from each seed."""

PHYSICS = ("physics 1", "physics 2")
"""Scenes whose future depends on what happens in them."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    options.add_input(parser, (*options.WORLDS, "scene run by physics"), default="disconnected")
    options.add_options(parser, "start", "goal", "scale", "up", "repeat")
    parser.add_argument(
        "--seed", metavar="N", type=options.SEED, default=0,
        help=f"of what moves and falls in {', '.join((*SEEDED, *PHYSICS))}",
    )  # fmt: skip
    parser.add_argument(
        "--seconds", metavar="S", type=options.SECONDS, default=120.0, help="that it may take; 120"
    )
    parser.add_argument(
        "--watch",
        metavar="S",
        type=options.real(at_least=0.0),
        default=20.0,
        help="before the first step; 20",
    )
    parser.add_argument(
        "--daring", choices=("careful", "usual", "bold"), default="usual", help="how risky a way"
    )
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="the animation (.glb)")
    parser.add_argument("--plan", metavar="FILE", type=Path, help="what was done (.json)")
    parser.add_argument("--picture", metavar="FILE", type=Path, help="six moments of it (.png)")
    parser.add_argument(
        "--who", choices=("little", "adult"),
        help=f"who goes: little by default in {', '.join((*SEEDED, *PHYSICS))}, elsewhere adult",
    )  # fmt: skip
    parser.add_argument("--live", action="store_true", help="watch it happen in the browser")
    parser.add_argument(
        "--port",
        metavar="NUMBER",
        type=options.PORT,
        default=8080,
        help="of the page, the first to try",
    )
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    options.add_json(parser)


def run(args: Namespace) -> int:
    """Watches, goes, checks what was done and writes it, also where the answer is no.

    Returns:
        0 when the goal is reached and every claim holds, else 1.
    """
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
    report: Report = args.report
    stage = _stage(args, settings)
    plan, world = _journey(args, stage, settings)
    check = plan.check(world)
    report.put(world=world_facts(world), plan=plan_facts(plan, world, check))
    report.say(plan.status.message)
    report.say(statistics.in_words(plan.statistics))
    report.judge(check)
    if args.plan is not None:
        plan.save(args.plan)
        report.wrote(args.plan)
    if args.output is not None or args.picture is not None:
        animation = sf.animate(plan, world, stage.who)
        if args.output is not None:
            animation.save(args.output)
            report.wrote(args.output)
        if args.picture is not None:
            _picture(animation, world).save(args.picture)
            report.wrote(args.picture)
    return 0 if plan and check else 1


@dataclass(frozen=True, eq=False)
class _Stage:
    """A world to travel through.

    Attributes:
        source: runs it.
        happened: gives what happened in it, afterwards.
        who: goes.
        start: from here.
        goal: to there.
    """

    source: Source
    happened: Callable[[], World]
    who: Character
    start: Place
    goal: Place


def _stage(args: Namespace, settings: TopologySettings) -> _Stage:
    """The world that was asked for, with the start and the goal in it."""
    from surefoot.physics.scenes import ADULT_SCALE
    from surefoot.scenario.inputs import Ground, InputKind, walk_through
    from surefoot.world import Played, Watching

    found = options.find(args)
    size = ADULT_SCALE if args.who == "adult" else 1.0
    if found.kind is InputKind.PHYSICS:
        options.check_world_options(args, found)
        return _physics_stage(args, size)
    if found.kind is InputKind.SCENARIO:
        scenario = options.load_scenario(args, found)
    else:
        ground = options.load_ground(args, found)
        if found.name in SEEDED:
            ground = Ground(found.name, _seeded(found.name, args.seed, size))
        who = args.who or ("little" if found.name in SEEDED else "adult")
        scenario = options.in_its_words(
            args,
            lambda start, goal: walk_through(ground, start=start, goal=goal, character=who),
        )
    problem = _only(scenario, args)
    shown = Played(problem.world, start=-settings.watch, watching=Watching(ahead=settings.ahead))
    return _Stage(shown, shown.recording, problem.character, problem.start, _place_of(problem.goal))


def _seeded(name: str, seed: int, size: float) -> World:
    from surefoot.world.scenes import disconnected, living_room

    world, places = (disconnected if name == "disconnected" else living_room).made(seed, size)
    return world.copy(places=places)


def _physics_stage(args: Namespace, size: float) -> _Stage:
    from surefoot.character import people
    from surefoot.physics import scenes
    from surefoot.planning.places import resolve_place

    scene = scenes.load(args.input, seed=args.seed, scale=size)
    scene.live.record()
    who = people.adult() if args.who == "adult" else people.little()
    skills = who.capabilities.values()

    def place(name: str) -> Place:
        given = options.given_place(args, name)
        given = name if given is None else given
        if isinstance(given, str) and given not in scene.world:
            if given not in scene.places:
                known = (*scene.places, *scene.world.bodies)
                raise InputError(f"--{name}: {one_of('place or body', given, known)}")
            return scene.places[given]
        return resolve_place(given, scene.world, [scene.time], skills, f"--{name}")

    return _Stage(scene, scene.live.recording, who, place("start"), place("goal"))


def _only(scenario: Scenario, args: Namespace) -> Problem:
    """The problem of the one character that travels."""
    if len(scenario.roles) != 1:
        raise InputError(
            f"{args.input} has {len(scenario.roles)} characters; surefoot travel takes one"
        )
    if args.who is not None and args.input.endswith(".toml"):
        raise InputError(f"--who: not for a scenario, which names its own; {args.input} is one")
    return scenario.roles[0].problem


def _place_of(goal: AnyGoal) -> Place:
    from surefoot.planning import Goal

    if not isinstance(goal, Goal):
        raise InputError(f"surefoot travel goes to a place, not to {goal}")
    return goal.place


def _journey(args: Namespace, stage: _Stage, settings: TopologySettings) -> tuple[Plan, World]:
    from surefoot.planning import Goal
    from surefoot.planning.topology import travel

    with _Page(args) as page:
        traveller = travel(
            stage.source, stage.who, stage.start, Goal(stage.goal), settings=settings,
            seconds=args.seconds, each=page.show,
        )  # fmt: skip
        page.stay()
    world = stage.happened()
    return traveller.plan(world), world


class _Page:
    """The page of a journey, opened when it begins; nothing where nobody asked for one."""

    def __init__(self, args: Namespace) -> None:
        self._live, self._port = args.live, args.port
        self._report: Report = args.report
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
            self._report.say(f"{self._view.url} (Ctrl-C ends it)")
        self._view.show(traveller.atlas.now)

    def stay(self) -> None:
        """Until Ctrl-C, once somebody is there."""
        import contextlib
        import time

        with contextlib.suppress(KeyboardInterrupt):
            while self._view is not None:
                time.sleep(0.5)


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
