"""Arms, hands, legs and shoes of the mannequin; made for the left, mirrored to the right."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.mannequin.assembly import Assembly, blend
from surefoot.character.mannequin.surfaces import End, Surface, loft, sphere
from surefoot.character.measures import Measures


def place(body: Assembly, joint: str) -> Floats:
    """World position `(3,)` [m] of a joint while all rotations are the identity."""
    index, position = body.skeleton.index(joint), np.zeros(3)
    while index >= 0:
        position = position + body.skeleton.offsets[index]
        index = body.skeleton.parents[index]
    return position


def add_legs(body: Assembly, measures: Measures, girth: float) -> None:
    """Thighs, knees and shins."""
    hip, knee = place(body, "left_thigh"), place(body, "left_shin")
    thigh, shin, g = measures.thigh, measures.shin, girth
    upper = loft(
        [
            (-0.935 * thigh, 0.034 * g, 0.031 * g, 0.031 * g, 0.030 * g, 0.0, 0.0),
            (-0.80 * thigh, 0.037 * g, 0.034 * g, 0.034 * g, 0.033 * g, 0.001 * g, 0.0),
            (-0.50 * thigh, 0.046 * g, 0.041 * g, 0.043 * g, 0.040 * g, 0.002 * g, 0.001 * g),
            (-0.22 * thigh, 0.050 * g, 0.048 * g, 0.047 * g, 0.044 * g, 0.0, 0.003 * g),
            (-0.06 * thigh, 0.046 * g, 0.049 * g, 0.041 * g, 0.042 * g, 0.0, 0.0),
            (0.040 * g, 0.042 * g, 0.044 * g, 0.037 * g, 0.040 * g, 0.0, 0.0),
        ],
        low=End(depth=0.010 * g, inset=0.010 * g),
        high=End(depth=0.040 * g),
        rings=7,
        segments=14,
        tilt_low=-0.20,
    )
    body.add_both("legs", upper.moved(hip), {"left_thigh": 1.0})
    ball = sphere(0.031 * g, rings=6, segments=14)
    body.add_both("joints", ball.moved(knee), {"left_shin": 1.0})
    lower = loft(
        [
            (-shin - 0.008 * g, 0.020 * g, 0.022 * g, 0.020 * g, 0.020 * g, -0.002 * g, 0.0),
            (-0.90 * shin, 0.0205 * g, 0.023 * g, 0.0205 * g, 0.0205 * g, -0.001 * g, 0.0),
            (-0.62 * shin, 0.025 * g, 0.032 * g, 0.0270 * g, 0.0265 * g, -0.001 * g, 0.0),
            (-0.34 * shin, 0.029 * g, 0.042 * g, 0.035 * g, 0.034 * g, -0.001 * g, 0.0),
            (-0.18 * shin, 0.031 * g, 0.039 * g, 0.035 * g, 0.033 * g, 0.0, 0.0),
            (-0.06 * shin, 0.033 * g, 0.031 * g, 0.031 * g, 0.030 * g, 0.0, 0.0),
        ],
        low=End(depth=0.012 * g),
        high=End(depth=0.010 * g, inset=0.010 * g),
        rings=7,
        segments=14,
        tilt_high=0.20,
    )
    body.add_both("legs", lower.moved(knee), {"left_shin": 1.0})


def add_arms(body: Assembly, measures: Measures, girth: float) -> None:
    """Upper arms, elbows, forearms and hands."""
    shoulder, elbow, wrist = (
        place(body, f"left_{bone}") for bone in ("upper_arm", "forearm", "hand")
    )
    arm, fore, g = measures.upper_arm, measures.forearm, girth
    upper = loft(
        [
            (-0.915 * arm, 0.025 * g, 0.025 * g, 0.0235 * g, 0.0235 * g),
            (-0.75 * arm, 0.0275 * g, 0.027 * g, 0.025 * g, 0.025 * g),
            (-0.45 * arm, 0.031 * g, 0.030 * g, 0.028 * g, 0.028 * g),
            (-0.15 * arm, 0.034 * g, 0.034 * g, 0.033 * g, 0.032 * g),
            (0.0, 0.0335 * g, 0.0335 * g, 0.033 * g, 0.033 * g),
            (0.033 * g, 0.031 * g, 0.031 * g, 0.031 * g, 0.031 * g),
        ],
        low=End(depth=0.008 * g, inset=0.008 * g),
        high=End(depth=0.033 * g),
        rings=6,
        segments=12,
        tilt_low=0.18,
    )
    body.add_both("torso", upper.moved(shoulder), {"left_upper_arm": 1.0})
    ball = sphere(0.0235 * g, rings=6, segments=12)
    body.add_both("joints", ball.moved(elbow), {"left_forearm": 1.0})
    lower = loft(
        [
            (-0.955 * fore, 0.0175 * g, 0.0175 * g, 0.015 * g, 0.015 * g),
            (-0.80 * fore, 0.0195 * g, 0.0195 * g, 0.0165 * g, 0.0165 * g),
            (-0.50 * fore, 0.0245 * g, 0.0235 * g, 0.0215 * g, 0.0215 * g),
            (-0.24 * fore, 0.0275 * g, 0.0265 * g, 0.025 * g, 0.025 * g),
            (-0.09 * fore, 0.0255 * g, 0.025 * g, 0.0235 * g, 0.0235 * g),
        ],
        low=End(depth=0.006 * g, inset=0.006 * g),
        high=End(depth=0.008 * g, inset=0.008 * g),
        rings=6,
        segments=12,
        tilt_high=-0.18,
    )
    body.add_both("shell", lower.moved(elbow), {"left_forearm": 1.0})
    joint = sphere(0.0158 * g, rings=4, segments=10)
    body.add_both("joints", joint.moved(wrist), {"left_hand": 1.0})
    for piece in _hand(measures.hand):
        body.add_both("shell", piece.moved(wrist), {"left_hand": 1.0})


def _hand(long: float) -> tuple[Surface, Surface]:
    """A mitten and a thumb that hang from the wrist; the palm faces inward, the thumb ahead."""
    mitten = loft(
        [
            (-0.98 * long, 0.16 * long, 0.14 * long, 0.065 * long, 0.065 * long, 0.0, -0.15 * long),
            (-0.80 * long, 0.20 * long, 0.18 * long, 0.080 * long, 0.075 * long, 0.0, -0.10 * long),
            (-0.52 * long, 0.225 * long, 0.21 * long, 0.10 * long, 0.09 * long, 0.0, -0.03 * long),
            (-0.25 * long, 0.205 * long, 0.19 * long, 0.115 * long, 0.105 * long, 0.0, 0.0),
            (-0.06 * long, 0.145 * long, 0.14 * long, 0.115 * long, 0.105 * long, 0.0, 0.0),
        ],
        low=End(depth=0.16 * long),
        high=End(depth=0.05 * long, inset=0.04 * long),
        rings=5,
        segments=12,
        power=2.3,
    )  # fmt: skip
    thumb = loft(
        [
            (-0.42 * long, 0.065 * long, 0.065 * long, 0.060 * long, 0.060 * long),
            (-0.15 * long, 0.075 * long, 0.075 * long, 0.070 * long, 0.070 * long),
            (0.05 * long, 0.070 * long, 0.070 * long, 0.070 * long, 0.070 * long),
        ],
        low=End(depth=0.07 * long),
        high=End(depth=0.06 * long),
        rings=1,
        segments=7,
    )
    lean = 0.45
    turn = np.array(
        [[np.cos(lean), 0.0, -np.sin(lean)], [0.0, 1.0, 0.0], [np.sin(lean), 0.0, np.cos(lean)]]
    )
    root = np.array([0.13 * long, -0.03 * long, -0.22 * long])
    return mitten, Surface(thumb.vertices @ turn.T + root, thumb.faces)


def add_shoes(body: Assembly, measures: Measures) -> None:
    """Shoes with soles; the soles' undersides are the ground contact of the measures."""
    ankle = place(body, "left_foot")
    sole = 0.26 * measures.ankle_height
    upper = _foot_loft(measures, 0.5 * sole, _UPPER, spread=0.0, power=2.5, rings=7)
    under = _foot_loft(measures, 0.0, _SOLE, spread=0.035, power=3.2, rings=5)
    for part, surface in (("shoes", upper), ("soles", under)):
        x = surface.vertices[:, 0]
        bend = 0.12 * measures.foot_length
        toes = blend(x, measures.ball_ahead - 0.5 * bend, measures.ball_ahead + 0.5 * bend)
        body.add_both(
            part, surface.moved([*ankle[:2], 0.0]), {"left_foot": 1.0 - toes, "left_toe": toes}
        )


