"""Trajectories as chains of glTF nodes: each at rest, or moved by keys of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import FileError
from surefoot.gltf import Channel
from surefoot.gltf.encoding import single_times
from surefoot.gltf.model import ChannelPath
from surefoot.math import Pose, rotations
from surefoot.world.futures import Function
from surefoot.world.keyframes import Keyframed, Repeat
from surefoot.world.loaders.gltf_tracks import constant_value
from surefoot.world.savers.keys import Keys
from surefoot.world.trajectory import Attached, Static, Trajectory

KEY_LIMIT: Final = 1_000_000
"""The most keys that a motion is sampled with."""
_FIRST_RATE: Final = 4.0  # [1/s] of samples; halved where they are too far apart
_INSIDE: Final = np.array([1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4, 7 / 8])


def links_of(trajectory: Trajectory) -> tuple[Trajectory, ...]:
    """The motions that a trajectory is made of, outermost first, none of which is `Attached`.

    Neighbours at rest are one. What is at rest in the world is one `Static`.
    """
    links: list[Trajectory] = []
    waiting = [trajectory]
    while waiting:
        link = waiting.pop()
        if isinstance(link, Attached):
            waiting += [link.child, link.parent]
            continue
        if isinstance(link, Keyframed) and not (link.moving and link.start < link.end):
            link = Static(link.pose(link.start))
        if isinstance(link, Static) and links and isinstance(links[-1], Static):
            link = Static(links.pop().pose(0.0) @ link.at)
        links.append(link)
    moving = [link for link in links if not (isinstance(link, Static) and link.at == Pose())]
    return tuple(moving) or (Static(),)


@dataclass(frozen=True, eq=False)
class Motion:
    """A link of a chain as a file has it: the keys of a node.

    Attributes:
        moved: of its position.
        turned: of its rotation.
        repeat: what follows the span.
        span: its first and last moment [s].
        sampled: whether there are samples among its keys.
    """

    moved: Keys
    turned: Keys
    repeat: Repeat
    span: tuple[float, float]
    sampled: bool = False

    @property
    def moving(self) -> bool:
        """Whether there is more than one key."""
        return len(self.moved.times) > 1 or len(self.turned.times) > 1

    def times(self) -> Floats:
        """All key times and both ends of the span [s]."""
        return np.concatenate([self.moved.times, self.turned.times, self.span])

    def stored(self, start: float) -> Keyframed:
        """The motion with the numbers of the file, at the moments of the world.

        Args:
            start: of the file's time [s].
        """
        moved, turned = _rounded(self.moved, start), _rounded(self.turned, start)
        return Keyframed(
            moved.times,
            moved.values,
            turned.values,
            interpolation=moved.interpolation,
            tangents=moved.tangents,
            rotation_times=turned.times,
            rotation_interpolation=turned.interpolation,
            rotation_tangents=turned.tangents,
            repeat=self.repeat,
            span=self.span,
        )

    def time_error(self, start: float) -> float:
        """How far the file's key times are from those of the motion [s]."""
        worst = 0.0
        for keys in (self.moved, self.turned):
            if len(keys.times) > 1:
                times = keys.times - start
                _, stored = single_times(times)
                after = np.searchsorted(stored, times).clip(1, len(stored) - 1)
                near = np.minimum(abs(stored[after] - times), abs(stored[after - 1] - times))
                worst = max(worst, float(near.max()))
        return worst


def motion_of(link: Trajectory, reach: float, tolerance: float) -> Motion:
    """A moving link as keys.

    Args:
        link: as it is in a chain.
        reach: how far from its origin the farthest thing is that it carries [m].
        tolerance: how far that may be off if the motion must be sampled [m].
    """
    if isinstance(link, Keyframed):
        turned, sampled = _turned(link, reach, tolerance)
        moved = Keys(link.times, link.positions, link.interpolation, link.tangents)
        span = (link.start, link.end)
        return Motion(
            _brief(moved, "translation"), _brief(turned, "rotation"), link.repeat, span, sampled
        )
    if isinstance(link, Function):
        times = np.arange(link.start, link.horizon, 1.0 / _FIRST_RATE)
        times = np.append(times, link.horizon)
        keys = _sampled(link, times, reach, tolerance)
        assert keys.rotations is not None
        moved = Keys(keys.times, keys.positions, "linear")
        turned = Keys(keys.times, keys.rotations, "linear")
        span = (link.start, link.horizon)
        return Motion(
            _brief(moved, "translation"), _brief(turned, "rotation"), "once", span, sampled=True
        )
    raise FileError(
        f"a motion of kind {type(link).__name__} cannot be written to a level, which holds what "
        "is known of the future; use trajectory.sampled(start, end, rate), which gives keys"
    )


