from __future__ import annotations

import re
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

from surefoot.character import Character
from surefoot.errors import FileError, ProblemError
from surefoot.math import Pose
from surefoot.planning import AnyOf, Goal, Limits, Problem, Region, costs
from surefoot.planning.standing import can_stand, nearest, why_not
from surefoot.world import Body, Function, Keyframed, Place, Static, World
from surefoot.world.primitives import box, ramp, slab


def here(x: float, y: float = 0.0, z: float = 0.0, body: str | None = None) -> Place:
    return Place(body, np.array([x, y, z]))


@pytest.fixture
def room(floor: World) -> World:
    """The floor, a pillar, a steep ramp, and a shelf that nobody fits under."""
    floor.add(Body(name="pillar", mesh=box((1.0, 1.0, 2.5), (4.0, 0.0, 1.25))))
    floor.add(Body(name="shelf", mesh=box((2.0, 2.0, 0.1), (-4.0, 0.0, 1.0))))
    steep = ramp(1.0, 2.0, 0.9).transformed(Pose.at(0.0, 6.0))
    floor.add(Body(name="roof", mesh=steep, tags={"steep": True}))
    return floor


def problem(world: World, adult: Character, **fields: object) -> Problem:
    usual = {"world": world, "character": adult, "start": here(0.0), "goal": Goal(here(2.0))}
    return Problem(**(usual | fields))


def test_a_good_problem(room: World, adult: Character) -> None:
    found = problem(room, adult, start_time=3, horizon=10, capabilities=["walk", "run"])
    assert found.end_time == 13.0
    assert list(found.skills) == ["walk", "run"]
    assert list(problem(room, adult).skills) == list(adult.capabilities)
    assert found.cost == costs.time()
    assert found.limits == Limits()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"start": here(4.0)},
            r"start \(4.00, 0.00, 0.00\) is inside 'pillar', or too close to it",
        ),
        ({"start": here(3.3)}, "is inside 'pillar', or too close to it to walk"),
        ({"start": here(0.0, 0.0, 1.5)}, "is in mid-air: the nearest ground is 1.50 m below"),
        ({"start": here(30.0)}, "is in mid-air: there is no ground below; there is no place"),
        ({"start": here(0.5, 6.0, 0.45)}, "slope of 'roof' of 0.73 rad, more than the 0.61 rad"),
        ({"cost": "time"}, r"cost: expected a Cost such as sf.costs.time\(\), got 'time'"),
        ({"limits": {"nodes": 5}}, "limits: expected a Limits, got {'nodes': 5}"),
        ({"start": here(0.0, body="moon")}, "start: unknown body 'moon'; there are: floor, pillar"),
        ({"goal": Goal(here(0.0, body="moon"))}, "goal: unknown body 'moon'; there are: floor"),
        ({"goal": Goal(here(12.0))}, r"goal \(12.00, 0.00, 0.00\) has no floor; the nearest place"),
        ({"goal": AnyOf((Goal(here(1.0)), Goal(here(99.0))))}, r"goal \(99.00.* has no floor"),
        ({"goal": Region(body="moon")}, "goal: unknown body 'moon'"),
        ({"goal": Region(tag="exit")}, "goal: unknown tag 'exit'; there are: steep"),
        ({"goal": Goal(here(1.0), arrive=(70.0, 80.0))}, "outside the plan's 0 s to 60 s"),
        ({"goal": Goal(here(1.0), arrive=(-5.0, -1.0))}, "between -5 s and -1 s, outside"),
        ({"capabilities": ("walk", "fly")}, "unknown capability 'fly'; there are: crouch, jump"),
        ({"capabilities": ()}, "no capability allowed; there are: walk, run, crouch, jump"),
        ({"cost": costs.prefer("fly")}, "cost: unknown capability 'fly'; there are: crouch"),
        ({"horizon": 0.0}, "horizon must be greater than 0"),
        ({"horizon": -1.0}, "horizon must be greater than 0"),
        ({"horizon": inf}, "horizon must be finite"),
        ({"start_time": nan}, "start_time must be finite"),
        ({"start_time": "noon"}, "start_time must be a number, got 'noon'"),
        ({"start_heading": nan}, "start_heading must be finite"),
    ],
)
def test_bad_problems_say_what_and_where(
    room: World, adult: Character, fields: dict[str, object], message: str
) -> None:
    with pytest.raises(ProblemError, match=message):
        problem(room, adult, **fields)


def test_errors_offer_a_place_that_works(room: World, adult: Character) -> None:
    with pytest.raises(
        ProblemError, match=r"the nearest place to stand is \(.*\) on floor"
    ) as error:
        problem(room, adult, start=here(4.0))
    offered = str(error.value).rsplit("(", 1)[1].split(")")[0]
    x, y, z = (float(number) for number in offered.split(","))
    assert problem(room, adult, start=here(x, y, z))
    assert max(abs(x - 4.0), abs(y)) < 1.3


def test_whoever_can_crouch_may_start_low(room: World, adult: Character) -> None:
    room.add(Body(name="table", mesh=box((2.0, 2.0, 0.1), (0.0, -4.0, 1.4))))
    assert problem(room, adult, start=here(0.0, -4.0))
    with pytest.raises(ProblemError, match="is inside 'table', or too close to it to walk"):
        problem(room, adult, start=here(0.0, -4.0), capabilities=["walk"])


