"""Crowds whose every foot is planned: they arrive, do not touch, do not slide, do not jump."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from surefoot.agents import CrowdSettings, Event, scenes
from surefoot.agents.collisions import find_touches
from surefoot.agents.play import gather, play
from surefoot.math import rotations

RATE = 60.0


@pytest.fixture(scope="module")
def crossing():
    return play(scenes.load("four crossing"), dt=1 / RATE)


def test_all_arrive_and_nobody_touches_anybody(crossing):
    assert crossing.arrived == 4
    touches = find_touches(crossing.film)
    assert touches.contacts == ()
    assert touches.frames == len(crossing.film)


def test_feet_stay_where_they_are_put(crossing):
    for agent in crossing.film.agents:
        slide = crossing.film.take(agent).foot_slide()
        assert np.nanmax(slide) < 1e-3


def test_no_pose_jumps_where_plans_are_exchanged(crossing):
    taken = {(frame.number, agent) for frame in crossing.crowd.frames for agent in frame.taken}
    assert len(taken) > 12
    for agent in crossing.film.agents:
        take = crossing.film.take(agent)
        speed = np.linalg.norm(np.diff(take.root, axis=0), axis=1) * RATE
        assert speed.max() < 3.0
        turned = rotations.multiply(rotations.inverse(take.rotations[:-1]), take.rotations[1:])
        angle = 2.0 * np.arccos(np.clip(np.abs(turned[..., 0]), 0.0, 1.0)) * RATE
        # As fast as joints of walking people turn, and no faster in frames with a new plan.
        assert angle.max() < 20.0


def test_nothing_is_faster_where_plans_are_exchanged_than_elsewhere():
    """Not when a plan is taken up, nor when its first action begins; to 5%, steps being alike."""
    crowd = gather(scenes.load("four crossing", seed=2))
    count = len(crowd.agents)
    roots, turns, exchanged = [], [], []
    begins: dict[int, float] = {}
    while not crowd.done and crowd.t < 20.0:
        before, now = crowd.plans(), crowd.t
        poses = crowd.poses()
        roots.append(poses.root)
        turns.append(poses.rotations)
        marked = np.zeros(count, dtype=bool)
        for agent, begin in list(begins.items()):
            if begin <= now:  # within the last frame
                marked[agent] = True
                del begins[agent]
        frame = crowd.step(1 / RATE)
        for agent in frame.taken:
            later = [float(t) for t in before[agent].actions if t > now]
            begins[agent] = later[0] if later else max(now, before[agent].end)
            marked[agent] = True
        exchanged.append(marked)
    assert crowd.done
    local = np.array(turns)
    between = rotations.multiply(rotations.inverse(local[:-1]), local[1:])
    angle = 2.0 * np.arccos(np.clip(np.abs(between[..., 0]), 0.0, 1.0)).max(axis=-1) * RATE
    pelvis = np.linalg.norm(np.diff(roots, axis=0), axis=-1) * RATE
    # From one frame to the next, on either side of the exchange.
    at = np.array(exchanged)
    near = at.copy()
    near[1:] |= at[:-1]
    near[:-1] |= at[1:]
    assert near[1:].sum() > 40
    for speed in (angle, pelvis):
        there, elsewhere = speed[near[1:]], speed[~near[1:]]
        assert there.max() <= 1.05 * elsewhere.max()
        change = np.abs(np.diff(speed, axis=0)) * RATE
        both = near[1:-1] | near[2:]
        assert change[both].max() <= 1.05 * change[~both].max()


def test_plans_hold_footsteps_with_times():
    crowd = gather(scenes.load("four crossing"))
    for _ in range(60):
        crowd.step(1 / RATE)
    for agent in crowd.agents:
        steps = crowd.footsteps(agent)
        assert len(steps) >= 3
        ends = [step.end for step in steps]
        assert max(ends) > crowd.t
        feet = [step.foot for step in sorted(steps, key=lambda step: step.start)]
        assert {"left", "right"} == set(feet)


@pytest.mark.parametrize("threads", [2])
def test_the_same_bits_at_any_number_of_threads(threads):
    scene = scenes.load("crossing groups", agents=8)
    one, many = gather(scene), gather(scene, settings=CrowdSettings(threads=threads))
    for _ in range(90):
        one.step(1 / RATE)
        many.step(1 / RATE)
    assert one.digest == many.digest
    assert np.array_equal(one.poses().rotations, many.poses().rotations)


def test_a_run_is_replayed_to_the_same_bits(tmp_path):
    from surefoot.agents import Recording

    scene = scenes.load("dragged wall", seed=1)
    played = play(scene, dt=1 / 30, duration=4.0, settings=CrowdSettings(milliseconds=5.0))
    path = tmp_path / "run.json"
    played.crowd.recording().save(path)
    roots = []
    for again in Recording.load(path).replay():
        roots.append(again.poses().root.copy())
    assert again.digest == played.crowd.digest
    filmed = [played.film.frame(i)[1] for i in range(len(played.film))]
    for mine, theirs in zip(roots, filmed, strict=False):
        assert np.array_equal(mine, theirs)


def test_a_dragged_wall_is_gone_round():
    played = play(scenes.load("dragged wall"), dt=1 / RATE)
    assert played.crowd.events[Event.COLLISION] > 0
    assert played.arrived == 1
    assert find_touches(played.film).contacts == ()


@pytest.mark.parametrize("horizon", [1, 8])
def test_with_next_to_no_search_people_get_there(horizon):
    """They do not stop after every step (beacco2013, figure 10)."""
    scene = scenes.load("reduced search", seed=1)
    settings = replace(scene.settings, horizon=horizon)
    played = play(scene, dt=1 / 30, settings=settings, film=False)
    assert scene.settings.nodes == 8
    assert played.arrived == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [n for n in scenes.names() if n not in ("reduced search", "square")]
)
@pytest.mark.parametrize("seed", range(20))
def test_twenty_seeds_without_a_touch(name, seed):
    played = play(scenes.load(name, seed=seed), dt=1 / RATE)
    touches = find_touches(played.film)
    assert touches.contacts == ()
    assert played.arrived == len(played.scene.walkers)
    for agent in played.film.agents:
        take = played.film.take(agent)
        assert np.nanmax(take.foot_slide()) < 1e-3
        # Nobody rushes, nobody jumps: as fast as people who run a step, joints as in a brisk walk.
        speed = np.linalg.norm(np.diff(take.root, axis=0), axis=1) * RATE
        assert speed.max() < 3.0
        turned = np.abs((take.rotations[1:] * take.rotations[:-1]).sum(axis=-1))
        assert 2.0 * np.arccos(np.clip(turned, 0.0, 1.0)).max() * RATE < 25.0
