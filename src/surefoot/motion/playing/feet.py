"""Feet of a cue: when they stand and swing, and what eases them from one foothold to the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np

from surefoot.arrays import Floats
from surefoot.math import rotations
from surefoot.motion.curves import smootherstep
from surefoot.motion.footholds import Foothold
from surefoot.motion.gait.similarity import size
from surefoot.motion.gait.soles import STEP_OVER
from surefoot.motion.playing.beats import BEAT, EASE, OFFSET, Beats, perform
from surefoot.motion.playing.footage import Footage, Footfall
from surefoot.motion.quality.slide import sole_points
from surefoot.world import World

EASING = 0.25
"""[s] in which a foot that is let go of finds back to the clip, when it has nowhere to land yet."""

FORGET = 0.15
"""[s] in which the rate of an offset dies away, as in native/motion/playing.cpp."""

CLEARANCE = 0.012
"""[m for a leg of 0.93 m] that the sole keeps above the ground in mid-swing, at least."""

HELD_BACK = 0.35
"""How far a foot waits, of how far it has to go up."""

_INSTANT = 0.01  # [s] over which rates are taken
_SAMPLES = 32
_SOONER = (0.22, 0.14)
"""Shares of its duration in which a swing is raised, or lowered, where something rises close by."""

_RAISED = 0.35  # Where a swing is hardly raised yet, raising it more does not help.
_HASTE = 0.25
"""[m for a leg of 0.93 m] by which a swing would rather go higher than come and go sooner by all
of its duration."""
_INSIDE, _GRAZE = 10.0, 0.01
"""How much worse a sole inside the ground is than one that goes higher, and [m likewise] from how
deep on."""


@dataclass(eq=False)
class Stance:
    """A foot on a foothold.

    Attributes:
        start: [s] when it came down, in this cue or before.
        end: [s] when it leaves the ground in this cue; inf when it stays.
        hold: index of the foothold.
        footfall: what this cue's clip has there; None: it does not know of it.
        before: likewise, of the clip that it takes over from.
    """

    start: float
    end: float
    hold: int
    footfall: Footfall | None
    before: Footfall | None


@dataclass(eq=False)
class Swing:
    """A foot in the air, from `start` to `end` [s], with its offsets; see native/motion.

    It goes `way` `(3,)` [m] from foothold to foothold, and is raised by `arch` [m] in between; that
    comes and goes in `arch_ends` of its duration.
    """

    start: float
    end: float
    lands: bool
    leave: Beats
    land: Beats
    arch: float = 0.0
    arch_ends: tuple[float, float] = (0.35, 0.35)
    way: Floats = field(default_factory=lambda: np.zeros(3))

    def go(self, way: Floats) -> None:
        """Says which way `(3,)` [m] it goes, and by that how it is raised and lowered."""
        self.way = way
        rises, falls = _ends(self.climb)
        self.arch_ends = rises[0], falls[0]

    @property
    def arch_duration(self) -> float:
        """[s] in which it is raised and lowered; the half of that is known if it does not land."""
        return (self.end - self.start) * (1.0 if self.lands else 2.0)

    def raised(self, t: float) -> Floats:
        """What it is held back and raised by `(3,)` [m] at `t` [s], as in native/motion."""
        x = (t - self.start) / max(self.arch_duration, 1e-9)
        rise, fall = self.arch_ends
        y = 1 - x if fall < rise else x
        back = smootherstep(y / 0.25) * smootherstep((0.8 - y) / 0.55)
        up = smootherstep(x / rise) * smootherstep((1 - x) / fall)
        return np.array([*(self.held_back * back), self.arch * up])

    @property
    def climb(self) -> float:
        """[m] up."""
        return float(self.way[2])

    @property
    def held_back(self) -> Floats:
        """`(2,)` [m]: up a step, toes wait until they are over its edge; down, heels go ahead."""
        length = max(float(np.hypot(self.way[0], self.way[1])), 1e-6)
        size = np.clip(HELD_BACK * self.climb, -0.2 * length, 0.2 * length)
        return -size / length * self.way[:2]


Phase = Stance | Swing


def no_ease() -> Beats:
    """An ease that does nothing: one of `EASE`."""
    return np.zeros((), dtype=EASE)


def eased(swing: Swing, t: float) -> tuple[Floats, Floats]:
    """How far `(10,)` a foot in the air is from its clip, and the rate of that, at `t` [s]."""

    def at(moment: float) -> Floats:
        total = np.zeros(OFFSET)
        for ease, sign in ((swing.leave, 1.0), (swing.land, -1.0)):
            duration = float(ease["duration"])
            if duration <= 0:
                continue
            since = moment - float(ease["start"])
            since = since if sign > 0 else duration - since
            x = min(max(since / duration, 0.0), 1.0)
            value = 1 - x**3 * (10 + x * (6 * x - 15))
            soon = min(duration, FORGET)
            y = min(max(since / soon, 0.0), 1.0)
            rate = soon * sign * (y - y**3 * (6 + y * (3 * y - 8)))
            total += value * ease["value"] + rate * ease["rate"]
        total[:3] += swing.raised(moment)
        return total

    return at(t), (at(t) - at(t - _INSTANT)) / _INSTANT


def put_hold(row: Beats, foot: int, hold: Foothold, world: World | None, stance: Stance) -> None:
    """Writes that a foot stands on a foothold into one of `BEAT`."""
    feet = row["feet"][foot]
    feet["stands"] = 1.0
    position, turned, body = hold.position, hold.rotation, -1.0
    if hold.body is not None and world is not None:
        trajectory = world[hold.body].trajectory
        if trajectory.moving:
            body = float(world.id(hold.body))
        else:
            pose = trajectory.pose(0.0)
            position = pose.apply(position)
            turned = rotations.multiply(pose.rotation, turned)
    feet["body"], feet["position"], feet["rotation"] = body, position, turned
    if stance.footfall is not None:
        feet["flat_in"], feet["anchor_in"] = stance.footfall.flat, stance.footfall.position
        feet["flat_out"], feet["anchor_out"] = stance.footfall.flat, np.nan
    if stance.before is not None:
        feet["flat_out"], feet["anchor_out"] = stance.before.flat, stance.before.position


def standing_offsets(
    footage: Footage, world: World | None, rows: Beats, times: Floats, feet: list[int],
    inward: Floats,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Offsets `(n, 10)` of standing feet at moments, and their rates.

    Rates are taken a frame inside the stance: where a foot is set down or lifted with a kink, as
    feet are, frames beside it show something in between.

    Args:
        footage: what is played.
        world: where.
        rows: `(n,)` of `BEAT`, in which the foot stands.
        times: `(n,)` [s].
        feet: `n` feet, 0 or 1.
        inward: `(n,)`: 1 where the stance lies after that moment, -1 where before.
    """
    count = len(rows)
    step = inward / (rows["in"]["rate"] * rows["in"]["speed"])
    thrice = np.empty(3 * count, dtype=BEAT)
    thrice[:count] = thrice[count : 2 * count] = thrice[2 * count :] = rows
    asked = np.concatenate([times, times + step, times + 2 * step])
    found = perform(footage, thrice, asked, world).offsets
    which, index = np.array(feet), np.arange(count)
    at, near, far = (found[index + part * count, which] for part in range(3))
    return at, (far - near) / step[:, None]


