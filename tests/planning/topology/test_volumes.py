"""Interaction volumes against brute force: the exact queries of a world with one body."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import people
from surefoot.math import Pose, rotations
from surefoot.planning.topology import Atlas, TopologySettings
from surefoot.planning.topology.capabilities import JumpLimits
from surefoot.world import Body, Cylinder, Mesh, Static, World, merge
from surefoot.world.primitives import box, ramp, slab, stairs

LITTLE = people.little()
SKILLS = ("walk", "crouch")


def _table() -> Mesh:
    legs = [box((0.1, 0.1, 0.3), (x, y, -0.25)) for x in (-0.9, 0.9) for y in (-0.5, 0.5)]
    return merge([slab((2.0, 1.2, 0.1)), *legs])


def _beamed() -> Mesh:
    """A floor with a beam over it that can be crouched under, and a block that cannot."""
    floor = slab((4.0, 3.0, 0.2))
    return merge(
        [floor, box((0.3, 3.0, 0.2), (0.5, 0.0, 0.35)), box((0.5, 0.5, 0.6), (-1, 1, 0.3))]
    )


BODIES = {
    "slab": slab((2.0, 1.5, 0.2)),
    "table": _table(),
    "beam": _beamed(),
    "ramp": ramp(2.0, 1.5, 0.8),
    "steep": ramp(1.0, 1.5, 1.2),
    "stairs": stairs(4, 1.2, 0.04, 0.4),
    "tipped box": box((0.8, 1.2, 1.8)),
}
LEANS = {"tipped box": rotations.from_rotation_vector(np.array([np.pi / 2, 0, 0]))}


def _atlas(name: str) -> tuple[World, Atlas]:
    turn = LEANS.get(name, rotations.from_yaw(0.4))
    body = Body(name=name, mesh=BODIES[name], trajectory=Static(Pose((1.0, -2.0, 0.7), turn)))
    world = World([body])
    atlas = Atlas(world, LITTLE.capabilities, TopologySettings())
    atlas.update(0.0)
    return world, atlas


def _standable(world: World, points: np.ndarray, skill: str, inset: float = 0.0) -> np.ndarray:
    """By sampling: ground level enough under the point and around it, and room."""
    size = LITTLE.capability(skill)
    ground = world.support(points, 0.0, up=0.02, down=0.02)
    good = ground.hit & ~(ground.slope > size.max_slope + 1e-6)
    shape = Cylinder(size.radius, size.height, size.step_height)
    good &= ~world.overlap(points, 0.0, shape=shape)
    for k in range(16 if inset else 0):
        around = points + inset * np.array([np.cos(k * np.pi / 8), np.sin(k * np.pi / 8), 0])
        reach = inset * 1.3 + size.step_height
        good &= world.support(around, 0.0, up=reach, down=reach).hit
    return good


@pytest.mark.parametrize("name", BODIES)
def test_configurations_are_where_one_can_stand(name: str) -> None:
    world, atlas = _atlas(name)
    roadmap = atlas.roadmap(name)
    assert roadmap is not None
    nodes, bits, _, _ = roadmap.nodes()
    if name == "steep":
        assert len(nodes) == 0
        return
    assert len(nodes) > 5
    points = world[name].trajectory.pose(0.0).apply(nodes)
    for k, skill in enumerate(SKILLS):
        np.testing.assert_array_equal((bits >> k) & 1 == 1, _standable(world, points, skill))


@pytest.mark.parametrize("name", [name for name in BODIES if name != "steep"])
def test_wherever_one_can_stand_a_configuration_is_near(name: str) -> None:
    world, atlas = _atlas(name)
    roadmap = atlas.roadmap(name)
    assert roadmap is not None
    nodes, bits, _, _ = roadmap.nodes()
    pose = world[name].trajectory.pose(0.0)
    known = pose.apply(nodes)
    rng = np.random.default_rng(5)
    low, high = np.array([1.0, -2.0, -1.0]) - 2.5, np.array([1.0, -2.0, 2.0]) + 2.5
    columns = rng.uniform(low, high, (6000, 3))
    ground = world.support(columns, 0.0, up=0.0, down=4.0)
    points = np.column_stack([columns[:, :2], ground.height])[ground.hit]
    for k, skill in enumerate(SKILLS):
        good = points[_standable(world, points, skill, inset=0.07)]
        if len(good) == 0:
            assert not ((bits >> k) & 1).any()
            continue
        have = known[(bits >> k) & 1 == 1]
        away = np.linalg.norm(good[:, None] - have[None], axis=2).min(axis=1)
        assert away.max() < 1.6 * roadmap.spacing, (skill, away.max())


def test_edges_are_free_all_along_for_the_skills_they_name() -> None:
    for name in ("beam", "table", "stairs", "ramp"):
        world, atlas = _atlas(name)
        roadmap = atlas.roadmap(name)
        assert roadmap is not None
        points = world[name].trajectory.pose(0.0).apply(roadmap.nodes()[0])
        for a, b, bits in roadmap.edges().tolist():
            for share in np.linspace(0, 1, 9):
                spot = points[a] + share * (points[b] - points[a])
                ground = world.support(spot, 0.0, up=0.07, down=0.07)
                assert ground.hit
                spot[2] = float(ground.height)
                for k, skill in enumerate(SKILLS):
                    size = LITTLE.capability(skill)
                    shape = Cylinder(size.radius - 0.01, size.height, size.step_height)
                    if bits >> k & 1:
                        assert not world.overlap(spot, 0.0, shape=shape), (name, skill)


def test_a_beam_leaves_a_way_for_those_who_crouch() -> None:
    """Under it one skill is left; both sides are one surface because of it."""
    _, atlas = _atlas("beam")
    roadmap = atlas.roadmap("beam")
    assert roadmap is not None
    nodes, bits, surface, _ = roadmap.nodes()
    floor = np.abs(nodes[:, 2]) < 0.01
    under = floor & (np.abs(nodes[:, 0] - 0.5) < 0.3)
    assert under.any()
    assert (bits[under] & 1 == 0).all()
    assert (bits[under] & 2 == 2).any()
    left, right = floor & (nodes[:, 0] < 0), floor & (nodes[:, 0] > 1)
    assert set(surface[left].tolist()) & set(surface[right].tolist())
    edges = roadmap.edges()
    across = (nodes[edges[:, 0], 0] < 0.5) != (nodes[edges[:, 1], 0] < 0.5)
    on_floor = floor[edges[:, 0]] & floor[edges[:, 1]]
    assert (edges[across & on_floor, 2] == 2).all()


def _simulated(limits: JumpLimits, rise: float, rng: np.random.Generator) -> float:
    """The farthest of many simulated jumps that come down at a height."""
    up, along = rng.uniform(0, limits.vertical, 4000), limits.horizontal
    dt, z, v, far = 1e-3, np.zeros(4000), up.copy(), -1.0
    for k in range(1500):
        before = z.copy()
        z = z + v * dt - 0.5 * 9.81 * dt * dt
        v = v - 9.81 * dt
        lands = (before >= rise) & (z < rise) & (v < 0) & (-v <= limits.landing)
        if lands.any():
            far = max(far, along * (k + 1) * dt)
    return far


@pytest.mark.parametrize("rise", [-0.6, -0.45, -0.3, -0.1, 0.0, 0.1, 0.19, 0.25])
def test_the_accessibility_profile_is_that_of_simulated_jumps(rise: float) -> None:
    limits = JumpLimits.of(LITTLE.capability("jump"))
    assert (limits.vertical, limits.horizontal, limits.landing) == pytest.approx((2, 2, 3))
    far = _simulated(limits, rise, np.random.default_rng(1))
    reach = float(limits.reach(rise))
    if far < 0:
        assert reach < 0.35
    else:
        assert reach == pytest.approx(far, abs=0.02)


def test_volumes_ride_along_with_translations_and_turns_about_the_vertical() -> None:
    world = World([Body(name="plate", mesh=slab((2, 1, 0.2)))])
    world.observe("plate", 0.0, Pose((0, 0, 1)))
    atlas = Atlas(world, LITTLE.capabilities, TopologySettings())
    atlas.update(0.0)
    before = atlas.nodes("plate")
    world.observe("plate", 1.0, Pose((3, 4, 2), rotations.from_yaw(1.0)))
    atlas.update(1.0)
    np.testing.assert_array_equal(atlas.nodes("plate"), before)
    assert atlas.frame.rebuilt == 0


def test_what_tumbles_is_only_in_the_way_until_it_rests() -> None:
    world = World([Body(name="crate", mesh=box((0.8, 0.8, 1.6)))])
    world.observe("crate", 0.0, Pose((0, 0, 0.8)))
    atlas = Atlas(world, LITTLE.capabilities, TopologySettings(settling=0.25, tilt=0.06))
    atlas.update(0.0)
    upright = len(atlas.nodes("crate"))
    assert upright > 0
    for k in range(1, 31):
        lean = rotations.from_rotation_vector(np.array([k / 30 * np.pi / 2, 0, 0]))
        world.observe("crate", k / 30, Pose((0, 0, 0.8), lean))
        atlas.update(k / 30)
        # By less than Delta nothing changes; then it can be stood on no more.
        assert (len(atlas.nodes("crate")) > 0) == (k / 30 * np.pi / 2 <= 0.06)
        assert atlas.tumbling("crate") == (k > 1)
    lying = rotations.from_rotation_vector(np.array([np.pi / 2, 0, 0]))
    for k in range(31, 46):
        world.observe("crate", k / 30, Pose((0, 0, 0.4), lying))
        atlas.update(k / 30)
    # It lies on its side: a longer top than before.
    assert not atlas.tumbling("crate")
    assert len(atlas.nodes("crate")) > upright
    top = Pose((0, 0, 0.4), lying).apply(atlas.nodes("crate"))
    np.testing.assert_allclose(top[:, 2], 0.8, atol=1e-6)


def test_a_small_change_of_inclination_keeps_the_volumes_and_a_large_one_does_not() -> None:
    for angle, same in ((0.03, True), (0.2, False)):
        world = World([Body(name="plate", mesh=slab((2, 2, 0.2)))])
        world.observe("plate", 0.0, Pose((0, 0, 1)))
        atlas = Atlas(world, LITTLE.capabilities, TopologySettings(tilt=0.06))
        atlas.update(0.0)
        turned = rotations.from_rotation_vector(np.array([angle, 0, 0]))
        rebuilt = 0
        for k in range(1, 60):
            world.observe("plate", k / 30, Pose((0, 0, 1), turned))
            atlas.update(k / 30)
            rebuilt += atlas.frame.rebuilt
        assert (rebuilt == 0) == same


def test_nobody_stands_on_what_is_forbidden() -> None:
    world = World([Body(name="stove", mesh=slab((2, 2, 0.2)), tags={"forbidden": True})])
    atlas = Atlas(world, LITTLE.capabilities, TopologySettings())
    atlas.update(0.0)
    assert atlas.roadmap("stove") is None


def test_obstructions_are_those_of_exact_queries() -> None:
    """Forbidden volumes over a navigable surface: which skills other bodies take away."""
    rng = np.random.default_rng(8)
    floor = Body(name="floor", mesh=slab((6, 6, 0.2)))
    boxes = [
        Body(name=f"box {k}", mesh=box(rng.uniform(0.2, 1.0, 3)),
             trajectory=Static(Pose((*rng.uniform(-2.5, 2.5, 2), rng.uniform(0.2, 0.9)),
                                    rotations.from_rotation_vector(rng.normal(size=3)))))
        for k in range(12)
    ]  # fmt: skip
    world = World([floor, *boxes])
    atlas = Atlas(world, LITTLE.capabilities, TopologySettings())
    atlas.update(0.0)
    others = World(boxes)
    points = atlas.nodes("floor")
    for k, skill in enumerate(SKILLS):
        size = LITTLE.capability(skill)
        shape = Cylinder(size.radius, size.height, size.step_height)
        taken = others.overlap(points, 0.0, shape=shape)
        found = [atlas.native.obstructed(0, i) >> k & 1 == 1 for i in range(len(points))]
        np.testing.assert_array_equal(found, taken)
        assert 0 < taken.sum() < len(points)
