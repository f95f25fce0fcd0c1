"""Worlds run by MuJoCo: what falls comes to rest, what moves carries, what is seen is pushed."""

from __future__ import annotations

import numpy as np
import pytest

import surefoot as sf
from surefoot.errors import InputError, WorldError
from surefoot.math import Pose, rotations
from surefoot.world import Body, Keyframed, Mesh, Static, merge
from surefoot.world.primitives import box, cylinder, slab

pytest.importorskip("mujoco")

from surefoot.physics import scenes
from surefoot.physics.pieces import pieces_of
from surefoot.physics.world import MujocoWorld

FLOOR = Body(name="floor", mesh=slab((20, 20, 0.4)))


def _at(name: str, mesh: Mesh, *where: float) -> Body:
    return Body(name=name, mesh=mesh, trajectory=Static(Pose(where)))


def _position(live: MujocoWorld, name: str) -> np.ndarray:
    return live.world[name].trajectory.pose(live.time).position


def test_meshes_fall_into_convex_pieces() -> None:
    stool = merge([slab((0.5, 0.5, 0.05), (0, 0, 0.4)), box((0.1, 0.1, 0.35), (0, 0, 0.175))])
    pieces = pieces_of(merge([stool, cylinder(0.2, 0.5, 12)]))
    assert [piece.half is not None for piece in pieces] == [True, True, False]
    np.testing.assert_allclose(pieces[1].half, (0.05, 0.05, 0.175))
    np.testing.assert_allclose(pieces[1].centre, (0, 0, 0.175))


def test_what_is_dropped_falls_as_gravity_says_and_comes_to_rest() -> None:
    live = MujocoWorld([FLOOR])
    live.drop(
        _at("crate", box((0.4, 0.4, 0.4)), 0, 0, 2.0), _at("drum", cylinder(0.2, 0.4), 2, 0, 0.5)
    )
    for _ in range(24):
        live.step(1 / 60)
    assert _position(live, "crate")[2] == pytest.approx(2.0 - 0.5 * 9.81 * 0.4**2, abs=0.02)
    for _ in range(90):
        live.step(1 / 60)
    assert _position(live, "crate")[2] == pytest.approx(0.2, abs=0.01)
    assert _position(live, "drum")[2] == pytest.approx(0.0, abs=0.01)
    assert live.contacts >= 4
    # It can be stood on, and is in the way, in the live world.
    assert live.world.support([0, 0, 1.0], live.time, down=1.0).hit


def test_movers_carry_what_lies_on_them() -> None:
    """Smoothly to and fro: the rider goes along, within a few centimetres."""
    still = np.zeros((3, 3))
    way = Keyframed([0.0, 3.0, 6.0], [[0, 0, 0.5], [2, 0, 0.5], [0, 0, 0.5]], repeat="loop",
                    interpolation="cubic", tangents=(still, still))  # fmt: skip
    live = MujocoWorld([FLOOR])
    live.drive(Body(name="cart", mesh=slab((1.5, 1.5, 0.2)), trajectory=way))
    live.drop(_at("rider", box((0.3, 0.3, 0.3)), 0, 0, 0.66))
    for _ in range(180):
        live.step(1 / 60)
    cart, rider = _position(live, "cart"), _position(live, "rider")
    np.testing.assert_allclose(cart, (2, 0, 0.5), atol=1e-6)
    np.testing.assert_allclose(rider, (2, 0, 0.65), atol=0.03)


def test_things_are_thrown_pushed_and_taken_out() -> None:
    live = MujocoWorld([FLOOR])
    live.drop(_at("ball", box((0.2, 0.2, 0.2)), 0, 0, 1.0), velocity=(3, 0, 2), spin=(0, 0, 1))
    for _ in range(12):
        live.step(1 / 60)
    assert _position(live, "ball")[0] == pytest.approx(0.6, abs=0.03)
    live.push("ball", (0, 5, 0))
    live.step(1 / 60)
    assert _position(live, "ball")[1] == pytest.approx(5 / 60, abs=0.02)
    live.drop(_at("late", box((0.2, 0.2, 0.2)), 3, 3, 1.0))
    assert live.names == ["ball", "late"]
    live.remove("ball")
    live.step(1 / 60)
    assert "ball" not in live.world
    for call, words in (
        (lambda: live.remove("ball"), "late"),
        (lambda: live.push("floor", (0, 0, 0)), "late"),
        (lambda: live.drop(_at("late", box((1, 1, 1)), 0, 0, 1)), "already"),
    ):
        with pytest.raises(WorldError, match=words):
            call()


def test_what_falls_out_of_the_world_is_gone() -> None:
    live = MujocoWorld([FLOOR])
    pebbles = [_at(f"pebble {k}", box((0.1, 0.1, 0.1)), 15, k, 1.0) for k in range(3)]
    live.drop(*pebbles, velocity=(0, 0, -30))
    for _ in range(240):
        live.step(1 / 60)
    assert "pebble 0" not in live.world
    assert live.names == []


