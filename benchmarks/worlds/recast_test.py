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
