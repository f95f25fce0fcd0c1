"""Whatever number a public constructor or query is given, it takes it or says what is wrong."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import surefoot as sf
from references.damage import straight
from surefoot import limits
from surefoot.errors import InputError, SurefootError
from surefoot.planning.segments import Flight, Footstep

ABSURD: list[Any] = [
    *(1e200, -1e200, 1e-320, 1e9, 1e8, -1, 2**63, 10**400, float("nan"), float("inf")),
    *("x", "", None, [], [[]], [1, 2], [[1e200, 0, 0]], (1e200,) * 3, (float("nan"),) * 3),
    *(np.zeros(0), np.full((2, 3), 1e300)),
]

ADULT = sf.people.adult()
FLOOR = sf.World([sf.Body(name="floor", mesh=sf.primitives.slab((20.0, 20.0, 0.2)))])
HERE, THERE = sf.Place("floor", (0, 0, 0)), sf.Place("floor", (2, 0, 0))
WALK = ADULT.capabilities["walk"]
BOX = sf.primitives.box((1, 1, 1))
KEYS = {"times": [0.0, 1.0], "positions": [[0, 0, 0], [1, 0, 0]]}
PLAN = straight(ADULT, FLOOR)
SEEN = sf.Observed.first(0.0, sf.Pose())
ASKED = {"points": [[0, 0, 1.0]], "t": 0.0, "threads": 1}
TUBE = sf.Cylinder(0.3, 1.0)
PATH = sf.TimedPath([0.0, 1.0], [[0, 0, 0.1], [1, 0, 0.1]])


def moving(t: float) -> sf.Pose:
    return sf.Pose.at(x=t)


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any], dict[str, Any]]] = {
    # name: what is called, numbers, the rest
    "Mesh": (sf.Mesh, {"vertices": BOX.vertices, "faces": BOX.faces}, {}),
    "Mesh.transformed": (BOX.transformed, {"scale": 2.0}, {}),
    "Body": (sf.Body, {"color": (0.1, 0.1, 0.1)}, {"name": "b", "mesh": BOX}),
    "Pose": (sf.Pose, {"position": (0, 0, 0), "rotation": (1, 0, 0, 0)}, {}),
    "Pose.at": (sf.Pose.at, {"x": 0.0, "y": 0.0, "z": 0.0, "yaw": 0.0}, {}),
    "Keyframed": (
        sf.Keyframed,
        {**KEYS, "rotations": [[1, 0, 0, 0]] * 2, "rotation_times": [0.0, 1.0], "span": (0.0, 1.0)},
        {"repeat": "loop"},
    ),
    "Keyframed, cubic": (
        sf.Keyframed,
        {**KEYS, "tangents": (np.zeros((2, 3)), np.ones((2, 3)))},
        {"interpolation": "cubic"},
    ),
    "along": (sf.along, {"points": [[0, 0, 0], [1, 0, 0]], "speed": 1.0, "start": 0.0}, {}),
    "Function": (
        sf.Function,
        {"horizon": 5.0, "max_speed": 1.0, "max_turn_rate": 1.0, "start": 0.0},
        {"function": moving},
    ),
    "Function.sampled": (
        sf.Function(moving, horizon=5.0, max_speed=2.0).sampled,
        {"start": 0.0, "end": 1.0, "rate": 10.0},
        {},
    ),
    "Observed": (
        sf.Observed,
        {"linear": (0, 0, 0), "angular": (0, 0, 0), "ahead": 2.0, "trust": 0.2},
        {"seen": sf.Keyframed(**KEYS)},
    ),
    "Observed.first": (
        sf.Observed.first, {"t": 0.0, "velocity": (0, 0, 0), "turn_rate": (0, 0, 0)},
        {"pose": sf.Pose()},
    ),
    "Observed.then": (
        SEEN.then, {"t": 1.0, "velocity": (0, 0, 0), "turn_rate": (0, 0, 0)}, {"pose": sf.Pose()}
    ),
    "Watching": (sf.Watching, {}, {}),
    "Played": (sf.Played, {"start": 0.0}, {"known": FLOOR}),
    "Place": (sf.Place, {"position": (0, 0, 0)}, {"body": "floor"}),
    "Cylinder": (sf.Cylinder, {"radius": 0.3, "height": 1.8, "step": 0.1}, {}),
    "Capsule": (sf.Capsule, {"radius": 0.3, "height": 1.8, "step": 0.1}, {}),
    "Foot": (sf.Foot, {"length": 0.3, "width": 0.1, "gap": 0.03}, {}),
    "TimedPath": (sf.TimedPath, KEYS, {}),
    "Capability": (sf.Capability, WALK.to_dict(), {}),
    "Problem": (
        sf.Problem,
        {"start_time": 0.0, "start_heading": 0.0, "horizon": 60.0},
        {"world": FLOOR, "character": ADULT, "start": HERE, "goal": sf.Goal(THERE)},
    ),
    "Goal": (
        sf.Goal,
        {"heading": 0.0, "tolerance": 0.25, "arrive": (0.0, 1.0), "heading_tolerance": 0.2},
        {"place": HERE},
    ),
    "Region": (
        sf.Region,
        {"low": (0, 0, 0), "high": (1, 1, 1), "heading": 0.0, "arrive": (0.0, 1.0)},
        {"body": "floor"},
    ),
    "AnyOf": (sf.AnyOf, {"goals": (sf.Goal(HERE),)}, {}),
    "AllOf": (sf.AllOf, {"goals": (sf.Goal(HERE),)}, {}),
    "Segment": (
        sf.Segment,
        {**KEYS, "headings": [0.0, 0.0], "cost": 0.0, "flights": (), "instead": ()},
        {"kind": "walk", "capability": "walk"},
    ),
    "Flight": (Flight, {"start": 0.0, "end": 1.0}, {"take_off": HERE, "landing": THERE}),
    "Footstep": (
        Footstep, {"heading": 0.0, "start": 0.0, "end": 1.0}, {"foot": "left", "place": HERE}
    ),
    "Plan": (
        sf.Plan,
        {"start": 0.0, "cost": 1.0, "segments": PLAN.segments, "footsteps": (), "assumes": ()},
        {name: getattr(PLAN, name)
         for name in ("character", "capabilities", "origin", "goal", "status")},
    ),
    "Plan.as_body": (PLAN.as_body, {"until": 9.0}, {"character": ADULT, "world": FLOOR}),
    "animate": (
        sf.animate, {"rate": 10.0, "linger": 0.1}, {"plan": PLAN, "world": FLOOR,
                                                    "character": ADULT},
    ),
    "Crowd": (sf.Crowd, {"start": 0.0}, {"world": FLOOR}),
    "Recording": (
        sf.Recording,
        {"start": 0.0, "steps": np.zeros(0), "nodes": np.zeros(0, dtype=np.int64), "digests": ()},
        {"planner": "p", "identity": {}, "settings": sf.CrowdSettings(), "world": FLOOR,
         "characters": (), "inputs": ()},
    ),
    **{
        kind.__name__: (kind, {}, {})
        for kind in (sf.Limits, sf.GridSettings, sf.SpaceTimeSettings, sf.TopologySettings,
                     sf.FootstepSettings, sf.CrowdSettings, sf.PursuitSettings, sf.Senses)
    },
    "costs.time": (sf.costs.time, {}, {}),
    "costs.least_motion": (sf.costs.least_motion, {}, {}),
    "box": (sf.primitives.box, {"size": (1, 1, 1), "centre": (0, 0, 0)}, {}),
    "boxes": (sf.primitives.boxes, {"sizes": [(1, 1, 1)], "centres": [(0, 0, 0)]}, {}),
    "slab": (sf.primitives.slab, {"size": (1, 1, 1), "top": (0, 0, 0)}, {}),
    "ground": (sf.primitives.ground, {"size_x": 1.0, "size_y": 1.0, "z": 0.0}, {}),
    "ramp": (sf.primitives.ramp, {"length": 1.0, "width": 1.0, "height": 1.0}, {}),
    "stairs": (sf.primitives.stairs, {"steps": 3, "width": 1.0, "rise": 0.2, "going": 0.3}, {}),
    "cylinder": (sf.primitives.cylinder, {"radius": 1.0, "height": 1.0, "sides": 8}, {}),
    "turned": (sf.primitives.turned, {"profile": [(1, 0), (1, 1)], "sides": 8}, {}),
    "ball": (sf.primitives.ball, {"radius": 1.0, "centre": (0, 0, 0), "sides": 8}, {}),
    "rod": (
        sf.primitives.rod, {"start": (0, 0, 0), "end": (0, 0, 1), "radius": 0.1, "sides": 6}, {}
    ),
    "placed": (
        sf.primitives.placed, {"x": 0.0, "y": 0.0, "z": 0.0, "yaw": 0.0}, {"mesh": BOX}
    ),
    "support": (FLOOR.support, {**ASKED, "up": 0.0, "down": 2.0, "heading": 0.0},
                {"foot": sf.Foot(0.3, 0.1)}),
    "ray": (
        FLOOR.ray,
        {"origins": [[0, 0, 1.0]], "directions": [[0, 0, -1.0]], "t": 0.0, "max_distance": 5.0},
        {},
    ),
    "nearest": (FLOOR.nearest, {**ASKED, "max_distance": 5.0}, {}),
    "overlap": (FLOOR.overlap, ASKED, {"shape": TUBE}),
    "sweep": (FLOOR.sweep, {"tolerance": 1e-3}, {"path": PATH, "shape": TUBE}),
    "safe_intervals": (
        FLOOR.safe_intervals, {"start": 0.0, "end": 5.0, "tolerance": 1e-3, "threads": 1},
        {"places": [HERE], "standing": WALK},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_absurd_numbers_are_taken_or_refused_by_name(name: str) -> None:
    call, numbers, rest = CALLS[name]
    if not numbers:  # settings: all that have numbers by default
        numbers = {
            field: parameter.default
            for field, parameter in inspect.signature(call).parameters.items()
            if isinstance(parameter.default, int | float | tuple)
            and not isinstance(parameter.default, bool)
        }
    call(**numbers, **rest)
    for field in numbers:
        for value in ABSURD:
            try:
                call(**numbers | {field: value}, **rest)
            except SurefootError as reason:
                assert len(str(reason)) < 600  # noqa: PT017
            except Exception as reason:  # noqa: BLE001
                pytest.fail(f"{name}({field}={value!r:.60}): {type(reason).__name__}: {reason}")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sf.Goal(HERE, tolerance=1e200), "tolerance must be within 10,000,000 m of zero"),
        (lambda: sf.Place(None, (0, 2e7, 0)), "position must be within 10,000,000 m of zero"),
        (lambda: FLOOR.position(HERE, 2e9), "times must be within 1,000,000,000 s of zero"),
        (lambda: sf.Mesh([[0, 0, 0], [2e7, 0, 0], [0, 1, 0]], [[0, 1, 2]]), "mesh: vertices must"),
        (lambda: sf.primitives.ball(1.0, sides=10**6), "sides of a ball must be at most 2,000"),
        (lambda: sf.animate(PLAN, FLOOR, ADULT, rate=1e9), "more than the limit of 1,000,000"),
        (lambda: sf.Function(moving, horizon=1e6, max_speed=2.0).sampled(0, 1e6, 1e3),
         "1,000,000 s at 1,000 a second need 1,000,000,000 samples"),
    ],
)  # fmt: skip
def test_limits_are_stated(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_what_is_within_the_limits_is_taken() -> None:
    far, late = limits.MAX_COORDINATE, limits.MAX_TIME
    assert sf.Place(None, (far, -far, far)).position.tolist() == [far, -far, far]
    body = sf.Body(name="box", mesh=BOX, trajectory=sf.Static(sf.Pose.at(far, far, far)))
    world = sf.World([body])
    assert world.support([[far, far, far]], late, up=1.0, down=1.0).hit.all()
    assert world.ray([far, far, far - 5.0], [0, 0, 1.0], -late).distance == pytest.approx(4.5)
