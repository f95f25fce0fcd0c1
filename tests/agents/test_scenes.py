"""The built-in crowd scenes: well posed for any seed, and played to their end by walking discs."""

from __future__ import annotations

import numpy as np
import pytest

from references.discs import Discs
from surefoot.agents import CrowdSettings, scenes
from surefoot.agents.collisions import find_touches
from surefoot.agents.play import play
from surefoot.agents.scores import score
from surefoot.errors import InputError
from surefoot.planning import standing

QUICK = CrowdSettings(nodes=60, least_nodes=20, frame_nodes=240, horizon=6)


@pytest.mark.parametrize("name", scenes.names())
@pytest.mark.parametrize("seed", [0, 7])
def test_everybody_stands_and_nobody_stands_in_another(name, seed):
    scene = scenes.load(name, seed=seed)
    starts = np.array([walker.place.position for walker in scene.walkers])
    gaps = np.hypot(*(starts[:, None] - starts[None])[..., :2].transpose(2, 0, 1))
    np.fill_diagonal(gaps, np.inf)
    assert gaps.min() > 0.75
    for walker in scene.walkers:
        skill = walker.character.capability("walk")
        assert standing.why_not(scene.world, walker.place.position, 0.0, skill) == ""
        for goal in walker.goals:
            assert standing.why_not(scene.world, goal.place.position, 0.0, skill) == ""
    assert scene.density == pytest.approx(len(scene.walkers) / scene.area)


def test_seeds_make_scenes_different_and_the_same():
    one, two, again = (scenes.load("corridor", seed=seed) for seed in (1, 2, 1))
    places = [[walker.place for walker in scene.walkers] for scene in (one, two, again)]
    assert places[0] != places[1]
    assert places[0] == places[2]


def test_as_many_come_as_are_asked_for():
    for name in scenes.names():
        assert len(scenes.load(name, agents=40).walkers) == 40


def test_unknown_scenes_are_refused():
    with pytest.raises(InputError, match="unknown crowd scene 'forum'; there are: antipodal"):
        scenes.load("forum")
    with pytest.raises(InputError, match="at least 1"):
        scenes.load("door", agents=0)


@pytest.mark.parametrize("name", ["four crossing", "two moving obstacles", "dragged wall"])
def test_scenes_are_played_to_their_end(name):
    played = play(scenes.load(name), planner=Discs, settings=QUICK, dt=0.1)
    assert played.arrived == len(played.scene.walkers)
    assert played.crowd.t < played.scene.duration
    touches = find_touches(played.film)
    assert touches.contacts == ()
    scores = score(played.film, touches)
    assert scores.arrived == 1.0
    assert scores.collisions == 0
    assert scores.mean("distance") >= 7.0
    # Discs go 1.3 m/s or stand.
    assert scores.mean("time") >= scores.mean("distance") / 1.3 - 0.2
    walked = scores.mean("distance") / 1.3
    effort = 2.23 * scores.mean("time") + 1.26 * 1.3**2 * walked
    assert scores.mean("effort") == pytest.approx(effort, rel=0.05)
    assert "composite01" in scores.table()
