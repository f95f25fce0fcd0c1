"""What comes into a crowd from outside between two frames; with it, a run can be repeated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from surefoot import schema
from surefoot.arrays import Floats
from surefoot.math import Pose
from surefoot.planning.goals import Goal
from surefoot.world import Body, Observed, Place, Trajectory, World


@schema.record("agent added")
@dataclass(frozen=True, kw_only=True, eq=False)
class Added:
    """An agent came.

    Attributes:
        frame: before which.
        agent: the id that it got.
        character: index of its character in the recording.
        place: where it stands.
        heading: [rad].
    """

    frame: int
    agent: int
    character: int
    place: Place
    heading: float


@schema.record("agent removed")
@dataclass(frozen=True, kw_only=True)
class Removed:
    """An agent went."""

    frame: int
    agent: int


@schema.record("agent sent")
@dataclass(frozen=True, kw_only=True, eq=False)
class Sent:
    """An agent was given a goal, or None."""

    frame: int
    agent: int
    goal: Goal | None


@schema.record("crowd viewed")
@dataclass(frozen=True, kw_only=True, eq=False)
class Viewed:
    """Those who watch are elsewhere.

    Attributes:
        frame: before which.
        viewers: `(k, 3)` [m].
    """

    frame: int
    viewers: Floats


@schema.record("body added")
@dataclass(frozen=True, kw_only=True, eq=False)
class BodyAdded:
    """A body came into the world, or was put in place of another of the same name."""

    frame: int
    body: Body


@schema.record("body removed")
@dataclass(frozen=True, kw_only=True)
class BodyRemoved:
    """A body went out of the world."""

    frame: int
    name: str


@schema.record("body moved")
@dataclass(frozen=True, kw_only=True, eq=False)
class BodyMoved:
    """A body was put on another trajectory."""

    frame: int
    name: str
    trajectory: Trajectory


@schema.record("body seen")
@dataclass(frozen=True, kw_only=True, eq=False)
class BodySeen:
    """A live body was seen again; its past is known from before."""

    frame: int
    name: str
    t: float
    pose: Pose
    velocity: Floats
    turn_rate: Floats
    future: Trajectory | None = None


Input: TypeAlias = Added | Removed | Sent | Viewed | BodyAdded | BodyRemoved | BodyMoved | BodySeen


def body_changes(before: Mapping[str, Body], world: World, frame: int) -> list[Input]:
    """What happened to the bodies of a world since they were as in `before`."""
    now = world.bodies
    found: list[Input] = [BodyRemoved(frame=frame, name=name) for name in before if name not in now]
    for name, body in now.items():
        old = before.get(name)
        if old is body:
            continue
        if old is None or old.mesh is not body.mesh or old.tags != body.tags:
            found.append(BodyAdded(frame=frame, body=body))
            continue
        seen = _seen(old.trajectory, body.trajectory, name, frame)
        moved = BodyMoved(frame=frame, name=name, trajectory=body.trajectory)
        found.append(moved if seen is None else seen)
    return found


def apply_to_world(change: Input, world: World) -> None:
    """Does to a world what was done to another; inputs about agents are none of its business."""
    match change:
        case BodyAdded():
            if change.body.name in world:
                world.remove(change.body.name)
            world.add(change.body)
        case BodyRemoved():
            world.remove(change.name)
        case BodyMoved():
            world.move(change.name, change.trajectory)
        case BodySeen():
            world.observe(
                change.name,
                change.t,
                change.pose,
                velocity=change.velocity,
                turn_rate=change.turn_rate,
                future=change.future,
            )
        case _:
            pass


def _seen(old: Trajectory, new: Trajectory, name: str, frame: int) -> BodySeen | None:
    """The one sight that makes the old trajectory the new one; None where it takes more.

    A trajectory as observed holds all that was seen; a recording that wrote it for every sight
    would grow with the square of time.
    """
    if not isinstance(old, Observed) or not isinstance(new, Observed) or new.now <= old.now:
        return None
    pose = new.seen.pose(new.now)
    again = old.then(new.now, pose, velocity=new.linear, turn_rate=new.angular, future=new.future)
    if again != new:
        return None
    return BodySeen(
        frame=frame,
        name=name,
        t=new.now,
        pose=pose,
        velocity=new.linear,
        turn_rate=new.angular,
        future=new.future,
    )
