"""A street as long as is asked for: houses on either side in turn, carts across, cars beside."""

from __future__ import annotations

import numpy as np

from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import box, slab

BLOCK, WIDE = 10.0, 14.0
"""[m] from house to house, and from side to side."""


def street(blocks: int, carts: int = 1, cars: int = 0) -> World:
    """The street.

    Args:
        blocks: how long it is, >= 1.
        carts: that go to and fro in every block, one behind the other along the street.
        cars: that drive to and fro beside the street, in nobody's way.
    """
    bodies: list[Body] = []
    for k in range(blocks):
        x, side = BLOCK * k, -4.0 if k % 2 else 4.0
        bodies += [
            Body(name=f"paving {k}", mesh=slab((BLOCK, WIDE, 0.4), (x + 0.5 * BLOCK, 0.0, 0.0))),
            Body(name=f"house {k}", mesh=slab((4.0, 6.0, 3.0), (x + 8.0, side, 3.0)),
                 tags={"forbidden": True}),
        ]  # fmt: skip
        bodies += [_cart(k, j, x + 2.0 + 3.0 * (j + 0.5) / carts) for j in range(carts)]
    bodies += [_car(k, BLOCK * blocks) for k in range(cars)]
    return World(bodies, name="street")


def _cart(block: int, number: int, x: float) -> Body:
    """To and fro across the street."""
    ways = np.array([[x, y, 0.0] for y in (-6.0, 6.0, -6.0)])
    times = np.array([0.0, 4.0, 8.0]) + (block + 0.7 * number) % 3
    return Body(
        name=f"cart {block} {number}", mesh=box((1.0, 1.6, 1.4), (0.0, 0.0, 0.75)),
        trajectory=Keyframed(times, ways, repeat="loop"), tags={"forbidden": True},
    )  # fmt: skip


def _car(number: int, long: float) -> Body:
    """To and fro along the street, on one of several lanes beside it."""
    lane = 0.5 * WIDE + 2.0 + 2.5 * (number // 2 % 5)
    y = -lane if number % 2 else lane
    ways = np.array([[x, y, 0.0] for x in (0.0, long, 0.0)])
    times = np.array([0.0, 6.0, 12.0]) - (1.7 * number) % 12
    return Body(
        name=f"car {number}", mesh=box((3.6, 1.7, 1.4), (0.0, 0.0, 0.75)),
        trajectory=Keyframed(times, ways, repeat="loop"), tags={"forbidden": True},
    )  # fmt: skip
