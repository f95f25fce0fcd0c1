"""Somebody in a live world, through what is expected and what is not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import surefoot as sf
from surefoot.character import people
from surefoot.errors import ProblemError
from surefoot.math import Pose, rotations
from surefoot.planning import Goal, Kind, Outcome, Problem
from surefoot.planning.topology import Atlas, Topology, TopologySettings, Traveller, travel
from surefoot.planning.topology.capabilities import Skills
from surefoot.planning.topology.figure import Figure
from surefoot.planning.topology.states import State
from surefoot.planning.wording import Assumed
from surefoot.world import (
    Body,
    Cylinder,
    Feed,
    Keyframed,
    Mesh,
    Place,
    Played,
    Static,
    Watching,
    World,
)
from surefoot.world.primitives import box, slab
from surefoot.world.scenes import disconnected

LITTLE = people.little()
UPRIGHT = np.array([1.0, 0, 0, 0])
SETTINGS = TopologySettings(watch=0.0)


class Stage:
    """A floor, some live boxes, and a traveller; `move` says where boxes are at a time."""

    def __init__(
        self, boxes: dict[str, tuple[Body, Callable]], start: tuple, goal: tuple,
        floor: Body | None = None,
    ) -> None:  # fmt: skip
        floor = floor or Body(name="floor", mesh=slab((12, 12, 0.2)))
        self.world = World([floor])
        self.feed = Feed(self.world)
        self.ways = {name: way for name, (_, way) in boxes.items()}
        for body, way in boxes.values():
            self.feed.add(body, Pose(way(0.0)), 0.0)
        self.atlas = Atlas(self.world, LITTLE.capabilities, SETTINGS)
        self.time = 0.0
        self.atlas.update(0.0)
        self.traveller = Traveller(
            self.atlas, LITTLE, self.world.place(start), Goal(self.world.place(goal))
        )
        self.points: list[np.ndarray] = []

    def run(self, seconds: float, watch: Callable[[Stage], None] | None = None) -> Traveller:
        for _ in range(round(seconds * 60)):
            self.time += 1 / 60
            names = [name for name in self.ways if name in self.world]
            poses = [self.ways[name](self.time) for name in names]
            if names:
                self.feed.push(self.time, np.array(poses), [UPRIGHT] * len(names), names)
            self.atlas.update(self.time)
            self.traveller.step(self.time)
            self.points.append(self.traveller.figure.point.copy())
            if watch is not None:
                watch(self)
            if self.traveller.done:
                break
        return self.traveller

    def through_nothing(self) -> None:
        """The body was never inside anything that it did not stand on."""
        size = LITTLE.capability("crouch")
        shape = Cylinder(0.15, size.height - 0.01, 0.06)
        overlap = self.world.overlap(self.traveller.figure.point, self.time, shape=shape)
        assert not overlap, self.time


def _still(x: float, y: float, z: float) -> Callable[[float], np.ndarray]:
    return lambda _: np.array([x, y, z])


def _crate(name: str, size: tuple[float, float, float]) -> Body:
    return Body(name=name, mesh=box(size))


def test_walks_around_what_stands_in_the_way() -> None:
    stage = Stage({"crate": (_crate("crate", (1, 4, 1)), _still(0, 0, 0.5))}, (-3, 0, 0), (3, 0, 0))
    traveller = stage.run(20, Stage.through_nothing)
    assert traveller.arrived
    plan = traveller.plan()
    assert plan
    assert plan.check(stage.world)


def test_crouches_under_a_beam_and_stands_up_again() -> None:
    walls = {
        name: (_crate(name, (0.3, 5.0, 1.0)), _still(0, y, 0.5))
        for name, y in (("left", 3.5), ("right", -3.5))
    }
    beam = {"beam": (_crate("beam", (0.3, 2.2, 0.3)), _still(0, 0, 0.4))}
    stage = Stage(walls | beam, (-3, 0, 0), (3, 0, 0))
    traveller = stage.run(30, Stage.through_nothing)
    assert traveller.arrived
    plan = traveller.plan()
    assert plan.check(stage.world), str(plan.check(stage.world))
    used = [segment.capability for segment in plan.segments]
    assert "crouch" in used
    assert used[-1] == "walk"
    crouched = [s for s in plan.segments if s.kind is Kind.CROUCH]
    assert any((s.positions[:, 0] < 0).any() and (s.positions[:, 0] > 0).any() for s in crouched)


def test_a_gate_that_shuts_on_the_way_is_noticed() -> None:
    """The gap that was planned through is closed; another one is open."""
    parts = {
        "middle": (_crate("middle", (0.3, 2.0, 1.0)), _still(0, 0, 0.5)),
        "north": (_crate("north", (0.3, 3.4, 1.0)), _still(0, 4.3, 0.5)),
        "south": (_crate("south", (0.3, 3.0, 1.0)), _still(0, -4.5, 0.5)),
        # The southern gap is wider; the gate moves into it at once.
        "gate": (_crate("gate", (0.3, 2.4, 1.0)),
                 lambda t: np.array([0, -2.0, 3.0 if t < 0.8 else max(0.5, 3.0 - 4 * (t - 0.8))])),
    }  # fmt: skip
    stage = Stage(parts, (-2.0, -1.5, 0), (3, -1.5, 0))
    traveller = stage.run(30, Stage.through_nothing)
    assert traveller.arrived
    assert traveller.replans > 0
    assert max(point[1] for point in stage.points) > 0.9


def test_who_is_shut_in_waits_and_says_why() -> None:
    ring = {
        f"wall {k}": (_crate(f"wall {k}", (0.3, 3.0, 1.0) if k % 2 else (3.0, 0.3, 1.0)),
                      _still(*(1.4 * np.array([np.cos(k * np.pi / 2 + np.pi / 2),
                                               np.sin(k * np.pi / 2 + np.pi / 2)])), 0.5))
        for k in range(4)
    }  # fmt: skip
    stage = Stage(ring, (0, 0, 0), (4, 0, 0))
    traveller = stage.run(5, Stage.through_nothing)
    assert not traveller.done
    plan = traveller.plan()
    assert not plan
    assert plan.status.outcome is Outcome.OUT_OF_TIME
    assert "obstructed" in plan.status.message


def _cart(way: Callable[[float], np.ndarray]) -> dict[str, tuple[Body, Callable]]:
    return {"cart": (Body(name="cart", mesh=slab((2, 2, 0.2))), way)}


def _on_cart(way: Callable[[float], np.ndarray]) -> Stage:
    stage = Stage(_cart(way), (-3, 0, 0), (3, 0, 0))
    stage.traveller = Traveller(
        stage.atlas,
        LITTLE,
        Place("cart", np.zeros(3)),
        Goal(Place("cart", np.array([0.5, 0.5, 0]))),
    )
    return stage


def test_rides_on_what_carries() -> None:
    stage = _on_cart(lambda t: np.array([0.3 * t, 0, 0.4]))
    traveller = stage.run(6)
    assert traveller.arrived
    np.testing.assert_allclose(traveller.figure.point[:2], [0.3 * stage.time + 0.5, 0.5], atol=0.25)


@pytest.mark.parametrize("trouble", ["vanishes", "teleports", "shoots off"])
def test_what_carries_goes_away(trouble: str) -> None:
    """Who stands on it is left behind, falls to the floor, and goes on from there."""

    def way(t: float) -> np.ndarray:
        if trouble == "teleports" and t > 0.3:
            return np.array([4.0, 4.0, 0.4])
        if trouble == "shoots off" and t > 0.3:
            return np.array([100.0 * (t - 0.3), 0, 0.4])
        return np.array([0.0, 0, 0.4])

    stage = Stage(_cart(way), (-3, 0, 0), (3, 0, 0))
    stage.traveller = Traveller(
        stage.atlas, LITTLE, Place("cart", np.zeros(3)), Goal(Place("floor", np.array([3.0, 0, 0])))
    )
    stage.run(0.3)
    if trouble == "vanishes":
        stage.feed.remove("cart")
        del stage.ways["cart"]
    stage.run(15, Stage.through_nothing)
    figure = stage.traveller.figure
    assert stage.traveller.arrived
    assert figure.counts.left_behind + figure.counts.jumps >= 1
    assert figure.place.body == "floor"


def test_a_target_that_stops_in_mid_jump_is_missed_and_the_fall_is_survived() -> None:
    """It comes along at 1.2 m/s, and stops dead when somebody jumps for it."""
    island = Body(name="floor", mesh=slab((12, 12, 0.2)))
    ledge = Body(name="ledge", mesh=slab((2, 2, 0.3), (0, 0, 0.3)))
    state = {"x": 6.0, "stopped": False}

    def way(t: float) -> np.ndarray:
        if not state["stopped"]:
            state["x"] = 3.2 - 0.9 * t
        return np.array([state["x"], 0, 0.3])

    stage = Stage({"tray": (Body(name="tray", mesh=slab((1, 1, 0.1))), way)}, (-3, 0, 0),
                  (3, 0, 0), island)  # fmt: skip
    stage.world.add(ledge)
    settings = TopologySettings(watch=0.0, calm=0.0)
    stage.atlas = Atlas(stage.world, LITTLE.capabilities, settings)
    stage.atlas.update(0.0)
    stage.traveller = Traveller(
        stage.atlas,
        LITTLE,
        Place("ledge", np.array([0.5, 0, 0.3])),
        Goal(Place("tray", np.zeros(3))),
    )
    flown = []

    def watch(stage: Stage) -> None:
        if stage.traveller.figure.state is State.FLIES:
            state["stopped"] = True
            flown.append(stage.time)

    traveller = stage.run(12, watch)
    assert flown
    assert traveller.figure.state in (State.STANDS, State.LIES)
    assert traveller.figure.counts.falls + traveller.figure.counts.jumps >= 1
    assert traveller.figure.point[2] > -0.01


def test_nobody_gets_stuck_in_what_falls_onto_them() -> None:
    stage = Stage(
        {"crate": (_crate("crate", (0.6, 0.6, 0.6)),
                   lambda t: np.array([-1.0, 0, max(0.3, 4.0 - 5 * t)]))},
        (-3, 0, 0), (3, 0, 0),
    )  # fmt: skip
    traveller = stage.run(15)
    assert traveller.arrived


def test_the_edge_of_something_that_leans_over_a_foot_is_no_ground_to_fall_off() -> None:
    """A thin plate on its edge, leaning over the spot: what is below it still carries."""
    floor = Body(name="floor", mesh=slab((4, 4, 0.2)))
    lean = rotations.from_rotation_vector(np.array([0.0, 1.3, 0.0]))
    leaning = Static(Pose((0, 0, 0), lean))
    plate = Body(name="plate", mesh=box((0.1, 0.5, 0.004)), trajectory=leaning)
    figure = Figure(World([floor, plate]), Skills.of(LITTLE.capabilities),
                    Place("floor", np.zeros(3)), 0.0, 0.0, 1.0)  # fmt: skip
    ground = figure.world.support(figure.point, 0.0, up=0.1, down=0.1)
    assert float(ground.slope) > 1.0
    for k in range(30):
        figure.go(None, (k + 1) / 60)
    assert figure.state is State.STANDS
    assert figure.counts.falls == 0


def test_who_lands_on_what_is_too_steep_slides_off_and_falls_once() -> None:
    wedge = Mesh(
        np.array([[-1, -2, 0], [1, -2, 0], [-1, 2, 0], [1, 2, 0], [-1, -2, 2.4], [-1, 2, 2.4]]),
        np.array([[0, 2, 1], [1, 2, 3], [0, 4, 2], [2, 4, 5], [0, 1, 4], [2, 5, 3], [1, 3, 4],
                  [3, 5, 4]]),
    )  # fmt: skip
    world = World([Body(name="floor", mesh=slab((9, 9, 0.2))), Body(name="wedge", mesh=wedge)])
    figure = Figure(world, Skills.of(LITTLE.capabilities), Place("floor", np.array([0.0, 0, 1.8])),
                    0.0, 0.0, 0.5)  # fmt: skip
    figure.jump("wedge", np.zeros(3))
    for k in range(300):
        if figure.busy:
            figure.advance((k + 1) / 60)
        else:
            figure.go(None, (k + 1) / 60)
    # At its foot, where a step down is the floor.
    assert figure.state is State.STANDS
    assert figure.point[0] > 0.85
    assert figure.point[2] < LITTLE.capability("walk").step_height
    assert figure.counts.falls == 1


def test_falling_where_nothing_is_to_land_on_is_told() -> None:
    stage = _on_cart(lambda _: np.array([0.0, 0, 5.0]))
    stage.world.remove("floor")
    stage.feed.remove("cart")
    stage.ways.clear()
    traveller = stage.run(8)
    assert traveller.lost
    assert "nothing is to land on" in traveller.plan().status.message


def test_frames_that_are_not_finite_hurt_nobody() -> None:
    stage = _on_cart(lambda t: np.array([0.3 * t if t % 0.5 < 0.4 else np.nan, 0, 0.4]))
    traveller = stage.run(6)
    assert traveller.arrived
    assert stage.feed.counts["not finite"] > 4
    assert np.isfinite(traveller.figure.point).all()


@pytest.mark.parametrize("count", [300, pytest.param(1000, marks=pytest.mark.slow)])
def test_many_objects_at_once(count: int) -> None:
    rng = np.random.default_rng(4)
    spots = rng.uniform(-5.5, 5.5, (count, 2))
    falling = {
        f"brick {k}": (
            _crate(f"brick {k}", (0.3, 0.2, 0.15)),
            lambda t, k=k: np.array([*spots[k], max(0.075, 3.0 + 6.0 * k / count - 5 * t)]),
        )
        for k in range(count)
    }
    stage = Stage(falling, (-5.7, -5.7, 0), (5.7, 5.7, 0))
    traveller = stage.run(30)
    assert not traveller.lost
    assert np.isfinite(traveller.figure.point).all()


def test_a_way_to_what_is_forgotten_meanwhile_is_given_up() -> None:
    """A ferry leaves for good while somebody is still on the way to it."""
    floor = Body(name="floor", mesh=slab((12, 2, 0.2)))

    def way(t: float) -> np.ndarray:
        return np.array([6.8 + max(0.0, 3.0 * (t - 2.0)), 0, 0])

    stage = Stage({"ferry": (Body(name="ferry", mesh=slab((1, 1, 0.1))), way)}, (-5, 0, 0),
                  (5, 0, 0), floor)  # fmt: skip
    stage.world.add(Body(name="far", mesh=slab((2, 2, 0.2), (30.0, 0, 0))))
    settings = TopologySettings(watch=0.0, forget=0.5, min_valid=0.0, max_relative_speed=9.0)
    stage.atlas = Atlas(stage.world, LITTLE.capabilities, settings)
    stage.atlas.update(0.0)
    stage.traveller = Traveller(stage.atlas, LITTLE, Place("floor", np.array([-5.0, 0, 0])),
                                Goal(Place("ferry", np.zeros(3))))  # fmt: skip
    led = []
    traveller = stage.run(8, lambda s: led.append(s.traveller.way is not None))
    assert any(led)
    assert traveller.way is None
    assert traveller.figure.state is State.STANDS


# --- the planner ---------------------------------------------------------------------------------


def _problem(seed: int, goal: str = "goal") -> Problem:
    world, places = disconnected.made(seed)
    return Problem(world=world, character=LITTLE, start=places["start"],
                   goal=Goal(places[goal]), horizon=150.0)  # fmt: skip


def test_surfaces_that_are_never_all_connected_are_crossed() -> None:
    problem = _problem(0)
    plan = Topology(TopologySettings(watch=20.0)).plan(problem)
    assert plan
    assert plan.statistics["jumps"] >= 6
    check = plan.check(problem.world)
    assert check, str(check)
    assert plan.planner == "topology"
    # The same again, to the same bits.
    assert Topology(TopologySettings(watch=20.0)).plan(problem) == plan


def test_no_future_is_looked_at() -> None:
    """Two worlds alike until a moment: what is done until then is the same."""
    problem = _problem(1)
    moment, bodies = 6.0, []
    for body in problem.world:
        way = body.trajectory
        if way.moving:
            times = np.linspace(-20.0, moment, 60 * 26 + 1)
            positions, turned = way.poses(times)
            last = positions[-1] + np.array([0.0, 0.0, -5.0])
            way = Keyframed(np.append(times, moment + 3.0), np.vstack([positions, last]),
                            np.vstack([turned, turned[-1]]))  # fmt: skip
        bodies.append(body.moved(way))
    other = World(bodies)
    changed = Problem(world=other, character=LITTLE, start=problem.start, goal=problem.goal,
                      horizon=moment + 1.0)  # fmt: skip
    settings = TopologySettings(watch=20.0)
    plans = [Topology(settings).plan(p) for p in (problem, changed)]
    times = np.arange(0.0, moment - 0.05, 0.05)
    tracks = [plan.track(times, problem.world)[0] for plan in plans]
    np.testing.assert_allclose(tracks[0], tracks[1], atol=0.005)


def test_the_planner_is_found_by_name_and_refuses_what_it_cannot() -> None:
    from surefoot.planning import planners

    made = planners.make("topology", {"watch": 5.0, "min_valid": 1.0})
    assert isinstance(made, Topology)
    with pytest.raises(ProblemError, match="rate"):
        planners.make("topology", {"rate": 0.0})
    problem = _problem(0)
    region = Problem(world=problem.world, character=LITTLE, start=problem.start,
                     goal=sf.Region(body="island 9"))  # fmt: skip
    with pytest.raises(ProblemError, match="goes to a place"):
        Topology().plan(region)
    with pytest.raises(ProblemError, match="TopologySettings"):
        Topology(3)  # type: ignore[arg-type]


def test_planning_can_be_stopped_and_tells_how_far_it_is() -> None:
    told: list[tuple[str, float]] = []
    plan = Topology(TopologySettings(watch=2.0)).plan(
        _problem(0), progress=lambda stage, share: told.append((stage, share)),
        cancel=lambda: len(told) > 20,
    )  # fmt: skip
    assert not plan
    assert plan.status.outcome is Outcome.CANCELLED
    assert {stage for stage, _ in told} == {"watching", "going"}


def test_a_journey_is_told_in_the_world_that_happened() -> None:
    world, places = disconnected.made(0)
    shown = Played(world, start=-20.0, watching=Watching(ahead=1.5))
    traveller = travel(
        shown, LITTLE, places["start"], Goal(places["goal"]),
        settings=TopologySettings(watch=20.0), seconds=12.0,
    )  # fmt: skip
    happened = shown.recording()
    plan = traveller.plan(happened)
    known = Assumed(plan.assumes)
    carried = [segment for segment in plan.segments if known.moves(segment.frame)]
    assert carried, "a shuttle carries it by then"
    for segment in carried:
        for t in (segment.start, segment.end):
            place = segment.place(t)
            np.testing.assert_allclose(
                known.point(place, t), happened.position(place, t), atol=1e-9
            )
    # What was only seen as it passed is not claimed to have been anywhere.
    assert not any(assumed.moves for assumed in traveller.plan().assumes)
