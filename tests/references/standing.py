"""How an actor's feet stand: flat on the ground when they are still."""

from __future__ import annotations

import numpy as np

from references.actor import Actor, facing, unit
from surefoot.arrays import Floats
from surefoot.math import rotations

# The share of a clip's frames in which a foot is taken to stand, and of those the share in which
# the heel is down.
_STANDING, _HEEL_DOWN = 0.15, 0.5
# A foot that stands is level to this angle [rad] on average, and its sole no further than this
# from where the rest pose has it.
_LEVEL, _FAR = 0.25, 0.7
# Toes above or below the ankle to this share of their distance do not show what is ahead.
_UPRIGHT = 0.9


def standing_frames(actor: Actor, side: str) -> np.ndarray:
    """Frames in which a foot is slowest, in place and in turning: where it stands."""
    count = len(actor.clip)
    if count < 8:
        return np.arange(count)
    points = [actor.place(f"{side}_foot")]
    if f"{side}_toe" in actor:
        points.append(actor.place(f"{side}_toe"))
    speeds = np.zeros(count - 1)
    for point in points:
        steps = np.diff(point, axis=0)
        speeds = np.maximum(speeds, np.einsum("ij,ij->i", steps, steps))
    turn = actor.turn(f"{side}_foot")
    turned = 1.0 - np.abs(np.einsum("ij,ij->i", turn[1:], turn[:-1]))
    # The order by one plus the order by the other: neither has a scale that fits all clips.
    ranks = _order(_order(speeds)) + _order(_order(turned))
    return _order(ranks)[: max(4, int(_STANDING * count))]


def sole_frames(actor: Actor, side: str, resting: Floats) -> dict[str, Floats]:
    """The axes `(4,)` of a foot, and of its toes if they are known: flat, and straight ahead.

    Args:
        actor: whose.
        side: "left" or "right".
        resting: `(4,)`: the foot's axes by the rest pose, the leg straight.
    """
    foot, toe = f"{side}_foot", f"{side}_toe"
    frames = standing_frames(actor, side)
    still = actor.turn(foot)[frames]
    upward = rotations.rotate(rotations.inverse(still), [0.0, 0.0, 1.0])
    ahead = _toe_direction(actor, side)
    resting_up = rotations.rotate(resting, [0.0, 0.0, 1.0])
    if ahead is not None and len(frames) > 8:
        # Of a foot that stands, the toes are highest over the heel where the heel is down.
        pitch = upward @ ahead
        lowest = _order(-pitch)[: max(4, int(_HEEL_DOWN * len(frames)))]
        frames, upward = frames[lowest], upward[lowest]
    up = unit(upward.mean(axis=0))
    level = np.arccos(np.clip(upward @ up, -1.0, 1.0)).mean() < _LEVEL
    rest_known = actor.rest_frame is not None
    if rest_known and (not level or up @ resting_up < np.cos(_FAR)):
        up = unit(resting_up)
    if ahead is None or abs(ahead @ up) > _UPRIGHT:
        ahead = rotations.rotate(resting, [1.0, 0.0, 0.0])
    forward = unit(ahead - (ahead @ up) * up)
    left: Floats = np.cross(up, forward)
    axes = rotations.from_matrix(facing(left, up))
    found = {foot: axes}
    if toe in actor:
        # In line with the foot where the foot stands flat.
        between = rotations.multiply(
            rotations.inverse(actor.turn(toe)[frames]), actor.turn(foot)[frames]
        )
        _, vectors = np.linalg.eigh(between.T @ between)
        found[toe] = rotations.multiply(vectors[:, -1], axes)
    return found


def _toe_direction(actor: Actor, side: str) -> Floats | None:
    """From the ankle to the toes `(3,)`, in the foot's own frame; None if they are not known."""
    foot, toe = f"{side}_foot", f"{side}_toe"
    along = actor.bone(foot, toe) if toe in actor else actor.tip(foot)
    return None if along is None or np.linalg.norm(along) < 1e-6 else unit(along)


def _order(values: np.ndarray) -> np.ndarray:
    return np.argsort(values, kind="stable")
