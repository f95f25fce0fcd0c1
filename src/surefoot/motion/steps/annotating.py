"""What Table 1 of beacco2013 says about cuts, for all cuts of a clip at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.humanoid import JOINTS
from surefoot.character.measures import Measures
from surefoot.errors import InputError
from surefoot.motion.clip import Clip
from surefoot.motion.plants.finding import plants_of_points
from surefoot.motion.plants.plants import Plants
from surefoot.motion.plants.settings import PlantSettings
from surefoot.motion.steps.body import Body, body_of, off_the_belt
from surefoot.motion.steps.cutting import BOTH, RIGHT, Cut, cut
from surefoot.motion.steps.grouping import grouped
from surefoot.motion.steps.step import MODES, SAMPLES
from surefoot.motion.steps.steps import Steps, no_steps

_SIGN = (1.0, -1.0)  # left, right
_MOMENTS = np.linspace(0.0, 1.0, SAMPLES)
_STRAIGHT = 0.35  # [rad] that a stride may turn and still show how bodies sway


def find_steps(
    clip: Clip, measures: Measures, settings: PlantSettings | None = None
) -> tuple[Steps, Plants]:
    """The annotated steps of a clip, and the foot plants they rest on.

    Args:
        clip: on a canonical skeleton; see `motion.retargeting.to_humanoid`.
        measures: of its actor.
        settings: what counts as a foot on the ground.
    """
    if clip.skeleton.joints != JOINTS:
        raise InputError(
            f"clip {clip.name!r} must be on the canonical skeleton; bring it there with"
            " `to_humanoid` first"
        )
    body, feet = body_of(clip, measures)
    plants = plants_of_points(feet, clip.rate, measures.leg_length, settings or PlantSettings())
    body = off_the_belt(body, plants)
    cuts = grouped(cut(plants, body), plants, body)
    return annotated(cuts, body, clip.name), plants


def annotated(cuts: Sequence[Cut], body: Body, clip: str) -> Steps:
    """Cuts of a clip as steps."""
    if not cuts:
        return no_steps([clip])
    count = len(cuts)
    times = np.array([(c.start, c.end) for c in cuts])
    swing = np.array([c.swing for c in cuts])
    moments = times[:, :1] + (times[:, 1:] - times[:, :1]) * _MOMENTS
    frame, part = body.at(moments)
    following = np.minimum(frame + 1, len(body.points) - 1)
    points = body.points[frame]
    points += part[..., None, None] * (body.points[following] - points)
    ends = [0, -1]
    headings = body.headings[frame[:, ends]]
    headings += part[:, ends] * (body.headings[following[:, ends]] - headings)
    headings -= _swayed(cuts, headings.tolist())
    origin = points[:, 0, 0]
    local = _turned(points - origin[:, None, None], headings[:, 0])
    foot = np.array([c.foot_to for c in cuts]) - np.array([c.foot_from for c in cuts])
    # The foot of a stand or of a whole turn goes nowhere in particular.
    foot = _turned(foot[:, None, None], headings[:, 0])[:, 0, 0]
    outward = np.where(swing == RIGHT, -1.0, 1.0)
    still = np.hypot(foot[:, 0], foot[:, 1]) < 1e-6
    movement = np.where(still, 0.0, np.arctan2(outward * foot[:, 1], foot[:, 0]))
    return Steps(
        clips=(clip,),
        clip=np.zeros(count, np.uint16),
        mode=np.array([MODES.index(c.mode) for c in cuts], np.uint8),
        support=np.array([c.support for c in cuts], np.uint8),
        swing=swing.astype(np.uint8),
        mirrored=np.zeros(count, np.bool_),
        times=times.astype(np.float32),
        root=local[:, -1, 0].astype(np.float32),
        foot=foot.astype(np.float32),
        angles=np.stack([movement, headings[:, 1] - headings[:, 0]], axis=1).astype(np.float32),
        samples=local.astype(np.float32),
        heights=(origin[:, 2] - [c.level for c in cuts]).astype(np.float32),
        confidence=np.array([c.confidence for c in cuts], np.float32),
    )


def _swayed(cuts: Sequence[Cut], headings: list[list[float]]) -> Floats:
    """How far `(m, 2)` [rad] hips and chest are turned by the stride itself at starts and ends.

    Whoever walks straight faces a little to one side when the left foot lands, and to the other
    when the right foot does. How far is seen in landings between two of the other foot.
    """
    strides: list[float] = []
    for index, (first, second) in enumerate(pairwise(cuts)):
        if first.end != second.start or first.swing != second.support or BOTH in _feet(first):
            continue
        before, middle = headings[index]
        after = headings[index + 1][1]
        if abs(after - before) > _STRAIGHT:
            continue
        strides.append(_SIGN[first.swing] * (middle - (before + after) / 2) / 2)
    sway = median(strides) if strides else 0.0
    result = np.zeros((len(cuts), 2))
    for index, step in enumerate(cuts):
        if step.mode in ("walk", "run", "crouch") and BOTH not in _feet(step):
            result[index, 1] = sway * _SIGN[step.swing]
            # Only who walks already is turned at the start.
            if step.lands:
                result[index, 0] = sway * _SIGN[step.support]
    return result


def _feet(step: Cut) -> tuple[int, int]:
    return step.support, step.swing


def _turned(vectors: Floats, headings: Floats) -> Floats:
    """Vectors `(m, k, p, 3)` in frames that face `headings` `(m,)` [rad]."""
    cosine, sine = np.cos(headings)[:, None, None], np.sin(headings)[:, None, None]
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.stack([cosine * x + sine * y, cosine * y - sine * x, z], axis=-1)
