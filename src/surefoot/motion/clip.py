"""Clips: poses of a skeleton over time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from surefoot import _native, arrays, limits
from surefoot.arrays import ArrayLike, Floats, floats, frozen, number
from surefoot.character import kinematics
from surefoot.character.humanoid import JOINTS
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError
from surefoot.math import rotations


def _no_shifts() -> dict[int, Floats]:
    return {}


@dataclass(frozen=True, eq=False, kw_only=True)
class Clip:
    """Poses of a skeleton, any skeleton, at an even rate; Z up, metres.

    Attributes:
        name: unique in a library.
        skeleton: whose poses; its joints keep the names of the file they come from.
        rate: [1/s], > 0: frames a second.
        root: `(n, 3)` [m], the root joint in the world; n >= 1.
        rotations: `(n, joints, 4)`, local.
        bones: canonical joint to index of the skeleton's joint, for those that are known; of a
            canonical skeleton all.
        shifts: where a file moves a joint against its parent: the joint's index to `(n, 3)` [m],
            in the parent's frame, in place of the skeleton's offset.
        notes: what was assumed when it was read, in sentences.
    """

    name: str
    skeleton: Skeleton
    rate: float
    root: Floats
    rotations: Floats
    bones: Mapping[str, int] = field(default_factory=lambda: dict[str, int]())
    shifts: Mapping[int, Floats] = field(default_factory=_no_shifts)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        title = f"clip {self.name!r}"
        rate = number(self.rate, f"{title}: rate", above=0.0)
        root = floats(self.root, f"{title}: root", limit=limits.MAX_COORDINATE, unit="m")
        local = _unit_rotations(self.rotations, f"{title}: rotations")
        if root.ndim != 2 or root.shape[1] != 3 or len(root) == 0:
            raise InputError(f"{title}: root must be (n, 3), n >= 1, got {root.shape}")
        expected = (len(root), len(self.skeleton), 4)
        if local.shape != expected:
            raise InputError(f"{title}: rotations must have shape {expected}, got {local.shape}")
        shifts = {
            joint: frozen(floats(moved, f"{title}: shifts of joint {joint}"))
            for joint, moved in self.shifts.items()
        }
        for joint, moved in shifts.items():
            if not 0 < joint < len(self.skeleton) or moved.shape != root.shape:
                raise InputError(
                    f"{title}: shifts must be (n, 3) = {root.shape} for joints 1 to"
                    f" {len(self.skeleton) - 1}, got {moved.shape} for joint {joint}"
                )
        bones = dict(self.bones)
        if not bones and self.skeleton.joints == JOINTS:
            bones = {joint: index for index, joint in enumerate(JOINTS)}
        for bone, joint in bones.items():
            if not 0 <= joint < len(self.skeleton):
                raise InputError(f"{title}: bone {bone!r} is joint {joint}, which is not there")
        put = object.__setattr__
        put(self, "rate", rate)
        put(self, "root", frozen(root))
        put(self, "rotations", frozen(local))
        put(self, "bones", bones)
        put(self, "shifts", shifts)

    def __len__(self) -> int:
        return len(self.root)

    @property
    def duration(self) -> float:
        """[s] from the first frame to the last."""
        return (len(self) - 1) / self.rate

    @property
    def times(self) -> Floats:
        """`(n,)` [s], from 0."""
        return np.arange(len(self)) / self.rate

    def bone(self, name: str) -> int:
        """The index of the skeleton's joint that is the canonical joint `name`."""
        if name not in self.bones:
            known = ", ".join(joint for joint in JOINTS if joint in self.bones) or "none"
            raise InputError(f"clip {self.name!r} has no {name}; known are: {known}")
        return self.bones[name]

    def forward(self) -> tuple[Floats, Floats]:
        """World positions `(n, joints, 3)` [m] and rotations `(n, joints, 4)` of all joints."""
        return kinematics.forward(
            self.skeleton.parents, self.skeleton.offsets, self.root, self.rotations, self.shifts
        )

    def headings(self) -> Floats:
        """`(n,)` [rad]: where the hips face, continuous over time, from within half a turn of 0.

        Raises:
            InputError: the hips are not known.
        """
        left, right = self.bone("left_thigh"), self.bone("right_thigh")
        positions, _ = self.forward()
        return _facing(positions[:, left] - positions[:, right])

    def pose(self, time: ArrayLike) -> tuple[Floats, Floats]:
        """The root `(..., 3)` [m] and local rotations `(..., joints, 4)` at times `(...)` [s].

        Between frames the root goes straight and joints turn the shortest way; before the first
        and after the last frame the pose stays. (Shifts of joints: see `at`.)
        """
        times = arrays.times(time, f"clip {self.name!r}: time")
        poses = self.at(times.reshape(-1))
        shape = times.shape
        return poses.root.reshape(*shape, 3), poses.rotations.reshape(*shape, -1, 4)

    def at(self, times: Floats) -> Clip:
        """The poses at `times` `(k,)` [s], k >= 1, one after the other, as `pose` has them."""
        places = np.clip(times * self.rate, 0.0, len(self) - 1)
        # A time that is a frame's but for rounding is that frame's.
        whole = np.rint(places)
        places = np.where(np.abs(places - whole) < 1e-9 * len(self), whole, places)
        frames = np.minimum(places.astype(np.int32), max(len(self) - 2, 0)).astype(np.int32)
        fractions = places - frames
        frames = np.where(fractions == 1.0, frames + 1, frames).astype(np.int32)
        fractions = np.where(fractions == 1.0, 0.0, fractions)
        return replace(
            self,
            root=_between(self.root, frames, fractions),
            rotations=_native.between_frames(self.rotations, frames, fractions),
            shifts={
                joint: _between(moved, frames, fractions) for joint, moved in self.shifts.items()
            },
        )

    def resampled(self, rate: float) -> Clip:
        """The same motion at another rate [1/s]; what is left after its last frame is cut."""
        rate = number(rate, f"clip {self.name!r}: rate", above=0.0)
        arrays.samples(self.duration, rate, f"clip {self.name!r}")
        count = int(np.floor(self.duration * rate * (1 + 1e-12) + 1e-9)) + 1
        return replace(self.at(np.arange(count) / rate), rate=rate)

    def trimmed(self, start: float = 0.0, end: float | None = None) -> Clip:
        """The frames from `start` to `end` [s], both within the clip; it begins at time 0 again."""
        first = arrays.time(start, f"clip {self.name!r}: start", at_least=0.0)
        last = self.duration if end is None else arrays.time(end, f"clip {self.name!r}: end")
        a = int(np.ceil(first * self.rate - 1e-6))
        b = int(np.floor(last * self.rate + 1e-6)) + 1
        if not 0 <= a < b <= len(self):
            raise InputError(
                f"clip {self.name!r}: no frames from {first:g} to {last:g} s; it lasts from 0 to"
                f" {self.duration:g} s"
            )
        return self.frames(a, b)

    def frames(self, first: int, last: int) -> Clip:
        """Frames `first` to `last`, the latter not included."""
        return replace(
            self,
            root=self.root[first:last],
            rotations=self.rotations[first:last],
            shifts={joint: moved[first:last] for joint, moved in self.shifts.items()},
        )

    def aligned(self, position: ArrayLike, heading: float, *, time: float = 0.0) -> Clip:
        """The same motion elsewhere.

        Args:
            position: `(3,)` [m], where the point at height 0 below the hips goes.
            heading: [rad], where the hips face.
            time: [s], when that is so.
        """
        place = arrays.position(position, f"clip {self.name!r}: position")
        left, right = self.bone("left_thigh"), self.bone("right_thigh")
        moment = self.at(np.array([time]))
        hips, _ = moment.forward()
        turn = rotations.from_yaw(heading - _facing(hips[:, left] - hips[:, right])[0])
        below = (hips[0, left] + hips[0, right]) / 2 * [1.0, 1.0, 0.0]
        return self.moved(turn, place - rotations.rotate(turn, below))

    def mirrored(self) -> Clip:
        """The clip seen in a mirror across the world's x-z plane: left and right change places.

        Raises:
            InputError: no joint has a mirror image, by name or by shape.
        """
        from surefoot.motion.mirroring import mirrored  # which needs clips

        return mirrored(self)

    def moved(self, turn: Floats, shift: Floats) -> Clip:
        """The same motion turned about the world's origin by `turn` `(4,)`, then shifted `(3,)`."""
        local = self.rotations.copy()
        local[:, 0] = rotations.multiply(turn, local[:, 0])
        return replace(self, root=rotations.rotate(turn, self.root) + shift, rotations=local)


def _unit_rotations(value: Floats, title: str) -> Floats:
    """Unit quaternions; those that are stay as they are, to the last bit."""
    if (
        getattr(value, "ndim", 0) == 3  # lists have none
        and value.dtype == np.float64
        and value.shape[2] == 4
        and value.flags.c_contiguous
        and _native.first_not_unit(value) < 0
    ):
        return value
    local = floats(value, title)
    if local.shape[-1:] == (4,) and not np.linalg.norm(local, axis=-1).all():
        raise InputError(f"{title} must be quaternions of non-zero length")
    return rotations.normalize(local)


def _between(values: Floats, frames: np.ndarray, fractions: Floats) -> Floats:
    """Rows `(k, 3)` between those of `values`, straight."""
    after = values[np.minimum(frames + 1, len(values) - 1)]
    before = values[frames]
    return before + (after - before) * fractions[:, None]


def _facing(left: Floats) -> Floats:
    """Headings `(n,)` [rad] of bodies whose left is at `left` `(n, 3)`, continuous."""
    return np.unwrap(np.arctan2(-left[:, 0], left[:, 1]))
