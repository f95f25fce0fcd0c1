"""Wrong meshes, bodies and worlds: one clear error that names the body or field."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.errors import (
    InputError,
    MeshError,
    SurefootError,
    TrajectoryError,
    WorldError,
)
from surefoot.math import Pose
from surefoot.world import (
    Body,
    Cylinder,
    Keyframed,
    Mesh,
    Static,
    World,
    merge,
)
from surefoot.world.primitives import box, cylinder, ground, ramp, slab, stairs

Case = tuple[Callable[[], object], type[SurefootError], str]

ZERO = [0.0, 0.0, 0.0]
NAN = float("nan")
CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def _world() -> World:
    return World([Body(name="floor", mesh=ground(10, 10)), Body(name="wall", mesh=box((1, 1, 4)))])


CASES: dict[str, Case] = {
    "NaN vertex": (
        lambda: Mesh([ZERO, [1, NAN, 0], [0, 1, 0]], [[0, 1, 2]], "couch"),
        MeshError,
        r"mesh 'couch': vertices must be finite, found nan at index \(1, 1\)",
    ),
    "infinite vertex": (
        lambda: Mesh([ZERO, [1, np.inf, 0], [0, 1, 0]], [[0, 1, 2]]),
        MeshError,
        "mesh: vertices must be finite, found inf",
    ),
    "vertices of two numbers": (
        lambda: Mesh([[0, 0], [1, 0], [0, 1]], [[0, 1, 2]], "flat"),
        MeshError,
        r"mesh 'flat': vertices must have shape \(..., 3\), got \(3, 2\)",
    ),
    "one vertex": (
        lambda: Mesh(ZERO, [[0, 0, 0]]),
        MeshError,
        r"vertices must have shape \(n, 3\)",
    ),
    "text as vertices": (lambda: Mesh("abc", [[0, 1, 2]]), MeshError, "vertices must be numbers"),  # pyright: ignore
    "no faces": (
        lambda: Mesh(CORNERS, np.zeros((0, 3), int), "bare"),
        MeshError,
        "mesh 'bare': has no triangles",
    ),
    "face out of range": (
        lambda: Mesh(CORNERS, [[0, 1, 3]], "couch"),
        MeshError,
        "mesh 'couch': faces use vertex 3, valid are 0 to 2",
    ),
    "negative face": (
        lambda: Mesh(CORNERS, [[0, 1, -1]]),
        MeshError,
        "faces use vertex -1, valid are 0 to 2",
    ),
    "faces of four": (
        lambda: Mesh(CORNERS, [[0, 1, 2, 0]]),
        MeshError,
        r"faces must have shape \(m, 3\), got \(1, 4\)",
    ),
    "faces of fractions": (
        lambda: Mesh(CORNERS, [[0.0, 1.0, 2.0]]),
        MeshError,
        "faces must be integers, got float64",
    ),
    "only triangles without area": (
        lambda: Mesh([ZERO, [1, 0, 0], [2, 0, 0]], [[0, 1, 2], [0, 0, 1]], "line"),
        MeshError,
        "mesh 'line': all 2 triangles have zero area",
    ),
    "scale of zero": (
        lambda: box((1, 1, 1)).transformed(scale=0.0),
        MeshError,
        "scale must be finite and not zero",
    ),
    "scale of two numbers": (
        lambda: box((1, 1, 1)).transformed(scale=[1, 2]),
        MeshError,
        "scale must be one number or three",
    ),
    "merge of nothing": (lambda: merge([]), MeshError, "list of meshes is empty"),
    "negative box": (
        lambda: box((1, -1, 1)),
        MeshError,
        r"box size must be greater than 0, got \[1.0, -1.0, 1.0\]",
    ),
    "box of two sizes": (
        lambda: box((1, 1)),
        MeshError,
        r"box size must have shape .*3.*, got \(2,\)",
    ),
    "negative slab": (lambda: slab((1, 1, -1)), MeshError, "box size must be greater than 0"),
    "negative ground": (
        lambda: ground(-1, 2),
        MeshError,
        "ground size_x must be greater than 0, got -1",
    ),
    "flat ramp": (lambda: ramp(1, 1, 0), MeshError, "ramp height must be greater than 0, got 0"),
    "no steps": (lambda: stairs(0, 1, 1, 1), MeshError, "at least 1, got 0"),
    "negative cylinder": (
        lambda: cylinder(-1, 1),
        MeshError,
        "cylinder radius must be greater than 0",
    ),
    "cylinder of two sides": (
        lambda: cylinder(1, 1, 2),
        MeshError,
        "sides of a cylinder must be at least 3, got 2",
    ),
    "body without a name": (
        lambda: Body(name="", mesh=box((1, 1, 1))),
        WorldError,
        "name must be text that is not empty",
    ),
    "body of a list": (
        lambda: Body(name="couch", mesh=[1, 2]),  # pyright: ignore
        WorldError,
        r"body 'couch': mesh must be a Mesh, got \[1, 2\]",
    ),
    "body on a pose": (
        lambda: Body(name="couch", mesh=box((1, 1, 1)), trajectory=Pose()),  # pyright: ignore
        WorldError,
        "body 'couch': trajectory must be a Trajectory",
    ),
    "body that is perhaps solid": (
        lambda: Body(name="couch", mesh=box((1, 1, 1)), solid="yes"),  # pyright: ignore
        WorldError,
        "body 'couch': solid must be True or False, got 'yes'",
    ),
    "tag of a list": (
        lambda: Body(name="couch", mesh=box((1, 1, 1)), tags={"cost": [1]}),  # pyright: ignore
        WorldError,
        r"body 'couch': tag 'cost' must be true or false, a number or text, got \[1\]",
    ),
    "color over one": (
        lambda: Body(name="couch", mesh=box((1, 1, 1)), color=(0, 2, 0)),
        InputError,
        "body 'couch': color must be at most 1, got 2",
    ),
    "name twice": (
        lambda: _world().add(Body(name="wall", mesh=box((1, 1, 1)))),
        WorldError,
        "a body named 'wall' is in the world already",
    ),
    "mesh as a body": (
        lambda: World([box((1, 1, 1))]),
        WorldError,
        "a world holds bodies, got Mesh",
    ),  # pyright: ignore
    "unknown body": (
        lambda: _world()["couch"],
        WorldError,
        "unknown body 'couch'; there are: floor, wall",
    ),
    "removing what is not there": (
        lambda: _world().remove("couch"),
        WorldError,
        "there are: floor, wall",
    ),
    "moving what is not there": (
        lambda: _world().move("couch", Static()),
        WorldError,
        "there are: floor, wall",
    ),
    "moving to a pose": (
        lambda: _world().move("wall", Pose()),  # pyright: ignore
        WorldError,
        "body 'wall': trajectory must be a Trajectory",
    ),
    "seeing what is not there": (
        lambda: _world().observe("couch", 0, Pose()),
        WorldError,
        "there are: floor, wall",
    ),
    "seeing no pose": (
        lambda: _world().observe("wall", 0, [0, 0, 0]),
        WorldError,
        "body 'wall' was seen at a pose",
    ),  # pyright: ignore
    "seeing at no time": (
        lambda: _world().observe("wall", NAN, Pose()),
        TrajectoryError,
        "body 'wall': times must be finite, found nan",
    ),
    "velocity of what is not there": (
        lambda: _world().velocity("couch", ZERO, 0),
        WorldError,
        "there are: floor, wall",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_one_clear_error(case: str) -> None:
    make, kind, message = CASES[case]
    with pytest.raises(kind, match=message):
        make()


def test_nothing_changes_when_a_change_is_refused() -> None:
    world = _world()
    before = world.ray([0, 0, 9], [0, 0, -1]).distance
    for change in (
        lambda: world.add(Body(name="wall", mesh=box((1, 1, 1)))),
        lambda: world.move("wall", Pose()),  # pyright: ignore
        lambda: world.observe("wall", NAN, Pose()),
    ):
        with pytest.raises(InputError):
            change()
    assert world == _world()
    assert world.ray([0, 0, 9], [0, 0, -1]).distance == before


def test_triangles_without_area_are_dropped() -> None:
    corners = np.array([*CORNERS, [0.5, 0, 0]], dtype=float)
    mesh = Mesh(corners, [[0, 1, 2], [0, 1, 3], [1, 1, 2]])
    assert mesh.faces.tolist() == [[0, 1, 2]]
    assert World([Body(name="sheet", mesh=mesh)]).ray([0.2, 0.2, 1], [0, 0, -1]).triangle == 0


def test_open_and_crowded_edges_are_fine() -> None:
    whole = box((2, 2, 2))
    open_ = Mesh(whole.vertices, whole.faces[:-1])
    crowded = merge([whole, Mesh(whole.vertices, whole.faces[:1])])
    for mesh in (open_, crowded):
        world = World([Body(name="box", mesh=mesh)])
        assert world.overlap([0.9, 0, 0], shape=Cylinder(0.3, 0.5))
        assert not world.overlap([0, 0, 0], shape=Cylinder(0.3, 0.5))  # no inside
    assert not open_.closed.any()
    assert whole.closed.all()


def test_meshes_do_not_change() -> None:
    corners = np.array(CORNERS, dtype=float)
    mesh = Mesh(corners, [[0, 1, 2]])
    corners[0, 0] = 99
    assert mesh.vertices[0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0, 0] = 1
    keys = Keyframed([0, 1], [ZERO, ZERO])
    with pytest.raises(ValueError, match="read-only"):
        keys.positions[0, 0] = 1
