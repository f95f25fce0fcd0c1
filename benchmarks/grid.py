"""Worlds cut into cells with borders, paths and moved obstacles, beside Recast and Detour.

Scenes are those of bandi2000's Table 1 at its grid sizes, and many copies of them side by side.
Recast gets the same triangles, cell sizes and body (an adult: 0.25 m, 1.75 m, steps of 0.35 m); it
makes one navigation mesh, with the settings of its own demo for the rest. It comes from Debian's
librecast-dev and runs in this process, so both have the same clock; without it only surefoot is
measured. Times are of one core unless a row says otherwise.
"""

from __future__ import annotations

import math
import time
from functools import partial

import numpy as np

from benchmarks.harness import Bench, Measured, Work
from benchmarks.peers import recast_mesh
from benchmarks.peers.recast_mesh import RecastMesh, RecastSettings, Triangles
from benchmarks.worlds import recast_test
from benchmarks.worlds.cells import CellWorld, Resting, length, walking
from benchmarks.worlds.table_1 import TABLE_1, Size, pairs, walkable
from surefoot import _native
from surefoot.arrays import Floats, Ints
from surefoot.character import people
from surefoot.errors import MissingExtraError
from surefoot.world import Body, scenes
from surefoot.world.primitives import slab

WALK = people.adult().capability("walk")
OURS, BUILD, QUERY = "surefoot", "Recast", "Detour"
"""Recast makes meshes, and its part Detour finds ways on them."""
MOST_COPIES = 10
"""Recast's growth is measured so far: its outlining of the labyrinth grows with the square."""


def run(bench: Bench) -> None:
    recast = _recast_is_here()
    for name, size in TABLE_1.items():
        discretise(bench, name, size, recast)
    for name, size in TABLE_1.items():
        paths(bench, name, size, recast)
    moved_obstacles(bench)
    growth(bench, recast)
    recast_test.run(bench, recast)


def _recast_is_here() -> bool:
    try:
        recast_mesh.library()
    except MissingExtraError as reason:
        print(reason, flush=True)
        return False
    print(f"Recast {recast_mesh.version()} by librecast-dev", flush=True)
    return True


def _recast_settings(size: Size) -> RecastSettings:
    return RecastSettings(
        cell=size.cell,
        rise=size.rise,
        height=WALK.height,
        radius=size.cell,  # one layer of border cells
        climb=WALK.step_height,
        slope_degrees=math.degrees(WALK.max_slope),
    )


# --- from triangles to cells ---------------------------------------------------------------------


def discretise(bench: Bench, name: str, size: Size, recast: bool) -> None:
    bodies = list(scenes.load(name).world)
    resting, triangles = Resting.of(bodies), Triangles.of(bodies)
    make = partial(CellWorld, resting, WALK, size.cell, size.rise)
    work = {OURS: Work(make, 1)}
    if recast:
        work[BUILD] = Work(partial(RecastMesh, triangles, _recast_settings(size)), 1)
    across, along, high = size.cells
    title = f"{name}: {across} x {along} x {high} cells, {len(triangles.faces):,} triangles"
    times = bench.measure(f"{title}: ready for paths", work, unit="ms", repeats=15)
    if recast:
        bench.claim(
            f"{name}: time to discretise and border, over Recast's build",
            times[OURS] / times[BUILD], at_most=1,
        )  # fmt: skip
    _phases(bench, title, resting, size, times.answers.get(BUILD))
    if name == "supermarket":
        threads = {f"{OURS}, {n} threads": Work(partial(make, threads=n), 1) for n in (1, 2)}
        bench.measure(f"{title}: on the wall", threads, unit="ms", clock="wall", repeats=15)
        bench.claim(
            "Table 1's supermarket discretised and bordered, on one core", times[OURS],
            at_most=100, unit="ms",
        )  # fmt: skip


def _phases(
    bench: Bench, title: str, resting: Resting, size: Size, peer: RecastMesh | None
) -> None:
    """Where the time goes, in one run."""
    laps = [time.process_time()]
    voxels = _native.GridVoxels(size.cell, size.rise, max_slope=WALK.max_slope)
    resting.put(voxels)
    laps.append(time.process_time())
    moves = _native.GridMoves(voxels, [walking(WALK)])
    laps.append(time.process_time())
    _native.GridBorders(moves)
    laps.append(time.process_time())
    phases = dict(zip(("voxels", "moves", "borders"), np.diff(laps).tolist(), strict=True))
    for who, seconds in ((OURS, phases), (BUILD, peer.seconds if peer else {})):
        for phase, value in seconds.items():
            bench.record(f"{title}: phases", f"{who}, {phase}", 1e3 * value, "ms", 1)


