"""Which way is up in a file of motion, and how long its unit is: files do not say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, Ints, number
from surefoot.character.humanoid import SIDES
from surefoot.errors import InputError, one_of
from surefoot.math import rotations

# By name: for each of our axes, which axis of the file it is and with which sign.
_AXES: dict[str, tuple[tuple[int, int, int], tuple[float, float, float]]] = {
    "x": ((1, 2, 0), (1.0, 1.0, 1.0)),
    "y": ((0, 2, 1), (1.0, -1.0, 1.0)),
    "z": ((0, 1, 2), (1.0, 1.0, 1.0)),
    "-x": ((2, 1, 0), (1.0, 1.0, -1.0)),
    "-y": ((0, 2, 1), (1.0, 1.0, -1.0)),
    "-z": ((0, 1, 2), (1.0, -1.0, -1.0)),
}
UPS = tuple(_AXES)
"""What `up` may be."""

# Metres in a unit, and how unlikely a file is to use it, in the unit of the misfit below.
_UNITS: tuple[tuple[str, float, float], ...] = (
    ("metres", 1.0, 0.0),
    ("centimetres", 0.01, 0.0),
    ("millimetres", 0.001, 0.0),
    ("inches", 0.0254, 0.1),
    ("units of 0.0254/0.45 m, as in CMU's files", 0.0254 / 0.45, 0.1),
    ("tenths of a metre", 0.1, 0.2),
    ("feet", 0.3048, 0.2),
)
MODELLED = ("metres", "centimetres", "millimetres")
"""Units of files that people modelled in."""
# Hip joint to knee to ankle of an adult [m], and the logarithm of how far people are from it:
# from a child of four to a giant.
_USUAL_LEG, _SHORTER, _LONGER = 0.84, 0.85, 0.30


@dataclass(frozen=True)
class Turn:
    """From a file's axes to ours, Z up; numbers only change places and signs."""

    up: str

    def __post_init__(self) -> None:
        if self.up not in _AXES:
            raise InputError(one_of("up axis", self.up, UPS))

    def vectors(self, vectors: Floats) -> Floats:
        """Vectors `(..., 3)` in our axes."""
        order, signs = _AXES[self.up]
        return vectors[..., list(order)] * np.array(signs)

    def rotation(self) -> Floats:
        """The turn `(4,)` itself."""
        return rotations.from_matrix(self.vectors(np.eye(3)).T)

    def channels(self, channels: Ints) -> Ints:
        """Turns `(k, 4)`, joint, axis, column and sign, about the file's axes as about ours."""
        order, signs = _AXES[self.up]
        ours = channels.copy()
        for axis, (of_file, sign) in enumerate(zip(order, signs, strict=True)):
            these = channels[:, 1] == of_file
            ours[these, 1] = axis
            ours[these, 3] *= int(sign)
        return ours


def upward(bones: Mapping[str, int], positions: Floats) -> tuple[Floats, float]:
    """The axis `(3,)` that people stand along over poses `(n, joints, 3)`, and how sure that is.

    Sure is 1 where everybody stands along one axis of the file in every frame; below 0.8, people
    lie, tumble, or the skeleton is none of a person.
    """
    if any(joint not in bones for joint in ("pelvis", "left_foot", "right_foot")):
        return np.array([0.0, 1.0, 0.0]), 0.0
    feet = positions[:, [bones["left_foot"], bones["right_foot"]]].mean(axis=1)
    hips = positions[:, bones["pelvis"]]
    along = _units(hips - feet)
    # The trunk counts for less: that of an animal lies.
    tops = [bones[joint] for joint in ("head", "neck", "chest") if joint in bones]
    if tops:
        along = (along + 0.5 * _units(positions[:, tops[0]] - hips)) / 1.5
    mean = along.mean(axis=0)
    axis = int(np.argmax(np.abs(mean)))
    return np.eye(3)[axis] * np.sign(mean[axis]), float(np.abs(mean[axis]))


def _units(vectors: Floats) -> Floats:
    sizes = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    return vectors / np.maximum(sizes, 1e-12)


def axis_name(axis: Floats) -> str:
    """`y` or `-y` for an axis `(3,)` of the file."""
    at = int(np.argmax(np.abs(axis)))
    return ("-" if axis[at] < 0 else "") + "xyz"[at]


def leg_length(bones: Mapping[str, int], positions: Floats) -> float | None:
    """Hip to knee to ankle in the file's unit, from poses `(n, joints, 3)`; None without legs."""
    lengths: list[float] = []
    for side in SIDES:
        leg = [f"{side}_{bone}" for bone in ("thigh", "shin", "foot")]
        if all(joint in bones for joint in leg):
            places = positions[:, [bones[joint] for joint in leg]]
            bent = places[:, 1:] - places[:, :-1]
            steps = np.sqrt((bent * bent).sum(axis=-1)).sum(axis=1)
            lengths.append(float(np.sort(steps)[len(steps) // 2]))
    return float(np.mean(lengths)) if lengths and min(lengths) > 1e-9 else None


def metres_per_unit(leg: float, units: Collection[str] | None = None) -> tuple[float, str]:
    """Metres in one unit of a file whose people have legs `leg` units long, and a note on it.

    Args:
        leg: > 0, hip to knee to ankle.
        units: names of those that the file can be in; all when not given.
    """

    def misfit(metres: float, unlikely: float) -> float:
        away = float(np.log(leg * metres / _USUAL_LEG))
        return (away / _LONGER if away > 0 else -away / _SHORTER) + unlikely

    known = [unit for unit in _UNITS if units is None or unit[0] in units]
    unit, metres, unlikely = min(known, key=lambda unit: misfit(unit[1], unit[2]))
    if misfit(metres, unlikely) > 1.2:
        metres = _USUAL_LEG / leg
        return metres, (
            f"legs of {leg:.3g} units fit no person in any usual unit; scaled to {_USUAL_LEG} m"
        )
    return metres, f"lengths are in {unit}: the legs are {leg * metres:.2f} m long"


def checked_scale(scale: float) -> float:
    """A `scale` given by the caller."""
    return number(scale, "scale", above=0.0)
