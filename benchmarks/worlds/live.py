"""Live changes of a world on the plain, each with the question that follows it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from benchmarks.harness import Work
from benchmarks.worlds.movers import CRATE, on_plain

from surefoot.math import Pose
from surefoot.world import Body, Cylinder, Keyframed, Static, World

_CHANGES = 200
"""In each repeat."""


def changes(count: int, shape: Cylinder) -> dict[str, Work]:
    """Ways to change a world of `count` bodies, half of them moving."""
    return {
        "nothing changed": Work(_ask(_plain(count), shape), _CHANGES),
        "add and remove a body": Work(_add_remove(_plain(count), shape), _CHANGES),
        "move a resting body": Work(_move(_plain(count), shape, False), _CHANGES),
        "move a moving body": Work(_move(_plain(count), shape, True), _CHANGES),
        "observe a live body": Work(_observe(_plain(count), shape), _CHANGES),
    }


def _plain(count: int) -> World:
    still = on_plain(count, moving=False, seed=20)
    moving = on_plain(count, moving=True, seed=21)
    return World(moving[i] if i % 2 else still[i] for i in range(count))


# Time stands still in these: passing into a new half second is a cost of its own.


def _ask(world: World, shape: Cylinder) -> Callable[[], None]:
    point = np.array([[2.0, 2.0, 0.0]])

    def run() -> None:
        for _ in range(_CHANGES):
            world.overlap(point, 1.0, shape=shape)

    return run


def _add_remove(world: World, shape: Cylinder) -> Callable[[], None]:
    point = np.array([[2.0, 2.0, 0.0]])
    body = Body(name="guest", mesh=CRATE, trajectory=Static(Pose.at(2.0, 2.5, 0.3)))

    def run() -> None:
        for _ in range(_CHANGES):
            world.add(body)
            world.overlap(point, 1.0, shape=shape)
            world.remove(body.name)

    return run


def _move(world: World, shape: Cylinder, moving: bool) -> Callable[[], None]:
    point = np.array([[2.0, 2.0, 0.0]])
    name = "body 1" if moving else "body 0"
    if moving:
        ways = [
            Keyframed(
                np.array([0.0, 3.0]),
                np.array([[x, 2.0, 0.0], [x + 1.0, 2.0, 0.0]]),
                repeat="ping-pong",
            )
            for x in (2.0, 3.0)
        ]
    else:
        ways = [Static(Pose.at(x, 2.0, 0.0)) for x in (2.0, 3.0)]

    def run() -> None:
        for i in range(_CHANGES):
            world.move(name, ways[i % 2])
            world.overlap(point, 1.0, shape=shape)

    return run


def _observe(world: World, shape: Cylinder) -> Callable[[], None]:
    point = np.array([[2.0, 2.0, 0.0]])
    clock = 0.0

    def run() -> None:
        nonlocal clock
        for i in range(_CHANGES):
            clock += 1e-4
            world.observe("body 1", clock, Pose.at(2.0 + 1e-3 * (i % 100), 2.0))
            world.overlap(point, 1.0, shape=shape)

    return run