# --- paths ---------------------------------------------------------------------------------------


def paths(bench: Bench, name: str, size: Size, recast: bool) -> None:
    """Ways between random places with room, and from there to one goal: the same asked of both."""
    count = 500
    scene = scenes.load(name)
    world = CellWorld(Resting.of(scene.world), WALK, size.cell, size.rise).ready()
    spots = {at: scene.world.position(scene.place(at), 0.0) for at in ("start", "goal")}
    starts, goals = pairs(walkable(world, spots["start"]), count, seed=21)
    asked = list(zip(starts.tolist(), goals.tolist(), strict=True))
    work = {OURS: Work(lambda: np.array([length(world.path(*pair)) for pair in asked]), count)}
    mesh = None
    if recast:
        mesh = RecastMesh(Triangles.of(scene.world), _recast_settings(size))
        ends = world.positions[starts], world.positions[goals]
        work[QUERY] = Work(partial(mesh.paths, *ends), count)
    title = f"{name}: one straightened path, mean of {count}"
    times = bench.measure(title, work, unit="ms", repeats=7)
    typical = _median_path(bench, name, world, asked)
    bench.claim(f"{name}: median path", typical, at_most=2, unit="ms")
    if recast:
        ratio = (times[OURS] / times[QUERY]).value
        bench.record(f"{name}: mean path, time over Detour's", OURS, ratio, "times", count)
        _compare(bench, name, times.answers[OURS], *times.answers[QUERY])
    repeated_goals(bench, name, world, starts, spots["goal"], mesh)


def _median_path(
    bench: Bench, name: str, world: CellWorld, asked: list[tuple[int, int]]
) -> Measured:
    """Each way timed by itself: half of them take longer than this."""
    seconds: list[float] = []
    for pair in asked:
        before = time.process_time()
        world.path(*pair)
        seconds.append(time.process_time() - before)
    median = 1e3 * float(np.median(seconds))
    return bench.record(f"{name}: median path", OURS, median, "ms", len(asked))


def _compare(bench: Bench, name: str, ours: Floats, theirs: Floats, away: Floats) -> None:
    reached = np.isfinite(theirs)
    title = f"{name}: ways that both find"
    bench.record(title, QUERY, float(reached.mean()), "share", len(ours))
    # Detour sets out from the nearest place of its mesh: only on the mesh is it the same question.
    same = reached & (away < 0.05) & (ours > 2.0)
    ratio = float(np.median(ours[same] / theirs[same]))
    bench.record(f"{name}: median length over Detour's", OURS, ratio, "times", int(same.sum()))


def repeated_goals(
    bench: Bench,
    name: str,
    world: CellWorld,
    starts: Ints,
    goal: Floats,
    mesh: RecastMesh | None,
) -> None:
    """Many people on their way to one place: the field is made once, and each follows it."""
    (cell,) = world.cells(goal[None]).tolist()
    field = world.field(cell)
    sights = world.sights(field)
    made = {
        f"{OURS}, distance field": Work(lambda: world.field(cell), 1),
        f"{OURS}, its straight ways": Work(lambda: world.sights(field), 1),
    }
    title = f"{name}: a goal that many have"
    bench.measure(f"{title}, once for all", made, unit="ms")
    one_by_one = [starts[k : k + 1] for k in range(len(starts))]
    followed, single = f"{OURS}, cell by cell", f"{OURS}, straight, one by one"
    together = f"{OURS}, straight, all at once"
    work = {
        followed: Work(lambda: [field.trace(start) for start in starts.tolist()], len(starts)),
        single: Work(lambda: [world.ways(sights, start) for start in one_by_one], len(starts)),
        together: Work(lambda: world.ways(sights, starts), len(starts)),
    }
    if mesh is not None:
        ends = np.broadcast_to(goal, (len(starts), 3))
        work[QUERY] = Work(partial(mesh.paths, world.positions[starts], ends), len(starts))
    times = bench.measure(f"{title}, each", work, unit="µs", repeats=7)
    if mesh is not None:
        theirs, away = times.answers[QUERY]
        ours = np.array([length(way) for way in times.answers[together]])
        same = np.isfinite(theirs) & (away < 0.05) & (ours > 2.0)
        ratio = float(np.median(ours[same] / theirs[same]))
        bench.record(f"{title}: length over Detour's", OURS, ratio, "times", int(same.sum()))
        bench.claim(
            f"{name}: time of a straight way by the field, over Detour's path",
            times[together] / times[QUERY], at_most=1,
        )  # fmt: skip


