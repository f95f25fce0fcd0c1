"""Worlds as glTF levels: read again they are the same, as exactly as the report says."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from references import random_worlds
from surefoot.errors import FileError, InputError
from surefoot.gltf import read_gltf
from surefoot.math import Pose, rotations
from surefoot.world import (
    Attached,
    Body,
    Feed,
    Function,
    Keyframed,
    Mesh,
    Observed,
    Place,
    Static,
    Trajectory,
    World,
    along,
    scenes,
)
from surefoot.world.futures import Guessed
from surefoot.world.loaders import load_world
from surefoot.world.primitives import box, slab
from surefoot.world.savers import SaveReport

LEVEL_KINDS = ["static", "linear", "step", "cubic", "along", "function"]
JSON_KINDS = ["static", "linear", "step", "cubic", "along", "observed"]

names = st.text(min_size=1, max_size=8)
tags = st.dictionaries(
    names.filter(lambda name: not name.startswith("surefoot_")),
    st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    max_size=3,
)
shares = st.floats(0.0, 1.0)
colors = st.none() | st.tuples(shares, shares, shares)
spots = st.tuples(*[st.floats(-100.0, 100.0)] * 3).map(np.array)


def _motion(rng: np.random.Generator, kinds: list[str]) -> Trajectory:
    motion = random_worlds.motion(rng, kinds)
    if rng.random() < 0.7:
        return motion
    return Attached(motion, random_worlds.motion(rng, kinds))


@st.composite
def worlds(draw: st.DrawFn, kinds: list[str]) -> World:
    """Worlds with shared meshes and motions, awkward names, tags, colours and places."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    meshes = [random_worlds.mesh(rng) for _ in range(2)]
    motions = [_motion(rng, kinds) for _ in range(3)]
    motions.append(Attached(motions[0], _motion(rng, kinds)))
    bodies = [
        Body(
            name=name,
            mesh=meshes[rng.integers(2)],
            trajectory=motions[rng.integers(4)],
            tags=draw(tags),
            solid=draw(st.booleans()),
            color=draw(colors),
        )
        for name in draw(st.lists(names, unique=True, max_size=5))
    ]
    on = st.sampled_from([None, *(body.name for body in bodies)])
    places = draw(st.dictionaries(names, st.builds(Place, on, spots), max_size=3))
    return World(bodies, name=draw(st.text(max_size=5)), places=places)


def _assert_same_level(world: World, again: World, report: SaveReport) -> None:
    assert again.name == world.name
    assert list(again.bodies) == list(world.bodies)
    assert again.places == world.places
    assert list(again.places) == list(world.places)
    for body in world:
        other = again[body.name]
        assert (dict(other.tags), other.solid) == (dict(body.tags), body.solid)
        assert [type(tag) for tag in other.tags.values()] == [type(t) for t in body.tags.values()]
        assert other.color == body.color
        assert other.mesh.name == body.mesh.name
        if not report.lost_triangles:
            assert np.array_equal(other.mesh.faces, body.mesh.faces)
        single = body.mesh.vertices.astype(np.float32)
        assert np.array_equal(other.mesh.vertices, single.astype(np.float64))


def _assert_same_motion(one: Trajectory, other: Trajectory, report: SaveReport) -> None:
    """Where a body is in the level it was in the world, at that moment or very near to it."""
    rng = np.random.default_rng(1)
    times = random_worlds.moments(rng, 300)
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])

    def at(trajectory: Trajectory, moments: np.ndarray) -> np.ndarray:
        positions, turned = trajectory.poses(moments)
        return rotations.rotate(turned[:, None], points[None]) + positions[:, None]

    linear, angular = one.velocity(times)
    speed = float((np.linalg.norm(linear, axis=1) + np.linalg.norm(angular, axis=1)).max())
    late = report.time_error + 1e-9
    shifted = [at(other, times + shift) - at(one, times) for shift in (-late, 0.0, late)]
    off = np.linalg.norm(shifted, axis=-1).max(axis=-1).min(axis=0)
    # The report is about the body's own points: its mesh is less than 8 m wide.
    assert off.max() <= 8.0 * report.position_error + 2.0 * speed * late + 1e-6


@given(worlds(LEVEL_KINDS))
@settings(max_examples=60)
def test_a_level_read_again_is_the_same_world(world: World) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "level.glb"
        report = world.save(path)
        assert report.position_error <= 1e-3 + 2e-6
        assert report.time_error <= 2e-6
        again = load_world(path)
        _assert_same_level(world, again, report)
        for body in world:
            _assert_same_motion(body.trajectory, again[body.name].trajectory, report)
        # What was rounded once stays.
        second = again.save(path)
        assert (second.sampled, second.lost_triangles) == ((), 0)
        assert second.position_error <= 2e-6
        assert load_world(path).places == world.places