def test_a_goal_may_have_its_floor_later(floor: World, adult: Character) -> None:
    ferry = Keyframed([0.0, 10.0, 20.0], [[40, 0, 0], [12, 0, 0], [40, 0, 0]])
    floor.add(Body(name="ferry", mesh=slab((4.0, 4.0, 0.2)), trajectory=ferry))
    assert problem(floor, adult, goal=Goal(here(12.0)))
    assert problem(floor, adult, goal=Goal(here(0.0, body="ferry")))
    with pytest.raises(ProblemError, match="has no floor"):
        problem(floor, adult, goal=Goal(here(12.0), arrive=(0.0, 2.0)))


def test_the_start_is_looked_at_when_it_is_left(yard: World, adult: Character) -> None:
    assert problem(yard, adult, start=here(5.0, 0.0, 3.0), start_time=10.0)
    with pytest.raises(ProblemError, match="is in mid-air"):
        problem(yard, adult, start=here(5.0, 0.0, 3.0), start_time=0.0)
    assert problem(yard, adult, start=here(0.0, body="lift"), start_time=5.0)


def test_problems_round_trip_to_the_same_bits(
    yard: World, adult: Character, tmp_path: Path
) -> None:
    goal = AnyOf((Goal(here(2.0), heading=0.1), Region(body="deck")))
    given = problem(
        yard,
        adult,
        goal=goal,
        cost=costs.time() + 0.3 * costs.avoid("road"),
        limits=Limits(nodes=7),
        capabilities=("walk",),
        start_heading=0.1 + 0.2,
    )
    given.save(tmp_path / "a.json")
    back = Problem.load(tmp_path / "a.json")
    back.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert back.world == given.world
    assert back.limits == given.limits
    assert back.cost == given.cost
    assert back.character.capabilities == adult.capabilities


def test_a_problem_file_is_checked_like_any_problem(
    yard: World, adult: Character, tmp_path: Path
) -> None:
    path = tmp_path / "a.json"
    problem(yard, adult).save(path)
    path.write_text(
        path.read_text().replace('"horizon": 60.0,\n "limits"', '"horizon": 0,\n "limits"')
    )
    with pytest.raises(FileError, match=r"a\.json: horizon must be greater than 0"):
        Problem.load(path)


def test_what_no_file_can_hold_is_named(yard: World, adult: Character, tmp_path: Path) -> None:
    yard.move("lift", Function(lambda t: Pose.at(5.0, 0.0, 0.1 * t), horizon=9.0, max_speed=1.0))
    with pytest.raises(FileError, match=r"'lift'.trajectory: .*sampled") as error:
        problem(yard, adult).save(tmp_path / "a.json")
    assert "a.json: world." in str(error.value)
    assert not list(tmp_path.iterdir())


def test_limits_are_counts() -> None:
    assert Limits(nodes=5).nodes == 5
    for bad in (0, -1, 2.5, True, "many"):
        with pytest.raises(ProblemError, match=r"limits\.evaluations must be a whole number > 0"):
            Limits(evaluations=bad)


def test_standing_is_asked_for_many_points_at_once(room: World, adult: Character) -> None:
    walk = adult.capability("walk")
    rng = np.random.default_rng(2)
    points = rng.uniform([-10.5, -10.5, -0.5], [10.5, 10.5, 0.5], (300, 3))
    good = can_stand(room, points, 0.0, walk)
    assert 50 < good.sum() < 250
    for point, fine in zip(points, good, strict=True):
        assert bool(why_not(room, point, 0.0, walk)) is not fine


def test_nearest_finds_something_or_nothing(room: World, adult: Character) -> None:
    skills = list(adult.capabilities.values())
    rng = np.random.default_rng(4)
    for point in rng.uniform([-9, -9, -1], [9, 9, 4], (60, 3)):
        place = nearest(room, point, 0.0, skills)
        assert place is not None
        found = room.position(place, 0.0)
        assert any(not why_not(room, found, 0.0, skill) for skill in skills)
    assert nearest(room, np.array([500.0, 0.0, 0.0]), 0.0, skills) is None
    below = nearest(room, np.array([0.0, 0.0, 9.0]), 0.0, skills)
    assert below == here(0.0, body="floor")


def test_errors_give_world_coordinates(room: World, adult: Character) -> None:
    """A point in the frame of a body cannot be given as a start again."""
    away = box((6.0, 6.0, 0.2), (0.0, 0.0, -0.1))
    room.add(Body(name="terrace", mesh=away, trajectory=Static(Pose.at(20.0, 0.0, 1.0))))
    room.add(Body(name="post", mesh=box((0.4, 0.4, 2.0), (20.0, 0.0, 2.0))))
    with pytest.raises(ProblemError) as error:
        problem(room, adult, start=here(0.3, body="terrace"), goal=Goal(here(0.0)))
    text = str(error.value)
    assert text.startswith("start (20.30, 0.00, 1.00) on terrace is inside 'post'")
    found = re.search(r"the nearest place to stand is \((.*?), (.*?), (.*?)\) on terrace$", text)
    assert found is not None
    again = problem(room, adult, start=[float(x) for x in found.groups()], goal=Goal(here(0.0)))
    assert again.start.body == "terrace"


def test_a_world_without_bodies(adult: Character) -> None:
    with pytest.raises(ProblemError, match="start: the world is empty: it has no body to stand on"):
        Problem(world=World(), character=adult, start=(0, 0, 0), goal=(1, 0, 0))
