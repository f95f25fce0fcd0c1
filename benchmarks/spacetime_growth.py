"""How the space-time planner grows: landmarks, bodies, controllers, clips, and large worlds.

Trajectories and arrivals do not depend on the machine; times are of one core. The time-expanded
search beside knows no controllers: its disc starts, turns and stops at will, so that nobody is
there sooner at its speed.
"""

from __future__ import annotations

from typing import Any

from benchmarks.controllers import turned
from benchmarks.harness import Bench, Measured, Work
from benchmarks.peers.time_expanded import CELL, earliest, free_cells
from benchmarks.worlds.street import BLOCK, WIDE, street
from surefoot import control
from surefoot.character import people
from surefoot.planning import Goal, Limits, Problem
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.planning.spacetime.search import Search
from surefoot.world import World, scenes

PEERS = ()

MOST = 60_000
"""Trajectories that a plan may try."""

EXPANDED = "time-expanded"
SPEED = 1.6
"""[m/s] of the disc beside."""


def run(bench: Bench) -> None:
    controllers = control.load(people.adult())
    landmarks(bench, controllers)
    bodies(bench, controllers)
    fewer_controllers(bench, controllers)
    more_clips(bench, controllers.repertoire)
    large(bench, controllers)
    beside(bench, controllers)


def landmarks(bench: Bench, controllers: control.Controllers) -> None:
    made = scenes.load("train yard 1")
    for share in (1.0, 0.7, 0.5):
        settings = SpaceTimeSettings(spacing=2.5 * share, nearest=1.2 * share, along=5.0 * share)
        problem = asked(made.world, made.start, made.goal, 60.0)
        searched(bench, "landmarks x4", problem, settings, controllers, x="landmarks")


def bodies(bench: Bench, controllers: control.Controllers) -> None:
    for cars in (0, 18, 54):
        searched(bench, "bodies x10", along(street(6, cars=cars), 6), SpaceTimeSettings(),
                 controllers, x="moving bodies")  # fmt: skip


def fewer_controllers(bench: Bench, controllers: control.Controllers) -> None:
    made = scenes.load("train yard 1")
    problem = asked(made.world, made.start, made.goal, 60.0)
    for names in (
        ("walk", "jump"),
        ("walk", "run", "jump", "leap"),
        SpaceTimeSettings().controllers,
    ):
        settings = SpaceTimeSettings(controllers=names)
        searched(bench, "controllers x3", problem, settings, controllers, x="controllers")


def more_clips(bench: Bench, repertoire: control.Repertoire) -> None:
    """Walking alone, over the same clips and ten times as many.

    For the best way: many trajectories are tried, so that what a search sets up hardly counts.
    """
    moves = [move for move in repertoire.moves if move.mode in control.Go().modes]
    variants = [turned(move, k) for move in moves for k in range(10)]
    tasks = [control.Go(), control.Wait(next=control.Go())]
    each: list[Measured] = []
    for clips in (moves, variants):
        trained = control.train(control.connected(repertoire.footage, clips), tasks, threads=2)
        settings = SpaceTimeSettings(controllers=("walk",), price=1.0)
        each.append(searched(bench, "clips x10", along(street(3), 3), settings, trained, x="moves"))
    bench.claim("a trajectory with ten times the clips, times one with few",
                each[1] / each[0], at_most=1.5)  # fmt: skip


def large(bench: Bench, controllers: control.Controllers) -> None:
    """One search for all of a long street, and one from milestone to milestone."""
    flat, staged = SpaceTimeSettings(), SpaceTimeSettings(milestones=20.0)
    for blocks in (12, 24, 60):
        world = street(blocks)
        problem = along(world, blocks)
        for name, settings in (("flat", flat), ("stages", staged)):
            planner = SpaceTime(settings, controllers)
            found = bench.measure(
                "large worlds: planning", {name: Work(lambda p=planner, q=problem: p.plan(q), 1)},
                unit="s", repeats=1, x=blocks * BLOCK, x_name="m",
            )  # fmt: skip
            plan = found.answers[name]
            title = f"large worlds, {blocks * BLOCK:g} m"
            bench.record(f"{title}: arrives", name, plan.end if plan else 0.0, "s", 1)
            bench.record(f"{title}: holds", name, float(bool(plan.check(world))), "share", 1)


