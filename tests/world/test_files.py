"""Worlds in files: exact round trips, and refusals that say what to do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from references import random_worlds
from surefoot.errors import FileError, VersionError
from surefoot.math import Pose
from surefoot.world import Attached, Body, Function, Keyframed, Observed, Static, World, along
from surefoot.world.primitives import box, ground

WRITABLE = ["static", "linear", "step", "cubic", "along", "observed"]


def _swing() -> Function:
    return Function(lambda t: Pose.at(np.sin(t)), horizon=9, max_speed=1)


@pytest.mark.parametrize("seed", range(30))
def test_round_trips_are_exact(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    made = random_worlds.world(rng, kinds=WRITABLE)
    bodies = [
        Body(
            name=body.name,
            mesh=body.mesh,
            trajectory=body.trajectory,
            tags={
                "forbidden": bool(rng.random() < 0.5),
                "cost": float(rng.random()),
                "kind": "ö",
                "n": 3,
            },
            solid=body.solid,
            color=tuple(rng.random(3).tolist()) if rng.random() < 0.5 else None,  # pyright: ignore
        )
        for body in made
    ]
    bodies.append(
        Body(
            name="attached",
            mesh=box((1, 1, 1)),
            trajectory=Attached(bodies[0].trajectory, Static()),
        )
    )
    world = World(bodies, name="yard ☂")
    world.save(tmp_path / "world.json")
    again = World.load(tmp_path / "world.json")
    assert again == world
    assert again.name == world.name
    assert list(again.bodies) == list(world.bodies)
    for body in world:
        other = again[body.name]
        assert other == body
        assert other.mesh.vertices.tobytes() == body.mesh.vertices.tobytes()
        assert other.tags == body.tags
    points, times = rng.uniform(-3, 3, (30, 3)), random_worlds.moments(rng, 30)
    for ask in ("nearest", "support"):
        first, second = getattr(world, ask)(points, times), getattr(again, ask)(points, times)
        for name in first.__dataclass_fields__:
            assert getattr(first, name).tobytes() == getattr(second, name).tobytes()
    # A second round gives the same file.
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "world.json").read_bytes()


def test_awkward_numbers_survive(tmp_path: Path) -> None:
    tiny = np.nextafter(0, 1)
    keys = Keyframed([-1e9, 0.1 + 0.2, 1e9], [[tiny, -0.0, 1 / 3], [1e7, 0, 0], [0, 0, 0]])
    seen = Observed.first(0.1, Pose(), ahead=np.inf)
    world = World(
        [
            Body(name="keys", mesh=box((1, 1, 1)), trajectory=keys),
            Body(name="seen", mesh=box((1, 1, 1)), trajectory=seen),
            Body(
                name="along",
                mesh=box((1, 1, 1)),
                trajectory=along([[0, 0, 0], [1, 0, 0], [1, 1, 0]], 0.7),
            ),
        ]
    )
    world.save(tmp_path / "world.json")
    again = World.load(tmp_path / "world.json")
    assert again == world
    assert again["seen"].trajectory.horizon == np.inf


@pytest.mark.parametrize("wrap", ["alone", "attached", "guess"])
def test_functions_are_refused_by_name(wrap: str, tmp_path: Path) -> None:
    motion = {
        "alone": _swing,
        "attached": lambda: Attached(Static(), _swing()),
        "guess": lambda: Observed.first(0, Pose(), future=_swing()),
    }[wrap]()
    world = World(
        [
            Body(name="floor", mesh=ground(1, 1)),
            Body(name="swing", mesh=box((1, 1, 1)), trajectory=motion),
        ]
    )
    with pytest.raises(FileError, match=r"swing.*function.sampled\(start, end, rate\)"):
        world.save(tmp_path / "world.json")
    assert list(tmp_path.iterdir()) == []  # nothing half written


def test_an_empty_world(tmp_path: Path) -> None:
    World(name="nothing").save(tmp_path / "world.json")
    assert World.load(tmp_path / "world.json") == World(name="nothing")


def _written(tmp_path: Path) -> tuple[Path, dict[str, object]]:
    path = tmp_path / "world.json"
    World([Body(name="box", mesh=box((1, 1, 1)))]).save(path)
    return path, json.loads(path.read_text())


def test_another_version_is_told(tmp_path: Path) -> None:
    path, data = _written(tmp_path)
    path.write_text(json.dumps({**data, "version": 99}))
    with pytest.raises(
        VersionError, match=r"world\.json: world of version 99; this surefoot reads"
    ):
        World.load(path)


def test_another_kind_is_told(tmp_path: Path) -> None:
    path, data = _written(tmp_path)
    path.write_text(json.dumps({**data, "surefoot": "plan"}))
    with pytest.raises(FileError, match=r"world\.json: this is a plan, expected a world"):
        World.load(path)


def test_what_is_no_file_or_no_json_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"missing\.json: "):
        World.load(tmp_path / "missing.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(FileError, match=r"bad\.json: line 1: no valid JSON"):
        World.load(tmp_path / "bad.json")
    with pytest.raises(FileError, match="cannot be written"):
        World().save(tmp_path / "no such folder" / "world.json")


def test_wrong_values_in_a_file_name_the_field(tmp_path: Path) -> None:
    path, data = _written(tmp_path)
    text = json.dumps(data)
    for change, message in (
        (text.replace('"name": "box"', '"name": 3'), "name"),
        (text.replace('"solid": true', '"solid": "yes"'), "solid"),
        (text.replace('"faces"', '"fasces"'), "fasces|faces"),
    ):
        assert change != text
        path.write_text(change)
        with pytest.raises(FileError, match=message):
            World.load(path)


def test_two_bodies_of_one_name_in_a_file(tmp_path: Path) -> None:
    path, data = _written(tmp_path)
    data["all_bodies"] = [*data["all_bodies"], *data["all_bodies"]]  # pyright: ignore
    path.write_text(json.dumps(data))
    with pytest.raises(FileError, match="a body named 'box' is in the world already"):
        World.load(path)
