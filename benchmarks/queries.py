"""Questions to 50,000 triangles and 50 moving bodies, beside python-fcl, embreex and trimesh.

The static world is a furnished house on uneven ground, one mesh. Questions stand where a planner
asks: anywhere on floors, by walls, at furniture, on stairs; a bit less than half of them overlap.
Rates are of one core unless a row says otherwise; embreex works in single precision.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.harness import Bench, Measured, Rates, Work
from benchmarks.peers.embree_worlds import EmbreeMesh, EmbreeWorld, TrimeshMesh
from benchmarks.peers.fcl_worlds import FclMesh, FclWorld
from benchmarks.worlds.building import Building, building
from benchmarks.worlds.live import changes
from benchmarks.worlds.movers import among_rooms, on_plain, plain_points
from benchmarks.worlds.questions import SPAN, looks, places, times, up, walks
from surefoot.arrays import Floats
from surefoot.world import Body, Cylinder, World

PEERS = ("fcl", "embreex", "trimesh", "scipy", "rtree")

SHAPE = Cylinder(0.3, 1.8, step=0.3)


@dataclass(frozen=True)
class Adult:
    """Who asks for safe intervals."""

    radius: float = 0.3
    height: float = 1.8
    step_height: float = 0.3
    max_slope: float = 0.7


def run(bench: Bench) -> None:
    house = building(50_000, seed=1)
    world = World([Body(name="house", mesh=house.mesh)])
    static_overlap(bench, house, world)
    static_rays(bench, house, world)
    static_support(bench, house, world)
    static_nearest(bench, house, world)

    bodies = [Body(name="house", mesh=house.mesh), *among_rooms(50, seed=2)]
    moving = World(bodies)
    moving_overlap(bench, house, bodies, moving)
    moving_rays(bench, house, bodies, moving)
    moving_support(bench, house, moving)
    spans_of_time(bench, house, moving)

    threads(bench, house, world, moving)
    many_bodies(bench)
    live_changes(bench)


# --- 50,000 triangles at rest --------------------------------------------------------------------


def static_overlap(bench: Bench, house: Building, world: World) -> None:
    points = house.standing(100_000, seed=3)
    few, fewer = points[:4_000], points[:100]
    fcl_mesh, tri_mesh = FclMesh(house.mesh), TrimeshMesh(house.mesh)
    rates = bench.measure(
        "overlap, house of 50,000 triangles",
        {
            "surefoot": Work(lambda: world.overlap(points, shape=SHAPE), len(points)),
            "python-fcl": Work(lambda: fcl_mesh.overlap(few, SHAPE), len(few)),
            "trimesh (mesh of a cylinder)": Work(
                lambda: tri_mesh.overlap(fewer, SHAPE), len(fewer)
            ),
        },
    )
    ours = rates.answers["surefoot"]
    bench.record("share that overlaps", "surefoot", ours.mean(), "share", len(points))
    bench.claim("static overlap, times python-fcl", _times_peer(rates, "python-fcl"), at_least=20)
    bench.claim("static overlap on one core", rates["surefoot"], at_least=1e6, unit="queries/s")

    # FCL's meshes are hollow: compare surfaces with surfaces, and count what only solids tell.
    hollow = World([Body(name="house", mesh=house.mesh, solid=False)])
    surfaces = hollow.overlap(few, shape=SHAPE)
    inside = ours[: len(few)] & ~surfaces
    bench.record("share wholly inside a solid", "surefoot alone", inside.mean(), "share", len(few))
    same = surfaces == rates.answers["python-fcl"]
    agreed = bench.record("same overlap", "python-fcl", same.mean(), "share", len(few))
    bench.claim("overlap answers that are python-fcl's too", agreed, at_least=0.999)


def static_rays(bench: Bench, house: Building, world: World) -> None:
    origins, directions = looks(house, 100_000, seed=4)
    single = origins.astype(np.float32), directions.astype(np.float32)
    embree, tri_mesh = EmbreeMesh(house.mesh.vertices, house.mesh.faces), TrimeshMesh(house.mesh)
    few = 10_000
    rates = bench.measure(
        "ray, house of 50,000 triangles",
        {
            "surefoot": Work(lambda: world.ray(origins, directions), len(origins)),
            "embreex": Work(lambda: embree.ray(*single), len(origins)),
            "trimesh (with embreex)": Work(
                lambda: tri_mesh.ray(origins[:few], directions[:few]), few
            ),
        },
    )
    bench.claim("rays, embreex's rate over ours", rates["embreex"] / rates["surefoot"], at_most=3)
    agreed = _same(
        bench, "same ray", "embreex", rates.answers["surefoot"].distance, rates.answers["embreex"]
    )
    bench.claim("ray distances that are embreex's too, to 1 mm", agreed, at_least=0.999)


def static_support(bench: Bench, house: Building, world: World) -> None:
    points = house.standing(100_000, seed=5) + up(SHAPE.step)
    down = np.tile(up(-1.0), (len(points), 1))
    single = points.astype(np.float32), down.astype(np.float32)
    embree, tri_mesh = EmbreeMesh(house.mesh.vertices, house.mesh.faces), TrimeshMesh(house.mesh)
    few = 10_000
    rates = bench.measure(
        "support, house of 50,000 triangles",
        {
            "surefoot": Work(lambda: world.support(points, down=100.0), len(points)),
            "embreex (ray down)": Work(lambda: embree.ray(*single), len(points)),
            "trimesh (ray down)": Work(lambda: tri_mesh.ray(points[:few], down[:few]), few),
        },
    )
    ours = rates.answers["surefoot"]
    drop = np.where(ours.hit, points[:, 2] - np.where(ours.hit, ours.height, 0.0), np.inf)
    agreed = _same(bench, "same support", "embreex", drop, rates.answers["embreex (ray down)"])
    bench.claim("support heights that are embreex's too, to 1 mm", agreed, at_least=0.999)


def static_nearest(bench: Bench, house: Building, world: World) -> None:
    points = house.standing(20_000, seed=6) + up(1.0)
    few = points[:500]
    tri_mesh = TrimeshMesh(house.mesh)
    rates = bench.measure(
        "nearest surface, house of 50,000 triangles",
        {
            "surefoot": Work(lambda: world.nearest(points), len(points)),
            "trimesh": Work(lambda: tri_mesh.nearest(few), len(few)),
        },
        repeats=5,
    )
    ours = rates.answers["surefoot"].distance[: len(few)]
    agreed = _same(bench, "same nearest", "trimesh", ours, rates.answers["trimesh"])
    bench.claim("nearest distances that are trimesh's too, to 1 mm", agreed, at_least=0.999)


# --- 50 moving bodies ----------------------------------------------------------------------------


def moving_overlap(bench: Bench, house: Building, bodies: list[Body], world: World) -> None:
    each = 20
    many, few = np.sort(times(2_500, seed=7)), np.sort(times(100, seed=8))
    many_points = house.standing(len(many) * each, seed=7).reshape(-1, each, 3)
    few_points = house.standing(len(few) * each, seed=8).reshape(-1, each, 3)
    fcl_world = FclWorld(bodies)
    poses = fcl_world.poses(few)
    rates = bench.measure(
        f"overlap, house and 50 moving bodies, {each} questions at each moment",
        {
            "surefoot": Work(
                lambda: world.overlap(many_points, many[:, None], shape=SHAPE), each * len(many)
            ),
            "python-fcl": Work(
                lambda: fcl_world.overlap(few_points, poses, SHAPE), each * len(few)
            ),
        },
    )
    ratio = _times_peer(rates, "python-fcl")
    bench.claim("overlap among movers, times python-fcl", ratio, at_least=20)
    hollow = World(
        Body(name=body.name, mesh=body.mesh, trajectory=body.trajectory, solid=False)
        for body in bodies
    )
    same = hollow.overlap(few_points, few[:, None], shape=SHAPE) == rates.answers["python-fcl"]
    agreed = bench.record("same overlap, movers", "python-fcl", same.mean(), "share", same.size)
    bench.claim("overlap answers among movers that are python-fcl's too", agreed, at_least=0.999)

    points, moments = house.standing(50_000, seed=9), times(50_000, seed=9)
    bench.measure(
        "overlap, house and 50 moving bodies, every question at its own moment",
        {"surefoot": Work(lambda: world.overlap(points, moments, shape=SHAPE), len(points))},
    )


def moving_rays(bench: Bench, house: Building, bodies: list[Body], world: World) -> None:
    each = 1_000
    moments = np.sort(times(50, seed=10))
    origins, directions = (
        rays.reshape(-1, each, 3) for rays in looks(house, len(moments) * each, seed=10)
    )
    single = origins.astype(np.float32), directions.astype(np.float32)
    embree = EmbreeWorld(bodies)
    vertices = embree.vertices(moments)
    again = "embreex (movers placed anew)"
    rates = bench.measure(
        "ray, house and 50 moving bodies, 1,000 questions at each moment",
        {
            "surefoot": Work(
                lambda: world.ray(origins, directions, moments[:, None]), len(moments) * each
            ),
            again: Work(lambda: embree.ray(*single, vertices), len(moments) * each),
        },
    )
    ours = rates.answers["surefoot"].distance
    agreed = _same(bench, "same ray, movers", "embreex", ours, rates.answers[again])
    bench.claim("ray distances among movers that are embreex's too", agreed, at_least=0.999)


def moving_support(bench: Bench, house: Building, world: World) -> None:
    points, moments = house.standing(50_000, seed=11) + up(SHAPE.step), times(50_000, seed=11)
    bench.measure(
        "support, house and 50 moving bodies, every question at its own moment",
        {"surefoot": Work(lambda: world.support(points, moments), len(points))},
    )


def spans_of_time(bench: Bench, house: Building, world: World) -> None:
    spots, paths = places(house, world, 1_000, seed=12), walks(house, 1_000, seed=13)
    safe, sweep = "surefoot, safe intervals over 10 s", "surefoot, sweep along 5 s of walking"
    found = bench.measure(
        "questions about spans of time, house and 50 moving bodies",
        {
            safe: Work(lambda: world.safe_intervals(spots, Adult(), 0.0, SPAN), len(spots)),
            sweep: Work(lambda: world.sweeps(paths, SHAPE), len(paths)),
        },
        repeats=5,
    )
    safe_count = float(np.mean([len(spans) for spans in found.answers[safe]]))
    bench.record("safe intervals of a place", "surefoot", safe_count, "intervals", len(spots))
    touching = float(np.mean([contact is not None for contact in found.answers[sweep]]))
    bench.record("share of sweeps that touch", "surefoot", touching, "share", len(paths))


# --- curves --------------------------------------------------------------------------------------


def threads(bench: Bench, house: Building, world: World, moving: World) -> None:
    points, moments = house.standing(200_000, seed=14), times(200_000, seed=14)
    origins, directions = looks(house, 100_000, seed=15)
    spots = places(house, moving, 1_000, seed=16)
    block = bytes(20_000_000)

    def hashes(count: int) -> None:
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(hashlib.sha256, [block, block]))

    asked = {
        "hashlib, two hashes": (hashes, 2),
        "surefoot, overlap": (
            lambda n: world.overlap(points, shape=SHAPE, threads=n), len(points),
        ),
        "surefoot, ray": (
            lambda n: world.ray(origins, directions, threads=n), len(origins),
        ),
        "surefoot, overlap among movers": (
            lambda n: moving.overlap(points, moments, shape=SHAPE, threads=n), len(points),
        ),
        "surefoot, safe intervals": (
            lambda n: moving.safe_intervals(spots, Adult(), 0.0, SPAN, threads=n), len(spots),
        ),
    }  # fmt: skip
    # The hashes show what a second thread can gain while the machine does what else it does.
    work = {
        f"{name}, {n} thread{'s' * (n > 1)}": Work(partial(ask, n), count)
        for name, (ask, count) in asked.items()
        for n in (1, 2)
    }
    rates = bench.measure("one and two threads", work, clock="wall", repeats=11)
    for name in list(asked)[1:]:
        gain = rates[f"{name}, 2 threads"] / rates[f"{name}, 1 thread"]
        bench.claim(f"{name}: gain by a second thread", gain, at_least=1.5)


def many_bodies(bench: Bench) -> None:
    asked = 100_000
    moments = times(asked, seed=18)
    for moving in (False, True):
        kind = "moving" if moving else "resting"
        costs: dict[int, Measured] = {}
        for count in (1, 100, 10_000):
            world = World(on_plain(count, moving=moving, seed=17))
            points = plain_points(count, asked, seed=18)
            work = Work(partial(world.overlap, points, moments, shape=SHAPE), asked)
            title = f"one overlap among {kind} bodies"
            found = bench.measure(title, {"surefoot": work}, unit="µs", x=count, x_name="bodies")
            costs[count] = found["surefoot"]
        bench.claim(
            f"cost of an overlap among 10,000 {kind} bodies, over that beside one",
            costs[10_000] / costs[1], at_most=50,
        )  # fmt: skip
    for count in (1, 100, 10_000):
        bodies = on_plain(count, moving=True, seed=17)
        points = plain_points(count, 1_000, seed=19)
        first = Work(
            lambda b=bodies, p=points: World(b).overlap(p, moments[:1_000], shape=SHAPE), 1
        )
        bench.measure(
            "a new world of moving bodies and 1,000 overlaps over 10 s", {"surefoot": first},
            unit="ms", repeats=5, x=count, x_name="bodies",
        )  # fmt: skip


def live_changes(bench: Bench) -> None:
    small, large = changes(100, SHAPE), changes(10_000, SHAPE)
    for name in small:
        costs: list[Measured] = []
        for count, kinds in ((100, small), (10_000, large)):
            found = bench.measure(
                "a live change and a question after it", {f"surefoot, {name}": kinds[name]},
                unit="µs", x=count, x_name="bodies",
            )  # fmt: skip
            costs.append(found[f"surefoot, {name}"])
        bench.claim(
            f"{name}: cost in a world of 10,000 bodies, over that in one of 100",
            costs[1] / costs[0], at_most=2,
        )  # fmt: skip


def _times_peer(rates: Rates, peer: str) -> Measured:
    return rates["surefoot"] / rates[peer]


def _same(bench: Bench, title: str, peer: str, ours: Floats, theirs: Floats) -> Measured:
    """Records the share of distances that agree to 1 mm, or are both infinite."""
    with np.errstate(invalid="ignore"):  # infinity less infinity, where both miss
        same = (np.isinf(ours) & np.isinf(theirs)) | (np.abs(ours - theirs) < 1e-3)
    return bench.record(title, peer, same.mean(), "share", same.size)
