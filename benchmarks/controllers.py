"""Value iteration, training, rollouts and adaptation of controllers (levine2011, coros2009).

The engine is held against the same sweep in vectorised numpy and against the time that reading its
values from memory takes at least. Rollouts and adaptation are of the built-in controllers; one edge
of the paper's prototype took 2 ms to adapt, one policy of coros2009 9.5 hours to learn.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.harness import Bench, Work
from surefoot import control
from surefoot.arrays import Floats
from surefoot.character import Character, people
from surefoot.learning import Axis, TaskSpace, TransitionTable, solve
from surefoot.planning.standing import can_stand
from surefoot.world import Place, World, scenes

PEERS = ()

OURS, TWO, NUMPY, MEMORY = "surefoot", "surefoot, 2 threads", "numpy", "memory alone"
STATES, ACTIONS, TASKS, NEAREST, SWEEPS = 1963, 36, 2048, 6, 60
"""Of the policy that took longest in coros2009."""

EDGES = 2_000


def run(bench: Bench) -> None:
    engine(bench)
    largest(bench)
    who = people.adult()
    repertoire = control.repertoire(who)
    training(bench, repertoire)
    controllers = control.train(repertoire, control.moving_tasks(), threads=2)
    rollouts(bench, repertoire, controllers["walk"])
    more_clips(bench, repertoire)
    adaptation(bench, controllers)


# --- the engine ----------------------------------------------------------------------------------


def problem(states: int, actions: int, nearest: int) -> tuple[TransitionTable, TaskSpace]:
    """Random transitions, and tasks on a grid: a place and two headings."""
    rng = np.random.default_rng(0)
    weights = rng.random((states, actions, nearest))
    table = TransitionTable(
        successors=rng.integers(0, states, (states, actions, nearest)),
        weights=weights / weights.sum(axis=-1, keepdims=True),
        motion=rng.normal(0.0, 0.3, (states, actions, 3)),
        rewards=rng.normal(0.0, 0.1, (states, actions)),
        durations=np.full((states, actions), 0.5),
        viable=np.ones((states, actions), dtype=np.bool_),
    )
    axes = (
        Axis(name="distance", points=np.linspace(0.0, 6.0, 8)),
        Axis.circle("direction", 16),
        Axis.circle("heading", 16),
    )
    return table, TaskSpace(axes=axes, place="polar")


def engine(bench: Bench) -> None:
    """One sweep, in nanoseconds for a state, action and task."""
    states, actions = 120, ACTIONS
    table, space = problem(states, actions, NEAREST)
    count = states * actions * space.size
    there = -space.points()[:, 0]
    start = np.zeros((states, space.size))
    still = solve(table, space, there=there, sweeps=0)
    values = np.zeros((states, space.size), dtype=np.float32)
    after = np.empty_like(values)
    slow = numpy_sweep(table, space, there)
    # No sweep is faster than its values can be read: k of them for each item.
    large = np.ones(50_000_000, dtype=np.float32)
    rates = bench.measure(
        f"a sweep of {states} states, {actions} actions, {space.size} tasks, k = {NEAREST}",
        {
            OURS: Work(lambda: still.native.sweep(values, after, 1.0, 1), count),
            NUMPY: Work(lambda: slow(start), count),
            MEMORY: Work(lambda: float(large.sum()), large.size // NEAREST),
        },
        unit="items/s",
        repeats=3,
    )
    for name in (OURS, NUMPY, MEMORY):
        bench.record(
            f"a state, action and task: {name}", name, 1e9 / rates[name].value, "ns", count
        )
    bench.claim("a sweep, times numpy", rates[OURS] / rates[NUMPY], at_least=5)
    bench.claim("a sweep, share of what memory allows", rates[OURS] / rates[MEMORY], at_least=0.1)
    walls = bench.measure(
        "the same sweep by threads",
        {
            OURS: Work(lambda: still.native.sweep(values, after, 1.0, 1), count),
            TWO: Work(lambda: still.native.sweep(values, after, 1.0, 2), count),
        },
        unit="items/s",
        repeats=3,
        clock="wall",
    )
    bench.record("two threads over one", TWO, walls[TWO].value / walls[OURS].value, "times", count)


def numpy_sweep(
    table: TransitionTable, space: TaskSpace, there: Floats
) -> Callable[[Floats], Floats]:
    """A sweep in vectorised numpy: one gather of eight corners for each state and action."""
    points = space.points()
    distances, turns = space.axes[0].points, len(space.axes[1].points)

    def taps(motion: Floats) -> tuple[np.ndarray, Floats]:
        x = points[:, 0] * np.cos(points[:, 1]) - motion[0]
        y = points[:, 0] * np.sin(points[:, 1]) - motion[1]
        away = np.clip(np.hypot(x, y), distances[0], distances[-1])
        first = np.clip(np.searchsorted(distances, away, side="right") - 1, 0, len(distances) - 2)
        share = (away - distances[first]) / (distances[first + 1] - distances[first])
        along = [(first, 1 - share), (first + 1, share)]
        for angle in (np.arctan2(y, x) - motion[2], points[:, 2] - motion[2]):
            at = (angle + np.pi) / (2 * np.pi) * turns
            low = np.floor(at)
            index = low.astype(np.intp) % turns
            along.append((index, 1 - (at - low)))
            along.append(((index + 1) % turns, at - low))
        places, weights = [], []
        for i in (0, 1):
            for j in (2, 3):
                for k in (4, 5):
                    places.append((along[i][0] * turns + along[j][0]) * turns + along[k][0])
                    weights.append(along[i][1] * along[j][1] * along[k][1])
        return np.array(places), np.array(weights)

    def sweep(values: Floats) -> Floats:
        new = np.empty_like(values)
        for s in range(table.states):
            worths = []
            for a in range(table.actions):
                places, weights = taps(table.motion[s, a])
                later = there + 0.9**0.5 * (table.weights[s, a] @ values[table.successors[s, a]])
                worths.append(table.rewards[s, a] + (weights * later[places]).sum(axis=0))
            new[s] = np.max(worths, axis=0)
        return new

    return sweep


def largest(bench: Bench) -> None:
    """Coros2009's largest policy: one sweep is measured, and sixty of them claimed."""
    table, space = problem(STATES, ACTIONS, NEAREST)
    still = solve(table, space, there=-space.points()[:, 0], sweeps=0)
    values = np.zeros((STATES, space.size), dtype=np.float32)
    after = np.empty_like(values)
    title = f"{STATES:,} states, {ACTIONS} actions, {space.size:,} tasks, k = {NEAREST}: a sweep"
    rates = bench.measure(
        title,
        {TWO: Work(lambda: still.native.sweep(values, after, 1.0, 2), 1)},
        unit="s",
        repeats=2,
    )
    # Core seconds: what others do on the same machine is not ours.
    each = SWEEPS * rates[TWO].value / 2
    whole = bench.record("sixty of those sweeps, on each of two cores", TWO, each, "s", SWEEPS)
    bench.claim("coros2009's largest policy on two cores", whole, at_most=60.0, unit="s")


