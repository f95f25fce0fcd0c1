"""Steps of our own gait model: cut where its feet land, and annotated with what it did."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import pi

import numpy as np
import pytest

from references import body as reference
from references.known_steps import KnownSteps, climb, stand, turn, walk
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError
from surefoot.motion import Clip
from surefoot.motion.steps import MODES, SAMPLES, Step, Steps, find_steps
from surefoot.motion.steps.body import body_of


def steps_of(known: KnownSteps) -> Steps:
    return find_steps(known.clip, known.measures)[0]


def landings(known: KnownSteps) -> list[float]:
    down = known.down
    return sorted(
        (i + 1) / known.rate
        for foot in (0, 1)
        for i in np.flatnonzero(~down[:-1, foot] & down[1:, foot]).tolist()
    )


def test_a_walk_is_cut_where_feet_land() -> None:
    known = walk(1.3, length=6.0)
    steps = [step for step in steps_of(known) if step.mode == "walk"]
    ends = [step.end for step in steps]
    truth = landings(known)
    assert all(min(abs(end - at) for at in truth) < 0.03 for end in ends)
    assert len(steps) >= len(truth) - 1
    for first, second in pairwise(steps):
        assert second.start == pytest.approx(first.end, abs=0.02)
        assert (second.support, second.swing) == (first.swing, first.support)


def test_what_walks_do() -> None:
    for speed in (0.7, 1.2, 1.8):
        middle = middle_steps(steps_of(walk(speed, length=6 * speed)))
        for step in middle:
            assert step.mode == "walk"
            assert step.speed == pytest.approx(speed, rel=0.1)
            assert abs(step.movement_angle) < 0.1
            assert abs(step.rotation_angle) < 0.06
            assert step.foot[0] == pytest.approx(2 * step.root[0], rel=0.15)
            assert step.velocity[0] == pytest.approx(step.root[0] / step.duration)
            assert 0.85 < step.root_height / 0.9 < 1.05
            assert 0.2 < step.confidence <= 1


def middle_steps(steps: Steps) -> list[Step]:
    walks = [step for step in steps if step.mode in ("walk", "run")]
    return walks[2:-2]


def test_runs() -> None:
    middle = middle_steps(steps_of(walk(3.4, length=12.0)))
    assert len(middle) >= 3
    assert {step.mode for step in middle} == {"run"}
    assert np.mean([step.speed for step in middle]) == pytest.approx(3.4, rel=0.1)


@pytest.mark.parametrize(
    ("direction", "left", "right"),
    [(pi, pi, pi), (pi / 2, pi / 2, -pi / 2), (-pi / 2, -pi / 2, pi / 2)],
)
def test_movement_angles(direction: float, left: float, right: float) -> None:
    """Outward is positive for both feet: to the left for the left, to the right for the right."""
    for step in middle_steps(steps_of(walk(0.6, direction=direction, length=3.0))):
        wanted = left if step.swing == "left" else right
        assert abs(np.angle(np.exp(1j * (step.movement_angle - wanted)))) < 0.25


def test_arcs_turn_a_little_with_every_step() -> None:
    for turning in (0.6, -0.6):
        middle = middle_steps(steps_of(walk(1.2, turning=turning, length=7.0)))
        rates = [step.rotation_angle / step.duration for step in middle]
        assert np.mean(rates) == pytest.approx(turning, abs=0.08)


def test_turns_on_the_spot_are_whole() -> None:
    steps = [step for step in steps_of(turn(-pi, 1.2)) if step.mode == "turn"]
    assert sum(step.rotation_angle for step in steps) == pytest.approx(-pi, abs=0.5)
    assert len(steps) <= 2


def test_stairs() -> None:
    up = [step.mode for step in steps_of(climb(0.5, down=False))]
    down = [step.mode for step in steps_of(climb(0.5, down=True))]
    assert 8 <= up.count("step up") <= 10
    assert "step down" not in up
    assert 8 <= down.count("step down") <= 10
    assert "step up" not in down


def test_a_stand() -> None:
    (step,) = steps_of(stand())
    assert (step.mode, step.support, step.swing) == ("stand", "both", "both")
    assert step.duration == pytest.approx(3.0, abs=0.1)
    assert np.abs(step.root).max() < 0.03


def test_samples_are_where_the_body_is() -> None:
    known = walk(1.2, turning=0.5)
    for step in middle_steps(steps_of(known)):
        assert step.samples.shape == (SAMPLES, 6, 3)
        assert np.allclose(step.samples[0, 0], 0.0)
        assert np.allclose(step.samples[-1, 0], step.root, atol=1e-5)
        swing = step.samples[:, 4 if step.swing == "left" else 5]
        assert np.allclose(swing[-1] - swing[0], step.foot, atol=0.1)
        support = step.samples[:, 4 if step.support == "left" else 5]
        assert np.abs(support[:, 2] - support[0, 2]).max() < 0.12
        # The head is above, the left hand to the left of the right one.
        assert step.samples[:, 1, 2].min() > 0.4
        assert (step.samples[:, 2, 1] > step.samples[:, 3, 1]).all()


def test_treadmills_make_steps_that_go_somewhere() -> None:
    known = walk(1.3, length=9.0)
    moving = slice(300, 800)
    belt = np.arange(len(known.clip))[:, None] / 120 * [-1.3, 0.0, 0.0]
    clip = replace(
        known.clip,
        root=(known.clip.root + belt)[moving],
        rotations=known.clip.rotations[moving],
    )
    steps, plants = find_steps(clip, known.measures)
    assert plants.floor_velocity is not None
    speeds = [step.speed for step in middle_steps(steps)]
    assert np.mean(speeds) == pytest.approx(1.3, rel=0.1)


def test_modes_are_those_of_the_paper() -> None:
    assert set(MODES) >= {"walk", "run", "turn", "stand", "jump", "crouch", "step up"}


def test_native_bodies_equal_the_reference() -> None:
    for known in (walk(1.2, turning=0.9, length=6.0), turn(-pi, 1.2), climb(0.5, down=True)):
        body, feet = body_of(known.clip, known.measures)
        expected = reference.paths(known.clip, known.measures)
        found = (body.points, feet, body.headings, body.crouch, body.speed)
        for ours, theirs in zip(found, expected, strict=True):
            assert np.allclose(ours, theirs, atol=1e-9)


def test_other_skeletons_are_refused() -> None:
    known = stand()
    odd = Skeleton(joints=("a",), parents=(-1,), offsets=np.zeros((1, 3)))
    clip = Clip(
        name="odd",
        skeleton=odd,
        rate=60.0,
        root=np.zeros((50, 3)),
        rotations=np.tile([1.0, 0, 0, 0], (50, 1, 1)),
    )
    with pytest.raises(InputError, match="clip 'odd' must be on the canonical skeleton"):
        find_steps(clip, known.measures)
