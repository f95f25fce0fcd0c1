"""Keys of an animation file, and the glTF channels that they make."""

from __future__ import annotations

from dataclasses import dataclass, replace

from surefoot.arrays import Floats
from surefoot.gltf import Channel, axes
from surefoot.world.keyframes import Interpolation


@dataclass(frozen=True, eq=False)
class Keys:
    """Keys of one property.

    Attributes:
        times: `(n,)` [s], increasing.
        values: `(n, k)`.
        interpolation: between them.
        tangents: arriving and leaving `(n, k)` [1/s]; for cubic only.
    """

    times: Floats
    values: Floats
    interpolation: Interpolation
    tangents: tuple[Floats, Floats] | None = None

    def shifted(self, seconds: float) -> Keys:
        """The same keys, later."""
        return replace(self, times=self.times + seconds)


def channels_of(node: int, moved: Keys, turned: Keys, start: float) -> list[Channel]:
    """The channels of a node whose position and rotation have keys; none for a single key.

    Args:
        node: of a builder.
        moved: positions, Z up [m].
        turned: rotations between Z-up frames.
        start: of the file's time, in the keys' time [s].
    """
    channels: list[Channel] = []
    if len(moved.times) > 1:
        tangents = moved.tangents and (axes.y_up(moved.tangents[0]), axes.y_up(moved.tangents[1]))
        channels.append(
            Channel(
                node=node,
                path="translation",
                times=moved.times - start,
                values=axes.y_up(moved.values),
                interpolation=moved.interpolation,
                tangents=tangents,
            )
        )
    if len(turned.times) > 1:
        tangents = turned.tangents and (
            axes.y_up_rotations(turned.tangents[0]),
            axes.y_up_rotations(turned.tangents[1]),
        )
        channels.append(
            Channel(
                node=node,
                path="rotation",
                times=turned.times - start,
                values=axes.y_up_rotations(turned.values),
                interpolation=turned.interpolation,
                tangents=tangents,
            )
        )
    return channels
