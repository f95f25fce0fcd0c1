"""Value iteration, slowly: one state, action and task at a time, in double precision."""

from __future__ import annotations

from itertools import product

import numpy as np

from surefoot.learning import TaskSpace, TransitionTable


def displaced(space: TaskSpace, task, motion, shifts):
    """What a task becomes when the character moves."""
    task, shifts = np.array(task, dtype=float), list(shifts)
    ahead, left, turn = motion
    at = 0
    if space.place == "line" and space.free and space.free[0].change == "along":
        task[2] -= (complex(ahead, left) * np.exp(-1j * task[1])).imag
    if space.place is not None:
        at = 2
        if space.place == "plane":
            # As complex numbers, unlike the native code.
            seen = (complex(task[0], task[1]) - complex(ahead, left)) * np.exp(-1j * turn)
            task[0], task[1] = seen.real, seen.imag
        elif space.place == "polar":
            seen = task[0] * np.exp(1j * task[1]) - complex(ahead, left)
            task[0] = abs(seen)
            task[1] = (np.angle(seen) if abs(seen) > 0 else task[1]) - turn
        else:
            normal = np.exp(1j * task[1])
            task[0] -= (complex(ahead, left) * normal.conjugate()).real
            task[1] -= turn
        if space.place != "plane" and space.axes[1].period is None:
            task[1] = (task[1] + np.pi) % (2 * np.pi) - np.pi
    for k, axis in enumerate(space.free):
        if axis.change == "shift":
            task[at + k] += shifts.pop(0)
            continue
        if axis.change == "along":
            continue
        task[at + k] -= turn
    return task


def interpolated(space: TaskSpace, values, task):
    """A value between grid points."""
    values = np.asarray(values, dtype=float).reshape(space.shape)
    along = []
    for axis, x in zip(space.axes, task, strict=True):
        points = axis.points
        if axis.period is not None:
            points = np.append(points, points[0] + axis.period)
            x = points[0] + (x - points[0]) % axis.period
        if len(points) == 1:
            along.append([(0, 1.0)])
            continue
        x = min(max(x, points[0]), points[-1])
        at = min(int(np.searchsorted(points, x, side="right")) - 1, len(points) - 2)
        share = (x - points[at]) / (points[at + 1] - points[at])
        along.append([(at, 1 - share), ((at + 1) % len(axis.points), share)])
    return sum(
        values[tuple(i for i, _ in corner)] * np.prod([w for _, w in corner])
        for corner in product(*along)
    )


def backup(
    table: TransitionTable, space: TaskSpace, values, here, there, stuck, discount, acting=None,
    ends=None,
):  # fmt: skip
    """One sweep: new values and best actions `(states, tasks)`."""
    points = space.points()
    new = np.full((table.states, space.size), float(stuck))
    best = np.full(new.shape, -1)
    for s, (w, task) in product(range(table.states), enumerate(points)):
        worths = []
        for a in range(table.actions):
            if not table.viable[s, a]:
                worths.append(-np.inf)
                continue
            after = displaced(space, task, table.motion[s, a], table.shifts[s, a])
            expected = sum(
                weight * interpolated(space, values[near], after)
                for near, weight in zip(table.successors[s, a], table.weights[s, a], strict=True)
            )
            later = interpolated(space, there, after) + discount ** table.durations[s, a] * expected
            if ends is not None and ends[a, w]:
                later = 0.0
            worth = 0.0 if acting is None else acting[a, w]
            worths.append(table.rewards[s, a] + here[w] + worth + later)
        if max(worths) > -np.inf:
            new[s, w], best[s, w] = max(worths), int(np.argmax(worths))
    return new, best