# --- controllers ---------------------------------------------------------------------------------


def training(bench: Bench, repertoire: control.Repertoire) -> None:
    """All built-in controllers, from nothing."""
    before = time.process_time()
    trained = control.train(repertoire, threads=2, fresh=True)
    spent = time.process_time() - before
    found = bench.record(
        "training of all built-in controllers, on one core", TWO, spent, "s", len(trained)
    )
    bench.claim("all built-in controllers trained on one core", found, at_most=60.0, unit="s")


def rolled(controller: control.Controller, count: int) -> Callable[[], Floats]:
    """Rollouts of three seconds from a stand to targets all around, in one native call."""
    rng = np.random.default_rng(0)
    angles = rng.uniform(-np.pi, np.pi, count)
    targets = np.column_stack([90 * np.cos(angles), 90 * np.sin(angles), 0 * angles])
    stand = controller.repertoire.standing
    actions = np.full(count, stand, dtype=np.int32)
    into = np.full(count, controller.repertoire.durations[stand])
    levels, nowhere = np.zeros((count, 4)), np.full((count, 4), 1e3)
    limits = np.array([3.0, -1.0, 0.005])

    def roll() -> Floats:
        _, times, _, _ = controller.native.roll_many(
            levels, actions, into, targets, nowhere, np.zeros((count, 4)), 0.5, limits, 1
        )
        return times

    return roll


