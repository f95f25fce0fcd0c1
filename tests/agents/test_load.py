"""Too many for a frame: it holds its nodes, plans look less far ahead, and the crowd says so."""

from __future__ import annotations

import numpy as np
import pytest

from agents.conftest import DT
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Entrant, Event
from surefoot.agents.nearby import Nearby
from surefoot.errors import InputError, ProblemError
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.world import Body, World, primitives


def lattice(count: int, apart: float) -> np.ndarray:
    side = int(np.ceil(count**0.5))
    rows = np.arange(count)
    spots = np.stack([rows % side, rows // side, 0 * rows], axis=1) * apart
    return spots - spots.mean(axis=0) * [1, 1, 0]


def room(side: float) -> World:
    return World([Body(name="floor", mesh=primitives.slab((side, side, 0.5)))], name="room")


@pytest.fixture(scope="module", params=[1_500, pytest.param(10_000, marks=pytest.mark.slow)])
def packed(request, adult):
    """So many in a room that holds just them, a metre apart; all want to the other side."""
    spots = lattice(request.param, 1.0)
    people = [
        Entrant(adult, spot, goal=(-spot[0], -spot[1], 0.0), heading=0.3) for spot in spots.tolist()
    ]
    crowd = Crowd(room(104.0), people, settings=CrowdSettings(frame_nodes=600))
    for _ in range(6):
        crowd.step(1 / 60)
    return crowd


def test_a_crowd_in_a_small_room_holds_the_frame(packed):
    report = packed.report()
    assert report.most_waiting == report.agents == len(packed.agents)
    # A look for a way may be dearer than it was taken for; the next frames go without, so only what
    # the last one took too much is not made up for.
    assert 0 < report.nodes <= 600 + (report.most_nodes - 600) / report.frames
    assert report.most_nodes <= 900
    assert report.plans >= 6
    assert report.least_horizon == 1
    assert report.shortened


def test_the_report_says_so_in_words(packed):
    text = str(packed.report())
    assert f"{len(packed.agents)} agents, 6 frames" in text
    assert "there is no time for 8" in text
    assert f"{len(packed.agents)} at most" in text
    assert packed.report(last=1).frames == 1
    with pytest.raises(InputError, match="one frame or more"):
        packed.report(last=0)


def test_they_are_all_served_in_turn(packed):
    asked = [agent for frame in packed.frames for agent in frame.asked]
    # All have the same reason and wait equally long: by id; those alone again who were refused.
    first = list(dict.fromkeys(asked))
    assert first == list(range(len(first)))
    refused = sum(len(frame.refused) for frame in packed.frames[:-1])
    assert len(asked) - len(first) == refused


def test_the_longest_wait_is_that_of_who_has_waited(packed):
    assert [frame.longest for frame in packed.frames] == list(range(6))


def test_starts_that_overlap_are_one_error_that_names_them(adult):
    people = [Entrant(adult, spot) for spot in lattice(10_000, 0.1).tolist()]
    with pytest.raises(ProblemError, match=r"entrant 1: .* is taken: agent 0 is there"):
        Crowd(room(12.0), people, planner=LiveFootsteps)


def test_who_waits_very_long_comes_before_changed_goals(floor, adult):
    """A flood of new goals does not keep somebody from planning whose plan has ended."""
    spots = lattice(16, 1.2).tolist()
    crowd = Crowd(
        floor,
        [Entrant(adult, spot, goal=(spot[0] + 0.5, spot[1], 0.0)) for spot in spots],
        planner=Discs,
        settings=CrowdSettings(
            nodes=20, least_nodes=20, asking=0, frame_nodes=20, patience=2, look=1000
        ),
    )
    for _ in range(40):
        crowd.step(DT)
    crowd._loop.monitor.tell(crowd._loop.members[15], Event.EXPIRED, crowd._loop.frame)
    served = None
    for frame in range(30):
        # Everybody else gets another goal in every frame: more than can be planned for.
        for agent in range(15):
            spot = spots[agent]
            crowd.goal(agent, (spot[0] + 0.3 * (frame % 2), spot[1], 0.0))
        if 15 in crowd.step(DT).asked:
            served = frame
            break
    # One is planned for in each frame: the fifteen who have waited as long, then this one.
    assert served == 15


def test_twice_as_many_at_the_same_density_have_as_many_neighbours():
    few, many = (lattice(n, 3.0) for n in (400, 6400))
    around = [len(Nearby(spots, 5.0).pairs(np.arange(len(spots)), 5.0)[0]) for spots in (few, many)]
    assert around[1] / around[0] == pytest.approx(16.0, rel=0.1)
