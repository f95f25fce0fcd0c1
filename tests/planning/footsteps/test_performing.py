"""Native performers against the step engine, and what their poses must hold."""

import numpy as np
import pytest

import surefoot as sf
from surefoot.math import rotations
from surefoot.motion.quality.slide import sole_points
from surefoot.planning.footsteps import LiveFootsteps
from surefoot.planning.footsteps.footpath import END, Footpath, state
from surefoot.planning.footsteps.keeping import repertoire_of
from surefoot.planning.footsteps.performing import Performers
from surefoot.planning.footsteps.playing import play
from surefoot.planning.live import Asked
from surefoot.world.primitives import slab


def hall():
    return sf.World([sf.Body(name="floor", mesh=slab((40.0, 40.0, 0.1)))])


@pytest.fixture(scope="module")
def adult():
    return sf.people.adult()


def walked(adult, goal, horizon=20):
    planner = LiveFootsteps(hall())
    first = planner.admit(0, adult, sf.Place(None, (0.0, 0.0, 0.0)), 0.0, 0.0)
    target = sf.Goal(sf.Place(None, (*goal, 0.0)))
    asked = Asked(agent=0, plan=first, begin=0.5, goal=target, horizon=horizon, nodes=5000)
    return planner.plan([asked], {0: first}, 0.0)[0].plan


@pytest.mark.parametrize("goal", [(4.0, 0.0), (3.0, 2.0), (-2.0, 1.0), (0.3, 0.9)])
def test_native_bodies_do_what_the_engine_does(adult, goal):
    path = walked(adult, goal)
    x, y, z, heading, t = path.start_state[:5].tolist()
    engine = play(
        path.repertoire.footage, None, path.parts, sf.Place(None, (x, y, z)), heading, t
    )  # fmt: skip
    performers = Performers()
    times = np.arange(path.start, path.end - 0.5, 1 / 60)
    expected = engine.at(times)
    for index, moment in enumerate(times.tolist()):
        poses = performers.poses([7], [path], moment, threads=1)
        assert np.abs(poses.root[0] - expected.root[index]).max() < 2e-3, moment
        same = np.abs((poses.rotations[0] * expected.rotations[index]).sum(axis=-1))
        assert same.min() > 1 - 1e-4, moment
        assert np.array_equal(poses.contacts[0], expected.contacts[index])


def test_feet_stay_put_over_replans(adult):
    """Plans are exchanged in full swing; poses do not jump and feet do not slide."""
    planner = LiveFootsteps(hall())
    plan = planner.admit(0, adult, sf.Place(None, (0.0, 0.0, 0.0)), 0.0, 0.0)
    goals = [(6.0, 0.0), (6.0, 4.0), (0.0, 5.0), (2.0, -2.0)]
    rate, t = 60.0, 0.0
    shots, next_replan = [], 0.0
    for number in range(int(12 * rate)):
        t = number / rate
        if t >= next_replan:
            begins = [float(a) for a in plan.actions if a >= t] or [max(t, plan.end)]
            target = sf.Goal(sf.Place(None, (*goals[int(t / 3.0)], 0.0)))
            asked = Asked(
                agent=0, plan=plan, begin=begins[0], goal=target, horizon=4, nodes=500
            )  # fmt: skip
            plan = planner.plan([asked], {0: plan}, t)[0].plan
            next_replan = t + 0.7
        poses = planner.poses({0: plan}, t)
        shots.append((poses.root[0], poses.rotations[0], poses.contacts[0]))
    root, local, contacts = (np.array([shot[i] for shot in shots]) for i in range(3))
    soles = sole_points(adult.skeleton, adult.measures, root, local)
    moved = np.linalg.norm(np.diff(soles, axis=0), axis=-1) * rate
    held = contacts[1:] & contacts[:-1]
    for part in range(2):
        sliding = np.where(held[:, :, part], moved[:, :, part], 0.0)
        assert sliding.max() < 1e-3
    # No body goes faster than in a brisk step, not even where plans are exchanged.
    assert (np.linalg.norm(np.diff(root, axis=0), axis=1) * rate).max() < 2.6
    turned = 2 * np.arccos(np.clip(np.abs((local[1:] * local[:-1]).sum(axis=-1)), 0, 1)) * rate
    assert turned.max() < 25.0
    assert np.linalg.norm(root[-1, :2]) > 1.0


