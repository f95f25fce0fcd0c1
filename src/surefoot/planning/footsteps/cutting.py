"""Steps as a planner sees them: in the frame that the body travels in when they begin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, sin

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.errors import ProblemError
from surefoot.motion.curves import smootherstep
from surefoot.motion.playing.footage import Footage
from surefoot.motion.steps import FEET, MODES, SAMPLES, Steps
from surefoot.motion.steps.body import Body
from surefoot.planning.footsteps.treading import Treading, landing_near, treading

USUAL = ("walk", "run", "turn")
"""Modes of steps on level ground, beside standing; all others are platform actions."""

_SWAPPED = [0, 1, 3, 2, 5, 4]  # points of the body in a mirror
_MIRROR = np.array([1.0, -1.0, 1.0])
_INSTANT = 0.03  # [s] to each side, over which velocities are taken


@dataclass(frozen=True, eq=False)
class Cut:
    """A step in the frame that the body travels in when it begins.

    Heights are above the mean of what its feet are on or come from then. Of the figures where it
    begins and where it ends, those of feet are above what each is on.
    """

    move: Floats
    duration: float
    length: float
    samples: Floats
    begin: tuple[Floats, Floats]
    end: tuple[Floats, Floats]
    treading: Treading


def chosen(steps: Steps, modes: tuple[str, ...], wait: float) -> tuple[Steps, Bools]:
    """The steps that may be used, and which of them are platform actions (beacco2013, 4.1).

    The first one is a stand, as long as a wait; then come the usual ones.
    """
    wanted = np.isin(steps.mode, [MODES.index(mode) for mode in modes if mode != "stand"])
    usual = np.isin(steps.mode, [MODES.index(mode) for mode in USUAL])
    # What leads to a jump, or comes after one, is no usual step.
    other = ~usual & (steps.mode != MODES.index("stand"))
    usual &= wanted & ~np.isin(steps.clip, steps.clip[other])
    jumping = np.isin(steps.clip, steps.clip[steps.mode == MODES.index("jump")])
    platform = wanted & ~usual & (other | jumping)
    if "jump" not in modes:
        platform &= ~jumping
    stands = np.flatnonzero(steps.mode == MODES.index("stand"))
    long_enough = stands[np.diff(steps.times[stands], axis=1)[:, 0] >= wait - 1e-6]
    if len(long_enough) == 0:
        raise ProblemError(
            f"footsteps: nobody stands still for {wait:g} s in the library; plans end"
            " standing, so it needs such a clip"
        )
    stand = steps.taken(long_enough[:1])
    times = stand.times.copy()
    times[0, 1] = times[0, 0] + wait
    stand = replace(stand, times=times)
    parts = [stand, steps.taken(usual), steps.taken(platform)]
    columns = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in stand.__dataclass_fields__
        if name != "clips"
    }
    special = np.zeros(len(columns["mode"]), dtype=np.bool_)
    special[1 + int(usual.sum()) :] = True
    return Steps(clips=steps.clips, **columns), special


def exactly_timed(steps: Steps, footage: Footage) -> Steps:
    """Steps up and down that end when a foot lands in the footage, where that is known better."""
    times = steps.times.astype(np.float64)
    climbing = np.isin(steps.mode, [MODES.index("step up"), MODES.index("step down")])
    for index in np.flatnonzero(climbing).tolist():
        take = footage.take(
            steps.clips[int(steps.clip[index])], mirrored=bool(steps.mirrored[index])
        )
        for side, feet in ((0, steps.support), (1, steps.swing)):
            if int(feet[index]) < FEET.index("both"):
                times[index, side] = landing_near(take, int(feet[index]), times[index, side])
    return replace(steps, times=times.astype(np.float32))


def cut(steps: Steps, index: int, bodies: dict[str, Body], footage: Footage) -> Cut:
    """A step, from its clip's body and the way that the footage has it travel."""
    name = steps.clips[int(steps.clip[index])]
    body, take = bodies[name], footage.take(name)
    start, end = (float(time) for time in steps.times[index])
    mirrored = bool(steps.mirrored[index])
    trod = treading(footage.take(name, mirrored=mirrored), start, end)
    place, heading = take.frame(start)
    moments = np.linspace(start, end, SAMPLES)
    frame, part = body.at(moments)
    after = np.minimum(frame + 1, len(body.points) - 1)
    points = body.points[frame] + part[:, None, None] * (body.points[after] - body.points[frame])
    samples = _seen(points, place, heading, mirrored)
    samples[..., 2] -= trod.floor
    ends = [_at(body, take.frame(t), t, mirrored) for t in (start, end)]
    for (figure, _), ground in zip(ends, trod.ground, strict=True):
        figure[:4, 2] -= trod.floor + ground.mean()
        figure[4:, 2] -= trod.floor + ground
    way = np.array([take.frame(float(t))[0] for t in moments])
    last, facing = take.frame(end)
    ahead = _turned(last - place, -heading)
    move = np.array([ahead[0], ahead[1], facing - heading])
    if mirrored:
        move *= [1.0, -1.0, -1.0]
    length = float(np.sqrt((np.diff(way, axis=0) ** 2).sum(axis=1)).sum())
    if index == 0:
        # The stand: bodies sway, but do not go anywhere.
        move, length = np.zeros(3), 0.0
    return Cut(move, end - start, length, samples, ends[0], ends[1], trod)


