"""Task policies: how they are made and how fast they decide (coros2009, Tables 2 and 3, section 6).

The paper explored for 2.5 to 4 hours and swept for up to 9.5, on a core of 2009. Explorations that
are kept from before are not made again; their core time is then what reading them took, and is left
out. All tasks together take half an hour of two cores the first time.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.harness import Bench, Work
from surefoot.physics import Stage, load_body, policies
from surefoot.physics.policies.exploring import Explored, without_actions
from surefoot.physics.policies.instancing import Sweeping, sight, solved
from surefoot.physics.policies.mirroring import twins
from surefoot.physics.policies.training import policy_of
from surefoot.physics.policies.trusted import cycle
from surefoot.physics.policies.trying import tried

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

KEPT = 2.0  # [s]: reading a kept exploration takes less
DECISIONS = 500
TRIES = 100


def run(bench: Bench) -> None:
    for body, task in ROWS:
        trained = policies.train(load_body(body), policies.TASKS[task]())
        row(bench, f"{body} {task}", trained, *ROWS[body, task])
        if task == "go-to-point":
            deciding(bench, body, trained)
    fewer_actions(bench)


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


def fewer_actions(bench: Bench) -> None:
    """Section 6: the same states with fewer actions; how many lines are still reached."""
    body, task = load_body("humanoid"), policies.GoToLine()
    whole = policies.train(body, task)
    for count in range(len(whole.explored.actions), 2, -2):
        kept = mirrored_in_pairs(whole.explored, count)
        explored = without_actions(whole.explored, kept)
        seen = sight(Stage(body), whole.policy.steady)(explored.states)
        solution = solved(explored, task, seen, Sweeping())
        policy = policy_of(explored, task, solution, whole.policy.steady)
        fewer = replace(whole, policy=policy, explored=explored, solution=solution)
        result = tried(fewer, task, TRIES)
        bench.record(
            f"humanoid go-to-line with {len(kept)} actions, by look-up: reached", "surefoot",
            100 * float(result.done.mean()), "%", TRIES,
        )  # fmt: skip
        times = result.seconds[result.done]
        bench.record(
            f"humanoid go-to-line with {len(kept)} actions, by look-up: time", "surefoot",
            float(times.mean()) if len(times) else float("inf"), "s", len(times),
        )  # fmt: skip


def mirrored_in_pairs(explored: Explored, count: int) -> list[int]:
    """The first actions that are so many and whose mirror images are among them."""
    others = twins(explored.body, explored.actions)
    kept: list[int] = []
    for i, other in enumerate(others):
        new = {i, other} - set(kept)
        if len(kept) + len(new) <= count:
            kept += sorted(new)
    return sorted(kept)