def clear_ground(
    footage: Footage, world: World, rows: Beats, swings: list[Swing], feet: list[int]
) -> None:
    """Raises swings over what lies between their ends.

    Args:
        footage: what is played.
        world: where.
        rows: `(n,)` of `BEAT`: each swing.
        swings: `n` of them.
        feet: `n` feet, 0 or 1.
    """
    count = len(rows)
    grid = np.linspace(0.0, 1.0, _SAMPLES)
    starts = np.array([swing.start for swing in swings])
    ends = np.array([swing.end for swing in swings])
    times = starts[:, None] + grid * (ends - starts)[:, None]
    poses = perform(footage, rows[np.repeat(np.arange(count), _SAMPLES)], times.reshape(-1), world)
    points = sole_points(footage.skeleton, footage.measures, poses.root, poses.rotations)
    points = points.reshape(count, _SAMPLES, 2, 3, 3)[np.arange(count), :, np.array(feet)]
    # The ball is a joint inside the foot; its sole is below.
    points[:, :, 1, 2] -= footage.measures.ball_height
    scale = size(footage.measures.leg_length)
    asked, step_over = points.copy(), scale * STEP_OVER
    top = np.maximum(points[:, :1, :, 2].max(axis=2), points[:, -1:, :, 2].max(axis=2))
    asked[..., 2] = np.maximum(top[..., None], points[..., 2]) + step_over
    ground = world.support(asked, times[:, :, None], down=step_over + 1.0)
    heights = np.where(ground.hit, ground.height, -np.inf)
    shares = (ends - starts) / np.array([swing.arch_duration for swing in swings])
    progress = grid * shares[:, None]
    room = scale * CLEARANCE * np.sin(np.pi * progress) ** 2
    missing = (heights - points[..., 2]).max(axis=2) + room
    # An edge may be passed between two moments: the higher ground counts in between.
    beside = heights.copy()
    beside[:, 1:] = np.maximum(beside[:, 1:], heights[:, :-1])
    beside[:, :-1] = np.maximum(beside[:, :-1], heights[:, 1:])
    between = (beside - points[..., 2]).max(axis=2) + room
    for index, swing in enumerate(swings):
        swing.arch, swing.arch_ends = _gentlest(
            swing, progress[index], missing[index], between[index], scale
        )


