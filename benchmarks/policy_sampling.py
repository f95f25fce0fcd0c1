"""What policies owe to their samples and actions, and to being computed (coros2009, section 6).

Table 3 thins out states and task samples of the humanoid's go-to-line policy, and compares values;
another experiment takes actions away. The bird's heading-with-speed policy is held against one made
by hand. Curves say how long values take. It takes some minutes the first time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from benchmarks.harness import Bench
from surefoot.arrays import Floats, Ints
from surefoot.learning import Axis, Solution, TaskSpace
from surefoot.learning.neighbours import weights_of
from surefoot.physics import Blend, Stage, load_body, policies
from surefoot.physics.policies.exploring import Explored, without_actions
from surefoot.physics.policies.instancing import NEAREST, Sweeping, sight, solved
from surefoot.physics.policies.metric import Metric
from surefoot.physics.policies.tasks import dense
from surefoot.physics.policies.training import cache_folder, explored_for
from surefoot.physics.policies.trusted import cycle
from surefoot.physics.policies.trying import Tried, attempt
from surefoot.physics.stage import Action
from surefoot.physics.states import States, gathered

LINES = (81, 57, 32, 25, 17)
"""Task samples of Table 3, the first of them the standard."""

SHARES = (1.0, 4000 / 4806, 3000 / 4806, 2000 / 4806, 1000 / 4806)
"""Of the states, as in Table 3."""

TABLE_3 = (
    (0.0, 0.22, 0.22, 0.23, 0.34),
    (0.18, 0.35, 0.28, 0.25, 0.35),
    (0.45, 0.58, 0.54, 0.42, 0.40),
    (0.69, 0.86, 0.80, 0.65, 0.50),
    (0.79, 0.99, 0.87, 0.75, 0.60),
)

ACTIONS = {13: 0.0, 10: 1.58, 7: 3.31, 4: 5.46}
"""How many, and the paper's error."""

HEADINGS, SPEEDS = 16, 6
"""Regular starts of the comparison with a policy made by hand: 96 in all."""


def run(bench: Bench) -> None:
    body = load_body("humanoid")
    setup = policies.setup_for(body, policies.GoToLine())
    # In this order some of the first are a vocabulary as well: 4, 7, 10 and 13 of them.
    between = [
        Blend(*pair, share)
        for share in (0.5, 0.25, 0.75)
        for pair in (
            ("amble in place", "amble"),
            ("amble", "amble fast"),
            ("amble in place", "amble backward"),
        )
    ]
    rich = replace(setup, name="line-13", between=tuple(between))
    explored = explored_for(body, rich, place=cache_folder())
    viable = explored.viable.sum(axis=1)
    bench.record(
        f"humanoid go-to-line: viable of 13 actions ({viable.min()} to {viable.max()})",
        "surefoot; coros2009 8 of 16 (0 to 14)", float(viable.mean()), "actions", len(viable),
    )  # fmt: skip
    standard = values_of(explored, LINES[0], rich.steady)
    sampling(bench, explored, standard, rich.steady)
    fewer_actions(bench, explored, standard, rich.steady)
    against_a_hand_made_one(bench)
    curves(bench, explored, rich.steady)


def line(positions: int) -> policies.GoToLine:
    """The task with so many samples."""
    task = policies.GoToLine()
    first = Axis(name="line", points=dense(-2.5, 6.0, positions))
    task.space = TaskSpace(axes=(first, task.space.axes[1]), place="plane")
    return task


def values_of(explored: Explored, positions: int, steady: str) -> Solution:
    """Values of the line task, swept well."""
    seen = sight(Stage(explored.body), steady)(explored.states)
    return solved(explored, line(positions), seen, Sweeping(tolerance=1e-3))


def sampling(bench: Bench, explored: Explored, standard: Solution, steady: str) -> None:
    """Table 3: the mean error of values with fewer states and fewer task samples."""
    rng = np.random.default_rng(3)
    order = rng.permutation(len(explored.states))
    errors = np.zeros((len(SHARES), len(LINES)))
    for i, share in enumerate(SHARES):
        count = round(share * len(order))
        rows = np.sort(order[:count]).astype(np.int32)
        some = with_states(explored, rows)
        for j, positions in enumerate(LINES):
            found = values_of(some, positions, steady)
            errors[i, j], same = apart(explored, some, found, standard)
            title = f"Table 3, {count} states, {positions} task samples: mean error of values"
            bench.record(title, "surefoot", errors[i, j], "steps at the goal", count)
            bench.record(title, "coros2009", TABLE_3[i][j], "of its own reward", 1)
            bench.record(f"{title}: same actions", "surefoot", 100 * same, "%", count)
    fewest = bench.record("Table 3: the fewest states", "surefoot", errors[-1, 0], "steps", 1)
    bench.claim("Table 3: fewer states, more error", fewest, at_least=float(errors[1, 0]))


def with_states(explored: Explored, rows: Ints) -> Explored:
    """Some of its states; where actions lead is told by these alone."""
    return replace(
        explored, states=explored.states[rows], features=explored.features[rows],
        outcomes=explored.outcomes[rows], motion=explored.motion[rows],
        durations=explored.durations[rows], standing=explored.standing[rows],
        away=explored.away[rows],
    )  # fmt: skip


