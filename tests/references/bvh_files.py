"""Small BVH files written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from surefoot.math import rotations

ARM = """\
HIERARCHY
ROOT Base
{
\tOFFSET 1 2 3
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Upper
\t{
\t\tOFFSET 0 2 0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tJOINT Lower
\t\t{
\t\t\tOFFSET 0 3 0
\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\t\tEnd Site
\t\t\t{
\t\t\t\tOFFSET 0 1 0
\t\t\t}
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: 0.025
10 20 30  0 0 0   0 0 0   0 0 0
11 20 30  0 0 90  90 0 0  0 90 0
"""
"""A chain of three joints; in its second frame each is turned by a right angle."""


def write(folder: Path, text: str, name: str = "clip.bvh", *, line_end: str = "\n") -> Path:
    """A file with these lines."""
    path = folder / name
    path.write_bytes(text.replace("\n", line_end).encode())
    return path


def person(scale: float = 1.0, *, frames: str = "", count: int = 1, time: str = "0.01") -> str:
    """A person as other tools name one, Y up, facing +z, `scale` units to the metre.

    Hips, two legs of 0.42 + 0.42 m with toes, a spine, a head, and two arms spread; all channels
    are ZXY angles, the hips' with a position before. `frames` are the lines of numbers.
    """

    def joint(name: str, offset: Sequence[float], inside: str) -> str:
        at = " ".join(f"{scale * value:.6f}" for value in offset)
        return (
            f"JOINT {name}\n{{\nOFFSET {at}\nCHANNELS 3 Zrotation Xrotation Yrotation\n{inside}}}\n"
        )

    def end(offset: Sequence[float]) -> str:
        at = " ".join(f"{scale * value:.6f}" for value in offset)
        return f"End Site\n{{\nOFFSET {at}\n}}\n"

    def leg(side: str, sign: float) -> str:
        toes = joint(f"{side}ToeBase", (0, -0.05, 0.13), end((0, 0, 0.06)))
        foot = joint(f"{side}Foot", (0, -0.42, 0), toes)
        shin = joint(f"{side}Leg", (0, -0.42, 0), foot)
        return joint(f"{side}UpLeg", (0.09 * sign, 0, 0), shin)

    def arm(side: str, sign: float) -> str:
        hand = joint(f"{side}Hand", (0.25 * sign, 0, 0), end((0.18 * sign, 0, 0)))
        fore = joint(f"{side}ForeArm", (0.3 * sign, 0, 0), hand)
        upper = joint(f"{side}Arm", (0.15 * sign, 0, 0), fore)
        return joint(f"{side}Shoulder", (0.04 * sign, 0.15, 0), upper)

    head = joint("Neck", (0, 0.2, 0), joint("Head", (0, 0.1, 0), end((0, 0.18, 0))))
    chest = joint("Spine1", (0, 0.2, 0), head + arm("Left", 1) + arm("Right", -1))
    spine = joint("Spine", (0, 0.12, 0), chest)
    channels = "Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    root = f"ROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 {channels}\n"
    body = leg("Left", 1) + leg("Right", -1) + spine
    if not frames:
        frames = f"0 {0.9 * scale} 0 " + " ".join(["0"] * 63) + "\n"
    return f"HIERARCHY\n{root}{body}}}\nMOTION\nFrames: {count}\nFrame Time: {time}\n{frames}"


def turned(angles: Sequence[float], order: str) -> np.ndarray:
    """The rotation of angles [degrees] about axes of `order`, one matrix after the other."""
    result = np.eye(3)
    for angle, axis in zip(angles, order, strict=True):
        result = result @ rotations.to_matrix(
            rotations.from_axis_angle(np.eye(3)["XYZ".index(axis)], np.radians(angle))
        )
    return result
