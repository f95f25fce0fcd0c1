"""Small worlds to take pictures of."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.animation.pictures import Camera, Look, Picture
from surefoot.math import Pose
from surefoot.world import Body, Static, World, along, primitives


@pytest.fixture
def plain() -> Look:
    """Light without anything that would blur a measurement."""
    return Look(sun_azimuth=np.pi, sun_elevation=np.pi / 4, sun_softness=0.0, grid=None)


@pytest.fixture
def yard() -> World:
    """A floor, a box of 1 m on it, and a cart that drives by."""
    return World(
        [
            Body(name="floor", mesh=primitives.ground(20.0, 20.0)),
            Body(name="box", mesh=primitives.box((1.0, 1.0, 1.0), (0.0, 0.0, 0.5))),
            Body(
                name="cart",
                mesh=primitives.box((1.0, 0.6, 0.6), (0.0, 0.0, 0.3)),
                trajectory=along([[-4.0, 3.0, 0.0], [4.0, 3.0, 0.0]], 1.0),
            ),
        ]
    )


@pytest.fixture
def map_view() -> Camera:
    """Straight down on 8 m by 6 m about the origin: 10 pixels a metre, +y up."""
    return Camera(np.array([0.0, 0.0, 50.0]), np.zeros(3), size=(80, 60), view_height=6.0)


@pytest.fixture
def room() -> World:
    """A floor of 4 m with four walls and a roof, 3 m high, and a crate inside."""
    walls = [
        Body(name=f"wall {i}", mesh=primitives.box((4.0, 0.2, 3.0), (0.0, -2.0, 1.5)),
             trajectory=Static(Pose.at(yaw=i * np.pi / 2)))
        for i in range(4)
    ]  # fmt: skip
    return World(
        [
            Body(name="floor", mesh=primitives.ground(4.0, 4.0)),
            *walls,
            Body(name="roof", mesh=primitives.box((4.2, 4.2, 0.2), (0.0, 0.0, 3.1))),
            Body(name="crate", mesh=primitives.box((1.0, 1.0, 1.0), (0.0, 0.0, 0.5)),
                 color=(0.8, 0.05, 0.05)),
        ]
    )  # fmt: skip


@pytest.fixture
def noise() -> Callable[..., Picture]:
    """Makes a picture of random pixels from a seed."""

    def make(seed: int, size: tuple[int, int] = (40, 30)) -> Picture:
        random = np.random.default_rng(seed)
        return Picture(random.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8))

    return make


@pytest.fixture
def plain_picture() -> Callable[..., Picture]:
    """Makes a picture of one grey."""

    def make(value: int, size: tuple[int, int] = (40, 30)) -> Picture:
        return Picture(np.full((size[1], size[0], 3), value, dtype=np.uint8))

    return make
