"""Unknown futures that were learned by watching, beside watching alone and perfect knowledge.

The same recordings for those who only watch (lopez2012), who watch and foresee (the union), and for
the space-time planner that knows all of it (levine2011). Each watches for 60 s before.
"""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Bench
from benchmarks.worlds.shuttles import recorded
from benchmarks.worlds.uneven import uneven
from surefoot import control
from surefoot.character import people
from surefoot.physics.scenes import ADULT_SCALE
from surefoot.planning import Goal, Problem
from surefoot.planning.spacetime import SpaceTime
from surefoot.planning.topology import Topology, TopologySettings
from surefoot.planning.topology.union import travel_with_foresight
from surefoot.world import Place, Played, Watching, World
from surefoot.world.scenes import disconnected

PEERS = ()

SEEDS, WATCH = 10, 60.0


def _recordings(seed: int) -> dict[str, tuple[World, Place, Place, float]]:
    """By name: a recording, from where to where, and how long it may take [s]."""
    out: dict[str, tuple[World, Place, Place, float]] = {}
    for jitter, stops in ((0.0, "even stops"), (0.15, "stops uneven by 15%")):
        out[f"shuttles, {stops}"] = (*recorded(seed, jitter), 120.0)
        world, places = disconnected.made(seed, ADULT_SCALE)
        world = uneven(world, seed, jitter, 320.0)
        out[f"disconnected, {stops}"] = (world, places["start"], places["goal"], 240.0)
    return out


def run(bench: Bench, seeds: int = SEEDS) -> None:
    who = people.adult()
    controllers = control.load(who)
    found: dict[tuple[str, str], list[float]] = {}
    repairs: dict[str, int] = {}
    for seed in range(seeds):
        for title, (world, start, end, horizon) in _recordings(seed).items():
            goal = Goal(end, tolerance=0.4)
            settings = TopologySettings(watch=WATCH)
            problem = Problem(world=world, character=who, start=start, goal=goal,
                              start_time=WATCH, horizon=horizon)  # fmt: skip
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
