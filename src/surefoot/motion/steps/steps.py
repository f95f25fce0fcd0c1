"""Many steps, in a few arrays: one set for all characters that share a library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from surefoot.arrays import Floats
from surefoot.errors import InputError, one_of
from surefoot.motion.steps.step import FEET, MODES, SAMPLES, Mode, Step

# What the other foot is called: left, right, both.
_OTHER = np.array([1, 0, 2], dtype=np.uint8)
# Mirrored samples: root, head, right hand, left hand, right foot, left foot.
_SWAPPED = [0, 1, 3, 2, 5, 4]
_MIRROR = np.array([1.0, -1.0, 1.0], dtype=np.float32)


@dataclass(frozen=True, eq=False, kw_only=True)
class Steps:
    """Annotated steps of some clips.

    Numbers are float32: lengths to a thousandth of a millimetre and times to a millionth of a
    second per second, far below what capture measures.

    Attributes:
        clips: names; `clip` are indices into them.
        clip: `(m,)` uint16.
        mode: `(m,)` uint8, indices into `MODES`.
        support: `(m,)` uint8, indices into `FEET`.
        swing: `(m,)` uint8.
        mirrored: `(m,)` bool.
        times: `(m, 2)` float32 [s]: start and end in the clip.
        root: `(m, 3)` float32 [m].
        foot: `(m, 3)` float32 [m].
        angles: `(m, 2)` float32 [rad]: movement and rotation angle.
        samples: `(m, SAMPLES, 6, 3)` float32 [m].
        heights: `(m,)` float32 [m]: the root above the ground at the start.
        confidence: `(m,)` float32.
    """

    clips: tuple[str, ...]
    clip: npt.NDArray[np.uint16]
    mode: npt.NDArray[np.uint8]
    support: npt.NDArray[np.uint8]
    swing: npt.NDArray[np.uint8]
    mirrored: npt.NDArray[np.bool_]
    times: npt.NDArray[np.float32]
    root: npt.NDArray[np.float32]
    foot: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    samples: npt.NDArray[np.float32]
    heights: npt.NDArray[np.float32]
    confidence: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        count = len(self.clip)
        for name, (kind, shape) in COLUMNS.items():
            array = np.ascontiguousarray(getattr(self, name), dtype=kind)
            if array.shape != (count, *shape):
                raise InputError(f"steps: {name} must be {(count, *shape)}, got {array.shape}")
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        for name, limit in (
            ("clip", len(self.clips)), ("mode", len(MODES)), ("support", 3), ("swing", 3)
        ):  # fmt: skip
            array = getattr(self, name)
            if count and int(array.max()) >= limit:
                raise InputError(f"steps: {name} has {int(array.max())}, must be below {limit}")

    def __len__(self) -> int:
        return len(self.clip)

    def __iter__(self) -> Iterator[Step]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> Step:
        return Step(
            clip=self.clips[int(self.clip[index])],
            mode=MODES[int(self.mode[index])],
            support=FEET[int(self.support[index])],
            swing=FEET[int(self.swing[index])],
            start=float(self.times[index, 0]),
            end=float(self.times[index, 1]),
            root=_double(self.root[index]),
            foot=_double(self.foot[index]),
            movement_angle=float(self.angles[index, 0]),
            rotation_angle=float(self.angles[index, 1]),
            samples=_double(self.samples[index]),
            root_height=float(self.heights[index]),
            confidence=float(self.confidence[index]),
            mirrored=bool(self.mirrored[index]),
        )

    @property
    def nbytes(self) -> int:
        """Bytes that the annotations take."""
        return sum(getattr(self, name).nbytes for name in COLUMNS)

    def taken(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Steps:
        """Some of the steps: a mask or indices."""
        return Steps(clips=self.clips, **{name: getattr(self, name)[which] for name in COLUMNS})

    def of(self, mode: Mode) -> Steps:
        """The steps of one mode."""
        if mode not in MODES:
            raise InputError(one_of("mode", mode, MODES))
        return self.taken(self.mode == MODES.index(mode))

    def of_clip(self, name: str) -> Steps:
        """The steps of one clip."""
        if name not in self.clips:
            raise InputError(one_of("clip", name, self.clips))
        return self.taken(self.clip == self.clips.index(name))

    def in_mirror(self) -> Steps:
        """The same steps with left and right exchanged."""
        flipped = {name: getattr(self, name) for name in COLUMNS}
        flipped |= {
            "support": _OTHER[self.support],
            "swing": _OTHER[self.swing],
            "mirrored": ~self.mirrored,
            "root": self.root * _MIRROR,
            "foot": self.foot * _MIRROR,
            # Outward stays outward; what goes both ways has no outward but left.
            "angles": np.column_stack(
                [np.where(self.swing == 2, -1, 1) * self.angles[:, 0], -self.angles[:, 1]]
            ),
            "samples": self.samples[:, :, _SWAPPED] * _MIRROR,
        }
        return Steps(clips=self.clips, **flipped)

    def with_mirror(self) -> Steps:
        """These and their mirror images: each step with either foot (beacco2013 4)."""
        return joined([self, self.in_mirror()])


COLUMNS: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
    "clip": (np.uint16, ()),
    "mode": (np.uint8, ()),
    "support": (np.uint8, ()),
    "swing": (np.uint8, ()),
    "mirrored": (np.bool_, ()),
    "times": (np.float32, (2,)),
    "root": (np.float32, (3,)),
    "foot": (np.float32, (3,)),
    "angles": (np.float32, (2,)),
    "samples": (np.float32, (SAMPLES, 6, 3)),
    "heights": (np.float32, ()),
    "confidence": (np.float32, ()),
}
"""The arrays of `Steps`: their types, and the shape of what each step has in them."""
assert set(COLUMNS) == {field.name for field in fields(Steps)} - {"clips"}


def no_steps(clips: Sequence[str] = ()) -> Steps:
    """No steps at all."""
    empty = {name: np.empty((0, *shape), dtype=kind) for name, (kind, shape) in COLUMNS.items()}
    return Steps(clips=tuple(clips), **empty)  # pyright: ignore[reportArgumentType]


def joined(parts: Sequence[Steps]) -> Steps:
    """All steps of several sets, in order."""
    names: dict[str, int] = {}
    columns: dict[str, list[npt.NDArray[np.generic]]] = {name: [] for name in COLUMNS}
    for part in parts:
        places = np.array([names.setdefault(name, len(names)) for name in part.clips], np.uint16)
        for name in COLUMNS:
            array = getattr(part, name)
            columns[name].append(places[part.clip] if name == "clip" and len(part) else array)
    if not parts:
        return no_steps()
    merged = {name: np.concatenate(arrays) for name, arrays in columns.items()}
    return Steps(clips=tuple(names), **merged)  # pyright: ignore[reportArgumentType]


def _double(values: npt.NDArray[np.float32]) -> Floats:
    return values.astype(np.float64)
