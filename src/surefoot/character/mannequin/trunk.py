"""Pelvis, waist, chest, neck and head of the mannequin."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.mannequin.assembly import Assembly, blend
from surefoot.character.mannequin.surfaces import End, Surface, loft, patch, sphere, through
from surefoot.character.measures import Measures


def add_trunk(body: Assembly, measures: Measures, girth: float) -> None:
    """Pelvis, waist and chest; `girth` [m] is the height whose adult has this stoutness."""
    hip, neck = measures.leg_length, measures.neck_height
    wide = 0.5 * (girth + measures.shoulder_width / 0.21)

    def level(share: float) -> float:
        """Height [m] at a share of the way from the hip joints to the base of the neck."""
        return hip + share * (neck - hip)

    def ring(z: float, front: float, back: float, side: float, x: float = 0.0) -> list[float]:
        return [z, front * girth, back * girth, side * wide, side * wide, x * girth, 0.0]

    pelvis = loft(
        [
            ring(level(-0.22), 0.028, 0.032, 0.018),
            ring(level(-0.14), 0.050, 0.060, 0.066),
            ring(level(-0.03), 0.057, 0.069, 0.097),
            ring(level(0.10), 0.055, 0.063, 0.099),
            ring(level(0.26), 0.052, 0.051, 0.087),
        ],
        low=End(depth=0.025 * girth),
        high=End(depth=0.010 * girth, inset=0.010 * girth),
        rings=7,
        segments=22,
        power=2.2,
        tilt_high=-0.25,
    )
    body.add("legs", pelvis, {"pelvis": 1.0})

    waist = loft(
        [
            ring(level(0.08), 0.050, 0.050, 0.080),
            ring(level(0.25), 0.050, 0.046, 0.080, -0.002),
            ring(level(0.38), 0.050, 0.044, 0.076, -0.003),
            ring(level(0.55), 0.052, 0.048, 0.076, -0.004),
        ],
        low=End(depth=0.01 * girth, inset=0.01 * girth),
        high=End(depth=0.01 * girth, inset=0.01 * girth),
        rings=5,
        segments=16,
        power=2.2,
    )
    z = waist.vertices[:, 2]
    lower, upper = blend(z, level(0.10), level(0.30)), blend(z, level(0.34), level(0.54))
    body.add(
        "joints",
        waist,
        {"pelvis": 1.0 - lower, "spine": lower * (1.0 - upper), "chest": lower * upper},
    )

    chest = loft(
        [
            ring(level(0.345), 0.053, 0.047, 0.081, -0.003),
            ring(level(0.50), 0.060, 0.055, 0.087, -0.004),
            ring(level(0.64), 0.067, 0.062, 0.097, -0.005),
            ring(level(0.76), 0.064, 0.064, 0.105, -0.007),
            ring(level(0.86), 0.054, 0.060, 0.107, -0.008),
            ring(level(0.93), 0.044, 0.053, 0.094, -0.009),
            ring(level(0.985), 0.036, 0.044, 0.066, -0.010),
            ring(level(1.03), 0.031, 0.036, 0.042, -0.010),
            ring(level(1.06), 0.029, 0.033, 0.034, -0.010),
        ],
        low=End(depth=0.010 * girth, inset=0.010 * girth),
        high=End(depth=0.005 * girth, inset=0.005 * girth),
        rings=12,
        segments=24,
        power=2.25,
        tilt_low=0.22,
    )
    z, y = chest.vertices[:, 2], chest.vertices[:, 1]
    # The top of the chest follows the collar bones a little, so that shrugs and reaches show.
    high = 0.55 * blend(z, level(0.62), level(0.92))
    left = high * blend(y, 0.03 * wide, 0.09 * wide)
    right = high * blend(-y, 0.03 * wide, 0.09 * wide)
    body.add(
        "torso",
        chest,
        {"chest": 1.0 - left - right, "left_shoulder": left, "right_shoulder": right},
    )


def add_head(body: Assembly, measures: Measures, girth: float) -> None:
    """Neck, head and the visor that shows where the face is."""
    skeleton = body.skeleton
    long = measures.height - measures.chin_height
    neck = skeleton.offsets[0] + skeleton.offsets[1] + skeleton.offsets[2] + skeleton.offsets[3]
    base = neck + skeleton.offsets[4]
    low, high = neck[2] - 0.12 * long, base[2] + 0.15 * long
    thick = 0.031 * girth
    tube = loft(
        [
            (low, 1.10 * thick, 1.10 * thick, 1.10 * thick, 1.10 * thick, neck[0], 0.0),
            (neck[2] + 0.2 * long, 0.95 * thick, thick, 0.95 * thick, 0.95 * thick, neck[0], 0.0),
            (high, 0.95 * thick, thick, 0.95 * thick, 0.95 * thick, base[0] - 0.002, 0.0),
        ],
        low=End(depth=0.01 * girth, inset=0.005 * girth),
        high=End(depth=0.01 * girth, inset=0.01 * girth),
        rings=4,
        segments=14,
    )
    z = tube.vertices[:, 2]
    lower = blend(z, neck[2] - 0.1 * long, neck[2] + 0.15 * long)
    upper = blend(z, base[2] - 0.2 * long, base[2] + 0.05 * long)
    body.add(
        "joints", tube, {"chest": 1 - lower, "neck": lower * (1 - upper), "head": lower * upper}
    )
    centre = base[0] + 0.045 * long
    chin = measures.chin_height
    stations = [[chin + row[0] * long, *(value * long for value in row[1:])] for row in _HEAD]
    for row in stations:
        row[5] += centre
    skull = loft(
        stations,
        low=End(depth=0.10 * long),
        high=End(depth=0.30 * long, steps=6),
        rings=7,
        segments=26,
        power=2.15,
    )
    body.add("shell", skull, {"head": 1.0})
    body.add("visor", _visor(stations, chin, long), {"head": 1.0})
    ear = sphere([0.07 * long, 0.03 * long, 0.095 * long], rings=3, segments=10)
    body.add_both(
        "joints", ear.moved([centre - 0.05 * long, 0.335 * long, chin + 0.5 * long]), {"head": 1.0}
    )


# The head in parts of its length: height above the chin, then front, back, left, right, x.
_HEAD: tuple[tuple[float, ...], ...] = (
    (0.00, 0.28, 0.12, 0.205, 0.205, 0.07, 0.0),
    (0.14, 0.35, 0.20, 0.265, 0.265, 0.03, 0.0),
    (0.30, 0.395, 0.33, 0.305, 0.305, 0.0, 0.0),
    (0.50, 0.405, 0.43, 0.335, 0.335, 0.0, 0.0),
    (0.70, 0.395, 0.465, 0.35, 0.35, 0.0, 0.0),
    (1.00, 0.375, 0.45, 0.335, 0.335, -0.01, 0.0),
)


def _visor(stations: list[list[float]], chin: float, long: float) -> Surface:
    """A dark lens across the eyes, lying on the surface of the head."""
    columns, rows, half_angle = 13, 4, 1.25
    angle = half_angle * np.sin(np.linspace(-np.pi / 2, np.pi / 2, columns))
    span = 0.105 * np.maximum(1.0 - np.abs(angle / half_angle) ** 4, 0.02) ** 0.5
    up = np.linspace(-1.0, 1.0, rows)[:, None]
    height = chin + long * (0.56 - 0.03 * (angle / half_angle) ** 2 + up * span)
    raised = long * (0.016 + 0.014 * (1.0 - up**2)) * np.ones_like(angle)

    def shell(offset: Floats) -> Floats:
        radii = through(stations, height.ravel()).reshape(rows, columns, 6)
        cos, sin = np.cos(angle), np.sin(angle)
        x = (radii[..., 0] + offset) * np.sign(cos) * np.abs(cos) ** (2 / 2.15)
        y = (radii[..., 2] + offset) * np.sign(sin) * np.abs(sin) ** (2 / 2.15)
        return np.stack([x + radii[..., 4], y, height], axis=-1)

    return patch(shell(raised), shell(np.full_like(raised, -0.04 * long)))
