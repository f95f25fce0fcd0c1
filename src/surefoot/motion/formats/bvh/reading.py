"""Reading a BVH file as a clip: Z up, metres, at the rate it was captured."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats, number
from surefoot.character import kinematics
from surefoot.character.skeleton import Skeleton, Tip
from surefoot.errors import InputError
from surefoot.files import PathLike, read_bytes
from surefoot.motion import bones as bone_finding
from surefoot.motion.clip import Clip
from surefoot.motion.formats import frame_of_file as frame
from surefoot.motion.formats.bvh.frames import read_frames
from surefoot.motion.formats.bvh.hierarchy import Channel, Hierarchy, read_hierarchy, split_file
from surefoot.motion.formats.bvh.places import places_of
from surefoot.motion.formats.first_frames import arms_spread, stray_frames
from surefoot.motion.formats.pace import Pace, pace
from surefoot.motion.formats.rates import rate_of

# Poses that are looked at to find what is up and how long the legs are.
_LOOKED_AT = 24
# Frames that are enough to tell how fast people move.
_PACED = 160
_SURE = 0.8


def read_bvh(
    path: PathLike,
    *,
    scale: float | None = None,
    up: str | None = None,
    rate: float | None = None,
    skip: int | None = None,
) -> Clip:
    """The motion of a BVH file; what had to be assumed is in the clip's notes.

    Args:
        path: the file; the clip has its name.
        scale: metres in one unit of the file; found from the length of the legs when not given.
        up: the file's upward axis, "y", "z" or "x", each also with "-"; found from the poses when
            not given.
        rate: [1/s], > 0: frames a second; as stated in the file when not given.
        skip: how many frames to leave out at the start; when not given, those that do not belong
            to the motion, such as a T pose.

    Raises:
        FileError: the file is no BVH, broken or truncated; names the line and the joint.
    """
    title, name = str(path), Path(path).stem
    data = read_bytes(path)
    head, start = split_file(data, title)
    hierarchy = read_hierarchy(head, title)
    frames = read_frames(data, start, hierarchy, title)
    notes = [*hierarchy.notes, *frames.notes]
    skeleton, bones, channels = _at_rest(hierarchy)

    table = frames.table
    places = places_of(hierarchy, table)
    notes += places.notes
    some = np.linspace(0, len(table) - 1, min(len(table), _LOOKED_AT)).astype(np.intp)
    in_files_axes = _native.turned_by_channels(table[some], channels, len(skeleton))
    looked = places.forward(skeleton, in_files_axes, some)

    turn, said = _turn(bones, looked, skeleton, up)
    metres, sized = _scale(bones, looked, scale)
    local = _native.turned_by_channels(table, turn.channels(channels), len(skeleton))
    first = _first(local, skip, name)
    notes += [*said, *sized]
    if first and skip is None:
        stray = _native.turned_by_channels(table[:first], channels, len(skeleton))
        before = places.forward(skeleton, stray, np.arange(first))
        t_pose = any(arms_spread(bones, turn.vectors(pose)) for pose in before)
        notes.append(_stray(first, t_pose))

    local.flags.writeable = False  # it is the clip's from here on

    def ours(vectors: Floats) -> Floats:
        return turn.vectors(vectors) * metres

    root = ours(places.root[first:])
    shifts = {joint: ours(moved[first:]) for joint, moved in places.shifts.items()}
    if places.offsets is hierarchy.offsets:
        in_metres = _in_metres(hierarchy, turn.up, metres)
    else:
        in_metres = _converted(skeleton, places.offsets, turn, metres)
    found = _pace(in_metres, bones, root, local[first:], shifts)
    frame_rate, timed = rate_of(frames.frame_time, found, rate)
    return Clip(
        name=name,
        skeleton=in_metres,
        rate=frame_rate,
        root=root,
        rotations=local[first:],
        bones=bones,
        shifts=shifts,
        notes=(*notes, *timed),
    )


@lru_cache(maxsize=64)
def _at_rest(hierarchy: Hierarchy) -> tuple[Skeleton, dict[str, int], np.ndarray]:
    """The skeleton in the file's axes and unit, its bones, and the channels that turn it."""
    names = hierarchy.names
    tips: dict[str, Tip] = {}
    for joint, offset in hierarchy.ends:
        title = f"{names[joint]}_end"
        while title in tips or title in names:
            title += "_"
        tips[title] = Tip(title, names[joint], offset)
    skeleton = Skeleton(
        joints=names,
        parents=hierarchy.parents,
        offsets=hierarchy.offsets,
        tips=tuple(tips.values()),
    )
    channels = np.array(
        [
            (channel.joint, channel.axis, column, 1)
            for column, channel in sorted(enumerate(hierarchy.channels), key=_by_joint)
            if channel.kind == "rotation"
        ],
        dtype=np.int32,
    ).reshape(-1, 4)
    positions, _ = skeleton.rest_pose()
    tallest = np.eye(3)[int(np.argmax(np.ptp(positions, axis=0)[[1, 2]])) + 1]
    return skeleton, bone_finding.find(skeleton, tallest), channels


