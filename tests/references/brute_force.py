"""The least time that any sequence of moves takes, by brute force over a small library."""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np

from surefoot import control
from surefoot.control.training import prepare

Blocked = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""Which of some actions `(n,)` are not allowed, with ways `(n, 31, 2)` [m] of the body and feet at
`(n, k, 2)` [m], nan where there are fewer than k."""

PLACE, HEADING = 0.06, 0.08  # [m, rad]: who is this near to somebody else's way is on it
APART = 0.1  # [m] between distances at which least times are known
MOMENTS = 31


def small(repertoire: control.Repertoire, clips: tuple[str, ...]) -> control.Repertoire:
    """A few clips, so that all sequences can be searched."""
    moves = [move for move in repertoire.moves if move.clip in clips]
    return control.connected(repertoire.footage, moves, farthest=repertoire.farthest)


class Search:
    """A* over (state, place and heading to a few centimetres and degrees).

    Nobody gets there sooner than over the same distance on a straight way that no turn is needed
    for, with one jump where there must be one: that is the heuristic.
    """

    def __init__(self, controller: control.Controller, *, over: float = 0.0) -> None:
        """`over` [m]: how far apart feet stand in the move that leads over something; or none."""
        repertoire = controller.repertoire
        ready = prepare(controller.task, repertoire)
        self.controller = controller
        self.actions = ready.actions
        self.follow = [np.flatnonzero(row) for row in ready.table.viable]
        self.ends = repertoire.ends[repertoire.action_moves[self.actions]]
        self.durations = repertoire.durations[self.actions]
        self.paths = repertoire.paths(MOMENTS)[self.actions]
        feet = [repertoire.native.feet(a)[:, 3:5] for a in self.actions.tolist()]
        self.feet = np.full((len(feet), max(map(len, feet)), 2), np.nan)
        for own, padded in zip(feet, self.feet, strict=True):
            padded[: len(own)] = own
        spans = [max(np.hypot(*(a - b)) for a in own for b in own) for own in feet]
        self.crosses = np.array(spans) >= over
        self.jumps = np.array([repertoire.move(a).mode == "jump" for a in self.actions.tolist()])
        self.must_cross = over > 0.0
        self.least = self._least_times(30.0)

    def _least_times(self, farthest: float) -> np.ndarray:
        """`(2, states, distances)` [s]: before something that is crossed, and after it."""
        out = np.hypot(self.paths[..., 0], self.paths[..., 1])
        count, states = round(farthest / APART) + 1, len(self.follow)
        times = np.full((2, states, count), np.inf)
        times[1, :, 0] = 0.0
        if not self.must_cross:
            times[0, :, 0] = 0.0
        distances = APART * np.arange(count)
        moments = np.linspace(0.0, 1.0, MOMENTS)
        while True:
            before = times.copy()
            for state in range(states):
                for k in self.follow[state]:
                    reached = out[k][:, None] >= distances
                    arrives = np.where(
                        reached.any(axis=0),
                        self.durations[k] * moments[np.argmax(reached, axis=0)],
                        np.inf,
                    )
                    left = np.clip(np.floor((distances - out[k, -1]) / APART), 0, None).astype(int)
                    for layer in (0, 1):
                        into = [layer] if not self.jumps[k] else []
                        if layer == 0 and self.crosses[k]:
                            into.append(1)
                        for then in into:
                            own = self.durations[k] + before[then, self.ends[k], left]
                            if then == 1 or not self.must_cross:
                                own = np.minimum(own, arrives)
                            np.minimum(times[layer, state], own, out=times[layer, state])
            if (times == before).all():
                return times

    def best_time(
        self, target: np.ndarray, longest: float, blocked: Blocked | None = None,
        crossed: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> float:  # fmt: skip
        """The least time [s] from a stand to a target, over all sequences of moves.

        Args:
            target: `(2,)` [m].
            longest: [s]: what takes longer is not looked for.
            blocked: what is not allowed.
            crossed: which of some places `(n, 2)` [m] are behind what must be crossed.
        """
        repertoire, arrival = self.controller.repertoire, self.controller.task.arrival
        state = int(repertoire.ends[repertoire.action_moves[repertoire.standing]])
        queue = [(0.0, 0, state, 0.0, 0.0, 0.0, 0.0)]
        seen: set[tuple[int, ...]] = set()
        number = 1
        while queue:
            _, _, state, x, y, heading, spent = heapq.heappop(queue)
            if state < 0:
                return spent
            key = (state, round(x / PLACE), round(y / PLACE), round(heading / HEADING))
            if key in seen:
                continue
            seen.add(key)
            ids = self.follow[state]
            c, s = np.cos(heading), np.sin(heading)
            turn, here = np.array([[c, s], [-s, c]]), np.array([x, y])
            ways = self.paths[ids][..., :2] @ turn + here
            fine = np.ones(len(ids), dtype=bool)
            if blocked is not None:
                fine = ~blocked(ids, ways, self.feet[ids] @ turn + here)
            away = np.hypot(*np.moveaxis(ways - target, -1, 0))
            near = away <= arrival
            there = near.any(axis=1)
            share = np.where(there, np.argmax(near, axis=1), MOMENTS - 1) / (MOMENTS - 1)
            then = spent + self.durations[ids] * share
            layer = np.ones(len(ids), dtype=int) if crossed is None else crossed(ways[:, -1]) * 1
            left = np.clip(away[:, -1] - arrival, 0.0, None)
            bound = then + self.least[layer, self.ends[ids], np.floor(left / APART).astype(int)]
            bound = np.where(there, then, bound)
            for i in np.flatnonzero(fine & (bound <= longest)):
                end = (*ways[i, -1], heading + self.paths[ids[i], -1, 3])
                after = -1 if there[i] else int(self.ends[ids[i]])
                heapq.heappush(queue, (bound[i], number, after, *end, then[i]))
                number += 1
        return float("inf")
