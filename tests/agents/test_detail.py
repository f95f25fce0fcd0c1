"""Who is far from all who watch is done with less work; who is near is done as ever."""

from __future__ import annotations

import numpy as np
import pytest

from agents.conftest import DT
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Detail, Entrant, Recording
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.world import Body, World, primitives

VIEWER = np.array([[0.0, 0.0, 1.7]])
LEVELS = {"near": 4.0, "far": 9.0, "sparse": 4}


def rows(adult, planner=None, **settings) -> Crowd:
    """Three who walk side by side: near, in between and far."""
    floor = World([Body(name="floor", mesh=primitives.slab((40.0, 40.0, 0.5)))], name="floor")
    return Crowd(
        floor,
        [Entrant(adult, (-2.0, y, 0.0), goal=(12.0, y, 0.0)) for y in (0.0, 6.0, 12.0)],
        planner=planner,
        settings=CrowdSettings(**(LEVELS | settings)),
    )


def test_levels_go_by_the_nearest_viewer(adult):
    crowd = rows(adult, Discs)
    assert crowd.details() == (Detail.NEAR,) * 3
    crowd.view_from(VIEWER)
    assert crowd.details() == (Detail.NEAR, Detail.BETWEEN, Detail.FAR)
    crowd.view_from([[0.0, 0.0, 1.7], [-2.0, 12.0, 5.0]])
    assert crowd.details() == (Detail.NEAR, Detail.BETWEEN, Detail.NEAR)
    crowd.view_from([])
    assert crowd.details() == (Detail.NEAR,) * 3


def test_near_ones_are_posed_as_if_nobody_were_far(adult):
    plain, viewed = rows(adult), rows(adult, far_horizon=8)
    for _ in range(90):
        viewed.view_from(VIEWER)
        plain.step(1 / 60)
        viewed.step(1 / 60)
        mine, theirs = viewed.poses(), plain.poses()
        level = viewed.details()
        for row in range(3):
            if level[row] is Detail.NEAR:
                assert np.array_equal(mine.root[row], theirs.root[row])
                assert np.array_equal(mine.rotations[row], theirs.rotations[row])
    assert level == (Detail.NEAR, Detail.BETWEEN, Detail.FAR)


def test_those_in_between_are_posed_now_and_then_and_carried_along(adult):
    plain, viewed = rows(adult), rows(adult, far_horizon=8)
    viewed.view_from(VIEWER)
    exact, off = 0, []
    for _ in range(80):
        plain.step(1 / 60)
        viewed.step(1 / 60)
        mine, theirs = viewed.poses(), plain.poses()
        exact += np.array_equal(mine.rotations[1], theirs.rotations[1])
        off.append(np.linalg.norm(mine.root[1] - theirs.root[1]))
    # The first frame and every fourth; and never far off in those between.
    assert exact == 1 + 80 // 4
    assert max(off) < 0.05
    assert max(off) > 0.0


def test_far_ones_stand_upright_where_their_plans_have_them(adult):
    crowd = rows(adult)
    crowd.view_from(VIEWER)
    for _ in range(110):
        crowd.step(1 / 60)
    poses, (spots, headings) = crowd.poses(), crowd.spots()
    assert spots[2, 0] > -1.5
    assert np.allclose(poses.root[2, :2], spots[2, :2])
    assert poses.root[2, 2] == pytest.approx(adult.measures.leg_length)
    assert np.allclose(poses.rotations[2, 0], rotations.from_yaw(headings[2]))
    assert (poses.rotations[2, 1:] == rotations.IDENTITY).all()


def test_who_is_not_near_is_planned_less_far_ahead(adult):
    crowd = rows(adult, Discs, horizon=6, far_horizon=2, nodes=400, asking=0)
    crowd.view_from(VIEWER)
    crowd.step(DT)
    ahead = [len(crowd.plans()[agent].actions) for agent in crowd.agents]
    assert ahead == [6, 2, 2]


def test_who_comes_nearer_is_posed_in_full_again(adult):
    crowd, plain = rows(adult, far_horizon=8), rows(adult)
    for frame in range(60):
        crowd.view_from(VIEWER if frame < 40 else [[0.0, 12.0, 1.7]])
        crowd.step(1 / 60)
        plain.step(1 / 60)
        mine, theirs = crowd.poses(), plain.poses()
    assert crowd.details()[2] is Detail.NEAR
    assert np.array_equal(mine.rotations[2], theirs.rotations[2])


def test_a_viewed_run_is_replayed_to_the_same_bits(adult, tmp_path):
    crowd = rows(adult, far_horizon=3)
    crowd.view_from(VIEWER)
    shown = [crowd.poses()]
    for frame in range(40):
        if frame % 10 == 5:
            crowd.view_from([[0.3 * frame, 0.2 * frame, 1.7]])
        crowd.step(1 / 60)
        shown.append(crowd.poses())
    path = tmp_path / "run.json"
    crowd.recording().save(path)
    for poses, again in zip(shown, Recording.load(path).replay(), strict=True):
        mine = again.poses()
        assert np.array_equal(mine.root, poses.root)
        assert np.array_equal(mine.rotations, poses.rotations)
        assert np.array_equal(mine.contacts, poses.contacts)
    assert again.digest == crowd.digest


def test_who_leaves_is_forgotten(adult):
    crowd = rows(adult)
    crowd.view_from(VIEWER)
    crowd.step(DT)
    assert len(crowd.poses().root) == 3
    crowd.remove(1)
    crowd.add(adult, (-2.0, 7.0, 0.0))
    crowd.step(DT)
    assert len(crowd.poses().root) == 3
    assert len(crowd.poses([3]).root) == 1


@pytest.mark.parametrize(
    ("viewers", "settings", "message"),
    [
        ([[0.0, np.nan, 0.0]], {}, "finite"),
        ([[0.0, 0.0, 0.0]], {"near": 5.0, "far": 4.0}, r"far \(4\) must be at least near"),
        ([[0.0, 0.0, 0.0]], {"sparse": 0}, "sparse must be a whole number"),
    ],
)
def test_bad_viewers_and_settings_are_refused(floor, viewers, settings, message):
    with pytest.raises(InputError, match=message):
        Crowd(floor, settings=CrowdSettings(**settings), planner=Discs).view_from(viewers)