def rollouts(bench: Bench, repertoire: control.Repertoire, walk: control.Controller) -> None:
    del repertoire
    rates = bench.measure(
        "a rollout of 3 s without collision tests", {OURS: Work(rolled(walk, 5_000), 5_000)},
        unit="µs",
    )  # fmt: skip
    bench.claim("a rollout of 3 s", rates[OURS], at_most=20.0, unit="µs")


def more_clips(bench: Bench, repertoire: control.Repertoire) -> None:
    """The same clips ten times, each a little different in how it turns."""
    task = control.Go()
    moves = [move for move in repertoire.moves if move.mode in task.modes]
    few = control.connected(repertoire.footage, moves)
    many = control.connected(
        repertoire.footage, [turned(move, k) for move in moves for k in range(10)]
    )
    rates = bench.measure(
        "a rollout of 3 s, by clips",
        {
            f"{len(few.moves)} moves": Work(rolled(trained_once(few), 5_000), 5_000),
            f"{len(many.moves)} moves": Work(rolled(trained_once(many), 5_000), 5_000),
        },
        unit="µs",
    )
    first, second = rates
    bench.claim(
        "a rollout with ten times the clips, times one with few", rates[second] / rates[first],
        at_most=1.5,
    )  # fmt: skip


def turned(move: control.Move, k: int) -> control.Move:
    """A variant of a move that turns a little differently."""
    return control.Move(
        clip=move.clip, start=move.start, end=move.end, mode=move.mode, mirrored=move.mirrored,
        turns=tuple(turn + 0.004 * k for turn in move.turns), still=move.still,
    )  # fmt: skip


def trained_once(repertoire: control.Repertoire) -> control.Controller:
    return control.train(repertoire, [control.Go()], threads=2)["walk"]


def adaptation(bench: Bench, controllers: control.Controllers) -> None:
    """Edges of 2 to 6 m at a toll booth: among booths, kerbs, barriers, and cars that drive by."""
    who = people.adult()
    world = scenes.load("toll booth 1").world
    rng = np.random.default_rng(0)
    for name in controllers:
        controller = controllers[name]
        places, ends, times = edges(world, who, rng)
        starts, targets = [], []
        for place, end, t in zip(places, ends, times, strict=True):
            facing = rng.uniform(-np.pi, np.pi)
            start = control.Configuration.standing(controller.repertoire, place, facing)
            starts.append(start.packed(world, t))
            targets.append(controller.packed_target(Place(None, end), world, t))
        packed = np.array(starts), np.array(targets), times
        rates = bench.measure(
            f"an edge adapted at the toll booth: {name}",
            {OURS: Work(lambda c=controller, p=packed: c.adapt_many(world, who, *p), EDGES)},
            unit="µs",
            repeats=5,
        )
        bench.claim(f"an edge of {name}", rates[OURS], at_most=100.0, unit="µs")
        # Of random edges: many lead through a booth, and only those over a gap are jumped.
        reached = float((rates.answers[OURS][0] == 0).mean())
        bench.record(f"edges that are reached: {name}", OURS, reached, "share", EDGES)


def edges(world: World, who: Character, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Starts `(n, 3)` and ends `(n, 3)` [m] that can be stood on at the times `(n,)` [s]."""
    skill = who.capability("walk")
    places, ends, times = np.empty((0, 3)), np.empty((0, 3)), np.empty(0)
    while len(times) < EDGES:
        t = rng.uniform(0.0, 40.0, EDGES)
        place = np.column_stack(
            [rng.uniform([-14.0, -5.0], [14.0, 18.0], (EDGES, 2)), np.ones(EDGES)]
        )
        angle, length = rng.uniform(-np.pi, np.pi, EDGES), rng.uniform(2.0, 6.0, EDGES)
        end = place + np.column_stack([length * np.cos(angle), length * np.sin(angle), 0 * angle])
        fine = np.ones(EDGES, dtype=np.bool_)
        for points in (place, end):
            points[:, 2] = world.support(points, t, up=1.0, down=2.0).height
            fine &= np.isfinite(points[:, 2])
            fine[fine] = can_stand(world, points[fine], t[fine], skill)
        places, ends = np.concatenate([places, place[fine]]), np.concatenate([ends, end[fine]])
        times = np.concatenate([times, t[fine]])
    return places[:EDGES], ends[:EDGES], times[:EDGES]
