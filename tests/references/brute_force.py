"""The least time that any sequence of moves takes, by brute force over a small library."""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np

from surefoot import control
from surefoot.control.training import prepare

Blocked = Callable[[np.ndarray, np.ndarray], bool]
"""Whether a way `(n, 2)` [m] of the body, with feet at `(k, 2)` [m], is not allowed."""


def small(repertoire: control.Repertoire, clips: tuple[str, ...]) -> control.Repertoire:
    """A few clips, so that all sequences can be searched."""
    moves = [move for move in repertoire.moves if move.clip in clips]
    return control.connected(repertoire.footage, moves, farthest=repertoire.farthest)


def best_time(
    controller: control.Controller,
    target: np.ndarray,
    longest: float,
    blocked: Blocked | None = None,
) -> float:
    """The least time [s] from a stand to a target, over all sequences of moves.

    A* over (state, place and heading to a few centimetres and degrees), nobody being faster than
    the fastest move.

    Args:
        controller: whose moves.
        target: `(2,)` [m].
        longest: [s]: what takes longer is not looked for.
        blocked: what is not allowed.
    """
    repertoire, arrival = controller.repertoire, controller.task.arrival
    ready = prepare(controller.task, repertoire)
    paths = repertoire.paths(31)
    feet = {a: repertoire.native.feet(a)[:, 3:5] for a in ready.actions.tolist()}
    ends = repertoire.ends[repertoire.action_moves]
    speed = controller.bounds.speed

    def least(x: float, y: float) -> float:
        return max(float(np.hypot(x - target[0], y - target[1])) - arrival, 0.0) / speed

    state = int(ends[repertoire.standing])
    queue = [(least(0.0, 0.0), 0, state, 0.0, 0.0, 0.0, 0.0)]
    seen: set[tuple[int, ...]] = set()
    number = 1
    while queue:
        _, _, state, x, y, heading, spent = heapq.heappop(queue)
        if state < 0:
            return spent
        key = (state, round(x / 0.06), round(y / 0.06), round(heading / 0.08))
        if key in seen:
            continue
        seen.add(key)
        c, s = np.cos(heading), np.sin(heading)
        turn, here = np.array([[c, s], [-s, c]]), np.array([x, y])
        for k, action in enumerate(ready.actions.tolist()):
            if not ready.table.viable[state, k]:
                continue
            ahead = paths[action][:, :2] @ turn + here
            if blocked is not None and blocked(ahead, feet[action] @ turn + here):
                continue
            lasts = float(repertoire.durations[action])
            near = np.hypot(*(ahead - target).T) <= arrival
            if near.any():
                at = spent + lasts * int(np.argmax(near)) / 30
                heapq.heappush(queue, (at, number, -1, 0.0, 0.0, 0.0, at))
            else:
                x1, y1 = ahead[-1].tolist()
                then = spent + lasts
                if then + least(x1, y1) > longest:
                    continue
                turned = heading + paths[action][-1, 3]
                entry = (then + least(x1, y1), number, int(ends[action]), x1, y1, turned, then)
                heapq.heappush(queue, entry)
            number += 1
    return float("inf")
