"""Space-time planning, row by row beside Table I of levine2011 (an i7 at 3.07 GHz).

Trajectories evaluated and path lengths do not depend on the machine; times are of one core.
"Planning" finds out when landmarks meet as well, which a later plan in the same world ("planning
again") knows; the landmarks themselves are there before, as in the paper. "Price 1" searches for
the best. The paper's setting (culling, waits of 1 s, its controllers) and its closed set are
measured beside; what a plan may try is limited, and a row that met the limit says so by its length
of 0 s.

The timing of the scenes was chosen by ways that begin at 0 s; "begun later" are times that neither
scenes nor settings were chosen by.
"""

from __future__ import annotations

from dataclasses import replace

from benchmarks.harness import Bench, Work
from surefoot import control, costs
from surefoot.character import people
from surefoot.planning import Goal, Limits, Problem
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.world import scenes

PEERS = ()

OURS, BEST, PAPER, CLOSED = "safe intervals", "price 1", "paper", "no culling"
MOST = 500_000
"""Trajectories that a plan may try."""

ROWS = {
    # scene, cost: planning time [s], heuristic [ms], path [s], trajectories, without culling [s]
    ("train yard 1", "time"): (1.08, 16, 17.0, 502, 25.8),
    ("train yard 2", "time"): (1.18, 16, 24.9, 508, 52.9),
    ("toll booth 1", "time"): (1.79, 78, 14.0, 934, 17.3),
    ("toll booth 2", "time"): (1.93, 78, 14.4, 980, 47.8),
    ("highway", "time"): (0.99, 47, 9.2, 557, 19.1),
    ("highway", "least motion"): (1.37, 47, 12.9, 662, 5.6),
    ("highway", "avoid road"): (1.31, 47, 15.6, 551, 2.8),
    ("highway", "prefer walk"): (2.35, 47, 22.8, 1065, 107.8),
}
COSTS = {
    "time": costs.time,
    "least motion": lambda: 0.1 * costs.time() + costs.least_motion(),
    "avoid road": lambda: costs.time() + 3.0 * costs.avoid("road"),
    "prefer walk": lambda: costs.time() + 3.0 * costs.prefer("walk"),
}
LATER = (0.9, 2.5, 4.2, 6.1)
"""[s] when plans begin that nothing was chosen by."""


def settings(cost: str) -> dict[str, SpaceTimeSettings]:
    """By name; for who prefers to walk the paper has a controller for that as well (7.1)."""
    printed = SpaceTimeSettings.of_the_paper()
    if cost == "prefer walk":
        printed = replace(printed, controllers=("walk", "avoid", *printed.controllers))
    return {
        OURS: SpaceTimeSettings(),
        BEST: SpaceTimeSettings(price=1.0),
        PAPER: printed,
        CLOSED: replace(printed, waiting="no culling"),
    }


def run(bench: Bench) -> None:
    who = people.adult()
    controllers = control.load(who)
    known = scenes.names()
    for (scene, cost), (seconds, heuristic, length, tried, without) in ROWS.items():
        if scene not in known:
            continue
        made = scenes.load(scene)
        problem = Problem(
            world=made.world, character=who, start=made.start, cost=COSTS[cost](),
            goal=Goal(made.goal, tolerance=0.4), limits=Limits(evaluations=MOST),
        )  # fmt: skip
        title = f"{scene}, {cost}"
        bench.record(f"{title}: planning", "levine2011", seconds, "s", 1)
        bench.record(f"{title}: planning", "levine2011, no culling", without, "s", 1)
        bench.record(f"{title}: heuristic", "levine2011", heuristic, "ms", 1)
        bench.record(f"{title}: path", "levine2011", length, "s", 1)
        bench.record(f"{title}: trajectories", "levine2011", tried, "trajectories", 1)
        tries = dict[str, float]()
        for name, chosen in settings(cost).items():
            planner = SpaceTime(chosen, controllers)
            search = planner.search(problem)
            found = bench.measure(
                f"{title}: planning", {name: Work(search.run, 1)}, unit="s", repeats=1
            )
            if name == OURS:
                # Who plans again in the same world knows when landmarks meet.
                bench.measure(
                    f"{title}: planning again", {name: Work(search.run, 1)}, unit="s", repeats=3
                )
            outcome = found.answers[name]
            statistics = outcome.statistics
            reached = outcome.end == "reached"
            path = outcome.arrives - problem.start_time if reached else 0.0
            bench.record(f"{title}: path", name, path, "s", 1)
            if reached:
                bench.record(f"{title}: cost", name, outcome.native.cost, "cost", 1)
            spent = float(statistics["heuristic_ms"])
            bench.record(f"{title}: heuristic", name, spent, "ms", 1)
            evaluated = float(statistics["trajectories_evaluated"])
            bench.record(f"{title}: trajectories", name, evaluated, "trajectories", 1)
            if reached:
                tries[name] = evaluated
            bench.record(f"{title}: memory", name, float(statistics["memory_bytes"]), "bytes", 1)
            if name == OURS:
                if reached:  # giving up at once is no speed
                    bench.claim(f"{title}: planning", found[name], at_most=0.05, unit="s")
                solved = bench.record(f"{title}: solved", name, float(reached), "share", 1)
                bench.claim(f"{title}: solved", solved, at_least=1.0)
        begun_later(bench, title, problem, controllers)
        if PAPER in tries and CLOSED in tries:
            saved = tries[CLOSED] / tries[PAPER]
            bench.record(f"{title}: culling saves", "trajectories", saved, "times", 1)
            bench.record(
                f"{title}: culling saves", "levine2011, time", without / seconds, "times", 1
            )


def begun_later(
    bench: Bench, title: str, problem: Problem, controllers: control.Controllers
) -> None:
    planner = SpaceTime(SpaceTimeSettings(), controllers)
    for start in LATER:
        later = f"{title}, from {start:g} s"
        search = planner.search(replace(problem, start_time=start))
        search.likely  # noqa: B018  # when landmarks meet is known before
        work = {OURS: Work(search.run, 1)}
        outcome = bench.measure(f"{later}: planning", work, unit="s", repeats=3).answers[OURS]
        reached = outcome.end == "reached"
        bench.record(f"{later}: path", OURS, outcome.arrives - start if reached else 0.0, "s", 1)
        evaluated = float(outcome.statistics["trajectories_evaluated"])
        bench.record(f"{later}: trajectories", OURS, evaluated, "trajectories", 1)
        solved = bench.record(f"{later}: solved", OURS, float(reached), "share", 1)
        bench.claim(f"{later}: solved", solved, at_least=1.0)