@given(worlds(JSON_KINDS))
@settings(max_examples=60)
def test_a_world_in_json_is_the_same_to_the_last_bit(world: World) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "world.json"
        report = world.save(path)
        assert str(report) == f"{path}: exact"
        assert load_world(path) == world


def _floor() -> Body:
    return Body(name="floor", mesh=slab((9.0, 9.0, 0.2)))


def _level(*bodies: Body, **more: Any) -> World:
    return World([_floor(), *bodies], name="level", **more)


def _lift(trajectory: Trajectory, **more: Any) -> Body:
    return Body(name="lift", mesh=slab((1.0, 1.0, 0.2)), trajectory=trajectory, **more)


def _swing(speed: float = 2.0) -> Function:
    return Function(
        lambda t: Pose.at(math.sin(t), 0.0, 0.0, 0.5 * math.cos(t)),
        horizon=20.0,
        max_speed=speed,
        max_turn_rate=1.0,
        start=-1.0,
    )


def test_the_khronos_validator_has_nothing_to_say(
    tmp_path: Path, validate: Callable[[Path], dict[str, Any]]
) -> None:
    train = along([[0, 0, 0], [4, 0, 0], [4, 4, 0]], 1.3, repeat="ping-pong")
    door = Keyframed(np.arange(5) / 24, np.eye(5, 3), random_worlds.EXACT_TURNS[:5], repeat="loop")
    world = _level(
        Body(name="train", mesh=box((2, 1, 1)), trajectory=train, tags={"cost": 2.0}),
        Body(name="door", mesh=box((1, 1, 1)), trajectory=Attached(train, door), solid=False),
        Body(name="swing", mesh=box((1, 1, 1)), trajectory=_swing(), color=(0.5, 0.2, 0.1)),
        places={"seat": Place("train", np.ones(3)), "goal": Place(None, np.zeros(3))},
    )
    for name in ("level.glb", "level.gltf"):
        world.save(tmp_path / name)
        issues = validate(tmp_path / name)
        assert issues["numErrors"] == issues["numWarnings"] == 0, issues["messages"][:5]


def test_meshes_and_motions_that_bodies_share_are_written_once(tmp_path: Path) -> None:
    train = along([[0, 0, 0], [4, 0, 0], [4, 4, 0]], 1.3)
    slide = Keyframed([0.0, 1.0], [[0.0, 0, 0], [0.5, 0, 0]], repeat="ping-pong")
    mesh = box((1, 1, 1))
    world = _level(
        Body(name="door", mesh=mesh, trajectory=Attached(train, slide)),
        Body(name="train", mesh=mesh, trajectory=train),
        Body(name="seat", mesh=mesh, trajectory=Attached(train, Static(Pose.at(1.0)))),
        Body(name="lamp", mesh=mesh, trajectory=train, color=(1.0, 0.0, 0.0)),
    )
    world.save(tmp_path / "level.glb")
    gltf = read_gltf(tmp_path / "level.glb")
    assert len(gltf.meshes) == 3  # the lamp's has a colour
    assert len(gltf.json["bufferViews"]) == len(gltf.json["accessors"])
    moved = [gltf.nodes[channel.node].name for channel in gltf.animations[0].channels]
    assert sorted(moved) == ["door", "door motion 1", "door motion 1"]
    parents = {
        node.name: node.parent if node.parent is None else gltf.nodes[node.parent].name
        for node in gltf.nodes
    }
    assert parents == {
        "floor": None,
        "door motion 1": None,
        "door": "door motion 1",
        "train": "door motion 1",
        "seat": "door motion 1",
        "lamp": "door motion 1",
    }
    again = load_world(tmp_path / "level.glb")
    assert again["train"].mesh is again["door"].mesh
    for body in world:
        apart = again[body.name].trajectory.pose(1.7).position - body.trajectory.pose(1.7).position
        assert np.abs(apart).max() < 1e-6


