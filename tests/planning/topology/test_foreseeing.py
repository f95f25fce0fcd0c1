"""What is expected of bodies that were only watched."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import people
from surefoot.planning import Goal
from surefoot.planning.topology import TopologySettings
from surefoot.planning.topology.foreseeing import History, expect, foreseen
from surefoot.planning.topology.union import travel_with_foresight
from surefoot.world import Body, Keyframed, Observed, Place, Played, Watching, World
from surefoot.world.primitives import slab
from surefoot.world.scenes.disconnected import slide

LITTLE = people.little()


def _shown(seconds: float, **ways: Keyframed) -> tuple[World, Played, History]:
    bodies = [Body(name="island", mesh=slab((2, 2, 0.2)))]
    bodies += [
        Body(name=name, mesh=slab((1, 1, 0.2)), trajectory=way) for name, way in ways.items()
    ]
    known = World(bodies)
    shown = Played(known, watching=Watching(ahead=1.0))
    history = History(shown.world, ways)
    for _ in range(round(seconds * 60)):
        shown.step(1 / 60)
        history.add(shown.time)
    return known, shown, history


def test_what_repeats_itself_is_expected_to_go_on_so() -> None:
    way = slide(np.array([1.7, 0, 0]), np.array([3.5, 0, 0]), 0.6, 1.0, 0.3)
    known, shown, history = _shown(32.0, shuttle=way)
    ahead, expected = foreseen(shown.world, history)
    assert expected["shuttle"].kind == "periodic"
    true_period = float(way.times[-1] - way.times[0])
    assert expected["shuttle"].period == pytest.approx(true_period, abs=0.06)
    later = shown.time + np.linspace(0.0, 30.0, 200)
    off = ahead["shuttle"].trajectory.poses(later)[0] - known["shuttle"].trajectory.poses(later)[0]
    assert np.linalg.norm(off, axis=1).max() < 0.08
    # Without it one would be far off.
    guess = shown.world["shuttle"].trajectory.poses(later)[0]
    assert np.linalg.norm(guess - known["shuttle"].trajectory.poses(later)[0], axis=1).max() > 0.7
    seen = ahead["shuttle"].trajectory
    assert isinstance(seen, Observed)
    assert seen.confidence(shown.time + 5.0) > 0.5
    # It begins where it is.
    np.testing.assert_allclose(
        seen.pose(shown.time).position, shown.world["shuttle"].trajectory.pose(shown.time).position,
        atol=1e-6,
    )  # fmt: skip


def test_rounds_of_uneven_length_are_taken_up_in_step() -> None:
    """A stop that lasted longer shifts all that follows: the last round says by how much."""
    keys, spots, t = [], [], 0.0
    for k in range(14):
        stop = 1.5 if k != 11 else 2.0
        keys += [t, t + stop]
        spots += [[1.7 + 1.8 * (k % 2), 0, 0]] * 2
        t += stop + 3.0
    way = Keyframed(np.array(keys), np.array(spots))
    known, shown, history = _shown(keys[23] + 1.5, shuttle=way)
    expectation = expect(history)["shuttle"]
    assert expectation.kind == "periodic"
    later = shown.time + np.linspace(0.0, 1.4, 20)
    off = expectation.body.trajectory.poses(later)[0] - known["shuttle"].trajectory.poses(later)[0]
    assert np.linalg.norm(off, axis=1).max() < 0.15


def test_what_rests_and_what_nobody_can_tell() -> None:
    rng = np.random.default_rng(6)
    spots = np.cumsum(rng.uniform(-0.6, 0.6, (60, 3)) * np.array([1, 1, 0]), axis=0)
    spots = spots + np.array([2, 0, 0])
    rest = Keyframed([0.0, 2.0, 100.0], [[-2, 0, 0], [-1.7, 0, 0], [-1.7, 0, 0]])
    _, shown, history = _shown(
        30.0, drunk=Keyframed(np.arange(60) * 1.0, spots), boat=rest
    )  # fmt: skip
    ahead, expected = foreseen(shown.world, history)
    assert expected["boat"].kind == "still"
    assert not ahead["boat"].trajectory.moving
    assert expected["drunk"].kind == "unknown"
    assert ahead["drunk"].has("forbidden")


def test_what_goes_evenly_is_expected_to_go_on_for_a_while() -> None:
    way = Keyframed([0.0, 40.0], [[2, 0, 0], [14, 0, 0]])
    known, shown, history = _shown(10.0, cart=way)
    expectation = expect(history)["cart"]
    assert expectation.kind == "steady"
    later = shown.time + np.linspace(0.0, 8.0, 20)
    off = expectation.body.trajectory.poses(later)[0] - known["cart"].trajectory.poses(later)[0]
    assert np.linalg.norm(off, axis=1).max() < 0.02


def test_the_least_period_is_told_and_not_a_multiple_of_it() -> None:
    way = slide(np.array([1.7, 0, 0]), np.array([3.5, 0, 0]), 0.9, 0.4, 0.1)
    _, _, history = _shown(60.0, shuttle=way)
    period = float(way.times[-1] - way.times[0])
    assert expect(history)["shuttle"].period == pytest.approx(period, abs=0.03)


@pytest.mark.slow
def test_a_timed_boarding_through_a_world_that_was_only_watched() -> None:
    from surefoot import control

    adult = people.adult()
    way = slide(np.array([4.3, 0, 0]), np.array([12.7, 0, 0]), 1.2, 2.5, 0.4)
    known = World(
        [
            Body(name="near", mesh=slab((6, 6, 0.4))),
            Body(name="far", mesh=slab((6, 6, 0.4), (17, 0, 0))),
            Body(name="shuttle", mesh=slab((2.2, 2.2, 0.24)), trajectory=way),
        ]
    )
    shown = Played(known, watching=Watching(ahead=1.5))
    goal = Goal(Place("far", np.array([18.0, 0, 0])), tolerance=0.4)
    found = travel_with_foresight(
        shown, adult, Place("near", np.array([-1.0, 0, 0])), goal,
        controllers=control.load(adult), settings=TopologySettings(watch=50.0), seconds=90.0,
    )  # fmt: skip
    assert found.reached
    assert found.missed == 0
    assert found.unforeseen == 0
    assert {"shuttle"} <= {segment.frame for segment in found.segments}
