"""Unknown futures, beside Table I of lopez2012 (a Core 2 Extreme at 2.8 GHz) and Bullet.

Times are of one core. A frame is all that watching takes: looking, making surfaces anew, relating
and trying jumps. The paper counts detection and graph update apart; ours are one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np

from benchmarks.harness import Bench, Measured, Work
from benchmarks.peers.bullet_volumes import BulletVolumes
from benchmarks.worlds.swarms import Swarm
from surefoot.character import Character, people
from surefoot.physics import scenes as physics_scenes
from surefoot.physics.scenes import ADULT_SCALE
from surefoot.planning import Goal
from surefoot.planning.topology import Atlas, TopologySettings, Traveller, travel
from surefoot.planning.topology.travelling import Source
from surefoot.world import Played, Watching
from surefoot.world.scenes import disconnected, living_room

PEERS = ("pybullet",)

PAPER = {
    # detection [ms], graph [ms], planning [ms], share of obstruction tests [%]
    "disconnected": (0.48, 0.06, 78.0, 0.0),
    "living room": (14.12, 6.46, 93.98, 67.77),
    "physics 1": (10.01, 0.71, 25.0, 37.5),
    "physics 2": (14.15, 1.25, 311.0, 94.6),
}
SEEDS = 20
"""Of each scene, for the paper's agent; half as many for the adult."""
SECONDS = {"disconnected": 180.0, "living room": 180.0, "physics 1": 60.0, "physics 2": 60.0}
OBJECTS = (10, 30, 100, 250, 500, 1000, 2000)
AGENTS = (1, 10, 30, 100)
MOST_BULLET = 250
"""Objects with which pybullet is asked; with 500 of them it crashes."""
LITTLE = people.little()


class Spent:
    """What the frames of a journey take of a core's time [s]."""

    def __init__(self) -> None:
        self.frames: list[float] = []

    def each(self, traveller: Traveller) -> None:
        """After a frame."""
        frame = traveller.atlas.frame
        self.frames.append(frame.looking + frame.building + frame.relating + frame.sampling)


@dataclass
class Journey:
    """One way through a scene: who went, whether its plan holds in the world as it happened."""

    traveller: Traveller
    took: float
    holds: bool
    frames: list[float]
    bodies: int
    triangles: int


def journey(name: str, seed: int, who: Character, scale: float) -> Journey:
    """Somebody goes through one of the four scenes, made as much larger as it is itself."""
    spent = Spent()
    seconds = SECONDS[name] * np.sqrt(scale)
    if name.startswith("physics"):
        scene = physics_scenes.load(name, seed=seed, scale=scale)
        scene.live.record()
        source: Source = scene
        places, watch = scene.places, scene.settle
    else:
        known, places = (disconnected if name == "disconnected" else living_room).made(seed, scale)
        watch = 20.0 * np.sqrt(scale)
        source = Played(known, start=-watch, watching=Watching(ahead=1.5))
    traveller = travel(
        source, who, places["start"], Goal(places["goal"]),
        settings=TopologySettings(watch=watch), seconds=seconds, each=spent.each,
    )  # fmt: skip
    happened = source.known if isinstance(source, Played) else source.live.recording()
    holds = bool(traveller.plan(happened).check(happened))
    world = source.world
    triangles = sum(len(body.mesh.faces) for body in world)
    took = source.time - traveller.start
    return Journey(traveller, took, holds, spent.frames, len(world), triangles)


def table_1(bench: Bench, who: Character, scale: float, seeds: int) -> None:
    for name, (detection, graph, planning, share) in PAPER.items():
        title = f"{name}, {who.name}"
        runs: list[Journey] = []
        for seed in range(seeds):
            runs.append(journey(name, seed, who, scale))
            went = runs[-1].traveller
            print(
                title, seed, "arrived" if went.arrived else went.why, f"{runs[-1].took:.1f} s",
                f"falls {went.figure.counts.falls}, replans {went.replans}",
                "holds" if runs[-1].holds else "does not hold", flush=True,
            )  # fmt: skip
        efforts = [run.traveller.efforts for run in runs]
        plans = sum(effort.plans for effort in efforts)
        frames = np.concatenate([run.frames for run in runs])
        took = [run.took for run in runs if run.traveller.arrived]
        falls = sum(run.traveller.figure.counts.falls for run in runs)
        replans = sum(run.traveller.replans for run in runs)
        tests = sum(effort.test_seconds for effort in efforts)
        clock = sum(effort.clock_seconds for effort in efforts)
        bench.record(f"{title}: a frame", "lopez2012", detection + graph, "ms", 1)
        bench.record(f"{title}: planning", "lopez2012", planning, "ms", 1)
        bench.record(f"{title}: obstruction tests", "lopez2012", share, "%", 1)

        def told(
            what: str, value: float, unit: str, count: int = seeds, title: str = title
        ) -> Measured:
            return bench.record(f"{title}: {what}", "surefoot", float(value), unit, count)

        told("bodies, at most", max(run.bodies for run in runs), "bodies")
        told("triangles, at most", max(run.triangles for run in runs), "triangles")
        frame = told("a frame", 1e3 * frames.mean(), "ms", len(frames))
        told("a frame, median", 1e3 * float(np.median(frames)), "ms", len(frames))
        spent = sum(effort.seconds for effort in efforts)
        planned = told("planning", 1e3 * spent / max(plans, 1), "ms", plans)
        told("obstruction tests", 100 * tests / max(clock, 1e-9), "%", plans)
        goals = told("goals reached", len(took) / seeds, "share")
        told("time to goal", float(np.mean(took or [0])), "s", len(took))
        told("falls", falls / seeds, "a run")
        told("replans", replans / seeds, "a run")
        told("plans whose every claim holds", sum(run.holds for run in runs) / seeds, "share")
        if who is not LITTLE:
            continue
        bench.claim(f"{title}: a frame", frame, at_most=1.0, unit="ms")
        if name == "physics 2":
            bench.claim(f"{title}: planning", planned, at_most=5.0, unit="ms")
        if name in ("disconnected", "living room"):
            bench.claim(f"{title}: goals reached", goals, at_least=1.0)


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


def run(bench: Bench) -> None:
    curves(bench)
    table_1(bench, LITTLE, 1.0, SEEDS)
    table_1(bench, people.adult(), ADULT_SCALE, SEEDS // 2)
