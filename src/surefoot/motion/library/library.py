"""Libraries: what a body has been seen doing, ready to be planned with and played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from surefoot.arrays import Floats
from surefoot.character import humanoid
from surefoot.character.humanoid import JOINTS
from surefoot.character.measures import Measures
from surefoot.errors import InputError, one_of
from surefoot.motion.clip import Clip
from surefoot.motion.formats import LeftOut
from surefoot.motion.plants import Plants
from surefoot.motion.steps import Steps
from surefoot.motion.steps.steps import COLUMNS


@dataclass(frozen=True, eq=False, kw_only=True)
class Library:
    """Clips on the canonical skeleton, and the steps cut from them.

    Each clip has the measures of its own actor; `fitted` brings all onto one body. One library
    serves any number of characters.

    Attributes:
        clips: names differ; who walked on a treadmill goes over the ground here.
        measures: of the clips' actors.
        plants: of each clip.
        steps: of all clips, as they were captured; `steps.with_mirror()` has either foot.
        left_out: what gave no clips, and why.
    """

    clips: tuple[Clip, ...]
    measures: tuple[Measures, ...]
    plants: tuple[Plants, ...]
    steps: Steps
    left_out: tuple[LeftOut, ...] = ()

    def __post_init__(self) -> None:
        names = self.names
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"clips of a library need different names; repeated: {twice}")
        if not len(self.clips) == len(self.measures) == len(self.plants):
            raise InputError(
                f"a library needs measures and plants for each clip, got {len(self.clips)} clips,"
                f" {len(self.measures)} measures, {len(self.plants)} plants"
            )
        if self.steps.clips != names:
            raise InputError("steps of a library must name its clips, in order")
        for clip in self.clips:
            if clip.skeleton.joints != JOINTS:
                raise InputError(
                    f"clip {clip.name!r} must be on the canonical skeleton; bring it there with"
                    " `to_humanoid` first"
                )

    def __len__(self) -> int:
        return len(self.clips)

    def __iter__(self) -> Iterator[Clip]:
        return iter(self.clips)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the clips."""
        return tuple(clip.name for clip in self.clips)

    def index(self, name: str) -> int:
        """Which clip is called `name`."""
        try:
            return self.names.index(name)
        except ValueError:
            raise InputError(one_of("clip", name, self.names)) from None

    def clip(self, name: str) -> Clip:
        """The clip called `name`."""
        return self.clips[self.index(name)]

    @property
    def duration(self) -> float:
        """[s] of all clips together."""
        return sum(clip.duration for clip in self.clips)

    @property
    def nbytes(self) -> int:
        """Bytes that poses, plants and annotations take, for all characters together."""
        poses = sum(clip.root.nbytes + clip.rotations.nbytes for clip in self.clips)
        return poses + sum(plants.rows.nbytes for plants in self.plants) + self.steps.nbytes

    @cached_property
    def hash(self) -> str:
        """A name for what is in it: the same for the same clips and steps, also after saving.

        Poses count as float32, as files hold them.
        """
        total = hashlib.sha256()
        for clip, measures in zip(self.clips, self.measures, strict=True):
            total.update(repr((clip.name, clip.rate, measures)).encode())
            for array in (clip.root, clip.rotations):
                total.update(array.astype("<f4").tobytes())
        for name in COLUMNS:
            total.update(np.ascontiguousarray(getattr(self.steps, name)).tobytes())
        return total.hexdigest()[:32]

    def fitted(self, measures: Measures) -> Library:
        """All clips on one body: lengths by the ratio of the legs, times by its square root.

        That is how legs of different length swing under the same gravity. Feet are where the
        proportions of the body put them, within centimetres; what locks feet locks them.
        """
        skeleton = humanoid.skeleton(measures)
        ratios = np.array([measures.leg_length / own.leg_length for own in self.measures])
        clips = tuple(
            replace(
                clip, skeleton=skeleton, root=clip.root * ratio, rate=clip.rate / float(ratio**0.5)
            )
            for clip, ratio in zip(self.clips, ratios, strict=True)
        )
        plants = tuple(
            _scaled(plants, float(ratio)) for plants, ratio in zip(self.plants, ratios, strict=True)
        )
        size = ratios[self.steps.clip] if len(self.steps) else ratios[:0]
        changed = {
            "times": self.steps.times * np.sqrt(size)[:, None],
            "root": self.steps.root * size[:, None],
            "foot": self.steps.foot * size[:, None],
            "samples": self.steps.samples * size[:, None, None, None],
            "heights": self.steps.heights * size,
        }
        steps = replace(
            self.steps, **{name: array.astype(np.float32) for name, array in changed.items()}
        )
        return replace(
            self, clips=clips, measures=(measures,) * len(clips), plants=plants, steps=steps
        )


def _scaled(plants: Plants, ratio: float) -> Plants:
    rows: Floats = plants.rows.copy()
    rows[:, 1:3] *= ratio**0.5
    rows[:, 3:6] *= ratio
    return Plants(rows, plants.count, plants.rate / ratio**0.5)
