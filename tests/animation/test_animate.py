"""From plans to animations: continuous across segments, feet locked, clear errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from surefoot.animation import Animation, animate, plan_footsteps
from surefoot.character import Character, people
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.quality import assess
from surefoot.motion.quality.report import LIMIT
from surefoot.planning import Controller, Flight, Kind, Plan, Segment
from surefoot.world import Place, World


def _walk(**more: object) -> Segment:
    settings = {
        "kind": Kind.WALK, "capability": "walk", "times": np.array([0.0, 3.0]),
        "positions": np.array([[-2.0, 0, 0], [1.5, 0, 0]]), "headings": np.zeros(2),
    }  # fmt: skip
    return Segment(**(settings | more))  # type: ignore[arg-type]


def test_it_lasts_as_long_as_the_plan_and_a_little(ride: Animation, journey: Plan) -> None:
    assert ride.start == journey.start
    assert ride.end == pytest.approx(journey.end + 1.0, abs=1 / 30)
    assert np.allclose(np.diff(ride.times), 1 / 30)
    assert ride.rotations.shape == (len(ride.times), len(ride.character.skeleton), 4)


def test_feet_do_not_slide_on_the_ground_nor_on_the_train(ride: Animation) -> None:
    slide = ride.foot_slide()
    assert slide.shape == (len(ride.times) - 1, 2)
    assert np.nanmax(slide) < 1e-3
    assert {step.place.body for step in ride.footsteps} == {"platform", "train"}
    # Measured against the ground, the same feet do slide: the train takes them along.
    steps = [step for step in ride.footsteps if step.place.body == "train" and step.end > 9.5]
    moved = [ride.world.position(step.place, 9.5) - ride.world.position(step.place, 8.5)
             for step in steps]  # fmt: skip
    assert len(moved) == 2
    assert np.linalg.norm(moved, axis=1).min() > 1.0


def test_nothing_jumps_where_segments_meet(ride: Animation, journey: Plan) -> None:
    velocity = np.diff(ride.root, axis=0) * ride.rate
    speed = np.linalg.norm(velocity, axis=1)
    assert speed.max() < 3.0
    turns = rotations.multiply(rotations.inverse(ride.rotations[:-1]), ride.rotations[1:])
    angle = np.linalg.norm(rotations.to_rotation_vector(turns), axis=-1)
    for segment in journey.segments[1:]:
        near = np.abs(ride.times[:-1] - segment.start) < 0.1
        assert np.degrees(angle[near].max()) < 25.0


def test_the_body_goes_where_the_plan_says(ride: Animation, journey: Plan) -> None:
    planned, headings = journey.track(ride.times, ride.world)
    assert np.linalg.norm((ride.path - planned)[:, :2], axis=1).max() < 0.45
    late = ride.times > 8.5
    assert np.linalg.norm((ride.path - planned)[late], axis=1).max() < 0.01
    assert np.abs(ride.headings[-1] - headings[-1]) < 0.01
    hips = ride.root - ride.path
    assert np.linalg.norm(hips[:, :2], axis=1).max() < 0.12
    assert 0.75 < hips[:, 2].min() < hips[:, 2].max() < 1.0


def test_poses_between_moments_are_between_them(ride: Animation) -> None:
    root, turned = ride.pose(2.0 + 0.5 / 30)
    index = round((2.0 - ride.start) * 30)
    assert np.allclose(root, (ride.root[index] + ride.root[index + 1]) / 2)
    assert np.allclose(np.linalg.norm(turned, axis=1), 1.0)
    before, _ = ride.pose(-5.0)
    after, _ = ride.pose(99.0)
    assert np.array_equal(before, ride.root[0])
    assert np.allclose(after, ride.root[-1])


def test_the_skin_stands_on_the_ground(ride: Animation) -> None:
    vertices, normals = ride.skin(0.5)
    assert vertices.shape == normals.shape == ride.character.skin.vertices.shape
    assert -0.03 < vertices[:, 2].min() < 0.03
    assert 1.6 < vertices[:, 2].max() < 1.8


def test_joint_positions_are_those_of_the_skeleton(ride: Animation) -> None:
    positions = ride.joint_positions()
    assert np.array_equal(positions[:, 0], ride.root)
    assert positions.shape == (*ride.rotations.shape[:2], 3)


def test_markers_name_segments_and_contacts(ride: Animation, journey: Plan) -> None:
    names = [marker.name for marker in ride.markers if marker.kind == "segment"]
    assert names == [str(segment.kind) for segment in journey.segments]
    contacts = [marker for marker in ride.markers if marker.kind == "contact"]
    assert {marker.name for marker in contacts} == {"left foot", "right foot"}
    assert all(ride.start <= m.start < m.end <= ride.end for m in contacts)
    wait = next(marker for marker in ride.markers if marker.name == "wait")
    assert wait.details["because"] == "the bell"


def test_a_plan_may_bring_its_own_footsteps(
    journey: Plan, station: World, adult: Character, ride: Animation
) -> None:
    steps = plan_footsteps(journey, station, adult)
    carried = animate(replace(journey, footsteps=steps), station, adult)
    assert np.allclose(carried.root, ride.root, atol=1e-6)
    assert np.allclose(carried.rotations, ride.rotations, atol=1e-6)
    aside = np.array([0.0, 0.02, 0.0])
    moved = tuple(
        replace(step, place=Place(step.place.body, step.place.position + aside)) for step in steps
    )
    other = animate(replace(journey, footsteps=moved), station, adult)
    assert np.nanmax(other.foot_slide()) < 1e-3
    assert other.footsteps[3].place == moved[3].place


def test_a_run_is_run(make_plan: Callable[..., Plan], station: World, adult: Character) -> None:
    run = _walk(
        kind=Kind.RUN, capability="run", times=np.array([0.0, 2.4]),
        positions=np.array([[-3.5, 0, 0], [3.5, 0, 0]]),
    )  # fmt: skip
    ran = animate(make_plan(run), station, adult, rate=120.0)
    assert np.nanmax(ran.foot_slide()) < 1e-3
    aloft = ~ran.motion.contacts.any(axis=(1, 2))
    assert 0.15 < aloft[(ran.times > 0.8) & (ran.times < 1.6)].mean() < 0.6


def test_jumps_keep_their_times_and_places(
    make_plan: Callable[..., Plan], station: World, adult: Character
) -> None:
    """From the platform onto the train, which has left by then, and goes on."""
    flight = Flight(
        take_off=Place("platform", np.array([3.5, 0.6, 0.0])),
        landing=Place("train", np.array([0.0, -0.4, 0.0])),
        start=7.2,
        end=7.65,
    )
    times = np.array([5.0, 7.2, 7.65])
    path = flight.positions(station, np.linspace(7.2, 7.65, 12))
    jump = _walk(
        kind=Kind.JUMP, capability="jump", flights=(flight,),
        times=np.concatenate([[5.0], np.linspace(7.2, 7.65, 12)]),
        positions=np.concatenate([path[:1], path]), headings=np.zeros(13),
    )  # fmt: skip
    ride = _walk(
        kind=Kind.RIDE, times=np.array([7.65, 10.0]), frame="train",
        positions=np.array([[0.0, -0.4, 0.0]] * 2), headings=np.zeros(2),
    )  # fmt: skip
    jumped = animate(make_plan(jump, ride), station, adult, rate=120.0)
    assert np.nanmax(jumped.foot_slide()) < 1e-3
    quality = assess(jumped.motion, adult.measures, world=station)
    assert quality.knee_pops == 0
    assert quality.beyond_limits < LIMIT
    before = [step for step in jumped.footsteps if step.place.body == "platform"]
    after = [step for step in jumped.footsteps if step.place.body == "train"]
    assert [step.end for step in before] == [7.2, 7.2]
    assert [step.start for step in after[:2]] == [7.65, 7.65]
    for steps, place in ((before, flight.take_off), (after[:2], flight.landing)):
        middle = np.mean([step.place.position for step in steps], axis=0)
        assert np.linalg.norm((middle - place.position)[:2]) < 0.09  # the sole's, not the ankle's
    aloft = ~jumped.motion.contacts.any(axis=(1, 2))
    inside = (jumped.times > times[1]) & (jumped.times < times[2])
    assert (aloft == inside).all()
    fall = np.diff(jumped.root[inside], 2, axis=0) * jumped.rate**2
    assert np.allclose(fall, [0.0, 0.0, -9.81], atol=1e-6)


def test_a_plan_that_is_at_its_goal_stands(
    make_plan: Callable[..., Plan], station: World, adult: Character
) -> None:
    standing = animate(make_plan(), station, adult)
    assert len(standing.footsteps) == 2
    assert np.ptp(standing.root, axis=0).max() < 0.05


def test_who_goes_under_something_low_is_low_all_along(
    make_plan: Callable[..., Plan], station: World, adult: Character
) -> None:
    ways = [(-3.5, -1.5), (-1.5, 0.5), (0.5, 2.5)]
    kinds = [(Kind.WALK, "walk"), (Kind.BEND, "crouch"), (Kind.WALK, "walk")]
    parts = [
        _walk(kind=kind, capability=name, times=np.array([2.5 * i, 2.5 * i + 2.5]),
              positions=np.array([[first, 0, 0], [last, 0, 0]]))
        for i, ((first, last), (kind, name)) in enumerate(zip(ways, kinds, strict=True))
    ]  # fmt: skip
    bent = animate(make_plan(*parts), station, adult)
    positions, turned = adult.skeleton.forward(bent.root, bent.rotations)
    crown = adult.skeleton.tip_position("head_top", positions, turned)[:, 2]
    low = (bent.times >= 2.5) & (bent.times <= 5.0)
    assert crown[low].max() < adult.capability("crouch").height
    assert crown[bent.times < 1.0].min() > 0.95 * adult.measures.height
    assert crown[-1] > 0.95 * adult.measures.height
    assert np.nanmax(bent.foot_slide()) < 1e-3


def test_what_cannot_be_animated_is_said(
    make_plan: Callable[..., Plan], station: World, adult: Character
) -> None:
    climb = _walk(kind=Kind.CLIMB, capability="walk")
    message = r"segment 1 \(climb.*cannot be animated yet; kinds that can: walk, crouch"
    with pytest.raises(InputError, match=message):
        animate(make_plan(_walk(), replace(climb, times=np.array([3.0, 4.0]))), station, adult)
    with pytest.raises(InputError, match="is no run of a controller"):
        animate(make_plan(_walk(execution=Controller("go"))), station, adult)
    with pytest.raises(InputError, match="nothing to animate: a wall is in the way"):
        animate(make_plan(reached=False), station, adult)
    with pytest.raises(InputError, match="the plan is for 'adult', not for 'child'"):
        animate(make_plan(_walk()), station, people.child())
    with pytest.raises(InputError, match="rate must be greater than 0"):
        animate(make_plan(_walk()), station, adult, rate=0)


def test_the_best_part_of_a_failed_plan_can_be_watched(
    make_plan: Callable[..., Plan], station: World, adult: Character
) -> None:
    partial = make_plan(_walk(), reached=False)
    assert animate(partial, station, adult).duration == pytest.approx(4.0)


def test_arguments_in_another_order(ride: Animation, journey: Plan) -> None:
    who = ride.character
    with pytest.raises(
        InputError, match=r"plan must be a Plan, .*animate\(plan, world, character\)"
    ):
        animate(ride.world, journey, who)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="animate: world must be a World, got"):
        animate(journey, who, ride.world)  # type: ignore[arg-type]
