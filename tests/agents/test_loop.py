"""The laws of the live loop, proved on walking discs."""

from __future__ import annotations

import numpy as np
import pytest

from agents.conftest import DT, clear_of_each_other, run, wall
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Entrant
from surefoot.errors import InputError, ProblemError


def test_all_arrive_and_plans_stay_clear(crossing):
    crowd = crossing()
    for _ in range(300):
        crowd.step(DT)
        assert clear_of_each_other(crowd)
        if crowd.done:
            break
    assert crowd.done
    spots, _ = crowd.spots()
    goals = np.array([(-4.0, 0.0), (0.0, -4.0), (4.0, 0.0), (0.0, 4.0)])
    assert np.hypot(*(spots[:, :2] - goals).T).max() <= 0.25


def test_nobody_jumps_when_plans_are_exchanged(crossing):
    crowd = crossing()
    before, _ = crowd.spots()
    taken = 0
    for _ in range(80):
        taken += len(crowd.step(DT).taken)
        now, _ = crowd.spots()
        assert np.hypot(*(now - before)[:, :2].T).max() <= 1.3 * DT + 1e-9
        before = now
    assert taken > 8


def test_a_new_plan_starts_where_an_action_ends(crossing):
    crowd = crossing()
    run(crowd, 1.0)
    for _ in range(30):
        old, t = crowd.plans(), crowd.t
        frame = crowd.step(DT)
        for agent in frame.taken:
            was, now = old[agent], crowd.plans()[agent]
            ends = [float(end) for end in np.append(was.actions, was.end) if end > t]
            until = ends[0] if ends else t
            times = np.linspace(t, until, 7)
            assert np.array_equal(was.spots(times)[0], now.spots(times)[0])


def test_threads_do_not_change_a_bit(crossing):
    one = crossing()
    run(one, 60 * DT)
    for threads in (2, 3):
        many = crossing(threads=threads)
        run(many, 60 * DT)
        assert many.t == one.t
        assert one.digest == many.digest
        assert np.array_equal(one.spots()[0], many.spots()[0])
        for a, b in zip(one.plans().values(), many.plans().values(), strict=True):
            assert np.array_equal(a.times, b.times)
            assert np.array_equal(a.points, b.points)


def test_of_two_new_plans_that_collide_the_lower_id_is_taken_up(floor, adult):
    # Side by side, both want the same spot; each plans as if the other stayed.
    crowd = Crowd(
        floor,
        [
            Entrant(adult, (0.0, -0.6, 0.0), goal=(1.0, 0.0, 0.0)),
            Entrant(adult, (0.0, 0.6, 0.0), goal=(1.0, 0.0, 0.0)),
        ],
        planner=Discs,
        settings=CrowdSettings(nodes=200, frame_nodes=2000, patience=1),
    )
    frame = crowd.step(DT)
    assert frame.asked == (0, 1)
    assert frame.taken == (0,)
    assert frame.refused == (1,)
    assert clear_of_each_other(crowd)
    # Who was refused is asked again at once.
    assert 1 in crowd.step(DT).asked


def test_somebody_removed_while_others_plan_around_it(crossing):
    crowd = crossing()
    run(crowd, 1.2)
    crowd.remove(2)
    assert crowd.agents == (0, 1, 3)
    assert len(crowd.poses().root) == 3
    run(crowd, 30.0)
    assert crowd.done
    with pytest.raises(InputError, match="unknown agent 2; there are: 0, 1, 3"):
        crowd.goal(2, (0.0, 0.0, 0.0))


def test_nobody_comes_where_somebody_is(floor, adult):
    crowd = Crowd(floor, [Entrant(adult, (0.0, 0.0, 0.0))], planner=Discs)
    with pytest.raises(ProblemError, match="taken: agent 0"):
        crowd.add(adult, (0.3, 0.0, 0.0))
    assert crowd.agents == (0,)
    assert crowd.add(adult, (0.7, 0.0, 0.0)) == 1


def test_nobody_comes_into_a_wall_or_mid_air(floor, adult):
    floor.add(wall("wall", 2.0, 0.0))
    crowd = Crowd(floor, planner=Discs)
    with pytest.raises(ProblemError, match="inside 'wall'"):
        crowd.add(adult, (2.2, 0.0, 0.0))
    with pytest.raises(InputError, match="mid-air"):
        crowd.add(adult, (50.0, 0.0, 0.0))
    with pytest.raises(InputError, match="mid-air"):
        crowd.goal(crowd.add(adult, (0.0, 0.0, 0.0)), (50.0, 0.0, 0.0))


def test_who_comes_onto_somebodys_way_is_gone_round(floor, adult):
    crowd = Crowd(
        floor,
        [Entrant(adult, (-3.0, 0.0, 0.0), goal=(3.0, 0.0, 0.0))],
        planner=Discs,
        settings=CrowdSettings(nodes=300, actions=50, expiry=100.0, horizon=20),
    )
    crowd.step(DT)
    assert crowd.plans()[0].reached
    crowd.add(adult, (0.0, 0.0, 0.0))
    assert not clear_of_each_other(crowd)
    crowd.step(DT)
    assert clear_of_each_other(crowd)
    run(crowd, 20.0)
    assert crowd.done


def test_goals_that_cannot_be_reached_are_reported_and_nobody_is_in_the_wall(floor, adult):
    for x, y, size in ((3.0, 0.0, (0.3, 2.3, 2.0)), (5.0, 0.0, (0.3, 2.3, 2.0))):
        floor.add(wall(f"wall {x}", x, y, size))
    for y in (-1.0, 1.0):
        floor.add(wall(f"side {y}", 4.0, y, (2.0, 0.3, 2.0)))
    crowd = Crowd(
        floor,
        [Entrant(adult, (0.0, 0.0, 0.0), goal=(4.0, 0.0, 0.0))],
        planner=Discs,
        settings=CrowdSettings(nodes=60, frame_nodes=60),
    )
    for _ in range(60):
        crowd.step(DT)
    assert not crowd.done
    assert "left" in crowd.why(0)
    # It does not try in every frame.
    assert len([frame for frame in crowd.frames[30:] if frame.asked]) < 15
    crowd.goal(0, None)
    run(crowd, 5.0)
    assert crowd.done


def test_nothing_happens_in_an_empty_crowd(floor):
    crowd = Crowd(floor, planner=Discs)
    crowd.step(DT)
    assert crowd.done
    assert crowd.poses().root.shape == (0, 3)


def test_bad_steps_and_settings_are_refused(floor):
    crowd = Crowd(floor, planner=Discs)
    for dt in (0.0, -1.0, np.nan, "soon"):
        with pytest.raises(InputError, match="dt"):
            crowd.step(dt)
    with pytest.raises(InputError, match="horizon must be a whole number > 0, got 0"):
        CrowdSettings(horizon=0)
    with pytest.raises(InputError, match="view must be greater than 0"):
        CrowdSettings(view=-1.0)
    with pytest.raises(InputError, match="least_nodes"):
        CrowdSettings(nodes=10, least_nodes=20)