def moments_between(times: Floats) -> Floats:
    """The times, and seven moments inside each gap between them."""
    times = np.unique(times)
    inside = times[:-1, None] + np.diff(times)[:, None] * _INSIDE
    return np.sort(np.concatenate([times, inside.reshape(-1)]))


def corners_between(low: Floats, high: Floats) -> Floats:
    """`(8, 3)`: the corners of a box."""
    return np.array(np.meshgrid(*np.stack([low, high]).T)).reshape(3, -1).T


def distance(one: Trajectory, other: Trajectory, times: Floats, points: Floats) -> Floats:
    """`(n,)`: how far apart two motions put the farthest of some points `(k, 3)` at times [m]."""
    ends: list[Floats] = []
    for each in (one, other):
        positions, turns = each.poses(times)
        ends.append(rotations.rotate(turns[:, None], points[None]) + positions[:, None])
    return np.linalg.norm(ends[0] - ends[1], axis=-1).max(axis=1)


def _turned(link: Keyframed, reach: float, tolerance: float) -> tuple[Keys, bool]:
    """The rotation keys, and whether they are samples: a file's are of length one."""
    if link.rotations is None:
        return Keys(link.times[:1], rotations.IDENTITY[None], "linear"), False
    times = link.times if link.rotation_times is None else link.rotation_times
    keys = Keys(times, link.rotations, link.turn_interpolation, link.rotation_tangents)
    if keys.tangents is None:
        return keys, False
    lengths = np.linalg.norm(keys.values, axis=1)
    if np.ptp(lengths) <= 1e-12 * lengths[0]:
        arriving, leaving = (tangent / lengths[0] for tangent in keys.tangents)
        return Keys(times, keys.values / lengths[0], "cubic", (arriving, leaving)), False
    turning = Keyframed(
        times[:1],
        np.zeros((1, 3)),
        keys.values,
        rotation_times=times,
        rotation_interpolation="cubic",
        rotation_tangents=keys.tangents,
    )
    found = _sampled(turning, times, reach, tolerance)
    assert found.rotations is not None
    return Keys(found.times, found.rotations, "linear"), True


def _brief(keys: Keys, path: ChannelPath) -> Keys:
    """A single key for keys that a reader takes to change nothing."""
    channel = Channel(
        node=0,
        path=path,
        times=keys.times,
        values=keys.values,
        interpolation=keys.interpolation,
        tangents=keys.tangents,
    )
    if constant_value(channel) is None:
        return keys
    return Keys(keys.times[:1], keys.values[:1], "step")


def _rounded(keys: Keys, start: float) -> Keys:
    """Keys with the values of a file, and without those that it cannot hold."""
    if len(keys.times) == 1:
        return Keys(keys.times, keys.values, "step")
    kept, _ = single_times(keys.times - start)
    values, *tangents = (
        array[kept].astype(np.float32).astype(np.float64)
        for array in (keys.values, *(keys.tangents or ()))
    )
    pair = (tangents[0], tangents[1]) if tangents else None
    return Keys(keys.times[kept], values, keys.interpolation, pair)


def _sampled(link: Trajectory, times: Floats, reach: float, tolerance: float) -> Keyframed:
    """Linear keys at times and where else it takes some to be within half the tolerance."""
    points = corners_between(np.full(3, -reach), np.full(3, reach))
    while True:
        keys = Keyframed(times, *link.poses(times))
        between = times[:-1, None] + np.diff(times)[:, None] * _INSIDE
        off = distance(link, keys, between.reshape(-1), points).reshape(-1, len(_INSIDE))
        split = off.max(axis=1) > 0.5 * tolerance
        if not split.any():
            return keys
        if len(times) + int(split.sum()) > KEY_LIMIT:
            raise FileError(
                f"its motion would take more than {KEY_LIMIT} keys to be within {tolerance:g} m; "
                "raise the tolerance"
            )
        times = np.sort(np.concatenate([times, between[split, len(_INSIDE) // 2]]))
