"""Footage: clips made ready to be played, shared by every character that plays them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.character import kinematics
from surefoot.character.humanoid import JOINTS
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError, one_of
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.facing import Travel, travel
from surefoot.motion.footholds import SIDES, Foothold, Side
from surefoot.motion.gait.soles import middle_ahead

TAIL = 0.5
"""[s] that every clip goes on after its end, dying away: what a crossfade takes over from."""

DYING = (0.3, 0.08)
"""[s] in which the root, and the joints, of a clip's tail come to rest."""

MIRRORED = "mirrored "
"""What names of clips seen in a mirror begin with."""

DEEPEST = 0.28
"""[leg lengths] that a pelvis is lowered at most, to reach what its feet stand on."""


@dataclass(frozen=True, eq=False)
class Footfall:
    """A foot on the ground in a clip.

    Attributes:
        foot: "left" or "right".
        start: [s] in the clip.
        end: [s] in the clip; inf when the clip ends first.
        position: `(3,)` [m], the middle of the sole, in the clip's own space.
        rotation: `(4,)`, of the sole there.
        flat: [rad], the foot's pitch when its sole is flat there: the ground's, or what a captured
            foot has where it should be flat.
    """

    foot: Side
    start: float
    end: float
    position: Floats
    rotation: Floats
    flat: float = 0.0


def footfalls_of(footholds: Sequence[Foothold]) -> tuple[Footfall, ...]:
    """Footholds in a clip's own space as footfalls; what the ground tilts by is flat."""
    ahead = rotations.rotate(
        np.array([hold.rotation for hold in footholds]).reshape(-1, 4), [1.0, 0.0, 0.0]
    )
    flat = np.arctan2(-ahead[:, 2], np.hypot(ahead[:, 0], ahead[:, 1]))
    return tuple(
        Footfall(hold.foot, hold.start, hold.end, hold.position, hold.rotation, float(pitch))
        for hold, pitch in zip(footholds, flat, strict=True)
    )


@dataclass(frozen=True, eq=False)
class Take:
    """One clip of the footage.

    Attributes:
        name: of the clip.
        index: in the footage.
        first: where its frames begin.
        frames: how many it has, with its tail.
        rate: [1/s].
        duration: [s], without its tail.
        footfalls: of left and right foot, in order.
        travel: the level frames it travels in, without its tail.
    """

    name: str
    index: int
    first: int
    frames: int
    rate: float
    duration: float
    footfalls: tuple[tuple[Footfall, ...], tuple[Footfall, ...]]
    travel: Travel

    def frame(self, t: float) -> tuple[Floats, float]:
        """Where the body travels at `t` [s]: position `(2,)` [m] and heading [rad]."""
        at = np.clip(t * self.rate, 0.0, len(self.travel.heading) - 1)
        first = min(int(at), max(len(self.travel.heading) - 2, 0))
        second = min(first + 1, len(self.travel.heading) - 1)
        share = at - first
        position, heading = self.travel.position, self.travel.heading
        return (
            (1 - share) * position[first] + share * position[second],
            float((1 - share) * heading[first] + share * heading[second]),
        )


