"""Highlights of an animation: a filmstrip of where it boards, rides and jumps."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from surefoot.animation.animation import Animation
from surefoot.animation.pictures import Camera, Picture, filmstrip, path, person, render
from surefoot.arrays import Floats
from surefoot.planning.segments import Kind

TELLING = (Kind.JUMP, Kind.BOARD, Kind.RIDE, Kind.WAIT, Kind.CLIMB, Kind.STEP_OVER)
"""Kinds of segments that are shown, those that tell most first."""

LONG = 1.0
"""[s] that a wait or a ride lasts at least to be shown."""

APART = 0.6
"""[s] between two moments at least."""

TRAIL = 1.5
"""[s] of the way that is drawn behind the character."""

AZIMUTHS = (-50.0, -130.0, -20.0, -160.0, 50.0, 130.0)
"""[degrees] Where the camera may stand; the first of those that see as much is taken."""

TURNS = (0.0, 15.0, -15.0, 30.0, -30.0)
"""[degrees] by which it may stand to the side of that."""

ELEVATION, AWAY = 24.0, 9.5
"""[degrees] and [m] of the camera from the character."""


def highlights(
    animation: Animation,
    *,
    shots: int = 8,
    columns: int = 4,
    size: tuple[int, int] = (300, 240),
    quality: str = "good",
) -> Picture:
    """A filmstrip: what the plan boards, rides and jumps, seen from beside the character.

    Args:
        animation: of a plan.
        shots: how many pictures at most, >= 2.
        columns: of the strip.
        size: of each picture [pixels].
        quality: "draft", "good" or "best".
    """
    chosen = moments(animation, shots)
    side = min(AZIMUTHS, key=lambda a: sum(_hidden(animation, t, a) for t, _ in chosen))
    pictures: list[Picture] = []
    for t, _ in chosen:
        # A little to the side where something stands in front just then.
        azimuth = min((side + turn for turn in TURNS), key=lambda a: _hidden(animation, t, a))
        pictures.append(_shot(animation, t, azimuth, size, quality))
    labels = [f"{t:.1f} s  {what}" for t, what in chosen]
    return filmstrip(pictures, labels, columns=columns)


def moments(animation: Animation, shots: int) -> list[tuple[float, str]]:
    """When to look and what is done then: the start, what tells most, and the end; in order."""
    plan = animation.plan
    found = [(plan.start + 0.3, "start")]
    for kind in TELLING:
        for segment in plan.segments:
            if segment.kind is not kind or (kind.waits and segment.duration < LONG):
                continue
            at = 0.5 * (segment.start + segment.end)
            if len(found) < shots and all(abs(at - t) >= APART for t, _ in found):
                found.append((at, str(segment.kind)))
    if len(found) < shots:
        found.append((plan.end, "there"))
    return sorted(found)


def _shot(
    animation: Animation, t: float, azimuth: float, size: tuple[int, int], quality: str
) -> Picture:
    camera = _camera(animation, t, azimuth, size)
    extras = [person(animation.character, *animation.pose(t))]
    behind = (animation.times >= t - TRAIL) & (animation.times <= t)
    # The way over what carries the character now, as it would see it.
    trail = animation.path[behind] + _carried(animation, t, animation.times[behind])
    if len(trail) > 1 and float(np.ptp(trail, axis=0).max()) > 0.05:
        extras.append(path(trail + np.array([0.0, 0.0, 0.03]), opacity=0.7))
    return render(animation.world, t, camera, extras=extras, quality=quality)


def _carried(animation: Animation, t: float, times: Floats) -> Floats:
    """`(n, 3)` [m]: how far what carries the character at `t` has come since `times` `(n,)`."""
    segment = animation.plan.segment_at(t)
    if segment is None or segment.frame is None:
        return np.zeros((len(times), 3))
    trajectory = animation.world[segment.frame].trajectory
    return trajectory.pose(t).position - trajectory.poses(times)[0]


def _camera(animation: Animation, t: float, azimuth: float, size: tuple[int, int]) -> Camera:
    root, _ = animation.pose(t)
    flat, up = AWAY * cos(radians(ELEVATION)), AWAY * sin(radians(ELEVATION))
    eye = root + np.array([flat * cos(radians(azimuth)), flat * sin(radians(azimuth)), up])
    return Camera(eye=eye, target=root + np.array([0.0, 0.0, -0.35]), size=size)


def _hidden(animation: Animation, t: float, azimuth: float) -> int:
    """How much of the character something stands in front of: head, middle, legs."""
    root, _ = animation.pose(t)
    eye = _camera(animation, t, azimuth, (320, 240)).eye
    side = np.array([-sin(radians(azimuth)), cos(radians(azimuth)), 0.0])
    away = root - eye + np.array(
        [np.array([0.0, 0.0, up]) + across * side for up in (-0.6, 0.0, 0.6)
         for across in (-0.4, -0.2, 0.0, 0.2, 0.4)]
    )  # fmt: skip
    far = np.linalg.norm(away, axis=1)
    hit = animation.world.at(t).ray(np.tile(eye, (len(far), 1)), away / far[:, None])
    return int((hit.distance < far - 0.05).sum())
