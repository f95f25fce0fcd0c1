"""The same world seen otherwise: moved, mirrored, scaled, at another time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from surefoot.arrays import Floats
from surefoot.math import Pose
from surefoot.world import (
    Attached,
    Body,
    Function,
    Keyframed,
    Observed,
    Static,
    Trajectory,
    World,
)


def placed(world: World, pose: Pose) -> World:
    """The whole world, moved as one."""
    return World(body.moved(Attached(Static(pose), body.trajectory)) for body in world)


def later(world: World, by: float) -> World:
    """Everything happens `by` seconds later."""
    return World(body.moved(delayed(body.trajectory, by)) for body in world)


def delayed(trajectory: Trajectory, by: float) -> Trajectory:
    """The same motion, `by` seconds later."""
    if isinstance(trajectory, Keyframed):
        turn_times, span = trajectory.rotation_times, trajectory.span
        return replace(
            trajectory,
            times=trajectory.times + by,
            rotation_times=None if turn_times is None else turn_times + by,
            span=None if span is None else (span[0] + by, span[1] + by),
        )
    if isinstance(trajectory, Attached):
        return Attached(delayed(trajectory.parent, by), delayed(trajectory.child, by))
    if isinstance(trajectory, Observed):
        future = trajectory.future
        return replace(
            trajectory,
            seen=delayed(trajectory.seen, by),
            future=None if future is None else delayed(future, by),
        )
    if isinstance(trajectory, Function):
        inner = trajectory.function
        return Function(
            lambda t: inner(t - by),
            start=trajectory.start + by,
            horizon=trajectory.horizon + by,
            max_speed=trajectory.max_speed,
            max_turn_rate=trajectory.max_turn_rate,
        )
    return trajectory


def mirrored(world: World) -> World:
    """The world in a mirror that swaps left and right: x becomes -x."""
    return _mapped(world, [-1.0, 1.0, 1.0], _flip, _flip_turn, 1.0)


def scaled(world: World, by: float) -> World:
    """Everything `by` times as large."""
    return _mapped(world, by, lambda p: by * p, lambda q: q, by)


def _flip(points: Floats) -> Floats:
    return points * np.array([-1.0, 1.0, 1.0])


def _flip_turn(quaternions: Floats) -> Floats:
    # A mirror leaves the turn about its normal and reverses the others.
    return quaternions * np.array([1.0, 1.0, -1.0, -1.0])


Map = Callable[[Floats], Floats]


def _mapped(world: World, scale: object, point: Map, turn: Map, speed: float) -> World:
    return World(
        Body(
            name=body.name,
            mesh=body.mesh.transformed(scale=scale),  # pyright: ignore
            trajectory=_motion(body.trajectory, point, turn, speed),
            solid=body.solid,
        )
        for body in world
    )


def _motion(trajectory: Trajectory, point: Map, turn: Map, speed: float) -> Trajectory:
    def again(inner: Trajectory) -> Trajectory:
        return _motion(inner, point, turn, speed)

    if isinstance(trajectory, Static):
        return Static(Pose(point(trajectory.at.position), turn(trajectory.at.rotation)))
    if isinstance(trajectory, Keyframed):
        tangents, turning = trajectory.tangents, trajectory.rotation_tangents
        return replace(
            trajectory,
            positions=point(trajectory.positions),
            rotations=None if trajectory.rotations is None else turn(trajectory.rotations),
            tangents=None if tangents is None else (point(tangents[0]), point(tangents[1])),
            rotation_tangents=None if turning is None else (turn(turning[0]), turn(turning[1])),
        )
    if isinstance(trajectory, Attached):
        return Attached(again(trajectory.parent), again(trajectory.child))
    if isinstance(trajectory, Observed):
        # An angular velocity turns over like the vector part of a rotation.
        spin = turn(np.concatenate([[0.0], trajectory.angular]))[1:]
        return replace(
            trajectory,
            seen=again(trajectory.seen),
            linear=point(trajectory.linear),
            angular=spin,
            future=None if trajectory.future is None else again(trajectory.future),
        )
    assert isinstance(trajectory, Function)
    inner = trajectory.function

    def at(t: float) -> Pose:
        pose = inner(t)
        return Pose(point(pose.position), turn(pose.rotation))

    return Function(
        at,
        start=trajectory.start,
        horizon=trajectory.horizon,
        max_speed=trajectory.max_speed * speed,
        max_turn_rate=trajectory.max_turn_rate,
    )