# --- what moves ----------------------------------------------------------------------------------


def moved_obstacles(bench: Bench) -> None:
    """A crate in the car park goes half a metre to and fro; cells, moves and borders follow."""
    size = TABLE_1["supermarket"]
    costs: dict[tuple[int, float], Measured] = {}
    for tiles in (1, 9):
        scene = scenes.load("supermarket", tiles=(tiles, 1))
        world = CellWorld(Resting.of(scene.world), WALK, size.cell, size.rise)
        for side in (0.5, 1.0, 2.0, 4.0, 6.0):
            crate = Body(name="crate", mesh=slab((side, side, 1.0), (-7.0, -21.2, 1.0)))
            here = Resting.of([crate], first=len(scene.world))
            there = here.moved(np.array([0.5, 0.0, 0.0]))

            def to_and_fro(here: Resting = here, there: Resting = there) -> int:
                world.follow(there)  # noqa: B023
                return world.follow(here)  # noqa: B023

            found = bench.measure(
                "a crate moved by 0.5 m among the supermarket's cells",
                {f"{OURS}, {tiles} supermarkets": Work(to_and_fro, 2)},
                unit="µs", x=(side / size.cell) ** 2, x_name="cells it stands on",
            )  # fmt: skip
            (costs[tiles, side],) = found.values()
            world.voxels.remove(here.ids)
    bench.claim(
        "a crate of 36 square metres moved, over one of 1 square metre",
        costs[1, 6.0] / costs[1, 1.0], at_most=36,
    )  # fmt: skip
    bench.claim(
        "a crate of 1 square metre moved among 9 supermarkets, over among one",
        costs[9, 1.0] / costs[1, 1.0], at_most=1.5,
    )  # fmt: skip


# --- growth --------------------------------------------------------------------------------------


def growth(bench: Bench, recast: bool) -> None:
    """Copies side by side: one, ten and a hundred times the cells, to a hundred million."""
    for name, size in TABLE_1.items():
        many = (6, 5) if name == "supermarket" else (10, 10)
        sizes = [_grown(bench, name, size, tiles, recast) for tiles in ((1, 1), (5, 2), many)]
        (time_small, memory_small), *_, (time_large, memory_large) = sizes
        compared = "at the largest over at the smallest"
        bench.claim(
            f"{name}: time for each cell of the box, {compared}",
            time_large / time_small, at_most=2,
        )  # fmt: skip
        bench.claim(
            f"{name}: memory for each occupied cell, {compared}",
            memory_large / memory_small, at_most=1.5,
        )  # fmt: skip


def _grown(
    bench: Bench, name: str, size: Size, tiles: tuple[int, int], recast: bool
) -> tuple[Measured, Measured]:
    """Measures one size; tells the time for each cell of the box, and memory by occupied cell."""
    copies = tiles[0] * tiles[1]
    boxes = size.count * copies
    scene = scenes.load(name, tiles=tiles)
    ours = f"{OURS}, {name}"
    make = partial(CellWorld, Resting.of(scene.world), WALK, size.cell, size.rise)
    work = {ours: Work(make, 1)}
    if recast and copies <= MOST_COPIES:
        settings = _recast_settings(size)
        work[f"{BUILD}, {name}"] = Work(partial(RecastMesh, Triangles.of(scene.world), settings), 1)
    against = "against the cells of the box around the world"
    times = bench.measure(
        f"ready for paths, {against}", work, unit="s", repeats=3, x=boxes, x_name="cells",
    )  # fmt: skip
    world: CellWorld = times.answers[ours].ready()
    levels = world.voxels.levels()[world.voxels.live()]
    occupied = int((levels[:, 1] - levels[:, 0] + 1).sum())
    counted = f"{name} x {copies}"
    memory = bench.record(f"{counted}: memory", OURS, world.bytes / 1e6, "MB", 1)
    filled = bench.record(f"{counted}: occupied cells", OURS, occupied, "cells", 1)
    around = bench.record(f"{counted}: cells of the box", OURS, boxes, "cells", 1)
    ends = [scene.world.position(at, 0.0) for at in (scene.start, scene.goal)]
    first, last = world.cells(np.array(ends)).tolist()
    across = {ours: Work(partial(world.path, first, last), 1)}
    found = bench.measure(
        f"a path across all copies, {against}", across, unit="ms", repeats=3, x=boxes,
        x_name="cells",
    )  # fmt: skip
    if found.answers[ours] is None:
        raise RuntimeError(f"{counted}: no way from the first copy to the last")
    return times[ours] / around, memory / filled