# Along the foot (0 heel, 1 toe tip): how high the surface is, in ankle heights.
_UPPER = ((0.0, 1.22), (0.10, 1.36), (0.30, 1.40), (0.40, 1.22), (0.55, 0.93), (0.72, 0.72),
          (0.88, 0.62), (1.0, 0.50))  # fmt: skip
_SOLE = ((0.0, 0.34), (0.25, 0.33), (0.6, 0.27), (0.85, 0.28), (1.0, 0.32))
# Along the foot: extents outward and inward, in foot widths.
_OUTLINE = ((0.0, 0.27, 0.27), (0.12, 0.33, 0.32), (0.35, 0.36, 0.31), (0.55, 0.46, 0.36),
            (0.72, 0.52, 0.46), (0.88, 0.44, 0.45), (1.0, 0.26, 0.33))  # fmt: skip


def _foot_loft(
    measures: Measures,
    bottom: float,
    tops: tuple[tuple[float, float], ...],
    *,
    spread: float,
    power: float,
    rings: int,
) -> Surface:
    """A loft along the foot from heel to toe, flat below; origin under the ankle."""
    long, wide, tall = measures.foot_length, measures.foot_width, measures.ankle_height
    start = -measures.heel_behind
    along = np.array(sorted({row[0] for row in (*tops, *_OUTLINE)}))
    profile = np.array(tops)
    top = np.interp(along, profile[:, 0], profile[:, 1]) * tall
    outline = np.array(_OUTLINE)
    out = (np.interp(along, outline[:, 0], outline[:, 1]) + spread) * wide
    inside = (np.interp(along, outline[:, 0], outline[:, 2]) + spread) * wide
    # The loft runs along z; its x becomes up and its z becomes forward.
    middle = bottom + 0.32 * (top - bottom)
    stations = np.stack(
        [start + along * long, top - middle, middle - bottom, out, inside, middle, 0 * out], axis=1
    )
    surface = loft(
        stations.tolist(),
        low=End(depth=0.13 * long),
        high=End(depth=0.16 * long),
        rings=rings,
        segments=13,
        power=power,
    )
    turned = surface.vertices[:, [2, 1, 0]]
    # An odd number of vertices around has none right below; let the lowest touch the ground.
    turned[:, 2] += bottom - turned[:, 2].min()
    # Swapping two axes mirrors the surface; the faces turn with it.
    return Surface(turned, surface.faces[:, ::-1].copy())