@pytest.mark.parametrize("repeat", ["once", "loop", "ping-pong"])
@pytest.mark.parametrize("first", [-7.3, 0.0, 12.5, 3600.0, 1e6])
def test_each_motion_keeps_its_own_round_and_time(
    tmp_path: Path, first: float, repeat: Any
) -> None:
    short = Keyframed(first + np.arange(9) / 24, np.arange(27).reshape(9, 3) / 9, repeat=repeat)
    long = Keyframed([first, first + 5.0], [[0.0, 0, 0], [0, 0, 3]], repeat=repeat)
    world = _level(_lift(short), Body(name="long", mesh=box((1, 1, 1)), trajectory=long))
    report = world.save(tmp_path / "level.glb")
    assert report.time_error < 3e-7 or first == 12.5
    again = load_world(tmp_path / "level.glb")
    for body in world:
        _assert_same_motion(body.trajectory, again[body.name].trajectory, report)
        times = first + np.linspace(-3.0, 17.0, 1001)
        late = report.time_error + 1e-9
        expected, _ = body.trajectory.poses(times)
        found = [again[body.name].trajectory.poses(times + shift)[0] for shift in (-late, 0, late)]
        off = np.abs(np.array(found) - expected).max(axis=-1).min(axis=0)
        assert off.max() < 1e-5


@pytest.mark.parametrize("tolerance", [1e-1, 1e-2, 1e-3])
def test_functions_are_sampled_within_the_tolerance(tmp_path: Path, tolerance: float) -> None:
    swing = _swing()
    rider = Attached(swing, Static(Pose.at(0.0, 3.0)))
    world = _level(_lift(rider), Body(name="long", mesh=box((20, 1, 1)), trajectory=swing))
    report = world.save(tmp_path / "level.glb", tolerance=tolerance)
    assert report.sampled == ("lift", "long")
    assert "sampled the motion of 'lift'" in str(report)
    assert f"points within {1e3 * report.position_error:.4f} mm" in str(report)
    assert report.position_error <= tolerance + 1e-6
    again = load_world(tmp_path / "level.glb")
    times = np.linspace(-2.0, 22.0, 5003)
    worst = 0.0
    for body in world:
        corners = body.mesh.vertices
        for t in times[::10]:
            there = again[body.name].trajectory.pose(t).apply(corners)
            off = np.linalg.norm(there - body.trajectory.pose(t).apply(corners), axis=1)
            worst = max(worst, float(off.max()))
    assert worst <= tolerance + 2e-6
    assert worst <= 1.5 * report.position_error + 1e-6
    # No more keys than it takes: a hundredth of the tolerance takes ten times as many.
    keys = len(read_gltf(tmp_path / "level.glb").animations[0].channels[0].times)
    assert keys < 80 / math.sqrt(tolerance)


def test_the_error_of_large_coordinates_is_reported(tmp_path: Path) -> None:
    far = Mesh(box((1, 1, 1)).vertices + 1000.3, box((1, 1, 1)).faces)
    report = World([Body(name="far", mesh=far)]).save(tmp_path / "level.glb")
    assert 1e-6 < report.position_error < 1e-4
    again = load_world(tmp_path / "level.glb")["far"].mesh.vertices
    off = np.linalg.norm(again - far.vertices, axis=1).max()
    assert off == pytest.approx(report.position_error)
    # Where a body is, is exact: only its own frame is in single precision.
    moved = Body(name="far", mesh=box((1, 1, 1)), trajectory=Static(Pose.at(1000.3, 0.1)))
    report = World([moved]).save(tmp_path / "level.glb")
    assert report.position_error < 1e-7
    assert load_world(tmp_path / "level.glb")["far"].trajectory == moved.trajectory


def _watched() -> Trajectory:
    world = World([_floor()])
    Feed(world).add(_lift(Static()))
    return world["lift"].trajectory


@pytest.mark.parametrize(
    "make",
    [
        lambda: Observed.first(0.0, Pose()),
        lambda: Attached(Static(), Observed.first(0.0, Pose())),
        lambda: Guessed(along([[0, 0, 0], [1, 0, 0]], 1.0), 0.5),
        _watched,
    ],
)
def test_what_is_only_watched_is_refused_by_name(
    tmp_path: Path, make: Callable[[], Trajectory]
) -> None:
    with pytest.raises(FileError, match=r"level\.glb: body 'lift': .*use trajectory\.sampled"):
        _level(_lift(make())).save(tmp_path / "level.glb")
    assert list(tmp_path.iterdir()) == []


