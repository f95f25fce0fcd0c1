"""Named places: part of a world, and of every copy and file of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot.errors import FileError, PlaceError
from surefoot.math import Pose
from surefoot.world import Body, Keyframed, Place, Played, Static, World, scenes
from surefoot.world.pacing import lived_at
from surefoot.world.primitives import slab

PLACES = {"door": Place("floor", np.array([1.0, 0.0, 0.0])), "lookout": Place(None, np.ones(3))}


def yard() -> World:
    lift = Body(
        name="lift",
        mesh=slab((1.0, 1.0, 0.2)),
        trajectory=Keyframed([0.0, 2.0], [[3.0, 0.0, 0.0], [3.0, 0.0, 2.0]]),
    )
    places = PLACES | {"cabin": Place("lift", np.zeros(3))}
    return World([Body(name="floor", mesh=slab((9.0, 9.0, 0.2))), lift], name="yard", places=places)


def test_places_are_part_of_a_world_and_read_only() -> None:
    world = yard()
    assert world.places["door"] == PLACES["door"]
    assert list(world.places) == ["door", "lookout", "cabin"]
    with pytest.raises(TypeError):
        world.places["door"] = PLACES["lookout"]  # pyright: ignore[reportIndexIssue]
    assert world == yard()
    assert world != world.copy(places={})
    assert World().places == {}


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ({"cabin": Place("elevator", np.zeros(3))}, "place 'cabin': unknown body 'elevator'"),
        ({"": Place(None, np.zeros(3))}, "a place's name must be text that is not empty, got ''"),
        ({3: Place(None, np.zeros(3))}, "a place's name must be text that is not empty, got 3"),
        ({"door": (0, 0, 0)}, r"place 'door': expected a Place, got \(0, 0, 0\)"),
        ([Place(None, np.zeros(3))], "places must be a mapping of names to places"),
    ],
)
def test_what_is_no_place_of_the_world_is_refused(places: Any, message: str) -> None:
    with pytest.raises(PlaceError, match=message):
        World(list(yard()), places=places)
    with pytest.raises(PlaceError, match=message):
        yard().copy(places=places)


@pytest.mark.parametrize(
    "copied",
    [
        World.copy,
        lambda world: world.at(1.0),
        lambda world: lived_at(world, 0.5, 10.0),
        lambda world: Played(world).world,
    ],
)
def test_copies_have_the_places_and_the_name(copied: Callable[[World], World]) -> None:
    world = yard()
    again = copied(world)
    assert again is not world
    assert (again.name, again.places) == ("yard", world.places)


def test_a_copy_is_changed_on_its_own() -> None:
    world = yard()
    world.copy().remove("lift")
    assert world == yard()


def test_a_copy_with_fewer_bodies_has_the_places_that_are_left() -> None:
    assert yard().copy([yard()["floor"]]).places == PLACES


def test_a_place_goes_with_its_body() -> None:
    world = yard()
    world.remove("lift")
    assert world.places == PLACES
    world.move("floor", Static(Pose.at(5.0)))
    np.testing.assert_array_equal(world.position(world.places["door"], 0.0), [6.0, 0.0, 0.0])


def test_places_are_written_and_read(tmp_path: Path) -> None:
    yard().save(tmp_path / "yard.json")
    again = World.load(tmp_path / "yard.json")
    assert again == yard()
    assert again.places == yard().places


def test_files_without_places_are_as_before_and_are_read(tmp_path: Path) -> None:
    file = tmp_path / "world.json"
    plain = yard().copy(places={})
    plain.save(file)
    assert list(json.loads(file.read_text())) == ["surefoot", "version", "all_bodies", "name"]
    assert World.load(file) == plain


def test_a_place_in_a_file_on_a_body_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "world.json"
    yard().save(file)
    data = json.loads(file.read_text())
    data["places"]["door"]["body"] = "flor"
    file.write_text(json.dumps(data))
    with pytest.raises(FileError, match=r"world\.json: place 'door': unknown body 'flor'"):
        World.load(file)


@pytest.mark.parametrize("tiles", [(1, 1), (2, 1)])
def test_the_places_of_a_scene_are_those_of_its_world(tiles: tuple[int, int]) -> None:
    scene = scenes.load("yard", tiles=tiles)
    assert scene.places == scene.world.places
    assert scene.start == scene.world.places["start"]
    assert ("start (1, 0)" in scene.world.places) == (tiles == (2, 1))