def test_the_same_bits_at_any_number_of_threads(adult):
    path = walked(adult, (4.0, 1.0))
    found = []
    for threads in (1, 2):
        performers = Performers()
        for t in (0.2, 0.9, 1.7):
            poses = performers.poses(range(40), [path] * 40, t, threads=threads)
        found.append(poses)
    assert np.array_equal(found[0].rotations, found[1].rotations)
    assert np.array_equal(found[0].root, found[1].root)


def test_a_body_that_stood_does_not_rush_after_a_new_plan(adult):
    """A plan may begin at any time after the last one ended: the stand in between is cut short."""
    planner = LiveFootsteps(hall())
    plan = planner.admit(0, adult, sf.Place(None, (0.0, 0.0, 0.0)), 0.0, 0.0)
    roots, planned = [], []
    for number in range(150):
        t = number / 60.0
        if number == 40:  # its second stand after the plan's only one is half over
            target = sf.Goal(sf.Place(None, (4.0, 0.0, 0.0)))
            asked = Asked(agent=0, plan=plan, begin=t, goal=target, horizon=8, nodes=2000)
            plan = planner.plan([asked], {0: plan}, t)[0].plan
        roots.append(planner.poses({0: plan}, t).root[0])
        planned.append(plan.figures([t])[0, 0])
    away = np.array(roots) - np.array(planned)
    assert np.hypot(away[:, 0], away[:, 1]).max() < 0.05
    assert (np.linalg.norm(np.diff(roots, axis=0), axis=1) * 60.0).max() < 2.0
    assert roots[-1][0] > 1.0


def test_others_see_what_will_be_played(adult):
    """Crossfades, feet that stay where they stand, a change of plan in full swing, a stand."""
    planner = LiveFootsteps(hall())
    plan = planner.admit(0, adult, sf.Place(None, (0.0, 0.0, 0.0)), 0.3, 0.0)
    goals = {0.0: (4.0, 1.0), 1.6: (-2.0, 1.5), 8.75: (1.0, -1.0)}
    skeleton, size = adult.skeleton, adult.measures
    worst = np.zeros(6)
    for number in range(960):
        t = number / 60.0
        for when, goal in goals.items():
            if abs(t - when) < 1e-6:
                begin = next((float(a) for a in plan.actions if a > t), max(t, plan.end))
                target = sf.Goal(sf.Place(None, (*goal, 0.0)))
                asked = Asked(
                    agent=0, plan=plan, begin=begin, goal=target, horizon=20, nodes=5000
                )  # fmt: skip
                plan = planner.plan([asked], {0: plan}, t)[0].plan
        poses = planner.poses({0: plan}, t)
        places, turns = skeleton.forward(poses.root, poses.rotations)

        def part(joint, *offset, places=places, turns=turns):
            index = skeleton.index(joint)
            return places[0, index] + rotations.rotate(turns[0, index], np.array(offset))

        hands = [part(f"{side}_hand", 0.0, 0.0, -size.hand / 2) for side in ("left", "right")]
        feet = [
            (part(f"{side}_foot", *size.heel) + part(f"{side}_toe", 0.0, 0.0, 0.0)) / 2
            for side in ("left", "right")
        ]
        played = np.array([poses.root[0], part("head", 0.0, 0.0, 0.0), *hands, *feet])
        away = played - plan.figures([t])[0]
        worst = np.maximum(worst, np.hypot(away[:, 0], away[:, 1]))
    # Moments are a sixteenth of a second apart, and even in between: swinging feet are not.
    assert worst[:2].max() < 0.01
    assert worst[2:4].max() < 0.02
    assert worst[4:].max() < 0.035
    assert plan.end < 16.0


def test_no_joint_jumps_in_whatever_follows_a_stand(adult):
    """A foot that stands where the clip is about to set it down stays: it has no time to step."""
    own = repertoire_of(adult, sf.FootstepSettings(modes=("walk", "turn")))
    first = own.successors.offsets
    for action in own.successors.actions[first[own.stand] : first[own.stand + 1]].tolist():
        ids = [own.stand, action]
        while ids[-1] != own.stand:
            ids.append(int(own.stop[ids[-1]]))
        start = state((0.0, 0.0, 0.0), 0.0, 0.0)
        path = Footpath(own, start, np.array(ids, dtype=np.int32), np.zeros((0, len(END))))
        performers = Performers()
        times = np.arange(0.0, path.end, 1 / 60).tolist()
        local = np.array([performers.poses([0], [path], t, threads=1).rotations[0] for t in times])
        turned = np.clip(np.abs((local[1:] * local[:-1]).sum(axis=-1)), 0, 1)
        assert 2 * np.arccos(turned.min()) * 60 < 9.0, own.name(action)
