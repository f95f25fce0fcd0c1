"""Configurations: a character in the middle of a move, on whatever carries it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from surefoot import arrays
from surefoot.arrays import ArrayLike, Floats, number
from surefoot.control.repertoire import Repertoire
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.world import Place, World


@dataclass(frozen=True, eq=False, kw_only=True)
class Configuration:
    """Where a character is, which way it faces and what it is doing.

    Attributes:
        place: the point between the feet, as the body travels.
        heading: [rad], on the place's body.
        action: of the repertoire: what it is doing.
        into: [s] since that began; its duration when it is over and something else follows.
    """

    place: Place
    heading: float
    action: int
    into: float

    def __post_init__(self) -> None:
        number(self.heading, "configuration: heading")
        arrays.time(self.into, "configuration: into", at_least=0.0)

    @classmethod
    def standing(
        cls,
        repertoire: Repertoire,
        place: Place | ArrayLike = (0.0, 0.0, 0.0),
        heading: float = 0.0,
    ) -> Configuration:
        """A character that stands."""
        where = place if isinstance(place, Place) else Place(None, arrays.position(place, "place"))
        action = repertoire.standing
        into = float(repertoire.durations[action])
        return cls(place=where, heading=heading, action=action, into=into)

    @classmethod
    def after(
        cls, repertoire: Repertoire, action: int, place: Place | ArrayLike, heading: float = 0.0
    ) -> Configuration:
        """A character that has just done something."""
        start = cls.standing(repertoire, place, heading)
        return replace(start, action=action, into=float(repertoire.durations[action]))

    def packed(self, world: World | None, t: float) -> Floats:
        """As native rollouts take it: frame, x, y, z, heading, action, into."""
        frame, position, turn = framed(world, self.place, t)
        return np.array([frame, *position, self.heading + turn, self.action, self.into])

    @classmethod
    def unpacked(cls, numbers: Floats, world: World | None) -> Configuration:
        """What native rollouts give."""
        frame = int(numbers[0])
        if frame >= 0 and world is None:
            raise InputError(f"body {frame} carries a character, but there is no world")
        body = world.names[frame] if world is not None and frame >= 0 else None
        return cls(
            place=Place(body, numbers[1:4]),
            heading=float(numbers[4]),
            action=int(numbers[5]),
            into=max(float(numbers[6]), 0.0),
        )


def framed(world: World | None, place: Place, t: float) -> tuple[int, Floats, float]:
    """The frame of a place, its position there, and how far headings on its body are turned [rad].

    The frame is the id of a body that moves; what rests is in the world's frame, -1.
    """
    if place.body is None:
        return -1, place.position, 0.0
    if world is None:
        raise InputError(f"a place on body {place.body!r} needs a world")
    trajectory = world[place.body].trajectory
    if trajectory.moving:
        return world.id(place.body), place.position, 0.0
    turn = float(rotations.yaw(trajectory.pose(t).rotation))
    return -1, world.position(place, t), turn