def beside(bench: Bench, controllers: control.Controllers) -> None:
    """Obstacles alone, on level ground: a street with three carts in every block."""
    blocks = 3
    world = street(blocks, 3)
    problem = along(world, blocks)
    walk = problem.skills["walk"]
    lasts = 40.0
    corners = (0.0, -0.5 * WIDE), (BLOCK * blocks, 0.5 * WIDE)

    def expanded() -> tuple[float, int]:
        free = free_cells(world, walk, *corners, 0.0, lasts)
        start, goal = (
            tuple(int((p - low) / CELL) for p, low in zip(point, corners[0], strict=True))
            for point in ((1.0, 0.0), (BLOCK * blocks - 1.0, 0.0))
        )
        return earliest(free, start, goal, SPEED)  # pyright: ignore[reportArgumentType]

    def ours() -> Any:
        return SpaceTime(SpaceTimeSettings(), controllers).search(problem).run()

    title = "obstacles alone: planning, tables included"
    found = bench.measure(title, {"surefoot": Work(ours, 1), EXPANDED: Work(expanded, 1)},
                          unit="ms", repeats=3)  # fmt: skip
    outcome, (arrives, nodes) = found.answers["surefoot"], found.answers[EXPANDED]
    bench.record("obstacles alone: arrives", "surefoot", outcome.arrives, "s", 1)
    bench.record("obstacles alone: arrives", EXPANDED, arrives, "s", 1)
    tried = float(outcome.statistics["trajectories_evaluated"])
    bench.record("obstacles alone: trajectories", "surefoot", tried, "trajectories", 1)
    bench.record("obstacles alone: nodes", EXPANDED, float(nodes), "nodes", 1)
    bench.claim("planning among obstacles, times the time-expanded search",
                found["surefoot"] / found[EXPANDED], at_most=1.0)  # fmt: skip


def along(world: World, blocks: int) -> Problem:
    """From one end of a street to the other."""
    start, goal = (world.place((x, 0.0, 0.2)) for x in (1.0, BLOCK * blocks - 1.0))
    return asked(world, start, goal, 15.0 * blocks + 30.0)


def asked(world: World, start: Any, goal: Any, horizon: float) -> Problem:
    return Problem(
        world=world, character=people.adult(), start=start, goal=Goal(goal, tolerance=0.5),
        horizon=horizon, limits=Limits(evaluations=MOST),
    )  # fmt: skip


def searched(
    bench: Bench, title: str, problem: Problem, settings: SpaceTimeSettings,
    controllers: control.Controllers, *, x: str,
) -> Measured:  # fmt: skip
    """Searches, and tells how that went; [µs] of a trajectory."""
    search = SpaceTime(settings, controllers).search(problem)
    at = float(_extent(search, x))
    subject = f"{at:g} {x}"
    tables = bench.measure(f"{title}: first search", {subject: Work(search.run, 1)}, unit="ms",
                           repeats=1, x=at, x_name=x)  # fmt: skip
    again = bench.measure(f"{title}: search", {subject: Work(search.run, 1)}, unit="ms",
                          repeats=3, x=at, x_name=x)  # fmt: skip
    outcome = tables.answers[subject]
    tried = float(outcome.statistics["trajectories_evaluated"])
    arrives = outcome.arrives - problem.start_time if outcome.end == "reached" else 0.0
    bench.record(f"{title}: heuristic", subject,
                 float(outcome.statistics["heuristic_ms"]), "ms", 1)  # fmt: skip
    bench.record(f"{title}: trajectories", subject, tried, "trajectories", 1)
    bench.record(f"{title}: path", subject, arrives, "s", 1)
    bench.record(f"{title}: memory", subject, float(outcome.statistics["memory_bytes"]), "bytes", 1)
    each = 1e3 * again[subject].value / tried
    return bench.record(f"{title}: a trajectory", subject, each, "µs", int(tried))


def _extent(search: Search, what: str) -> int:
    if what == "landmarks":
        return len(search.landmarks)
    if what == "controllers":
        return len(search.skills)
    if what == "moves":
        return len(search.skills[0].go.repertoire.moves)
    return sum(body.trajectory.moving for body in search.problem.world)
