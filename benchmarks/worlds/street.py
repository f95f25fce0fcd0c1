"""A street as long as is asked for, with houses on either side in turn and carts across."""

from __future__ import annotations

import numpy as np

from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box, slab

BLOCK, WIDE = 10.0, 14.0
"""[m] from house to house, and from side to side."""


def street(blocks: int, carts: int = 1, *, gaps: bool = False) -> World:
    """The street.

    Args:
        blocks: how long it is, >= 1.
        carts: that go to and fro in every block, one behind the other along the street.
        gaps: whether the paving ends in the middle of every fourth block, where only a ferry
            leads on.
    """
    bodies: list[Body] = []
    for k in range(blocks):
        x, side = BLOCK * k, -4.0 if k % 2 else 4.0
        long = BLOCK - 6.0 if gaps and k % 4 == 3 else BLOCK
        bodies += [
            Body(name=f"paving {k}", mesh=slab((long, WIDE, 0.4), (x + 0.5 * long, 0.0, 0.0))),
        ]
        if long < BLOCK:
            bodies.append(_ferry(k, x + long, x + BLOCK))
        else:
            bodies.append(
                Body(name=f"house {k}", mesh=slab((4.0, 6.0, 3.0), (x + 8.0, side, 3.0)),
                     tags={"forbidden": True})
            )  # fmt: skip
        bodies += [_cart(k, j, x + 2.0 + 3.0 * (j + 0.5) / carts) for j in range(carts)]
    return World(bodies, name="street")


def _cart(block: int, number: int, x: float) -> Body:
    """To and fro across the street; where there are more of them they are smaller."""
    ways = np.array([[x, y, 0.0] for y in (-6.0, 6.0, -6.0)])
    times = np.array([0.0, 4.0, 8.0]) + (block + 0.7 * number) % 3
    return Body(
        name=f"cart {block} {number}", mesh=box((1.0, 1.6, 1.4), (0.0, 0.0, 0.75)),
        trajectory=Keyframed(times, ways, repeat="loop"), tags={"forbidden": True},
    )  # fmt: skip


def _ferry(block: int, near: float, far: float) -> Body:
    """To and fro over a gap, with a stop of 3 s on either side."""
    times = np.cumsum([0.0, 3.0, 3.0, 3.0, 3.0]) + block % 5
    ends = near + 1.2, far - 1.2
    ways = np.array([[ends[i], 0.0, 0.0] for i in (0, 0, 1, 1, 0)])
    return Body(
        name=f"ferry {block}", mesh=slab((2.2, 4.0, 0.3)),
        trajectory=Keyframed(times, ways, repeat="loop"),
    )  # fmt: skip
