"""Animations of plans that run controllers: on what moves, and from one body to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from surefoot import control
from surefoot.animation.animate import animate
from surefoot.animation.animation import Animation
from surefoot.character import Character, people
from surefoot.control import Configuration, Controllers, Rollout
from surefoot.errors import InputError
from surefoot.motion.quality.slide import penetration, sole_points
from surefoot.planning import Controller, Goal, Kind, Outcome, Plan, Run, Segment, Status
from surefoot.planning.segments import Path
from surefoot.world import Body, Keyframed, Place, World
from surefoot.world.primitives import slab

EDGE = 0.0  # [m] y at which the platform ends; the car begins 0.4 m farther


@pytest.fixture(scope="module")
def adult() -> Character:
    return people.adult()


@pytest.fixture(scope="module")
def controllers(adult: Character) -> Controllers:
    return control.load(adult)


@pytest.fixture(scope="module")
def world() -> World:
    """A platform, and a car that rolls by a little lower at 1.2 m/s."""
    rolls = Keyframed(np.array([0.0, 40.0]), np.array([[-12.0, 1.7, 0.95], [36.0, 1.7, 0.95]]))
    return World([
        Body(name="platform", mesh=slab((60.0, 6.0, 0.3), (0.0, -3.0, 1.1))),
        Body(name="car", mesh=slab((24.0, 2.6, 0.3)), trajectory=rolls),
    ])  # fmt: skip


class Chain:
    """Controllers one after the other, as a planner would run them."""

    def __init__(self, world: World, adult: Character, controllers: Controllers) -> None:
        self.world, self.adult, self.controllers = world, adult, controllers
        place = Place("platform", np.array([-3.0, -0.45, 1.1]))
        self.start = self.at = Configuration.standing(controllers.repertoire, place, np.pi / 2)
        self.now = 0.0
        self.rollouts: list[Rollout] = []
        self.runs: list[Run] = []
        self.names: list[str] = []

    def go(self, name: str, target: Place, arrival: float) -> None:
        found = self.controllers[name].adapt(
            self.world, self.adult, self.at, target, t=self.now, arrival=arrival
        )
        assert found, f"{name}: {found.why}"
        about = found.obstacle
        obstacle = () if about is None else (about.x, about.y, about.direction, *about.constants)
        self._add(name, found.rollout, target, arrival, obstacle, None)

    def wait(self, name: str, target: Place, lasting: float) -> None:
        waiting = self.controllers.waiting_for(name)
        rollout = waiting.rollout(
            self.at, target, t=self.now, wait=lasting, world=self.world, character=self.adult
        )
        assert rollout, rollout.ending
        self._add(waiting.name, rollout, target, waiting.task.arrival, (), lasting)

    def _add(
        self, name: str, rollout: Rollout, target: Place, arrival: float,
        obstacle: Sequence[float], wait: float | None,
    ) -> None:  # fmt: skip
        self.runs.append(
            Run(controller=name, start=self.at, begin=self.now, end=rollout.end, target=target,
                arrival=arrival, obstacle=tuple(obstacle), wait=wait)
        )  # fmt: skip
        self.rollouts.append(rollout)
        self.names.append(name)
        self.at, self.now = rollout.last, rollout.end

    def plan(self) -> Plan:
        segments: list[Segment] = []
        for name, run, rollout in zip(self.names, self.runs, self.rollouts, strict=True):
            times, way = rollout.path(30.0)
            segments.append(
                Segment(kind=Kind.WALK, capability="walk", times=times, positions=way[:, :3],
                        headings=way[:, 3], execution=Controller(name, run=run))
            )  # fmt: skip
        return Plan(
            character=self.adult.name, capabilities=self.adult.capabilities,
            origin=self.start.place, start=0.0, goal=Goal(self.at.place), segments=tuple(segments),
            status=Status(Outcome.REACHED, "there"),
        )  # fmt: skip


@pytest.fixture(scope="module")
def boarding(world: World, adult: Character, controllers: Controllers) -> Plan:
    """Waits at the edge, jumps onto the car that rolls by, walks along it, and rides."""
    chain = Chain(world, adult, controllers)
    chain.wait("jump", Place("platform", np.array([-3.0, 3.0, 1.1])), 1.0)
    here = world.position(chain.at.place, chain.now)
    across = world.attach(here + np.array([0.0, 1.4, -0.15]), "car", chain.now + 1.5)
    chain.go("jump", across, 1.0)
    assert chain.at.place.body == "car"
    chain.go("walk", Place("car", across.position * [1.0, 0.0, 0.0] + [4.0, 0.0, 0.0]), 0.5)
    chain.wait("walk", Place("car", across.position + np.array([9.0, 0.0, 0.0])), 3.0)
    return chain.plan()


@pytest.fixture(scope="module")
def animation(boarding: Plan, world: World, adult: Character) -> Animation:
    return animate(boarding, world, adult, rate=60.0)


def test_feet_stay_on_what_carries_them(animation: Animation) -> None:
    assert np.nanmax(animation.foot_slide()) < 0.005
    bodies = [hold.body for hold in animation.motion.footholds]
    assert None in bodies or "platform" in bodies
    assert bodies[-1] == "car"
    # Once on the car, on the car for good.
    assert all(body == "car" for body in bodies[bodies.index("car") :])


def test_feet_do_not_sink_in(animation: Animation, adult: Character, world: World) -> None:
    points = sole_points(
        adult.skeleton, adult.measures, animation.root, animation.rotations
    )  # fmt: skip
    assert penetration(world, animation.times, points).max() < 0.02


def test_no_jump_from_one_controller_to_the_next(animation: Animation) -> None:
    """Poses go on, as fast at seams as elsewhere."""
    step = np.linalg.norm(np.diff(animation.root, axis=0), axis=1)
    assert step.max() < 6.0 / 60.0
    dots = np.abs((animation.rotations[1:] * animation.rotations[:-1]).sum(axis=-1))
    turned = 2 * np.arccos(np.clip(dots, 0.0, 1.0))
    assert turned.max() < 0.5


def test_the_body_goes_where_the_rollouts_went(animation: Animation) -> None:
    planned = animation.times <= animation.plan.end
    away = np.linalg.norm((animation.root - animation.path)[planned, :2], axis=1)
    assert away.max() < 0.35


def test_who_rides_is_carried(animation: Animation, boarding: Plan, world: World) -> None:
    speed = world["car"].trajectory.velocity(boarding.end)[0][0]
    last = animation.times > boarding.end
    assert animation.root[last][-1, 0] - animation.root[last][0, 0] == pytest.approx(
        speed * (animation.times[-1] - animation.times[last][0]), abs=0.02
    )


def test_a_saved_plan_is_animated_alike(
    boarding: Plan, animation: Animation, world: World, adult: Character, tmp_path
) -> None:
    boarding.save(tmp_path / "plan.json")
    again = animate(Plan.load(tmp_path / "plan.json"), world, adult, rate=60.0)
    assert np.array_equal(again.root, animation.root)
    assert np.array_equal(again.rotations, animation.rotations)


def test_half_a_plan_of_runs_is_refused(boarding: Plan, world: World, adult: Character) -> None:
    first = replace(boarding.segments[0], execution=Path())
    mixed = replace(boarding, segments=(first, *boarding.segments[1:]))
    with pytest.raises(InputError, match="segment 0"):
        animate(mixed, world, adult)
    with pytest.raises(InputError, match="for 'adult', not for 'child'"):
        animate(boarding, world, people.child())


def test_rollouts_of_two_worlds_are_not_played_together(
    world: World, adult: Character, controllers: Controllers
) -> None:
    chain = Chain(world, adult, controllers)
    walk = controllers["walk"]
    free = walk.rollout(Configuration.standing(controllers.repertoire), (2.0, 0.0, 0.0))
    with pytest.raises(InputError, match="share one world"):
        control.play([walk.rollout(chain.start, (0.0, -2.0, 1.1), world=world, character=adult),
                      free], chain.start)  # fmt: skip
    with pytest.raises(InputError, match="no rollout"):
        control.play([], chain.start)
