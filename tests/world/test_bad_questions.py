"""Wrong places, shapes and questions: one clear error that names what is wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from references.timed import Stander
from surefoot.errors import (
    InputError,
    PlaceError,
    SurefootError,
    WorldError,
)
from surefoot.world import (
    Body,
    Capsule,
    Cylinder,
    Foot,
    Place,
    TimedPath,
    World,
)
from surefoot.world.primitives import box, ground

Case = tuple[Callable[[], object], type[SurefootError], str]

ZERO = [0.0, 0.0, 0.0]
NAN = float("nan")


def _world() -> World:
    return World([Body(name="floor", mesh=ground(10, 10)), Body(name="wall", mesh=box((1, 1, 4)))])


CASES: dict[str, Case] = {
    "place on a number": (
        lambda: Place(3, ZERO),
        PlaceError,
        "a place's body must be a name or None, got 3",
    ),  # pyright: ignore
    "place of two numbers": (
        lambda: Place(None, [0, 0]),
        PlaceError,
        r"position must have shape .*3.*, got \(2,\)",
    ),
    "place at NaN": (lambda: Place(None, [0, NAN, 0]), PlaceError, "position must be finite"),
    "place in mid-air": (
        lambda: _world().place([3, 3, 9]),
        PlaceError,
        r"\(3, 3, 9\) is in mid-air at t = 0 s: no surface within 2 m below; "
        r"the nearest surface is 9.00 m below",
    ),
    "place over nothing": (
        lambda: _world().place([99, 3, 1]),
        PlaceError,
        "is in mid-air at t = 0 s: no surface within 2 m below$",
    ),
    "place on an unknown body": (
        lambda: _world().position(Place("couch", ZERO), 0),
        WorldError,
        "unknown body 'couch'; there are: floor, wall",
    ),
    "no place": (lambda: _world().position(ZERO, 0), PlaceError, "expected a Place, got"),  # pyright: ignore
    "times that do not fit": (
        lambda: _world().positions([Place(None, ZERO)] * 3, [0, 1]),
        PlaceError,
        r"one for each of 3 places, got shape \(2,\)",
    ),
    "negative radius": (
        lambda: Cylinder(-1, 1),
        InputError,
        "cylinder radius must be greater than 0, got -1",
    ),
    "negative height": (
        lambda: Cylinder(1, -1),
        InputError,
        "cylinder height must be greater than 0, got -1",
    ),
    "NaN radius": (lambda: Cylinder(NAN, 1), InputError, "cylinder radius must be finite, got nan"),
    "step over the head": (
        lambda: Cylinder(1, 1, 1),
        InputError,
        r"cylinder step \(1\) must be below height \(1\)",
    ),
    "capsule too thick": (
        lambda: Capsule(1, 1),
        InputError,
        "holds a radius of at most 0.5, got 1",
    ),
    "negative foot": (
        lambda: Foot(-1, 1),
        InputError,
        "foot length must be greater than 0, got -1",
    ),
    "NaN point": (
        lambda: _world().nearest([0, NAN, 0]),
        InputError,
        r"points must be finite, found nan at index \(1,\)",
    ),
    "NaN time": (lambda: _world().nearest(ZERO, NAN), InputError, "t must be finite, found nan"),
    "no direction": (lambda: _world().ray(ZERO, ZERO), InputError, "directions must not be zero"),
    "negative distance": (
        lambda: _world().ray(ZERO, [0, 0, 1], max_distance=-1),
        InputError,
        "max_distance must be at least 0, got -1",
    ),
    "no threads": (
        lambda: _world().nearest(ZERO, threads=0),
        InputError,
        "threads must be a whole number, at least 1, got 0",
    ),
    "negative reach": (
        lambda: _world().support(ZERO, down=-1),
        InputError,
        "down must be at least 0, got -1",
    ),
    "a box as a shape": (
        lambda: _world().overlap(ZERO, shape=box((1, 1, 1))),
        InputError,
        "shape must be a Cylinder or a Capsule",
    ),  # pyright: ignore
    "path backward": (
        lambda: TimedPath([0, 2, 1], [ZERO] * 3),
        InputError,
        "path times must increase strictly: point 1 is at 2 s, point 2 at 1 s",
    ),
    "empty path": (lambda: TimedPath([], np.zeros((0, 3))), InputError, "with n >= 1"),
    "path in an unknown frame": (
        lambda: _world().sweep(TimedPath([0], [ZERO], "couch"), Cylinder(1, 1)),
        WorldError,
        "unknown body 'couch'; there are: floor, wall",
    ),
    "sweep of points": (
        lambda: _world().sweep([ZERO], Cylinder(1, 1)),
        InputError,
        "expected a TimedPath",
    ),  # pyright: ignore
    "tolerance of zero": (
        lambda: _world().sweep(TimedPath([0], [ZERO]), Cylinder(1, 1), tolerance=0),
        InputError,
        "tolerance must be at least 1e-06, got 0",
    ),
    "path far in the future": (
        lambda: _world().sweep(TimedPath([1e20], [ZERO]), Cylinder(1, 1)),
        InputError,
        "path times must be within 1,000,000,000 s of zero, found 1e",
    ),
    "spans that end first": (
        lambda: _world().safe_intervals([Place(None, ZERO)], Stander(), 1, 0),
        InputError,
        "end must be greater than 1, got 0",
    ),
    "spans far in the future": (
        lambda: _world().safe_intervals([Place(None, ZERO)], Stander(), 0, 1e12),
        InputError,
        "end must be within 1,000,000,000 s of zero, got 1e",
    ),
    "spans of points": (
        lambda: _world().safe_intervals([ZERO], Stander(), 0, 1),  # pyright: ignore
        PlaceError,
        r"places must be a list of Place objects, found \[0.0, 0.0, 0.0\] at index 0",
    ),
    "standing as nobody": (
        lambda: _world().safe_intervals([Place(None, ZERO)], None, 0, 1),  # pyright: ignore
        InputError,
        "standing must have a radius, as a Capability has; got None",
    ),
    "standing too short": (
        lambda: _world().safe_intervals([Place(None, ZERO)], Stander(height=0.1), 0, 1),
        InputError,
        "height must be greater than 0.25, got 0.1",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_one_clear_error(case: str) -> None:
    make, kind, message = CASES[case]
    with pytest.raises(kind, match=message):
        make()


TEXT: dict[str, Callable[[], object]] = {
    "up": lambda: _world().support(ZERO, up="high"),  # pyright: ignore
    "down": lambda: _world().support(ZERO, down="1"),  # pyright: ignore
    "max_distance": lambda: _world().ray(ZERO, [0, 0, 1], max_distance="5"),  # pyright: ignore
    "start": lambda: _world().safe_intervals([Place(None, ZERO)], Stander(), "0", 1),  # pyright: ignore
    "end": lambda: _world().safe_intervals([Place(None, ZERO)], Stander(), 0, "1"),  # pyright: ignore
    "radius": lambda: _world().overlap(ZERO, shape=Cylinder("0.3", 1)),  # pyright: ignore
    "height": lambda: _world().overlap(ZERO, shape=Cylinder(0.3, "1")),  # pyright: ignore
    "length": lambda: _world().support(ZERO, foot=Foot("0.3", 0.1)),  # pyright: ignore
    "capsule radius": lambda: Capsule("0.3", 1),  # pyright: ignore
    "step_height": lambda: _world().safe_intervals(
        [Place(None, ZERO)],
        Stander(step_height="low"),  # pyright: ignore
        0,
        1,
    ),
}


@pytest.mark.parametrize("field", TEXT)
def test_text_where_a_number_belongs(field: str) -> None:
    with pytest.raises(InputError, match=f"{field.split()[-1]}.* must be a number, got"):
        TEXT[field]()
