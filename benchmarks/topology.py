"""Unknown futures, beside Table I of lopez2012 (a Core 2 Extreme at 2.8 GHz) and Bullet.

Times are of one core. A frame is all that watching takes: looking, making surfaces anew, relating
and trying jumps. The paper counts detection and graph update apart; ours are one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from benchmarks.harness import Bench, Work
from benchmarks.peers.bullet_volumes import BulletVolumes
from benchmarks.worlds.shuttles import recorded
from benchmarks.worlds.swarms import Swarm
from benchmarks.worlds.uneven import uneven
from surefoot import control
from surefoot.character import people
from surefoot.physics import scenes as physics_scenes
from surefoot.physics.scenes import ADULT_SCALE
from surefoot.planning import Goal, Problem
from surefoot.planning.spacetime import SpaceTime
from surefoot.planning.topology import Atlas, Topology, TopologySettings, Traveller, travel
from surefoot.planning.topology.travelling import Source
from surefoot.planning.topology.union import travel_with_foresight
from surefoot.world import Place, Played, Watching, World
from surefoot.world.scenes import disconnected, living_room

PEERS = ("pybullet",)

PAPER = {
    # detection [ms], graph [ms], planning [ms], share of obstruction tests [%]
    "disconnected": (0.48, 0.06, 78.0, 0.0),
    "living room": (14.12, 6.46, 93.98, 67.77),
    "physics 1": (10.01, 0.71, 25.0, 37.5),
    "physics 2": (14.15, 1.25, 311.0, 94.6),
}
SEEDS = {"disconnected": 20, "living room": 20, "physics 1": 20, "physics 2": 20}
SECONDS = {"disconnected": 180.0, "living room": 180.0, "physics 1": 60.0, "physics 2": 60.0}
OBJECTS = (10, 30, 100, 250, 500, 1000, 2000)
AGENTS = (1, 10, 30, 100)
MOST_BULLET = 250
"""Objects with which pybullet is asked; with 500 of them it crashes."""
LITTLE = people.little()


class Watched:
    """A source whose frames are counted, and what each takes of a core's time."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.spent: list[float] = []

    def each(self, traveller: Traveller) -> None:
        """After a frame."""
        frame = traveller.atlas.frame
        self.spent.append(frame.looking + frame.building + frame.relating + frame.sampling)


def _made(name: str, seed: int) -> tuple[Source, Callable[[str], Goal], object]:
    if name.startswith("physics"):
        scene = physics_scenes.load(name, seed=seed)
        return scene, lambda place: Goal(scene.places[place]), scene.places["start"]
    world, places = (disconnected if name == "disconnected" else living_room).made(seed)
    shown = Played(world, start=-20.0, watching=Watching(ahead=1.5))
    return shown, lambda place: Goal(places[place]), places["start"]


def table_1(bench: Bench) -> None:
    for name, (detection, graph, planning, share) in PAPER.items():
        bench.record(f"{name}: a frame", "lopez2012", detection + graph, "ms", 1)
        bench.record(f"{name}: planning", "lopez2012", planning, "ms", 1)
        bench.record(f"{name}: obstruction tests", "lopez2012", share, "%", 1)
        frames: list[float] = []
        plans, seconds, clock, tests, reached, falls, replans = 0, 0.0, 0.0, 0.0, 0, 0, 0
        took: list[float] = []
        for seed in range(SEEDS[name]):
            source, goal, start = _made(name, seed)
            watch = 20.0 if isinstance(source, Played) else source.settle
            meter = Watched(source)
            settings = TopologySettings(watch=watch)
            traveller = travel(
                source, LITTLE, start, goal("goal"), settings=settings, seconds=SECONDS[name],
                each=meter.each,
            )  # fmt: skip
            frames += meter.spent
            efforts = traveller.efforts
            plans += efforts.plans
            seconds += efforts.seconds
            clock += efforts.clock_seconds
            tests += efforts.test_seconds
            reached += traveller.arrived
            falls += traveller.figure.counts.falls
            replans += traveller.replans
            if traveller.arrived:
                took.append(source.time - traveller.start)
        count = SEEDS[name]
        bodies = len(source.world)
        triangles = sum(len(body.mesh.faces) for body in source.world)
        bench.record(f"{name}: bodies", "surefoot", bodies, "bodies", 1)
        bench.record(f"{name}: triangles", "surefoot", triangles, "triangles", 1)
        frame = bench.record(f"{name}: a frame", "surefoot", 1e3 * np.median(frames), "ms", 1)
        mean = 1e3 * seconds / max(plans, 1)
        planned = bench.record(f"{name}: planning", "surefoot", mean, "ms", plans)
        share = 100 * tests / max(clock, 1e-9)
        bench.record(f"{name}: obstruction tests", "surefoot", share, "%", plans)
        goals = bench.record(f"{name}: goals reached", "surefoot", reached / count, "share", count)
        bench.record(f"{name}: falls", "surefoot", falls / count, "a run", count)
        bench.record(f"{name}: replans", "surefoot", replans / count, "a run", count)
        bench.record(f"{name}: time to goal", "surefoot", float(np.mean(took or [0])), "s", count)
        bench.claim(f"{name}: a frame", frame, at_most=1.0, unit="ms")
        if name == "physics 2":
            bench.claim(f"{name}: planning", planned, at_most=5.0, unit="ms")
        if name in ("disconnected", "living room"):
            bench.claim(f"{name}: goals reached", goals, at_least=1.0)


