"""What the page is told: real nodes of a server that nobody watches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from surefoot.animation import Animation
from surefoot.animation.pictures import marks
from surefoot.planning import Flight
from surefoot.studio.content import Content, content_of
from surefoot.studio.overlays import label, path_lines
from surefoot.studio.stage import Stage
from surefoot.studio.surfaces import batch_color
from surefoot.world import Body, Place, World
from surefoot.world.primitives import box
from surefoot.world.scenes import load


@pytest.fixture
def stage(server: Any, ride: Animation) -> Stage:
    return Stage(server.scene, content_of(ride))


def node(server: Any, name: str) -> Any:
    found = server.scene.get_handle_by_name(name)
    assert found is not None, name
    return found


def names(server: Any, ending: str) -> list[str]:
    return [name for name in server.scene._handle_from_node_name if name.endswith(ending)]


@pytest.mark.usefixtures("stage")
def test_bodies_have_their_colours_and_sides(server: Any) -> None:
    assert node(server, "/world/lift").color == (231, 0, 0)
    assert node(server, "/world/lift").side == "front"
    assert len(node(server, "/world/floor").vertices) == 24


def test_open_meshes_are_seen_from_both_sides(server: Any) -> None:
    lid = box((1.0, 1.0, 1.0))
    world = World([Body(name="lid", mesh=replace(lid, faces=lid.faces[:-1]))])
    Stage(server.scene, content_of(world))
    assert node(server, "/world/lid").side == "double"


def test_moving_bodies_are_where_they_are(server: Any, stage: Stage, ride: Animation) -> None:
    for t in (0.0, 5.5, 7.0, 99.0):
        stage.show(t)
        pose = ride.world["lift"].trajectory.pose(t)
        assert np.allclose(node(server, "/world/lift").position, pose.position)
    assert np.allclose(node(server, "/world/floor").position, 0.0)


def test_people_are_bent_by_their_bones(server: Any, stage: Stage, ride: Animation) -> None:
    figure = stage.content.actors[0].figure
    shoes = next(part for part in figure.parts if part.name == "shoes")
    (name,) = names(server, " shoes")
    for t in (ride.start, 2.3, ride.end):
        stage.show(t)
        positions, turned = figure.at(t)
        bones = node(server, name).bones
        # Changes too small to see are not sent.
        assert np.allclose([bone.position for bone in bones], positions[shoes.bones], atol=1e-4)
        assert np.allclose([bone.wxyz for bone in bones], turned[shoes.bones], atol=1e-4)


def test_standing_still_costs_no_messages(server: Any, stage: Stage) -> None:
    stage.show(3.0)
    sent: list[object] = []
    queue = server._websock_server.queue_message
    server._websock_server.queue_message = sent.append
    stage.show(3.0)
    server._websock_server.queue_message = queue
    assert sent == []


def test_footprints_ride_and_get_their_colour(server: Any, stage: Stage, ride: Animation) -> None:
    left = node(server, "/world/lift/footsteps 0 left")
    steps = [s for s in ride.footsteps if s.place.body == "lift" and s.foot == "left"]
    assert np.allclose(left.batched_positions, [step.place.position for step in steps])
    for t in (0.0, steps[0].start, 99.0):
        stage.show(t)
        made = [step.start <= t for step in steps]
        full = left.batched_colors == np.array(batch_color(marks.LEFT))
        assert full.all(axis=1).tolist() == made


def test_a_plan_is_drawn_on_what_carries_it(server: Any, ride: Animation) -> None:
    Stage(server.scene, content_of(ride))
    walk = node(server, "/overlays/plan 0/000 walk/line 0")
    assert np.allclose(walk.points[0, 0, :2], ride.plan.segments[0].positions[0, :2])
    assert np.allclose(node(server, "/world/lift/plan 0/001 board/line 0").points[0, 0, 0], -1.1)
    # Someone who rides stays: a ring, no line.
    assert names(server, "002 ride/line 0") == []
    assert node(server, "/world/lift/plan 0/002 ride/ring") is not None
    assert node(server, "/world/lift/plan 0/002 ride/label").text == "ride 3.4 s"


def test_layers_are_switched(server: Any, stage: Stage) -> None:
    assert stage.overlays.layers() == ["path", "labels", "footsteps"]
    stage.overlays.set_visible("footsteps", False)
    assert not node(server, "/world/lift/footsteps 0 left").visible
    assert node(server, "/overlays/plan 0/000 walk/line 0").visible


def test_places_are_marked(server: Any) -> None:
    stage = Stage(server.scene, content_of(load("yard")))
    assert stage.overlays.layers() == ["places"]
    assert node(server, "/world/deck/place deck/label").text == "deck"


def test_names_that_look_alike_stay_apart(server: Any) -> None:
    cube = box((1.0, 1.0, 1.0))
    world = World([Body(name="a/b", mesh=cube), Body(name="a_b", mesh=cube)])
    stage = Stage(
        server.scene,
        Content(name="x", world=world, places={"p": Place("a_b", np.zeros(3))}),
    )
    assert stage.node("a/b") != stage.node("a_b")
    assert node(server, f"{stage.node('a_b')}/place p/label") is not None


def test_an_empty_world_is_an_empty_page(server: Any) -> None:
    assert Stage(server.scene, content_of(World())).overlays.layers() == []


def test_flights_are_drawn_through_the_air(lift_world: World, ride: Animation) -> None:
    walk = ride.plan.segments[0]
    flight = Flight(
        take_off=Place("floor", np.array([0.0, 0.0, 0.0])),
        landing=Place("lift", np.array([-0.8, 0.0, 0.0])),
        start=0.8,
        end=1.4,
    )
    jump = replace(walk, kind="jump", flights=(flight,))  # pyright: ignore[reportArgumentType]
    run_up, landed, air = path_lines(jump, lift_world)
    assert np.allclose(run_up.points[[0, -1]], walk.sample(np.array([0.0, 0.8]))[0])
    assert np.allclose(landed.points[[0, -1]], walk.sample(np.array([1.4, 2.4]))[0])
    assert air.body is None
    assert np.allclose(air.points[0], [0.0, 0.0, 0.0])
    assert np.allclose(air.points[-1], [2.2, 0.0, 0.0])
    assert air.points[:, 2].max() > 0.3
    assert label(jump) == "jump 0.0 s"