def _gentlest(
    swing: Swing, progress: Floats, missing: Floats, between: Floats, scale: float
) -> tuple[float, tuple[float, float]]:
    """The arch [m] that a swing takes, and in what shares of its duration it comes and goes.

    Args:
        swing: which.
        progress: `(n,)`: shares of the duration of that.
        missing: `(n,)` [m] that its sole lacks of clearing the ground then.
        between: likewise, of what is passed between those moments as well.
        scale: of the body.
    """
    rises, falls = _ends(swing.climb)
    best, least = (0.0, (rises[0], falls[0])), np.inf
    if not swing.lands and missing.max() < (_GRAZE + 2 * CLEARANCE) * scale:
        return best  # where nothing rises; knees jerk when a foot is raised in a moment
    for rise, fall in product(rises, falls):
        raised = smootherstep(progress / rise) * smootherstep((1 - progress) / fall)
        up = raised > _RAISED
        height = float(np.clip((between[up] / raised[up]).max(), 0.0, scale * STEP_OVER))
        inside = float((missing - height * raised)[1:-1].max())
        haste = rises[0] - rise + falls[0] - fall
        price = height + _HASTE * scale * haste + _INSIDE * max(inside - _GRAZE * scale, 0.0)
        if price < least - 1e-9:
            best, least = (height, (rise, fall)), price
    return best


def _ends(climb: float) -> tuple[list[float], list[float]]:
    """Shares of its duration in which a swing can be raised, and lowered: the gentlest first.

    Up a step it is raised sooner than it is lowered, down one later: see native/motion.
    """
    share = float(np.clip(abs(climb) / 0.15, 0.0, 1.0))
    early, late = 0.35 - 0.07 * share, 0.35
    sooner = [early, *(end for end in _SOONER if end < early)]
    if abs(climb) < 1e-3:
        return sooner, sooner
    return (sooner, [late]) if climb > 0 else ([late], sooner)


def empty_row() -> Beats:
    """One of `BEAT` in which both feet are in the air, on nothing."""
    row = np.zeros((), dtype=BEAT)
    row["feet"]["body"] = -1.0
    row["feet"]["rotation"] = rotations.IDENTITY
    return row
