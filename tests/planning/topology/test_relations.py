"""The topological graph against brute force and against jumps that are simulated directly."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import people
from surefoot.math import Pose
from surefoot.planning.topology import Atlas, Relation, TopologySettings
from surefoot.planning.topology.capabilities import JumpLimits
from surefoot.world import Body, Cylinder, Keyframed, Played, Static, Watching, World
from surefoot.world.primitives import box, slab

LITTLE = people.little()
LIMITS = JumpLimits.of(LITTLE.capability("jump"))


def _shuttle(period: float = 4.0, far: float = 2.6) -> Keyframed:
    """To and fro along x at constant speed."""
    return Keyframed([0.0, period / 2, period], [[1.6, 0, 0], [far, 0, 0], [1.6, 0, 0]],
                     repeat="loop")  # fmt: skip


def _watched(world: World, seconds: float, **changes: float) -> tuple[Played, Atlas]:
    settings = TopologySettings(**changes)
    shown = Played(world, watching=Watching(ahead=settings.ahead))
    atlas = Atlas(shown.world, LITTLE.capabilities, settings)
    atlas.update(shown.time)
    for _ in range(round(seconds * 60)):
        shown.step(1 / 60)
        atlas.update(shown.time)
    return shown, atlas


def _between(atlas: Atlas, source: str, target: str) -> Relation | None:
    found = [r for r in atlas.relations if (r.source[0], r.target[0]) == (source, target)]
    return found[0] if found else None


def _reachable(world: World, a: str, b: str, t: float, nodes: dict[str, np.ndarray]) -> bool:
    starts = world[a].trajectory.pose(t).apply(nodes[a])
    ends = world[b].trajectory.pose(t).apply(nodes[b])
    shift = ends[None] - starts[:, None]
    away, rise = np.hypot(shift[..., 0], shift[..., 1]), shift[..., 2]
    return bool((away <= LIMITS.reach(rise)).any())


def test_statistics_are_those_of_what_happened() -> None:
    world = World(
        [
            Body(name="island", mesh=slab((2, 2, 0.2))),
            Body(name="shuttle", mesh=slab((1, 1, 0.2)), trajectory=_shuttle()),
        ]
    )
    _, atlas = _watched(world, 30.0)
    nodes = {name: atlas.nodes(name) for name in ("island", "shuttle")}
    times = np.arange(0, (30 * 60) + 1) / 60
    valid = np.array([_reachable(world, "island", "shuttle", t, nodes) for t in times])
    onsets = np.flatnonzero(valid[1:] & ~valid[:-1]) + 1
    ends = np.flatnonzero(~valid[1:] & valid[:-1]) + 1
    relation = _between(atlas, "island", "shuttle")
    assert relation is not None
    assert relation.valid == bool(valid[-1])
    assert relation.times_valid == len(onsets) + int(valid[0])
    # Of whole spells: the first was under way when the watching began.
    spans = [times[ends[ends > k][0]] - times[k] for k in onsets if (ends > k).any()]
    gaps = [times[onsets[onsets > k][0]] - times[k] for k in ends if (onsets > k).any()]
    assert relation.mean_valid == pytest.approx(np.mean(spans), abs=1e-6)
    assert relation.mean_invalid == pytest.approx(np.mean(gaps), abs=1e-6)
    assert relation.periodicity == pytest.approx(4.0, abs=0.05)
    assert relation.period == pytest.approx(4.0, abs=0.02)
    assert relation.periodic
    assert not relation.stable
    assert relation.mean_speed == pytest.approx(0.5, abs=0.05)
    assert relation.onset == pytest.approx(times[onsets[-1]], abs=1e-6)


def test_what_always_holds_is_stable_and_up_is_harder_than_down() -> None:
    high = Static(Pose((1.8, 0, 0.35)))
    world = World(
        [
            Body(name="low", mesh=slab((2, 2, 0.2))),
            Body(name="high", mesh=slab((1, 1, 0.1)), trajectory=high),
        ]
    )
    _, atlas = _watched(world, 1.0)
    down, up = _between(atlas, "high", "low"), _between(atlas, "low", "high")
    assert down is not None
    assert down.stable
    assert down.found > 0
    assert up is None


def test_relations_are_those_of_brute_force_in_random_worlds() -> None:
    rng = np.random.default_rng(21)
    bodies = []
    for k in range(14):
        spots = rng.uniform((-2, -2, -0.3), (2, 2, 0.3), (4, 3))
        way = Keyframed([0.0, 2.0, 4.0, 6.0], spots)
        bodies.append(Body(name=f"plate {k}", mesh=slab(rng.uniform(0.5, 1.2, 3) * [1, 1, 0.1]),
                           trajectory=way))  # fmt: skip
    world = World(bodies)
    shown = Played(world, watching=Watching(ahead=1.0))
    atlas = Atlas(shown.world, LITTLE.capabilities, TopologySettings())
    atlas.update(0.0)
    nodes = {body.name: atlas.nodes(body.name) for body in bodies}
    seen = 0
    for frame in range(1, 300):
        shown.step(1 / 60)
        atlas.update(shown.time)
        if frame % 25:
            continue
        known = {(r.source[0], r.target[0]): r.valid for r in atlas.relations}
        for a in nodes:
            for b in nodes:
                if a != b:
                    truth = _reachable(shown.world, a, b, shown.time, nodes)
                    assert known.get((a, b), False) == truth, (frame, a, b)
                    seen += truth
    assert seen > 50


@pytest.mark.parametrize("wall", [False, True])
def test_jumps_that_were_found_are_simulated_to_their_landing(wall: bool) -> None:
    """Step by step through the world as it moves: nothing is touched, the target is landed on."""
    bodies = [
        Body(name="island", mesh=slab((2, 2, 0.2))),
        Body(name="shuttle", mesh=slab((1, 1, 0.2)), trajectory=_shuttle(16.0, 2.4)),
    ]
    if wall:
        # With a wall half across, only some of the jumps are possible.
        bodies.append(Body(name="wall", mesh=box((0.05, 0.6, 1.0), (1.04, -0.5, 0.5))))
    world = World(bodies)
    # While the shuttle moves away at a steady pace.
    _, atlas = _watched(world, 2.5, samples=40, kept=40)
    size = LITTLE.capability("jump")
    shape = Cylinder(size.radius - 0.01, size.height, size.step_height)
    relation = _between(atlas, "island", "shuttle")
    assert relation is not None
    jumps = atlas.native.jumps(relation.index)
    assert len(jumps) > 1
    if wall:
        assert relation.found < 0.8 * relation.tried
    checked = 0
    for source, target, lasts, when, on_foot in jumps.tolist():
        if on_foot:
            continue
        start = atlas.nodes("island")[int(source)]
        landing = (
            world["shuttle"]
            .trajectory.pose(when + lasts)
            .apply(atlas.nodes("shuttle")[int(target)])
        )
        launch = (landing - start) / lasts + np.array([0, 0, 0.5 * 9.81 * lasts])
        assert np.hypot(*launch[:2]) <= LIMITS.horizontal + 1e-6
        assert launch[2] <= LIMITS.vertical + 1e-6
        point, velocity, dt = start.copy(), launch.copy(), lasts / 400
        for k in range(400):
            point = point + velocity * dt - np.array([0, 0, 0.5 * 9.81 * dt * dt])
            velocity = velocity - np.array([0, 0, 9.81 * dt])
            assert not world.overlap(point, when + (k + 1) * dt, shape=shape)
        ground = world.support(point, when + lasts, up=0.02, down=0.02)
        assert ground.hit
        assert world.names[int(ground.body)] == "shuttle"
        assert -velocity[2] <= LIMITS.landing + 1e-6
        checked += 1
    assert checked > 1


def test_relations_that_are_never_valid_again_are_dropped() -> None:
    away = Keyframed([0.0, 1.0, 4.0], [[1.6, 0, 0], [1.6, 0, 0], [20, 0, 0]])
    world = World(
        [
            Body(name="island", mesh=slab((2, 2, 0.2))),
            Body(name="boat", mesh=slab((1, 1, 0.2)), trajectory=away),
        ]
    )
    _, atlas = _watched(world, 3.0, forget=5.0)
    assert _between(atlas, "island", "boat") is not None
    _, atlas = _watched(world, 9.0, forget=5.0)
    assert _between(atlas, "island", "boat") is None
    assert atlas.native.pruned >= 2


def test_a_body_that_is_gone_takes_its_relations_along() -> None:
    world = World(
        [
            Body(name="island", mesh=slab((2, 2, 0.2))),
            Body(name="shuttle", mesh=slab((1, 1, 0.2)), trajectory=_shuttle()),
        ]
    )
    shown, atlas = _watched(world, 1.0)
    assert _between(atlas, "island", "shuttle") is not None
    shown.world.remove("shuttle")
    atlas.update(shown.time + 1 / 60)
    assert list(atlas.relations) == []


def test_the_budget_of_samples_is_kept() -> None:
    rng = np.random.default_rng(2)
    plates = [
        Body(name=f"plate {k}", mesh=slab((0.8, 0.8, 0.1)),
             trajectory=Static(Pose((*rng.uniform(-3, 3, 2), rng.uniform(-0.1, 0.1)))))
        for k in range(30)
    ]  # fmt: skip
    atlas = Atlas(World(plates), LITTLE.capabilities, TopologySettings(samples=5))
    for k in range(200):
        atlas.update(k / 60)
        assert atlas.frame.tried <= 5
    assert sum(r.tried for r in atlas.relations) > 300


def test_the_same_frames_give_the_same_graph() -> None:
    world = World(
        [
            Body(name="island", mesh=slab((2, 2, 0.2))),
            Body(name="shuttle", mesh=slab((1, 1, 0.2)), trajectory=_shuttle()),
        ]
    )
    first, second = (_watched(world, 6.0)[1].relations for _ in range(2))
    assert first == second


def test_periodic_detours_are_dearer_than_stable_ones_and_thresholds_shut_out() -> None:
    """Two ways to the far island: stepping stones, or a shuttle that comes and goes."""
    stones = [Body(name=f"stone {k}", mesh=slab((0.6, 0.6, 0.2), (1.55 + 0.95 * k, 1.5, 0)))
              for k in range(3)]  # fmt: skip
    world = World(
        [
            Body(name="near", mesh=slab((2, 4, 0.2))),
            Body(name="far", mesh=slab((2, 4, 0.2), (5.0, 0, 0))),
            Body(name="shuttle", mesh=slab((1, 1, 0.2)),
                 trajectory=Keyframed([0.0, 3.0, 6.0], [[1.7, -1, 0], [3.3, -1, 0], [1.7, -1, 0]],
                                      repeat="loop")),
            *stones,
        ]
    )  # fmt: skip
    shown, atlas = _watched(world, 15.0)
    near, far = (atlas.native.nearest(shown.world.id(n), atlas.nodes(n)[:1].copy(), 1.0)[0]
                 for n in ("near", "far"))  # fmt: skip
    reached, route = atlas.route(near, far)
    assert reached
    assert [atlas.relation(r).target[0] for r in route] == ["stone 0", "stone 1", "stone 2", "far"]
    for stone in stones:
        shown.world.remove(stone.name)
    for _ in range(3):
        shown.step(1 / 60)
        atlas.update(shown.time)
    reached, route = atlas.route(near, far)
    assert [atlas.relation(r).target[0] for r in route] == ["shuttle", "far"]
    assert not atlas.route(near, far, shut=[route[0]])[0]
    _, careful = _watched(world, 15.0, min_valid=5.0)
    for name in ("near", "far"):
        assert careful.nodes(name).size
    ends = [careful.native.nearest(careful.world.id(n), careful.nodes(n)[:1].copy(), 1.0)[0]
            for n in ("near", "far")]  # fmt: skip
    assert "shuttle" not in [careful.relation(r).target[0] for r in careful.route(*ends)[1]]