def test_a_recording_is_what_happened() -> None:
    live = MujocoWorld([FLOOR])
    turn = rotations.from_rotation_vector(np.array([0.3, 0.2, 0.1]))
    crate = Body(name="crate", mesh=box((0.4, 0.3, 0.2)), trajectory=Static(Pose((0, 0, 1), turn)))
    live.drop(crate)
    live.record()
    seen = []
    for _ in range(40):
        live.step(1 / 60)
        seen.append((live.time, _position(live, "crate")))
    recorded = live.recording()
    for t, where in seen:
        np.testing.assert_allclose(recorded["crate"].trajectory.pose(t).position, where, atol=1e-9)
    assert not recorded["floor"].trajectory.moving


def test_the_same_seed_is_the_same_world() -> None:
    ends = []
    for _ in range(2):
        scene = scenes.load("physics 1", seed=3)
        for _ in range(20):
            scene.step(1 / 60)
        ends.append([_position(scene.live, name) for name in scene.live.names])
    np.testing.assert_array_equal(ends[0], ends[1])


def test_scenes_hold_tens_of_things() -> None:
    assert scenes.names() == ["physics 1", "physics 2"]
    with pytest.raises(InputError, match="physics 1, physics 2"):
        scenes.load("moon")
    for name in scenes.names():
        scene = scenes.load(name)
        assert len(scene.live.names) >= 25
        assert {"start", "goal"} <= set(scene.places)


def test_what_falls_bounces_off_somebody_who_stands_there() -> None:
    live = MujocoWorld([FLOOR])
    here = np.array([0.0, 0.0, 0.0])
    deep, inside = sf.Cylinder(0.16, 0.46, 0.16), sf.Cylinder(0.2, 0.5, 0.12)
    live.drop(*(_at(f"box {k}", box((0.4, 0.3, 0.2)), 0.1 * k, 0.0, 1.0 + 0.5 * k)
                for k in range(4)))  # fmt: skip
    for _ in range(240):
        live.stand_in("somebody", here, np.zeros(3), radius=0.2, low=0.12, high=0.5)
        live.step(1 / 60)
        # Contacts give way a little where something strikes.
        assert not live.world.overlap(here, live.time, shape=deep), live.time
    assert not live.world.overlap(here, live.time, shape=inside)
    assert "somebody" not in live.world
    assert all("presence" not in name for name in live.world.names)
    # Who crouches makes room, and what lay on top comes down.
    low = max(_position(live, name)[2] for name in live.names)
    for _ in range(120):
        live.stand_in("somebody", here, np.zeros(3), radius=0.2, low=0.1, high=0.15)
        live.step(1 / 60)
    assert max(_position(live, name)[2] for name in live.names) <= low + 1e-3
    with pytest.raises(InputError, match="high"):
        live.stand_in("somebody", here, np.zeros(3), radius=0.2, low=0.5, high=0.4)


def test_somebody_who_walks_shoves_what_leans_against_it() -> None:
    live = MujocoWorld([FLOOR])
    live.drop(_at("box", box((0.3, 0.3, 0.3)), 0.5, 0.0, 0.15))
    speed = np.array([0.5, 0.0, 0.0])
    for k in range(60):
        live.stand_in("somebody", speed * k / 60, speed, radius=0.2, low=0.1, high=0.5)
        live.step(1 / 60)
    # The front of the cylinder is at 0.7 m then.
    assert _position(live, "box")[0] > 0.83


def test_fixed_bodies_do_not_move() -> None:
    way = Keyframed([0.0, 1.0], [[0, 0, 0], [1, 0, 0]])
    with pytest.raises(WorldError, match="drive"):
        MujocoWorld([Body(name="cart", mesh=slab((1, 1, 0.2)), trajectory=way)])


def test_somebody_crosses_a_floor_on_which_things_fall() -> None:
    from surefoot.planning.topology.travelling import travel

    live = MujocoWorld([FLOOR])
    rng = np.random.default_rng(2)
    live.drop(*(_at(f"box {k}", box(rng.uniform(0.2, 0.5, 3)), *rng.uniform(-2, 2, 2), 1 + 0.3 * k)
                for k in range(10)))  # fmt: skip
    live.record()
    traveller = travel(
        live, sf.people.little(), live.world.place((-3, -3, 0.1)),
        sf.Goal(live.world.place((3, 3, 0.1))), settings=sf.TopologySettings(watch=0.5), seconds=30,
    )  # fmt: skip
    assert traveller.arrived
    plan = traveller.plan()
    assert plan
    check = plan.check(live.recording())
    assert not check.plan_was_wrong or traveller.figure.counts.struck, str(check)
