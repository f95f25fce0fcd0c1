"""Senses: what somebody knows of a world that moves, where that is less than all (levine2011, 8).

The paper asks for it to make characters look human: late reactions, short looks ahead, and bodies
that are not known until they are seen. What is believed is a world of its own, kept up to date.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, pi
from typing import Any

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, number
from surefoot.errors import InputError
from surefoot.world import Body, Trajectory, World
from surefoot.world.futures import Guessed

EYES = 1.6
"""[m] over the ground."""


@dataclass(frozen=True, kw_only=True)
class Senses:
    """Limits of what somebody knows; without any, everything.

    Attributes:
        reaction: [s], >= 0: what is seen counts only so much later.
        foresight: [s], > 0: the motion of bodies is known so far ahead; after that they are taken
            to go on as they do then.
        view: [m], > 0: bodies that move are known from when they have been seen, from no farther
            than this, with nothing that rests in front of them. Out of sight, they are taken to go
            on as they did when they were seen last.
        field: [rad], > 0 to 2 pi: how wide one sees, in the direction of the heading.
    """

    reaction: float = 0.0
    foresight: float = inf
    view: float = inf
    field: float = 2.0 * pi

    def __post_init__(self) -> None:
        arrays.time(self.reaction, "senses: reaction", at_least=0.0)
        arrays.time(self.foresight, "senses: foresight", above=0.0, infinite=True)
        arrays.length(self.view, "senses: view", above=0.0, infinite=True)
        number(self.field, "senses: field", above=0.0, at_most=2.0 * pi + 1e-9)

    @property
    def knows_all(self) -> bool:
        """Whether nothing is hidden: what moves is known, for ever, at once."""
        return np.isinf(self.foresight) and not self.looks

    @property
    def looks(self) -> bool:
        """Whether bodies must be seen to be known."""
        return not np.isinf(self.view) or self.field < 2.0 * pi - 1e-9


class Belief:
    """A world as somebody knows it.

    Args:
        true: the world as it is.
        senses: of whom.
    """

    def __init__(self, true: World, senses: Senses) -> None:
        self.true, self.senses = true, senses
        resting = [body for body in true if not body.trajectory.moving]
        self._still = World(resting)
        moving = [] if senses.looks else [body for body in true if body.trajectory.moving]
        self.world = true.copy([*resting, *moving])
        self.seen: dict[str, float] = {}
        """[s] when each body that moves was seen last."""

    def look(self, t: float, at: Floats, heading: float) -> tuple[str, ...]:
        """Looks around at `t` [s] from a point `(3,)` [m] of the ground; gives who was first seen.

        Counts by then what was there `reaction` earlier.
        """
        now = t - self.senses.reaction
        new: list[str] = []
        for body in self.true:
            if not body.trajectory.moving:
                continue
            if self.senses.looks and not self._visible(body, now, at, heading):
                continue
            if body.name not in self.seen and self.senses.looks:
                new.append(body.name)
            self.seen[body.name] = now
        if not self.senses.knows_all:
            for name, last in self.seen.items():
                self._believe(self.true[name], last)
        return tuple(new)

    def _believe(self, body: Body, last: float) -> None:
        # Whose motion is known for ever, as a train's by its timetable, is known once it is seen.
        believed: Trajectory = body.trajectory
        if not np.isinf(self.senses.foresight):
            believed = Guessed(body.trajectory, last + self.senses.foresight)
        if body.name in self.world:
            self.world.move(body.name, believed)
        else:
            self.world.add(replace(body, trajectory=believed))

    def _visible(self, body: Body, t: float, at: Floats, heading: float) -> bool:
        """Whether any corner or the middle of a body can be seen."""
        corners = body.mesh.bounds[
            [[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], [0, 1, 2]
        ]
        points = np.concatenate([corners, corners.mean(axis=0)[None]])
        points = body.trajectory.pose(t).apply(points)
        eye = at + np.array([0.0, 0.0, EYES])
        away = points - eye
        far = np.linalg.norm(away, axis=1)
        turn = np.arctan2(away[:, 1], away[:, 0]) - heading
        turn = np.abs((turn + pi) % (2.0 * pi) - pi)
        seen = (far <= self.senses.view) & (turn <= 0.5 * self.senses.field)
        if not seen.any() or not len(self._still):
            return bool(seen.any())
        rays = away[seen] / np.maximum(far[seen], 1e-9)[:, None]
        hit = self._still.ray(np.tile(eye, (len(rays), 1)), rays).distance
        return bool((hit > far[seen] - 0.05).any())


def checked(senses: Senses | None) -> Senses:
    """Given senses, or those that know everything."""
    given: Any = Senses() if senses is None else senses
    if not isinstance(given, Senses):
        raise InputError(f"senses are Senses(...), got {given!r}")
    return given
