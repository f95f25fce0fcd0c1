"""Soles on real ground: where a foot rests, how it tilts, and how much of it is held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion.gait.similarity import size
from surefoot.world import World

HELD = 0.03
"""[m] that a point of the sole may be above the ground and still be held by it."""

UNEVEN = 0.02
"""[m] that ground may rise above the plane of its middle before the foot stays level on it."""

TOE_ROOM = 0.16
"""Of the foot's length, that toes should have before them to leave the ground."""

STEP_ROOM = 0.35
"""Likewise, that feet that are free to choose keep before and behind them."""

STEP_OVER = 0.4
"""[m for a leg of 0.93 m] above the higher of its two footholds that a swinging foot looks for
things to clear."""

_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Soles:
    """Feet as they would rest, one for each place asked.

    Attributes:
        position: `(n, 3)` [m], the middle of the sole, in the world.
        rotation: `(n, 4)`, the sole's frame: x to the toes, z out of the ground.
        body: `(n,)` ids of what holds it, -1 where there is nothing.
        coverage: `(n,)` share of the sole that is held.
        blocked: `(n,)` whether a step rises right before the toes, which leaves them no room.
        forbidden: `(n,)` whether any of it is on a body with the tag "forbidden".
    """

    position: Floats
    rotation: Floats
    body: Ints
    coverage: Floats
    blocked: Bools
    forbidden: Bools

    @property
    def hit(self) -> Bools:
        """Where there is ground."""
        return self.body >= 0


def middle_ahead(measures: Measures) -> float:
    """How far the middle of the sole lies ahead of the ankle [m]."""
    return (measures.toe_ahead - measures.heel_behind) / 2


def _spots(measures: Measures) -> Floats:
    """`(12, 2)` [m]: points of the sole from its middle; the middle first.

    As far as heel and toes, so that neither lands inside a step's riser; the last one is where
    the toes need room to swing.
    """
    half, side = 0.505 * measures.foot_length, 0.35 * measures.foot_width
    grid = [(x * half, y) for x in (-1.0, -0.5, 0.0, 0.5, 1.0) for y in (-side, side)]
    return np.array([(0.0, 0.0), *grid, (half + TOE_ROOM * measures.foot_length, 0.0)])


def rest(
    world: World, measures: Measures, points: Floats, headings: Floats, times: Floats, *,
    reach: float,
) -> Soles:  # fmt: skip
    """Soles with their middles at or near `points`, resting on the ground at `times` [s].

    A foot lies in the plane of the ground under its middle where that is nearly flat; where some
    ground stands out of that plane, as at a step's edge, it lies level on the highest.

    Args:
        world: asked for its ground.
        measures: of the foot.
        points: `(n, 3)` [m]; the ground may be `reach` above or below.
        headings: `(n,)` [rad].
        times: `(n,)` [s].
        reach: [m], > 0.
    """
    ahead = np.stack([np.cos(headings), np.sin(headings)], axis=-1)
    left = np.stack([-ahead[:, 1], ahead[:, 0]], axis=-1)
    spots = _spots(measures)
    flat = spots[:, :1] * ahead[:, None] + spots[:, 1:] * left[:, None]
    asked = np.empty((*flat.shape[:2], 3))
    asked[..., :2] = points[:, None, :2] + flat
    asked[..., 2] = points[:, None, 2]
    ground = world.support(asked, times[:, None], up=reach, down=reach)
    before = np.where(ground.hit[:, -1], ground.height[:, -1], -np.inf)
    heights = np.where(ground.hit, ground.height, -np.inf)[:, :-1]
    flat_before, flat = flat[:, -1], flat[:, :-1]

    highest = np.argmax(heights, axis=1)
    rows = np.arange(len(points))
    top = heights[rows, highest]
    # The plane of the ground in the middle, raised until nothing stands out of it.
    normal = np.where(ground.hit[:, :1], ground.normal[:, 0], _UP)
    slope = -normal[:, None, :2] / np.maximum(normal[:, None, 2:], 0.3)
    plane = heights[:, :1] + (slope * flat).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        raised = np.where(np.isfinite(heights), heights - plane, -np.inf).max(axis=1)
    tilted = ground.hit[:, 0] & (raised <= UNEVEN)
    normal = np.where(tilted[:, None], normal, _UP)
    level = np.where(tilted, heights[:, 0] + np.where(tilted, raised, 0.0), top)
    sole = np.where(tilted[:, None], plane + np.where(tilted, raised, 0.0)[:, None], top[:, None])
    with np.errstate(invalid="ignore"):
        covered = (sole - heights < HELD).mean(axis=1)

    expected = level + np.where(tilted, (slope[:, 0] * flat_before).sum(axis=-1), 0.0)
    body = np.where(tilted, ground.body[:, 0], ground.body[rows, highest]).astype(np.int32)
    found = body >= 0
    position = np.column_stack([points[:, :2], np.where(found, level, points[:, 2])])
    turned = rotations.multiply(rotations.between(_UP, normal), rotations.from_yaw(headings))
    return Soles(
        position=position,
        rotation=turned,
        body=body,
        coverage=np.where(found, covered, 0.0),
        blocked=before > expected + HELD,
        forbidden=_forbidden(world, ground.body[:, :-1]),
    )


def off_steps(
    world: World, measures: Measures, points: Floats, headings: Floats, times: Floats
) -> Floats:
    """How far `(n, 3)` [m] soles that rest at `points` had better be moved along themselves.

    So far that neither toes have a step right before them when they leave the ground, nor heels
    one right behind them when they come down; nowhere, where there is no room.

    Args:
        world: asked for its ground.
        measures: of the foot.
        points: `(n, 3)` [m]: the middles of soles on the ground.
        headings: `(n,)` [rad].
        times: `(n,)` [s].
    """
    half, room = measures.foot_length / 2, STEP_ROOM * measures.foot_length
    shifts = room * np.array([0.0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1.0, 1.0])
    along = np.linspace(-half - 2 * room, half + 2 * room, 41)
    ahead = np.stack([np.cos(headings), np.sin(headings), np.zeros_like(headings)], axis=-1)
    asked = points[:, None] + along[:, None] * ahead[:, None]
    highest = STEP_OVER * size(measures.leg_length)
    ground = world.support(asked, times[:, None], up=highest, down=HELD)
    rises = ground.hit & (ground.height > points[:, 2:] + HELD)
    near = np.abs(along - shifts[:, None]) <= half + room
    free = ~np.any(rises[:, None] & near, axis=-1)
    shift = np.where(free.any(axis=1), shifts[np.argmax(free, axis=1)], 0.0)
    return shift[:, None] * ahead


def _forbidden(world: World, bodies: Ints) -> Bools:
    """Whether any of the bodies `(n, k)` under a sole must not be stepped on."""
    tagged = [world.id(name) for name in world.names if world[name].has("forbidden")]
    return np.asarray(np.isin(bodies, tagged).any(axis=1), dtype=np.bool_)