def test_what_a_level_cannot_hold_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "level.glb"
    for tag, message in (("surefoot_repeat", "a meaning of its own"), ("", "that are not empty")):
        with pytest.raises(FileError, match=f"body 'lift': tag '{tag}': .*{message}"):
            _level(_lift(Static(), tags={tag: 1})).save(path)
    chain: Trajectory = along([[0, 0, 0], [1, 0, 0]], 1.0)
    for _ in range(64):
        chain = Attached(along([[0, 0, 0], [1, 0, 0]], 1.0), chain)
    with pytest.raises(FileError, match=r"body 'lift': its motion is attached to 64 others"):
        _level(_lift(chain)).save(path)
    speck = Mesh(box((1e-9, 1e-9, 1e-9)).vertices + 100.0, box((1, 1, 1)).faces)
    with pytest.raises(FileError, match="body 'speck': its triangles have no area in single"):
        World([Body(name="speck", mesh=speck)]).save(path)
    with pytest.raises(InputError, match="no text that a file can hold"):
        World([_floor()], name="\ud800").save(path)
    with pytest.raises(FileError, match=r"unknown extension '\.fbx'; there are: \.glb, \.gltf"):
        _level().save(tmp_path / "level.fbx")
    with pytest.raises(InputError, match="tolerance must be greater than 0"):
        _level().save(path, tolerance=0.0)
    assert list(tmp_path.iterdir()) == []


def test_rotation_keys_of_different_lengths_are_sampled(tmp_path: Path) -> None:
    slopes = np.zeros((2, 4))
    keys = Keyframed(
        [0.0, 1.0],
        [[0.0, 0, 0], [1, 0, 0]],
        [[1.0, 0, 0, 0], [0.0, 0, 0, 3.0]],
        interpolation="step",
        rotation_interpolation="cubic",
        rotation_tangents=(slopes, slopes),
        repeat="loop",
    )
    world = _level(_lift(keys))
    report = world.save(tmp_path / "level.glb")
    assert report.sampled == ("lift",)
    assert report.position_error < 1e-3
    again = load_world(tmp_path / "level.glb")
    _assert_same_motion(keys, again["lift"].trajectory, report)


@pytest.mark.parametrize("name", ["ferry landing", "platform game 1", "stair house"])
def test_scenes_are_saved_with_their_places(tmp_path: Path, name: str) -> None:
    world = scenes.load(name).world
    report = world.save(tmp_path / "level.glb")
    assert report.position_error < 1e-5
    again = load_world(tmp_path / "level.glb")
    _assert_same_level(world, again, report)
    points = np.random.default_rng(3).uniform(-8, 8, (400, 3))
    times = np.random.default_rng(4).uniform(0, 60, 400)
    one, other = (each.support(points, times, down=9.0) for each in (world, again))
    assert (one.body == other.body).mean() > 0.995
    both = one.hit & other.hit & (one.body == other.body)
    assert np.abs(one.height[both] - other.height[both]).max() < 1e-3


def _changed(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    return path


@pytest.mark.parametrize(
    ("part", "tag", "value", "message"),
    [
        ("nodes", "surefoot_span", [2.0, 1.0], "must be the first and the last moment"),
        ("nodes", "surefoot_span", [1.0], r"nodes\[1\]\.extras\.surefoot_span must have shape"),
        ("nodes", "surefoot_span", "soon", r"nodes\[1\]\.extras\.surefoot_span must be numbers"),
        ("scenes", "surefoot_start", "now", r"scene\.extras\.surefoot_start must be a number"),
        ("scenes", "surefoot_name", 3, r"scene\.extras\.surefoot_name: must be text, got 3"),
    ],
)
def test_wrong_extras_are_refused_by_name(
    tmp_path: Path, part: str, tag: str, value: object, message: str
) -> None:
    path = tmp_path / "level.gltf"
    _level(_lift(along([[0, 0, 0], [1, 0, 0]], 1.0, repeat="loop"))).save(path)
    _changed(path, lambda data: data[part][-1].setdefault("extras", {}).update({tag: value}))
    with pytest.raises(FileError, match=message):
        load_world(path)


def test_json_worlds_are_loaded_as_they_were_saved(tmp_path: Path) -> None:
    path = tmp_path / "level.json"
    world = _level(_lift(_swing().sampled(0.0, 3.0)), places={"goal": Place("lift", np.ones(3))})
    world.save(path)
    assert load_world(path) == world
    for setting in ({"up": "y"}, {"scale": 0.01}, {"repeat": "once"}, {"animation": "a"}):
        name = next(iter(setting))
        with pytest.raises(InputError, match=f"is read as it was saved, without {name}"):
            load_world(path, **setting)
    _changed(path, lambda data: data.update(surefoot="plan"))
    with pytest.raises(FileError, match=r"level\.json: this is a plan, expected a world"):
        load_world(path)
    path.write_text("[1, 2]")
    with pytest.raises(FileError, match=r"level\.json: no surefoot file"):
        load_world(path)
    with pytest.raises(FileError, match=r"none\.json: there is no such file"):
        load_world(tmp_path / "none.json")
