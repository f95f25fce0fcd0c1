"""Reachability over voxels by trying every pair of cells, and plain Dijkstra over the result.

A world is a set of occupied (i, j, level) with its forbidden part; a surface cell is known by its
column and the level of its highest occupied voxel. Everything is worked out from the set.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from surefoot import _native

Voxel = tuple[int, int, int]
Edge = tuple[Voxel, Voxel, int]

SIDES = [(1, 0), (0, 1), (-1, 0), (0, -1)]
CORNERS = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
INFINITE = math.inf


@dataclass(frozen=True, kw_only=True)
class Action:
    """As `_native.GridAction`, in numbers of cells and levels."""

    up: int
    down: int
    height: int
    span: float = 0
    lift: int = 0
    gaps: bool = True
    euclidean: bool = False
    price: float = 1.0
    priority: int = 0

    def native(self, cell: float, rise: float) -> _native.GridAction:
        return _native.GridAction(
            up=self.up * rise,
            down=self.down * rise,
            height=self.height * rise,
            span=self.span * cell,
            lift=self.lift * rise,
            gaps=self.gaps,
            euclidean=self.euclidean,
            price=self.price,
            priority=self.priority,
        )

    def spans(self, i: int, j: int) -> bool:
        return (math.hypot(i, j) if self.euclidean else abs(i) + abs(j)) <= self.span + 1e-6


@dataclass(frozen=True)
class Cells:
    """A world of voxels."""

    occupied: frozenset[Voxel]
    forbidden: frozenset[Voxel] = frozenset()
    cell: float = 0.25
    rise: float = 0.25

    @cached_property
    def columns(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """Per column its runs (lowest, highest level), from the lowest up."""
        levels: dict[tuple[int, int], list[int]] = defaultdict(list)
        for i, j, k in self.occupied | self.forbidden:
            levels[i, j].append(k)
        runs: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for column, found in levels.items():
            ordered = sorted(set(found))
            starts = [k for k in ordered if k - 1 not in found]
            ends = [k for k in ordered if k + 1 not in found]
            runs[column] = list(zip(starts, ends, strict=True))
        return runs

    @cached_property
    def surfaces(self) -> dict[Voxel, float]:
        """Free levels above each surface cell."""
        out: dict[Voxel, float] = {}
        for (i, j), runs in self.columns.items():
            above = [start for start, _ in runs[1:]] + [INFINITE]
            for (_, end), start in zip(runs, above, strict=True):
                out[i, j, end] = start - end - 1
        return out

    def native(self, threads: int = 1) -> _native.GridVoxels:
        voxels = _native.GridVoxels(self.cell, self.rise, relief=0.0)
        for id_, part in enumerate([self.occupied, self.forbidden]):
            cells = np.array(sorted(part), dtype=np.int32).reshape(-1, 3)
            voxels.put_cells(id_, cells, bool(id_), threads)
        return voxels


def rows(voxels: _native.GridVoxels) -> dict[int, Voxel]:
    """Which surface cell each row of a native grid holds."""
    where = np.column_stack([voxels.columns(), voxels.levels()[:, 1]]).tolist()
    return {k: tuple(where[k]) for k in np.flatnonzero(voxels.live()).tolist()}


@dataclass(frozen=True)
class Moves:
    """All moves of someone with some actions."""

    world: Cells
    actions: list[Action]
    corners: str = "both"
    first_layer: bool = False
    ledge: int = 0
    order: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        ranked = sorted(
            range(len(self.actions)),
            key=lambda a: (self.actions[a].price, self.actions[a].priority, a),
        )
        object.__setattr__(self, "order", ranked)

    def native(self, voxels: _native.GridVoxels, threads: int = 1) -> _native.GridMoves:
        cell, rise = self.world.cell, self.world.rise
        return _native.GridMoves(
            voxels,
            [action.native(cell, rise) for action in self.actions],
            corners=self.corners,
            first_layer=self.first_layer,
            ledge=self.ledge * rise,
            threads=threads,
        )

    def fits(self, cell: Voxel, action: int) -> bool:
        room = self.world.surfaces[cell] >= self.actions[action].height
        return room and cell not in self.world.forbidden

    def steps(self, p: Voxel, q: Voxel, action: int) -> bool:
        if not (self.fits(p, action) and self.fits(q, action)):
            return False
        a, surfaces = self.actions[action], self.world.surfaces
        roof = min(p[2] + surfaces[p], q[2] + surfaces[q])
        return -a.down <= q[2] - p[2] <= a.up and roof - max(p[2], q[2]) >= a.height

    def column(self, i: int, j: int) -> list[Voxel]:
        return [(i, j, end) for _, end in self.world.columns.get((i, j), [])]

    def beside(self, p: Voxel, q: Voxel, column: tuple[int, int], action: int) -> bool:
        return any(
            self.steps(p, s, action) and self.steps(s, q, action) for s in self.column(*column)
        )

    def near_action(self, p: Voxel, q: Voxel) -> int | None:
        """The cheapest action that leads to a cell around."""
        di, dj = q[0] - p[0], q[1] - p[1]
        for action in self.order:
            if not self.steps(p, q, action):
                continue
            if di and dj and self.corners != "cut":
                flanks = [
                    self.beside(p, q, (p[0] + di, p[1]), action),
                    self.beside(p, q, (p[0], p[1] + dj), action),
                ]
                if not (all(flanks) if self.corners == "both" else any(flanks)):
                    continue
            return action
        return None

    @cached_property
    def near(self) -> dict[Voxel, dict[Voxel, int]]:
        out: dict[Voxel, dict[Voxel, int]] = {}
        for p in self.world.surfaces:
            out[p] = {}
            for di, dj in SIDES + CORNERS:
                for q in self.column(p[0] + di, p[1] + dj):
                    action = self.near_action(p, q)
                    if action is not None:
                        out[p][q] = action
        return out

    def link(self, p: Voxel, side: tuple[int, int]) -> Voxel | None:
        """The neighbour across a side: the cheapest to get to, then the nearest in height."""
        there = [q for q in self.near[p] if (q[0] - p[0], q[1] - p[1]) == side]
        return min(
            there,
            key=lambda q: (self.order.index(self.near[p][q]), abs(q[2] - p[2]), q[2]),
            default=None,
        )

    def passes(self, p: Voxel, q: Voxel, action: int) -> bool:
        a = self.actions[action]
        high, low = max(p[2], q[2]), min(p[2], q[2])
        for column in between(p[:2], q[:2]):
            over, floor = high, False
            for start, end in self.world.columns.get(column, []):
                if end <= high + a.lift:
                    voxel = (*column, end)
                    if voxel in self.world.forbidden and end > low - a.up - 1e-9:
                        return False
                    over, floor = max(over, end), floor or end >= low - a.down
                elif start - over - 1 < a.height:
                    return False
            if not (floor or a.gaps):
                return False
        return True

    def far_action(self, p: Voxel, q: Voxel) -> int | None:
        for action in self.order:
            spans = self.actions[action].spans(q[0] - p[0], q[1] - p[1])
            if spans and self.steps(p, q, action) and self.passes(p, q, action):
                return action
        return None

    def far(self, p: Voxel) -> dict[Voxel, int]:
        """Cells beyond the ones around."""
        broken: set[tuple[int, int]] = set()
        for side in SIDES + CORNERS:
            q = self.link(p, side)
            if q is None or (not self.first_layer and abs(q[2] - p[2]) > self.ledge):
                broken.add(side)
        reach = int(max((a.span for a in self.actions), default=0) + 1e-6)
        out: dict[Voxel, int] = {}
        if self.first_layer:
            for di, dj in broken:
                for k in range(2, reach + 1):
                    column = self.column(p[0] + k * di, p[1] + k * dj)
                    found = {q: self.far_action(p, q) for q in column}
                    there = {q: a for q, a in found.items() if a is not None}
                    out.update(there)
                    if there:
                        break
            return out
        reached = set(self.near[p])
        offsets = [
            (di, dj)
            for di in range(-reach, reach + 1)
            for dj in range(-reach, reach + 1)
            if max(abs(di), abs(dj)) >= 2
        ]
        for di, dj in sorted(offsets, key=lambda o: max(abs(o[0]), abs(o[1]))):
            ring = max(abs(di), abs(dj))
            if (rounded(di, 1, ring), rounded(dj, 1, ring)) not in broken:
                continue
            before = (
                p[0] + rounded(di, ring - 1, ring),
                p[1] + rounded(dj, ring - 1, ring),
            )
            for q in self.column(p[0] + di, p[1] + dj):
                walked = any(r in reached and q in self.near[r] for r in self.column(*before))
                action = None if walked else self.far_action(p, q)
                if action is not None:
                    out[q] = action
                if walked or action is not None:
                    reached.add(q)
        return out

    @cached_property
    def edges(self) -> dict[Voxel, dict[Voxel, int]]:
        return {p: {**self.near[p], **self.far(p)} for p in self.world.surfaces}

    def cost(
        self,
        p: Voxel,
        q: Voxel,
        metric: str,
        connectivity: int,
        prices: Mapping[Voxel, float] | None,
    ) -> float:
        action = self.actions[self.edges[p][q]]
        i, j = abs(q[0] - p[0]), abs(q[1] - p[1])
        if metric == "steps":
            length = float(i + j if connectivity == 4 else max(i, j))
        else:
            flat = i + j if connectivity == 4 else max(i, j) + (math.sqrt(2) - 1) * min(i, j)
            length = math.hypot(flat * self.world.cell, (q[2] - p[2]) * self.world.rise)
        mean = 1.0 if prices is None else (prices[p] + prices[q]) / 2
        return length * action.price * mean

    def dijkstra(
        self,
        starts: Mapping[Voxel, float],
        metric: str = "euclidean",
        connectivity: int = 8,
        prices: Mapping[Voxel, float] | None = None,
        *,
        backward: bool = False,
    ) -> dict[Voxel, float]:
        """The least cost to every cell that can be reached (from it, when backward)."""
        graph: dict[Voxel, dict[Voxel, float]] = defaultdict(dict)
        for p, targets in self.edges.items():
            for q in targets:
                corner = abs(p[0] - q[0]) == abs(p[1] - q[1]) == 1
                if connectivity == 4 and corner:
                    continue
                cost = self.cost(p, q, metric, connectivity, prices)
                if backward:
                    graph[q][p] = cost
                else:
                    graph[p][q] = cost
        return dijkstra(graph, starts)


def dijkstra(
    graph: Mapping[Voxel, Mapping[Voxel, float]], starts: Mapping[Voxel, float]
) -> dict[Voxel, float]:
    best: dict[Voxel, float] = {}
    queue = [(cost, cell) for cell, cost in starts.items()]
    heapq.heapify(queue)
    while queue:
        cost, cell = heapq.heappop(queue)
        if cell in best:
            continue
        best[cell] = cost
        for other, length in graph.get(cell, {}).items():
            if other not in best:
                heapq.heappush(queue, (cost + length, other))
    return best


def rounded(whole: int, step: int, steps: int) -> int:
    """`whole * step / steps` to the nearest integer, halves away from zero."""
    value = abs(whole) * step
    return int(math.copysign((2 * value + steps) // (2 * steps), whole)) if whole else 0


def between(p: tuple[int, ...], q: tuple[int, ...]) -> Iterable[tuple[int, int]]:
    """Columns whose closed squares the line between two columns' centres meets, without the ends.

    By separating axes: the line's own direction and the axes of the square.
    """
    di, dj = q[0] - p[0], q[1] - p[1]
    for i in range(min(p[0], q[0]), max(p[0], q[0]) + 1):
        for j in range(min(p[1], q[1]), max(p[1], q[1]) + 1):
            if (i, j) in (tuple(p[:2]), tuple(q[:2])):
                continue
            # Twice the distance of the square's centre from the line, times its length.
            if abs(2 * (di * (j - p[1]) - dj * (i - p[0]))) <= abs(di) + abs(dj):
                yield i, j