def apart(
    whole: Explored, some: Explored, found: Solution, standard: Solution
) -> tuple[float, float]:
    """The mean difference of values over all states and the standard's samples; same actions."""
    samples = Metric(Stage(whole.body), whole.weights).samples()
    samples.add(np.ascontiguousarray(some.features))
    who, away = samples.nearest(
        np.ascontiguousarray(whole.features), min(NEAREST, len(some.states))
    )
    shares = weights_of(away)
    points = standard.space.points()
    values = np.stack([found.many(i, points) for i in range(len(some.states))])
    fitted = np.einsum("nk,nkt->nt", shares, values[who])
    wanted = standard.values.reshape(len(whole.states), -1)
    nearest = [int(np.abs(found.space.points()[:, 0] - x).argmin()) for x in points[:, 0]]
    chosen = found.policy.reshape(len(some.states), -1)[who[:, 0]][:, nearest]
    same = chosen == standard.policy.reshape(len(whole.states), -1)
    return float(np.abs(fitted - wanted).mean()), float(same.mean())


def fewer_actions(bench: Bench, explored: Explored, standard: Solution, steady: str) -> None:
    """The same states with fewer actions: how much less they are worth."""
    lost = 0.0
    for count, paper in ACTIONS.items():
        some = without_actions(explored, range(count))
        found = values_of(some, LINES[0], steady)
        lost = float((standard.values - found.values).mean())
        title = f"humanoid go-to-line with {count} actions: values lost"
        least = bench.record(title, "surefoot", lost, "steps at the goal", len(explored.states))
        bench.record(title, "coros2009", paper, "of its own reward", 1)
        if count < max(ACTIONS):
            bench.claim(f"{count} actions are worth less than 13", least, at_least=1e-3)


def by_hand(actions: Sequence[Action], tasks: Floats) -> Ints:
    """What a careful person would do: turn on the spot, then in a curve, then go at the pace.

    Turns begin with the slower gaits, end a step early, and the pace is that of the gait whose own
    speed is nearest.
    """
    named = {str(action): i for i, action in enumerate(actions)}
    paces = {"tread": 0.0, "waddle slowly": 0.35, "waddle": 0.65, "waddle fast": 0.95}
    out = np.zeros(len(tasks), dtype=np.int32)
    for row, (speed, heading) in enumerate(tasks):
        side = "left" if heading > 0 else "right"
        if abs(heading) > np.deg2rad(20.0):
            name = f"pivot {side}"
        elif abs(heading) > np.deg2rad(5.0):
            name = f"curve {side}" if speed > 0.4 else f"tread 50%, pivot {side} 50%"
        else:
            name = min(paces, key=lambda pace: abs(paces[pace] - speed))
        out[row] = named[name]
    return out


def against_a_hand_made_one(bench: Bench) -> None:
    """The bird's heading-with-speed from 96 regular starts (paper: 17% sooner, up to 32%)."""
    task = policies.HeadingWithSpeed()
    policy = policies.train(load_body("bird"), task).policy
    steady = cycle(Stage(policy.body), policy.steady)
    assert steady is not None
    headings = np.linspace(-np.pi, np.pi, HEADINGS, endpoint=False) + np.pi / HEADINGS
    speeds = np.linspace(0.0, 1.0, SPEEDS)
    tasks = np.array([(speed, heading) for speed in speeds for heading in headings])
    starts: States = gathered([steady[[0]]] * len(tasks))

    def chosen(states: States, wanted: Floats) -> tuple[Ints, Floats]:
        return by_hand(policy.actions, wanted), np.zeros(len(states))

    ours = attempt(policy, task, starts, tasks)
    theirs = attempt(policy, task, starts, tasks, chooses=chosen)
    title = f"bird heading-with-speed, {len(tasks)} regular starts"
    for who, result in (("policy", ours), ("made by hand", theirs)):
        bench.record(f"{title}: done", who, 100 * float(result.done.mean()), "%", len(tasks))
    sooner, most = gain(ours, theirs)
    found = bench.record(
        f"{title}: the policy is sooner by", "surefoot; coros2009 17", sooner, "%", 96
    )
    bench.record(f"{title}: at most by", "surefoot; coros2009 32", most, "%", 96)
    bench.claim("the policy is sooner than one made by hand", found, at_least=0.0)


def gain(ours: Tried, theirs: Tried) -> tuple[float, float]:
    """[%] that the mean time is less, and the most of any start; where both did it."""
    both = ours.done & theirs.done & (theirs.seconds > 0)
    times, others = ours.seconds[both], theirs.seconds[both]
    return 100 * float(1 - times.mean() / others.mean()), 100 * float((1 - times / others).max())


def curves(bench: Bench, explored: Explored, steady: str) -> None:
    """[s] of value iteration over states, actions and task samples; steps a second over threads."""
    rng = np.random.default_rng(4)
    everything = (len(explored.states), len(explored.actions), 81)
    halves = [everything[0] // k for k in (8, 4, 2, 1)]
    for name, sizes in {
        "states": [(n, everything[1], 81) for n in halves],
        "actions": [(everything[0], n, 81) for n in ACTIONS],
        "task samples": [(everything[0], everything[1], n) for n in LINES],
    }.items():
        for states, actions, positions in sizes:
            rows = np.sort(rng.permutation(everything[0])[:states]).astype(np.int32)
            some = without_actions(with_states(explored, rows), range(actions))
            seen = sight(Stage(explored.body), steady)(some.states)
            before = time.process_time()
            solved(some, line(positions), seen, Sweeping())
            took = time.process_time() - before
            title = f"value iteration over {name}: {states} x {actions} x {positions}"
            bench.record(title, "surefoot", took, "s", states)
    stage, many = Stage(explored.body), explored.states[:128]
    for threads in (1, 2):
        before = time.perf_counter()
        stage.step(many, steady, threads=threads)
        rate = len(many) / (time.perf_counter() - before)
        bench.record(f"exploration with {threads} threads", "surefoot", rate, "steps/s", len(many))
