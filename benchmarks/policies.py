"""Task policies: how they are made and how fast they decide (coros2009, Table 2).

The paper explored for 2.5 to 4 hours and swept for up to 9.5, on a core of 2009. Explorations that
are kept from before are not made again; their core time is then what reading them took, and is left
out. All tasks together take half an hour of two cores the first time.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from benchmarks.harness import Bench, Work
from surefoot.physics import Stage, load_body, policies
from surefoot.physics.policies.instancing import Sweeping, solved
from surefoot.physics.policies.trusted import cycle

ROWS = {
    ("bird", "go-to-line"): (2494, 100.0),
    ("humanoid", "go-to-line"): (2253, 104.0),
    ("bird", "heading"): (1915, 92.0),
    ("raptor", "heading"): (2177, 86.0),
    ("bird", "go-to-point"): (4375, 5 * 3600.0),
    ("bird", "go-to-point-with-heading"): (1963, 9.5 * 3600.0),
    ("humanoid", "robust-walk"): (1710, 10.0),
}
"""Table 2: states, on both feet together, and [s] of value iteration."""

EXPLORING, SWEEPING, DECIDING = 900.0, 60.0, 50.0
"""[s], [s] and [µs] that exploration, value iteration and a decision may take."""

EDITED = 60.0
"""[s] until there is a new policy after an edit."""

KEPT = 2.0  # [s]: reading a kept exploration takes less
DECISIONS = 500


def run(bench: Bench) -> None:
    for body, task in ROWS:
        trained = policies.train(load_body(body), policies.TASKS[task]())
        row(bench, f"{body} {task}", trained, *ROWS[body, task])
        if task == "go-to-point":
            deciding(bench, body, trained)
        if (body, task) == ("bird", "heading"):
            edited(bench, trained)


def row(bench: Bench, title: str, trained: policies.Trained, states: int, seconds: float) -> None:
    """One of Table 2."""
    explored = trained.explored
    bench.record(f"{title}: states on both feet", "surefoot", 2 * len(explored.states), "states", 1)
    bench.record(f"{title}: states on both feet", "coros2009", states, "states", 1)
    if trained.exploring > KEPT:
        found = bench.record(f"{title}: exploration", "surefoot", trained.exploring, "s", 1)
        bench.record(f"{title}: exploration", "coros2009, at least", 2.5 * 3600, "s", 1)
        bench.claim(f"{title}: explored in 15 minutes", found, at_most=EXPLORING)
    swept = bench.record(f"{title}: value iteration", "surefoot", trained.sweeping, "s", 1)
    bench.record(f"{title}: value iteration", "coros2009", seconds, "s", 1)
    bench.claim(f"{title}: swept in 60 s", swept, at_most=SWEEPING)
    sweeps = trained.solution.report.sweeps
    bench.record(f"{title}: iterations", "surefoot; coros2009 50 to 70", sweeps, "sweeps", 1)
    viable = explored.viable.sum(axis=1)
    told = f"{title}: viable of {len(explored.actions)} actions ({viable.min()} to {viable.max()})"
    bench.record(
        told, "surefoot; coros2009 8 (0 to 14)", float(viable.mean()), "actions", len(viable)
    )


def deciding(bench: Bench, name: str, trained: policies.Trained) -> None:
    """[µs] of a decision, looking ahead and by the paper's look-up."""
    policy = trained.policy
    plain = replace(policy, model=None)
    states = cycle(Stage(policy.body), policy.steady)
    assert states is not None
    state = states[[0]]
    tasks = np.random.default_rng(0).uniform(-3.0, 3.0, (DECISIONS, 2)).tolist()
    took = bench.measure(
        f"{name}: a decision",
        {
            "looking ahead": Work(lambda: [policy.act(state, task) for task in tasks], DECISIONS),
            "the paper's look-up": Work(
                lambda: [plain.act(state, task) for task in tasks], DECISIONS
            ),
        },
        unit="µs",
    )
    for who, measured in took.items():
        bench.claim(f"{name}: a decision under 50 µs, {who}", measured, at_most=DECIDING)


def edited(bench: Bench, trained: policies.Trained) -> None:
    """[s] until there is a new policy after an edit to a gait, and to a reward."""
    body, task = trained.explored.body, policies.Heading()
    gait = body.gait("curve left")
    sharper = replace(gait, turn=gait.turn + 0.01)
    gaits = {**body.gaits, "curve left": sharper, "curve right": sharper.mirrored("curve right")}
    before = time.process_time()
    again = policies.train(
        replace(body, gaits=gaits), task, earlier=trained.explored, keep=None, told=lambda _: None
    )
    took = bench.record(
        "bird heading: a policy after an edit to a gait", "surefoot",
        time.process_time() - before, "s", again.explored.steps,
    )  # fmt: skip
    bench.claim("a policy within a minute of an edit to a gait", took, at_most=EDITED)
    task.tolerance = np.deg2rad(10.0)
    values = trained.solution.values.reshape(len(trained.explored.states), -1)
    before = time.process_time()
    swept = solved(trained.explored, task, trained.seen, Sweeping(), start=values)
    took = bench.record(
        "bird heading: values after an edit to the reward", "surefoot",
        time.process_time() - before, "s", swept.report.sweeps,
    )  # fmt: skip
    bench.claim("values within a minute of an edit to a reward", took, at_most=EDITED)