def curves(bench: Bench) -> None:
    for count in OBJECTS:
        swarm = Swarm(count)
        atlas = Atlas(swarm.world, LITTLE.capabilities, TopologySettings())
        atlas.update(0.0)

        def frames(swarm: Swarm = swarm, atlas: Atlas = atlas) -> None:
            for _ in range(20):
                swarm.step(1 / 60)
                atlas.update(swarm.time)

        work = {"surefoot": Work(frames, 20)}
        if find_spec("pybullet") is not None and count <= MOST_BULLET:
            reach = np.array([0.9, 0.9, 0.3])
            volumes = BulletVolumes(swarm._where(0.0), np.array([0.4, 0.4, 0.02]), reach)

            def bullet(swarm: Swarm = swarm, volumes: BulletVolumes = volumes) -> None:
                for k in range(20):
                    volumes.frame(swarm._where(k / 60))

            work["bullet, detection alone"] = Work(bullet, 20)
        found = bench.measure(
            "a frame of moving objects", work, unit="ms", repeats=5, x=count, x_name="objects"
        )
        if count == 500:
            bench.claim("a frame of 500 moving objects", found["surefoot"], at_most=5.0, unit="ms")
    for count in AGENTS:
        world, places = disconnected.made(0)
        shown = Played(world, start=-5.0, watching=Watching(ahead=1.5))
        atlas = Atlas(shown.world, LITTLE.capabilities, TopologySettings())
        for _ in range(300):
            atlas.update(shown.time)
            shown.step(1 / 60)
        atlas.update(shown.time)
        names = [name for name in places if name.startswith("island")]
        crowd = [
            Traveller(atlas, LITTLE, places[names[k % 9]], Goal(places[names[(k + 5) % 9]]))
            for k in range(count)
        ]
        begun, steps = time.process_time(), 120
        for _ in range(steps):
            shown.step(1 / 60)
            atlas.update(shown.time)
            for traveller in crowd:
                traveller.step(shown.time)
        spent = 1e3 * (time.process_time() - begun) / steps
        bench.record(f"a frame with {count} agents", "surefoot", spent, "ms", steps)


def _recordings(seed: int) -> dict[str, tuple[World, Place, Place, float]]:
    """By name: a recording, from where to where, and how long it may take [s]."""
    out: dict[str, tuple[World, Place, Place, float]] = {}
    for jitter, stops in ((0.0, "even stops"), (0.15, "stops uneven by 15%")):
        out[f"shuttles, {stops}"] = (*recorded(seed, jitter), 120.0)
        world, places = disconnected.made(seed, ADULT_SCALE)
        world = uneven(world, seed, jitter, 320.0)
        out[f"disconnected, {stops}"] = (world, places["start"], places["goal"], 240.0)
    return out


def union(bench: Bench, seeds: int = 10, watch: float = 60.0) -> None:
    """The same recordings for those who watch, who watch and foresee, and who know."""
    who = people.adult()
    controllers = control.load(who)
    found: dict[tuple[str, str], list[float]] = {}
    repairs: dict[str, int] = {}
    for seed in range(seeds):
        for title, (world, start, end, horizon) in _recordings(seed).items():
            goal = Goal(end, tolerance=0.4)
            settings = TopologySettings(watch=watch)
            problem = Problem(world=world, character=who, start=start, goal=goal,
                              start_time=watch, horizon=horizon)  # fmt: skip
            alone = Topology(settings).plan(problem)
            knowing = SpaceTime(controllers=controllers).plan(problem)
            shown = Played(world, watching=Watching(ahead=1.5))
            both = travel_with_foresight(shown, who, start, goal, controllers=controllers,
                                         settings=settings, seconds=horizon)  # fmt: skip
            arrived = both.reached and not both.missed
            took = {
                "topology": alone.duration if alone else np.inf,
                "union": both.time if arrived else np.inf,
                "perfect knowledge": knowing.duration if knowing else np.inf,
            }
            repairs[title] = repairs.get(title, 0) + both.outlooks - 1
            print(seed, title, {name: round(t, 1) for name, t in took.items()}, flush=True)
            for name, seconds in took.items():
                found.setdefault((title, name), []).append(seconds)
    for (title, name), seconds in found.items():
        there = [t for t in seconds if t < np.inf]
        share = len(there) / seeds
        bench.record(f"{title}: goals reached", name, share, "share", seeds)
        bench.record(f"{title}: time to goal", name, float(np.mean(there or [0])), "s", len(there))
    for title, count in repairs.items():
        bench.record(f"{title}: looked ahead anew", "union", count / seeds, "a run", seeds)
        times = {name: np.array(found[title, name]) for name in ("topology", "union")}
        late = np.where(np.isinf(times["topology"]), 240.0, times["topology"])
        sooner = late.mean() - np.where(np.isinf(times["union"]), 240.0, times["union"]).mean()
        bench.record(f"{title}: sooner than by watching alone", "union", sooner, "s", seeds)


def run(bench: Bench) -> None:
    curves(bench)
    table_1(bench)
    union(bench)
