"""Footholds: on the ground, one foot after the other, beside where the body goes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from surefoot.character.measures import Measures
from surefoot.motion import Stretch, Track, Walker, place_footsteps
from surefoot.motion.footholds import Foothold, Holds
from surefoot.world import World

GROUNDS = [
    "walk",
    "corner",
    "slope up",
    "slope down",
    "stairs up",
    "stairs down",
    "carousel",
    "lift",
]


def _world_positions(walker: Walker) -> np.ndarray:
    holds = Holds(walker.track.world, walker.footholds)
    return holds.frames(np.arange(len(holds)), holds.starts)[0]


@pytest.mark.parametrize("name", GROUNDS)
def test_footholds_lie_on_surfaces(walks: dict[str, Walker], name: str) -> None:
    walker = walks[name]
    for hold, point in zip(walker.footholds, _world_positions(walker), strict=True):
        ground = walker.track.world.support(point, hold.start, up=0.01, down=0.03)
        assert ground.hit, (hold, point)
        assert walker.track.world.names[int(ground.body)] == hold.body


@pytest.mark.parametrize("name", ["slow", "walk", "fast", "corner", "stairs up", "stairs down"])
def test_feet_alternate(walks: dict[str, Walker], name: str) -> None:
    feet = [hold.foot for hold in walks[name].footholds]
    assert all(first != second for first, second in pairwise(feet))


@pytest.mark.parametrize("name", ["walk", "turn round", "stairs down", "carousel"])
def test_one_foot_is_always_on_the_ground(walks: dict[str, Walker], name: str) -> None:
    walker = walks[name]
    times = np.linspace(walker.track.start, walker.track.until, 500)
    standing = sum(((hold.start <= times) & (times <= hold.end)).astype(int) for hold in
                   walker.footholds)  # fmt: skip
    assert standing.min() >= 1


def test_on_stairs_every_step_is_used_once(walks: dict[str, Walker]) -> None:
    for name in ("stairs up", "stairs down"):
        heights = np.round(_world_positions(walks[name])[:, 2] / 0.17).astype(int)
        on_steps = heights[(heights > 0) & (heights < 9)]
        assert np.array_equal(np.sort(on_steps), np.arange(1, 9))


def test_feet_on_stairs_do_not_hang_over_far(walks: dict[str, Walker]) -> None:
    holds = [hold.position for hold in walks["stairs up"].footholds if hold.body == "stairs"]
    # The last step is level with the landing behind it.
    x = np.array([position[0] for position in holds if position[2] < 1.5])
    beside_middle = np.abs((x - 2.0) % 0.28 - 0.14)
    assert beside_middle.max() < 0.075


def test_step_lengths_are_those_of_people(walks: dict[str, Walker]) -> None:
    for name, expected in (("slow", 0.46), ("walk", 0.70), ("fast", 0.95)):
        x = _world_positions(walks[name])[:, 0]
        assert np.diff(x).max() == pytest.approx(expected, abs=0.06)


def test_both_feet_come_to_rest_side_by_side(walks: dict[str, Walker]) -> None:
    last = {hold.foot: hold for hold in walks["walk"].footholds}
    apart = last["left"].position - last["right"].position
    assert np.isinf(last["left"].end)
    assert np.isinf(last["right"].end)
    assert abs(apart[0]) < 0.05
    assert 0.1 < apart[1] < 0.25


def test_a_turn_begins_with_the_foot_on_its_side(walks: dict[str, Walker]) -> None:
    assert walks["turn left"].footholds[2].foot == "left"
    assert walks["turn round"].footholds[2].foot == "right"
    headings = [hold.heading for hold in walks["turn left"].footholds]
    assert max(abs(np.diff(headings))) < np.radians(75)
    assert headings[-1] == pytest.approx(np.pi / 2, abs=0.2)


def test_standing_needs_no_steps(walks: dict[str, Walker]) -> None:
    assert len(walks["stand"].footholds) == 2


def test_feet_on_a_moving_body_are_stored_in_its_frame(walks: dict[str, Walker]) -> None:
    assert {hold.body for hold in walks["carousel"].footholds} == {"platform"}
    assert {hold.body for hold in walks["lift"].footholds} == {"floor", "lift", "deck"}
    x = [hold.position[0] for hold in walks["carousel"].footholds]
    assert min(x) > -1.9
    assert max(x) < 1.5


def test_feet_do_not_land_on_each_other(walks: dict[str, Walker], measures: Measures) -> None:
    for name, walker in walks.items():
        points = _world_positions(walker)
        gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        assert gaps.min() > 0.9 * measures.foot_width, name


def test_the_lead_is_the_users(flat: World, measures: Measures,
                               along: Callable[..., Stretch]) -> None:  # fmt: skip
    track = Track(flat, [along(flat, [(0.0, 0.0), (3.0, 0.0)], 1.2)])
    for lead in ("left", "right"):
        holds = place_footsteps(track, measures, step_height=0.3, lead=lead)
        assert holds[2].foot == lead


def test_bad_footholds_are_refused() -> None:
    good = {"body": None, "position": np.zeros(3), "rotation": np.array([1.0, 0, 0, 0])}
    with pytest.raises(ValueError, match="unknown foot 'middle'"):
        Foothold(foot="middle", start=0.0, end=1.0, **good)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must end after it starts"):
        Foothold(foot="left", start=1.0, end=1.0, **good)  # type: ignore[arg-type]
