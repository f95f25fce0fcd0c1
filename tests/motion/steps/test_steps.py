"""Steps in arrays: joined, mirrored, and what they take."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from references.known_steps import walk
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion import Clip
from surefoot.motion.steps import SAMPLES, Steps, find_steps, joined, no_steps


@pytest.fixture(scope="module")
def steps() -> Steps:
    known = walk(1.2, turning=0.4)
    return find_steps(known.clip, known.measures)[0]


def same(first: Steps, second: Steps, tolerance: float = 0.0) -> bool:
    names = ("mode", "support", "swing", "mirrored", "times", "root", "foot", "angles", "samples")
    return first.clips == second.clips and all(
        np.allclose(getattr(first, name), getattr(second, name), atol=tolerance) for name in names
    )


def test_a_mirror_in_a_mirror(steps: Steps) -> None:
    assert same(steps.in_mirror().in_mirror(), steps)


def test_each_step_with_either_foot(steps: Steps) -> None:
    both = steps.with_mirror()
    assert len(both) == 2 * len(steps)
    assert np.count_nonzero(both.mirrored) == len(steps)
    for step, image in zip(steps, steps.in_mirror(), strict=True):
        assert image.mirrored
        assert {step.swing, image.swing} in ({"left", "right"}, {"both"})
        assert image.rotation_angle == -step.rotation_angle
        assert image.foot[1] == -step.foot[1]
        assert np.allclose(image.samples[:, 2], step.samples[:, 3] * [1, -1, 1])


def test_the_mirror_image_of_a_step_is_the_step_of_the_mirrored_clip(steps: Steps) -> None:
    known = walk(1.2, turning=0.4)
    found, _ = find_steps(mirrored(known.clip), known.measures)
    image = replace(steps.in_mirror(), mirrored=np.zeros(len(steps), np.bool_))
    assert same(found, image, 0.02)


def mirrored(clip: Clip) -> Clip:
    """Left and right exchanged, on the canonical skeleton."""
    swap = {"left": "right", "right": "left"}
    joints = clip.skeleton.joints
    order = [
        joints.index("_".join(swap.get(word, word) for word in joint.split("_")))
        for joint in joints
    ]
    turned = clip.rotations[:, order] * [1.0, -1.0, 1.0, -1.0]
    return replace(clip, root=clip.root * [1.0, -1.0, 1.0], rotations=rotations.normalize(turned))


def test_joined(steps: Steps) -> None:
    other = replace(steps, clips=("other",))
    both = joined([steps, no_steps(["empty"]), other, steps])
    assert both.clips == ("known", "empty", "other")
    assert [step.clip for step in both] == ["known"] * len(steps) + ["other"] * len(steps) + [
        "known"
    ] * len(steps)
    assert len(both.of_clip("other")) == len(steps)
    assert len(both.of_clip("empty")) == 0
    assert len(joined([])) == 0


def test_they_are_compact(steps: Steps) -> None:
    assert steps.nbytes / len(steps) < 800
    with pytest.raises(ValueError, match="read-only"):
        steps.root[0] = 0.0


def test_picking(steps: Steps) -> None:
    assert {step.mode for step in steps.of("walk")} == {"walk"}
    with pytest.raises(InputError, match="unknown mode 'swim'; there are: crouch, jump, run,"):
        steps.of("swim")  # pyright: ignore
    with pytest.raises(InputError, match="unknown clip 'nowhere'; there are: known"):
        steps.of_clip("nowhere")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"root": np.zeros((1, 3))}, "steps: root must be"),
        ({"samples": np.zeros((3, SAMPLES, 6, 3))}, "steps: samples must be"),
        ({"clips": ()}, "steps: clip has 0, must be below 0"),
    ],
)
def test_arrays_that_do_not_fit(steps: Steps, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        replace(steps, **changes)