# Clips of one actor share the skeleton too.
@lru_cache(maxsize=64)
def _in_metres(hierarchy: Hierarchy, up: str, metres: float) -> Skeleton:
    return _converted(_at_rest(hierarchy)[0], hierarchy.offsets, frame.Turn(up), metres)


def _converted(skeleton: Skeleton, offsets: Floats, turn: frame.Turn, metres: float) -> Skeleton:
    """The skeleton in our axes and metres."""
    return Skeleton(
        joints=skeleton.joints,
        parents=skeleton.parents,
        offsets=turn.vectors(offsets) * metres,
        tips=tuple(
            Tip(tip.name, tip.joint, turn.vectors(tip.offset) * metres) for tip in skeleton.tips
        ),
    )


def _by_joint(numbered: tuple[int, Channel]) -> int:
    return numbered[1].joint


def _turn(
    bones: dict[str, int], looked: Floats, skeleton: Skeleton, up: str | None
) -> tuple[frame.Turn, list[str]]:
    """How the file's axes lie, and what to say about it."""
    if up is not None:
        return frame.Turn(up), []
    axis, sure = frame.upward(bones, looked)
    if sure < _SURE:
        at_rest, surer = frame.upward(bones, skeleton.rest_pose()[0][None])
        if surer < _SURE:
            return frame.Turn("y"), ["nobody stands upright; up is taken for Y, as is usual"]
        axis = at_rest
    name = frame.axis_name(axis)
    return frame.Turn(name), [] if name == "y" else [f"up is {name.upper()}"]


def _scale(bones: dict[str, int], looked: Floats, scale: float | None) -> tuple[float, list[str]]:
    """Metres in one unit, and what to say about it."""
    if scale is not None:
        return frame.checked_scale(scale), []
    leg = frame.leg_length(bones, looked)
    if leg is None:
        return 1.0, ["no legs are known; lengths are taken for metres"]
    metres, said = frame.metres_per_unit(leg)
    return metres, [said]


def _first(local: Floats, skip: int | None, name: str) -> int:
    """The first frame that belongs to the motion."""
    if skip is None:
        return stray_frames(local)
    first = int(number(skip, "skip", at_least=0))
    if first >= len(local):
        raise InputError(f"clip {name!r}: skip = {first} leaves none of {len(local)} frames")
    return first


def _pace(
    skeleton: Skeleton,
    bones: Mapping[str, int],
    root: Floats,
    local: Floats,
    shifts: Mapping[int, Floats],
) -> Pace | None:
    """What the motion tells about the rate; None without legs."""
    if any(joint not in bones for joint in ("pelvis", *bone_finding.LEGS)):
        return None
    # Of long clips every few frames are enough.
    every = max(1, len(root) // _PACED)
    positions, _ = kinematics.forward(
        skeleton.parents,
        skeleton.offsets,
        root[::every],
        local[::every],
        {joint: moved[::every] for joint, moved in shifts.items()},
    )
    found = pace(positions, bones)
    return None if found is None else Pace(found.rate * every, found.sure)


def _stray(count: int, t_pose: bool) -> str:
    if count == 1:
        return f"the first frame is {'a T pose' if t_pose else 'not part of the motion'}; left out"
    what = "a T pose and not part of the motion" if t_pose else "not part of the motion"
    return f"the first {count} frames are {what}; left out"
