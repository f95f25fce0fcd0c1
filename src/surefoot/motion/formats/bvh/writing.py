"""Writing a clip as a BVH file, for tools of motion capture.

Y is up, lengths are metres, angles degrees in the order Z, X, Y. With all angles at zero the
skeleton is as its offsets have it; a canonical one stands with its arms hanging, facing +x.
"""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats, number
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError
from surefoot.files import PathLike, write_atomic
from surefoot.gltf import axes
from surefoot.math import rotations
from surefoot.motion.clip import Clip

_PLACES = "Xposition Yposition Zposition"
_TURNS = "Zrotation Xrotation Yrotation"
# Every chain of joints ends in an End Site; this one is for joints without a tip.
_END = np.array([0.0, 0.0, -0.02])


def write_bvh(path: PathLike, clip: Clip, *, decimals: int | None = None) -> None:
    """Writes a clip; joints that move against their parents have position channels.

    Args:
        path: the file.
        clip: of any skeleton; its tips become end sites, one for a joint that ends a chain.
        decimals: digits after the point, 0 to 17; when not given, as many as it takes to read the
            same lengths again, to the last bit, and the same rotations but for rounding.
    """
    if decimals is not None:
        decimals = int(number(decimals, "decimals", at_least=0, at_most=17))
    skeleton = clip.skeleton
    for name in skeleton.joints:
        if "\n" in name or "\r" in name or "{" in name or name != name.strip() or not name:
            raise InputError(f"BVH files cannot hold a joint called {name!r}")
    order = _depth_first(skeleton)
    columns: list[Floats] = []
    angles = np.degrees(zxy_angles(axes.y_up_rotations(clip.rotations)))
    for joint in order:
        if joint == 0:
            columns.append(axes.y_up(clip.root))
        elif joint in clip.shifts:
            columns.append(axes.y_up(clip.shifts[joint]))
        columns.append(angles[:, joint])
    offsets = _offsets(clip, decimals)
    lines = ["HIERARCHY", *_hierarchy(skeleton, offsets, clip, decimals)]
    lines += ["MOTION", f"Frames: {len(clip)}", f"Frame Time: {_text(1.0 / clip.rate, None)}"]
    lines += _rows(np.concatenate(columns, axis=1), decimals)
    write_atomic(path, ("\n".join(lines) + "\n").encode())


def zxy_angles(quaternions: Floats) -> Floats:
    """Turns `(..., 3)` [rad] about z, x and y, in this order of writing: q = z x y."""
    m = rotations.to_matrix(quaternions)
    sine, cosine = m[..., 2, 1], np.hypot(m[..., 0, 1], m[..., 1, 1])
    x = np.arctan2(sine, cosine)
    # Straight up or down (x a right angle) any z will do, if only y makes up for it.
    z = np.where(cosine > 1e-12, np.arctan2(-m[..., 0, 1], m[..., 1, 1]), 0.0)
    # Without z and x, the first column is that of the turn about y.
    c, s = np.cos(z), np.sin(z)
    ahead = c * m[..., 0, 0] + s * m[..., 1, 0]
    across = c * m[..., 0, 2] + s * m[..., 1, 2]
    return np.stack([z, x, np.arctan2(across, ahead)], axis=-1)


def _offsets(clip: Clip, decimals: int | None) -> Floats:
    """Offsets `(joints, 3)` [m]; of joints that move, near where they are.

    Readers take positions for what is added to an offset if they are nearer to zero than to it.
    On each axis nothing is nearer to them than their median; where zero is as near, as it can be
    between the two middle ones of an even number, the offset is zero: the two readings are one.
    """
    offsets = clip.skeleton.offsets.copy()
    rounding = 0.0 if decimals is None else 2 * 10.0**-decimals
    for joint, moved in clip.shifts.items():
        for axis, places in enumerate(moved.T):
            from_zero = float(np.abs(places).mean())
            tried = (float(offsets[joint, axis]), float(np.median(places)))
            offsets[joint, axis] = next(
                (
                    place
                    for place in tried
                    if float(np.abs(places - place).mean()) + rounding <= from_zero
                ),
                0.0,
            )
    return offsets


def _depth_first(skeleton: Skeleton) -> list[int]:
    """All joints as a BVH file has them: each followed by all below it."""
    children = _children(skeleton)
    order: list[int] = []
    waiting = [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += reversed(children[joint])
    return order


def _children(skeleton: Skeleton) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in skeleton.joints]
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            children[parent].append(joint)
    return children


def _hierarchy(skeleton: Skeleton, offsets: Floats, clip: Clip, decimals: int | None) -> list[str]:
    """The lines of all joints."""
    children = _children(skeleton)
    tips = {tip.joint: tip.offset for tip in reversed(skeleton.tips)}
    lines: list[str] = []
    open_joints: list[int] = []

    def close(until: int) -> None:
        while open_joints and open_joints[-1] != until:
            open_joints.pop()
            lines.append("  " * len(open_joints) + "}")

    for joint in _depth_first(skeleton):
        close(skeleton.parents[joint])
        indent = "  " * len(open_joints)
        moves = joint == 0 or joint in clip.shifts
        place = np.zeros(3) if joint == 0 else offsets[joint]
        lines += [
            f"{indent}{'JOINT' if open_joints else 'ROOT'} {skeleton.joints[joint]}",
            f"{indent}{{",
            f"{indent}  {_offset(place, decimals)}",
            f"{indent}  CHANNELS {f'6 {_PLACES}' if moves else '3'} {_TURNS}",
        ]
        if not children[joint]:
            end = tips.get(skeleton.joints[joint], _END)
            lines += [f"{indent}  End Site", f"{indent}  {{"]
            lines += [f"{indent}    {_offset(end, decimals)}", f"{indent}  }}"]
        open_joints.append(joint)
    close(-1)
    return lines


def _offset(values: Floats, decimals: int | None) -> str:
    return "OFFSET " + " ".join(_text(value, decimals) for value in axes.y_up(values).tolist())


def _text(value: float, decimals: int | None) -> str:
    return repr(value) if decimals is None else f"{value:.{decimals}f}"


def _rows(table: Floats, decimals: int | None) -> list[str]:
    if decimals is None:
        return [" ".join(map(repr, row)) for row in table.tolist()]
    form = " ".join([f"%.{decimals}f"] * table.shape[1])
    return [form % tuple(row) for row in table.tolist()]
