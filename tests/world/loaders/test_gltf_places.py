"""Empties of glTF files are named places: on the floor below them, or on what moves them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot.gltf import Channel, GltfBuilder, Primitive, axes
from surefoot.world import Place, World
from surefoot.world.loaders import LoadReport, read_world
from surefoot.world.primitives import slab

FLOOR = slab((20.0, 20.0, 0.2))  # its top is at height 0
LIFT = slab((1.0, 1.0, 0.2))


class Level:
    """A file in the making; positions are Z up."""

    def __init__(self) -> None:
        self.builder = GltfBuilder()
        for mesh in (FLOOR, LIFT):
            part = Primitive(positions=axes.y_up(mesh.vertices), triangles=mesh.faces)
            self.builder.add_mesh([part])
        self.add("floor", mesh=0)

    def add(self, name: str, at: Any = (0.0, 0.0, 0.0), **more: Any) -> int:
        return self.builder.add_node(name, translation=axes.y_up(at), **more)

    def move(self, *nodes: int) -> None:
        """Up by 3 m in 2 s, from where each node is for x and y."""
        self.builder.add_animation(
            [
                Channel(
                    node=node,
                    path="translation",
                    times=np.array([0.0, 2.0]),
                    values=axes.y_up([[5.0, 0.0, 0.0], [5.0, 0.0, 3.0]]),
                    interpolation="linear",
                )
                for node in nodes
            ]
        )

    def load(self, folder: Path, **extensions: Any) -> tuple[World, LoadReport]:
        """The world, after nodes were given extensions by their names."""
        path = folder / "level.gltf"
        self.builder.save(path)
        data = json.loads(path.read_text())
        for node in data["nodes"]:
            if node.get("name") in extensions:
                node |= extensions[node["name"]]
        path.write_text(json.dumps(data))
        return read_world(path)


@pytest.fixture
def level() -> Level:
    return Level()


@pytest.mark.parametrize(("height", "put_down"), [(0.0, 0.0), (1.9, 0.0), (-5e-4, 0.0)])
def test_an_empty_is_put_down_on_the_floor_below(
    level: Level, tmp_path: Path, height: float, put_down: float
) -> None:
    level.add("goal", (3.0, 2.0, height))
    world, report = level.load(tmp_path)
    assert list(world.places) == ["goal"]
    assert world.places["goal"].body == "floor"
    np.testing.assert_allclose(world.places["goal"].position, [3.0, 2.0, put_down], atol=1e-6)
    assert report.places == ("goal",)
    assert str(report).endswith("places: goal")


@pytest.mark.parametrize("at", [(3.0, 2.0, 2.1), (30.0, 0.0, 0.0)])
def test_an_empty_without_a_floor_stays_where_it_is(level: Level, tmp_path: Path, at: Any) -> None:
    level.add("stop", at)
    assert level.load(tmp_path)[0].places == {"stop": Place(None, np.array(at))}


def test_groups_cameras_lights_and_joints_are_no_places(level: Level, tmp_path: Path) -> None:
    for name in ("group", "spot", "lamp", "hip"):
        level.add(name)
    level.add("", (1.0, 0.0, 0.0))
    level.add("shelf", (3.0, 0.0, 1.0), mesh=1, parent=1)
    level.add("hand", parent=4)
    level.builder.add_skin([4])
    world, report = level.load(
        tmp_path,
        spot={"extensions": {"EXT_other": {}}},
        lamp={"extensions": {"KHR_lights_punctual": {"light": 0}}},
    )
    assert list(world.places) == ["spot"]
    assert report.skipped == ()


def test_an_empty_below_what_moves_rides_on_it(level: Level, tmp_path: Path) -> None:
    lift = level.add("lift", (5.0, 0.0, 0.0), mesh=1)
    inside = level.add("rug", (0.25, 0.25, 0.0), parent=lift)
    level.add("seat", (0.0, 0.0, 0.5), parent=inside)
    level.add("balcony", (2.0, 0.0, 1.0), parent=lift)
    level.move(lift)
    world, _ = level.load(tmp_path)
    assert world.places == {
        "rug": Place("lift", np.array([0.25, 0.25, 0.0])),
        "seat": Place("lift", np.array([0.25, 0.25, 0.0])),  # put down on the lift
        "balcony": Place("lift", np.array([2.0, 0.0, 1.0])),  # the floor is no part of the lift
    }
    np.testing.assert_allclose(world.position(world.places["seat"], 1.0), [5.25, 0.25, 1.5])


def test_a_body_below_the_same_animated_node_carries_too(level: Level, tmp_path: Path) -> None:
    pivot = level.add("pivot", (5.0, 0.0, 0.0))
    level.add("cabin", (0.5, 0.0, 0.0), mesh=1, parent=pivot)
    level.add("spot", (0.25, 0.0, 1.0), parent=pivot)
    level.move(pivot)
    world, _ = level.load(tmp_path)
    assert world.places["spot"].body == "cabin"
    np.testing.assert_allclose(world.places["spot"].position, [-0.25, 0.0, 0.0], atol=1e-6)


def test_an_empty_that_moves_alone_is_reported(level: Level, tmp_path: Path) -> None:
    level.move(level.add("fly", (5.0, 0.0, 0.0)))
    world, report = level.load(tmp_path)
    assert world.places == {}
    assert [str(entry) for entry in report.skipped] == [
        "empty 'fly': it moves, and no body moves with it"
    ]


def test_marked_places_are_where_they_stand(level: Level, tmp_path: Path) -> None:
    mark = {"surefoot_place": True}
    lift = level.add("lift", (5.0, 0.0, 0.0), mesh=1)
    level.add("roof", (0.1, 0.2, 1.7), parent=lift, extras=mark)
    level.add("lookout", (0.0, 0.0, 1.5), extras=mark)
    level.add("spot", (0.3, 0.0, 0.0), parent=0, extras=mark)
    level.move(lift)
    assert level.load(tmp_path)[0].places == {
        "roof": Place("lift", np.array([0.1, 0.2, 1.7])),
        "lookout": Place(None, np.array([0.0, 0.0, 1.5])),
        "spot": Place("floor", np.array([0.3, 0.0, 0.0])),
    }


def test_names_that_come_again_are_numbered(level: Level, tmp_path: Path) -> None:
    for x in (1.0, 2.0):
        level.add("chair", (x, 0.0, 0.0))
    assert list(level.load(tmp_path)[0].places) == ["chair", "chair.001"]


def test_an_empty_on_a_body_without_area_is_reported(level: Level, tmp_path: Path) -> None:
    flat = level.add("flat", (1.0, 0.0, 0.0), mesh=1, scale=[0.0, 0.0, 0.0])
    level.add("spot", parent=flat, extras={"surefoot_place": True})
    world, report = level.load(tmp_path)
    assert world.places == {}
    assert "empty 'spot': the triangles of 'flat'" in str(report)
