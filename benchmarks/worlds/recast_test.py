"""Recast's own test mesh and its own queries, when SUREFOOT_DATA says where they are."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.harness import Bench, Work
from benchmarks.peers.recast_mesh import DEMO, RecastMesh, Triangles
from benchmarks.worlds.cells import CellWorld, Resting, length

from surefoot.arrays import Floats
from surefoot.character import people
from surefoot.world import World
from surefoot.world.loaders import load_world

# Recast's demo agent.
AGENT = replace(
    people.adult().capability("walk"),
    radius=DEMO.radius,
    height=DEMO.height,
    step_height=DEMO.climb,
    max_slope=math.radians(DEMO.slope_degrees),
)
LAYERS = round(DEMO.radius / DEMO.cell)
"""Border cells that keep a body of the agent's radius clear of walls."""


def queries(path: Path) -> tuple[Floats, Floats]:
    """Starts and ends `(n, 3)` of the lines `pf sx sy sz ex ey ez ...`, Z up [m]."""
    numbers = [line.split()[1:7] for line in path.read_text().splitlines() if line[:3] == "pf "]
    x, y, z = np.moveaxis(np.array(numbers, dtype=np.float64).reshape(-1, 2, 3), -1, 0)
    points = np.stack([x, -z, y], axis=-1)
    return points[:, 0], points[:, 1]


def surfaces(world: World, spacing: float) -> Floats:
    """Points `(n, 3)` on all ground that faces up and is not too steep, under a regular grid."""
    corners = np.concatenate([body.mesh.bounds for body in world])
    low, high = corners.min(axis=0), corners.max(axis=0)
    axes = [np.arange(low[k] + 0.4, high[k], spacing) for k in (0, 1)]
    columns = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    heights = np.full(len(columns), high[2] + 1.0)
    found: list[Floats] = []
    while len(columns):
        hits = world.ray(np.column_stack([columns, heights]), np.array([0.0, 0.0, -1.0]))
        points, normals = hits.position[hits.hit], hits.normal[hits.hit]
        found.append(points[normals[:, 2] >= math.cos(AGENT.max_slope)])
        columns, heights = columns[hits.hit], points[:, 2] - 1e-3
    return np.concatenate(found)


def recasts_verdicts(mesh: RecastMesh, start: Floats, points: Floats) -> str:
    """For each point: 2 when Recast gets there, 1 when it gets within the agent's radius, or 0."""
    ends = np.broadcast_to(start, points.shape)
    verdicts = np.zeros(len(points), dtype=int)
    for reach in (AGENT.radius, 0.15):
        lengths, away = mesh.paths(points, ends, (reach, reach, 0.5))
        verdicts += np.isfinite(lengths) & (away < (AGENT.radius if reach > 0.5 else 0.01))
    return "".join(map(str, verdicts.tolist()))


def our_verdicts(world: CellWorld, start: Floats, points: Floats) -> str:
    """The same of the cells, borders left out."""
    (cell,) = world.cells(start[None]).tolist()
    reached = np.isfinite(world.field(cell).costs()) & world.inside
    cells = world.cells(points)
    there = (cells >= 0) & reached[cells]
    middles = world.positions[reached]
    verdicts: list[int] = []
    for point, at in zip(points, there.tolist(), strict=True):
        level = middles[np.abs(middles[:, 2] - point[2]) < 0.5]
        near = np.hypot(*(level[:, :2] - point[:2]).T) < AGENT.radius
        verdicts.append(2 if at else int(near.any()))
    return "".join(map(str, verdicts))


def run(bench: Bench, recast: bool) -> None:
    """Builds and queries beside Recast; a line says so where the data is not there."""
    folder = os.environ.get("SUREFOOT_DATA")
    if not folder:
        print("nav_test.obj is not measured: SUREFOOT_DATA is not set", flush=True)
        return
    data = Path(folder) / "scenes" / "recast"
    bodies = list(load_world(data / "nav_test.obj"))
    make = partial(CellWorld, Resting.of(bodies), AGENT, DEMO.cell, DEMO.rise, layers=LAYERS)
    work = {"surefoot": Work(make, 1)}
    if recast:
        work["Recast"] = Work(partial(RecastMesh, Triangles.of(bodies), DEMO), 1)
    times = bench.measure("nav_test.obj: ready for paths", work, unit="ms", repeats=9)
    world: CellWorld = times.answers["surefoot"].ready()
    starts, ends = queries(data / "nav_mesh_test.txt")
    first, last = world.cells(starts).tolist(), world.cells(ends).tolist()
    asked = list(zip(first, last, strict=True))
    work = {"surefoot": Work(lambda: [length(world.path(*pair)) for pair in asked], len(asked))}
    if recast:
        mesh: RecastMesh = times.answers["Recast"]
        work["Detour"] = Work(lambda: mesh.paths(starts, ends)[0], len(asked))
        bench.claim(
            "nav_test.obj: time to discretise and border, over Recast's build",
            times["surefoot"] / times["Recast"], at_most=1,
        )  # fmt: skip
    found = bench.measure("nav_test.obj: one of Recast's own queries", work, unit="ms")
    ours = np.array(found.answers["surefoot"])
    share, count = float(np.isfinite(ours).mean()), len(ours)
    reached = bench.record("nav_test.obj: queries reached", "surefoot", share, "share", count)
    bench.claim("nav_test.obj: Recast's own queries reached", reached, at_least=1)
    if recast:
        theirs = found.answers["Detour"]
        share = float(np.isfinite(theirs).mean())
        bench.record("nav_test.obj: queries reached", "Detour", share, "share", count)
        ratio = float(np.median(ours / theirs))
        bench.record("nav_test.obj: median length over Detour's", "surefoot", ratio, "times", count)
        points = surfaces(World(bodies), spacing=1.0)
        mine = our_verdicts(world, starts[0], points)
        other = recasts_verdicts(mesh, starts[0], points)
        same = np.mean([abs(int(a) - int(b)) < 2 for a, b in zip(mine, other, strict=True)])
        title = "nav_test.obj: places reached by both or neither, up to a radius at edges"
        agreed = bench.record(title, "surefoot", float(same), "share", len(points))
        bench.claim("nav_test.obj: reachability as Recast's, up to edges", agreed, at_least=1)