class Footage:
    """Clips of one skeleton, ready to be played; add more at any time.

    Args:
        skeleton: with the canonical joints.
        measures: of the body.
    """

    def __init__(self, skeleton: Skeleton, measures: Measures) -> None:
        if skeleton.joints != JOINTS:
            raise InputError("footage is played on the canonical skeleton")
        self.skeleton, self.measures = skeleton, measures
        self.takes: list[Take] = []
        self._by_name: dict[str, Take] = {}
        self._roots: list[Floats] = []
        self._locals: list[Floats] = []
        self._joined: tuple[Floats, Floats] | None = None
        self._count = 0

    def add(
        self,
        clip: Clip,
        footfalls: Sequence[Footfall],
        *,
        path: tuple[Floats, Floats] | None = None,
    ) -> Take:
        """Takes up a clip.

        Args:
            clip: on the canonical skeleton; its bones may differ in length from this body's a
                little, feet are locked all the same.
            footfalls: when and where its feet are on the ground.
            path: where the body travels, where that is known: positions `(n, 2)` [m] and headings
                `(n,)` [rad]; from the poses when not given.
        """
        if clip.skeleton.joints != JOINTS:
            raise InputError(f"clip {clip.name!r} must be on the canonical skeleton")
        if clip.name in self._by_name:
            raise InputError(f"there is a clip called {clip.name!r} already")
        root, local = _with_tail(clip)
        going = (
            travel(clip.skeleton, clip.root, clip.rotations, clip.rate)
            if path is None
            else Travel(np.asarray(path[0])[:, :2], np.unwrap(path[1]))
        )
        left, right = (
            tuple(sorted((p for p in footfalls if p.foot == side), key=lambda p: p.start))
            for side in SIDES
        )
        take = Take(
            clip.name, len(self.takes), self._count, len(root), clip.rate, clip.duration,
            (left, right), going,
        )  # fmt: skip
        self.takes.append(take)
        self._by_name[clip.name] = take
        self._roots.append(root)
        self._locals.append(local)
        self._count += len(root)
        self._joined = None
        return take

    def take(self, name: str, *, mirrored: bool = False) -> Take:
        """The clip called `name`, or that clip seen in a mirror."""
        if name not in self._by_name:
            known = [take.name for take in self.takes if not take.name.startswith(MIRRORED)]
            raise InputError(one_of("clip", name, known))
        if not mirrored:
            return self._by_name[name]
        if MIRRORED + name not in self._by_name:
            self._mirror(self._by_name[name])
        return self._by_name[MIRRORED + name]

    def _mirror(self, take: Take) -> None:
        """Takes up a clip as it is in a mirror: left and right change places."""
        roots, locals_ = self.frames
        count = round(take.duration * take.rate) + 1
        window = slice(take.first, take.first + count)
        root, local = kinematics.mirror(JOINTS, roots[window], locals_[window])
        clip = Clip(name=MIRRORED + take.name, skeleton=self.skeleton, rate=take.rate, root=root,
                    rotations=local)  # fmt: skip
        falls = [
            replace(
                fall,
                foot=SIDES[1 - SIDES.index(fall.foot)],
                position=fall.position * [1.0, -1.0, 1.0],
                rotation=fall.rotation * [1.0, -1.0, 1.0, -1.0],
            )
            for own in take.footfalls
            for fall in own
        ]
        going = take.travel
        self.add(clip, falls, path=(going.position * [1.0, -1.0], -going.heading))

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def frames(self) -> tuple[Floats, Floats]:
        """Roots `(m, 3)` and local rotations `(m, joints, 4)` of all clips, one after the other."""
        if self._joined is None:
            if not self.takes:
                raise InputError("there are no clips to play")
            self._joined = (np.concatenate(self._roots), np.concatenate(self._locals))
            self._roots, self._locals = [self._joined[0]], [self._joined[1]]
        return self._joined

    @cached_property
    def shape(self) -> _native.BodyShape:
        """The body's legs, as the native core takes them."""
        skeleton, size = self.skeleton, self.measures
        legs = [
            skeleton.indices([f"{side}_{bone}" for bone in ("thigh", "shin", "foot", "toe")])
            for side in SIDES
        ]
        return _native.BodyShape(
            len(skeleton),
            (_four(legs[0]), _four(legs[1])),
            np.concatenate([skeleton.offsets[leg[:3]] for leg in legs]),
            (
                size.ankle_height, size.ball_height, size.heel_behind, size.ball_ahead,
                middle_ahead(size),
            ),
            DEEPEST * size.leg_length,
        )  # fmt: skip


def _four(indices: list[int]) -> tuple[int, int, int, int]:
    a, b, c, d = indices
    return a, b, c, d


def _with_tail(clip: Clip) -> tuple[Floats, Floats]:
    """Frames without changes of sign, and half a second more in which they die away."""
    count = int(np.ceil(TAIL * clip.rate))
    local = clip.rotations
    flips = np.where((local[1:] * local[:-1]).sum(axis=-1) < 0, -1.0, 1.0)
    signs = np.concatenate([np.ones((1, local.shape[1])), np.cumprod(flips, axis=0)])
    local = local * signs[..., None]
    if len(clip) < 2:
        return np.repeat(clip.root, count + 1, axis=0), np.repeat(local, count + 1, axis=0)
    later = np.arange(1, count + 1) / clip.rate
    slow, quick = (dying * (1 - np.exp(-later / dying)) for dying in DYING)
    speed = (clip.root[-1] - clip.root[-2]) * clip.rate
    turning = clip.rate * rotations.to_rotation_vector(
        rotations.multiply(rotations.inverse(local[-2]), local[-1])
    )
    turned = rotations.multiply(
        local[-1], rotations.from_rotation_vector(turning * quick[:, None, None])
    )
    root = clip.root[-1] + slow[:, None] * speed
    return np.concatenate([clip.root, root]), np.concatenate([local, turned])