def _at(body: Body, frame: tuple[Floats, float], t: float, mirrored: bool) -> tuple[Floats, Floats]:
    """The body's points, and its velocity, in the frame it travels in."""
    moments = np.array([t, t - _INSTANT, t + _INSTANT])
    moments = np.clip(moments, 0.0, (len(body.points) - 1) / body.rate)
    index, part = body.at(moments)
    after = np.minimum(index + 1, len(body.points) - 1)
    points = body.points[index] + part[:, None, None] * (body.points[after] - body.points[index])
    velocity = (points[2, 0] - points[1, 0]) / (moments[2] - moments[1])
    across = _turned(velocity[:2], -frame[1])
    velocity = np.array([across[0], across[1], velocity[2]]) * (_MIRROR if mirrored else 1.0)
    return _seen(points[:1], frame[0], frame[1], mirrored)[0], velocity


def _seen(points: Floats, place: Floats, heading: float, mirrored: bool) -> Floats:
    """Points `(k, 6, 3)` in a frame, maybe in a mirror."""
    away = points.copy()
    away[..., :2] -= place
    c, s = cos(heading), sin(heading)
    seen = np.stack(
        [c * away[..., 0] + s * away[..., 1], c * away[..., 1] - s * away[..., 0], away[..., 2]],
        axis=-1,
    )
    return seen[:, _SWAPPED] * _MIRROR if mirrored else seen


def _turned(vector: Floats, angle: float) -> Floats:
    c, s = cos(angle), sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def extra_turn(move: Floats, turn: float) -> Floats:
    """A move when the whole character is turned evenly meanwhile: its way is turned by half."""
    ahead = _turned(move[:2], turn / 2)
    return np.array([ahead[0], ahead[1], move[2] + turn])


def turning(samples: Floats, turn: float) -> Floats:
    """Samples of a step that is turned beyond what it does, as playing it turns it."""
    if turn == 0:
        return samples
    share = smootherstep(np.linspace(0.0, 1.0, SAMPLES))
    result = np.empty_like(samples)
    for index, part in enumerate(share.tolist()):
        around = samples[index, 0]
        for point in range(samples.shape[1]):
            away = _turned(samples[index, point, :2] - around[:2], part * turn)
            centre = _turned(around[:2], part * turn / 2)
            result[index, point, :2] = centre + away
        result[index, :, 2] = samples[index, :, 2]
    return result
