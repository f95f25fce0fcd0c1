"""Tasks: what a body is to do, as a few numbers and a reward (coros2009 section 5).

A task is a short class: a space of task parameters, as the body sees them; a reward for being in a
state while the task is so; and when it counts as done. The six of the paper are below.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.errors import InputError
from surefoot.learning import Axis, TaskSpace

STILL = 0.2
"""[m/s] under which a body is taken to stand or to step in place."""

STEADY = 0.25
"""[m/s] from the steady walk's velocity, within which a body is taken to walk steadily."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What tasks know of states at foot strikes, on the left foot.

    Attributes:
        velocity: `(n, 2)` [m/s] ahead and to the left.
        walk: `(2,)` [m/s]: the steady walk's velocity at its foot strikes.
        step: [s] that one of its steps takes.
    """

    velocity: Floats
    walk: Floats
    step: float = 0.35

    def __getitem__(self, rows: Bools | slice) -> Seen:
        return Seen(self.velocity[rows], self.walk, self.step)

    @property
    def from_walk(self) -> Floats:
        """`(n,)` [m/s] between a body's velocity and the steady walk's."""
        return np.hypot(*(self.velocity - self.walk).T)

    @property
    def pace(self) -> Floats:
        """`(n,)` [m/s] over the floor. Sideways a body sways at each strike, which is no pace."""
        return np.hypot(self.velocity[:, 0], self.velocity[:, 1] - self.walk[1])


class Task(ABC):
    """What a body is to do.

    Attributes:
        name: what it is called.
        space: its parameters, as the body sees them, and where values of them are kept.
        sided: axes whose numbers change sign in a mirror.
        executes: kinds of segments of plans that a body can be led along with it; none: it cannot
            follow plans.
    """

    name: str
    space: TaskSpace
    sided: tuple[str, ...] = ()
    executes: tuple[str, ...] = ()

    @abstractmethod
    def done(self, seen: Seen, tasks: Floats) -> Bools:
        """`(n,)`: for states and tasks `(n, axes)` in pairs, whether this is what was wanted."""

    def reward(self, seen: Seen, tasks: Floats) -> Floats:
        """`(n, t)`: what a step is worth that begins in a state, at a task; 1 where done."""
        out = np.zeros((len(seen.velocity), len(tasks)))
        for column, task in enumerate(tasks):
            out[:, column] = self.done(seen, np.tile(task, (len(out), 1)))
        return out

    def acting(self, motion: Floats, viable: Bools) -> Floats | None:
        """`(a, t)`: what actions are worth at each task, beside the reward; nothing by default.

        Args:
            motion: `(s, a, 3)` that actions move bodies by, without sign.
            viable: `(s, a)`: what counts of it.
        """
        del motion, viable
        return None

    def draw(self, rng: np.random.Generator, count: int) -> Floats:
        """`(count, axes)`: random tasks inside the sampled range."""
        low = [axis.points[0] for axis in self.space.axes]
        high = [
            a.points[-1] if a.period is None else a.points[0] + a.period for a in self.space.axes
        ]
        return rng.uniform(low, high, (count, len(low)))

    @property
    def key(self) -> str:
        """Everything that a policy for it depends on."""
        axes = [(a.name, a.points.tolist(), a.period, a.change) for a in self.space.axes]
        own = {k: v for k, v in vars(self).items() if k != "space"}
        return f"{type(self).__qualname__} {self.name} {own} {axes} {self.space.place} {self.sided}"


def dense(low: float, high: float, count: int, *, power: float = 1.7) -> Floats:
    """Points from low to high through zero, denser near it, in proportion on both sides."""
    if not low <= 0 <= high or count < 3:
        raise InputError(f"low to high must hold zero: {low:g} to {high:g}, {count} points")
    below = round(
        (count - 1) * (-low) ** (1 / power) / ((-low) ** (1 / power) + high ** (1 / power))
    )
    shares = [np.linspace(0, 1, n + 1)[1:] ** power for n in (below, count - 1 - below)]
    return np.concatenate([low * shares[0][::-1], [0.0], high * shares[1]])


def headings(name: str, count: int, *, power: float = 1.7) -> Axis:
    """All directions, denser about straight ahead; an even count has one straight back."""
    half = (count - 1) // 2
    # The one straight back is its own mirror image.
    end = np.pi if count % 2 else np.pi * (half / (half + 1)) ** power
    side = (np.arange(1, half + 1) / (half + (0 if count % 2 == 0 else 0.5))) ** power * end
    points = np.concatenate([[] if count % 2 else [-np.pi], -side[::-1], [0.0], side])
    return Axis(name=name, points=points, period=2 * np.pi, change="turn")


class GoToLine(Task):
    """To a line across the way, ahead or behind, and stop there (5.1)."""

    name = "go-to-line"

    def __init__(self) -> None:
        """35 positions from 2.5 m behind to 6 m ahead."""
        line = Axis(name="line", points=dense(-2.5, 6.0, 35))
        # Only what is ahead counts: a plane one point wide.
        self.space = TaskSpace(axes=(line, Axis(name="left", points=np.zeros(1))), place="plane")
        self.tolerance = 0.1

    def done(self, seen: Seen, tasks: Floats) -> Bools:
        """Within 10 cm, hardly moving ahead."""
        return (np.abs(tasks[:, 0]) <= self.tolerance) & (np.abs(seen.velocity[:, 0]) < STILL)


class Heading(Task):
    """To walk in a direction (5.2)."""

    name = "heading"
    sided = ("heading",)

    def __init__(self) -> None:
        """25 directions."""
        self.space = TaskSpace(axes=(headings("heading", 25),))
        self.tolerance, self.steady = np.deg2rad(5.0), STEADY

    def done(self, seen: Seen, tasks: Floats) -> Bools:
        """Within 5 degrees, in the steady walk."""
        return (np.abs(tasks[:, 0]) <= self.tolerance) & (seen.from_walk <= self.steady)


class GoToPoint(Task):
    """To a place, and step there (5.3)."""

    name = "go-to-point"
    sided = ("left",)
    executes = ("walk", "turn", "wait", "ride", "board")

    def __init__(self, *, turning: float = 0.0) -> None:
        """27 x 27 places in 6 x 6 m.

        Args:
            turning: what a radian of turning costs within 1.5 m of the place, >= 0.
        """
        if turning < 0:
            raise InputError(f"turning must be at least 0, got {turning:g}")
        axes = (
            Axis(name="ahead", points=dense(-3.0, 3.0, 27)),
            Axis(name="left", points=dense(-3.0, 3.0, 27)),
        )
        self.space = TaskSpace(axes=axes, place="plane")
        self.tolerance, self.turning, self.near = 0.1, turning, 1.5

    def acting(self, motion: Floats, viable: Bools) -> Floats | None:
        """The penalty for turning near the place: by how much each action turns on average."""
        if self.turning == 0.0:
            return None
        turns = (motion[..., 2] * viable).sum(axis=0) / np.maximum(viable.sum(axis=0), 1)
        points = self.space.points()
        near = np.hypot(points[:, 0], points[:, 1]) < self.near
        return -self.turning * turns[:, None] * near[None, :]

    def done(self, seen: Seen, tasks: Floats) -> Bools:
        """Within 10 cm, stepping in place."""
        return (np.hypot(tasks[:, 0], tasks[:, 1]) <= self.tolerance) & (seen.pace < STILL)


class GoToPointWithHeading(Task):
    """Through a place, walking in a direction (5.4)."""

    name = "go-to-point-with-heading"
    sided = ("left", "heading")

    def __init__(self) -> None:
        """16 x 16 places in 6 x 6 m, 8 directions."""
        side = dense(-3.0, 3.0, 17)
        # 16 points that lie alike on both sides: without the middle, the inner two draw nearer.
        side = np.delete(side, 8)
        axes = (
            Axis(name="ahead", points=side),
            Axis(name="left", points=side),
            headings("heading", 8, power=2.0),
        )
        self.space = TaskSpace(axes=axes, place="plane")
        self.tolerance, self.angle, self.steady = 0.1, np.deg2rad(5.0), STEADY
        self.worth = 15.0

    def reward(self, seen: Seen, tasks: Floats) -> Floats:
        """A walker passes its goal and cannot stay there: passing is worth many steps elsewhere."""
        return self.worth * super().reward(seen, tasks)

    def done(self, seen: Seen, tasks: Floats) -> Bools:
        """It has just walked through: its last step went by, within 10 cm, in the direction.

        A step is longer than the tolerance, so the place is between two strikes as a rule.
        """
        passed = (tasks[:, 0] <= 0) & (tasks[:, 0] >= -seen.step * seen.velocity[:, 0])
        near = (passed | (np.abs(tasks[:, 0]) <= self.tolerance)) & (
            np.abs(tasks[:, 1]) <= self.tolerance
        )
        return near & (np.abs(tasks[:, 2]) <= self.angle) & (seen.from_walk <= self.steady)


class HeadingWithSpeed(Task):
    """To go in a direction at a speed (5.5)."""

    name = "heading-with-speed"
    sided = ("heading",)

    def __init__(self, speeds: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)) -> None:
        """5 speeds [m/s] and 25 directions."""
        speed = Axis(name="speed", points=np.array(speeds))
        self.space = TaskSpace(axes=(speed, headings("heading", 25)))
        self.tolerance, self.pace = np.deg2rad(5.0), 0.2

    def done(self, seen: Seen, tasks: Floats) -> Bools:
        """Within 5 degrees and 0.2 m/s."""
        right = np.abs(seen.velocity[:, 0] - tasks[:, 0]) <= self.pace
        return right & (np.abs(tasks[:, 1]) <= self.tolerance)


class RobustWalk(Task):
    """To walk on, whatever happens (5.6)."""

    name = "robust-walk"

    def __init__(self) -> None:
        """Nothing is sampled."""
        self.space = TaskSpace(axes=(Axis(name="nothing", points=np.zeros(1), change="turn"),))
        self.steady = STEADY

    def done(self, seen: Seen, tasks: Floats) -> Bools:
        """In the steady walk, or near it."""
        return seen.from_walk <= self.steady + 0.0 * tasks[:, 0]


TASKS: dict[str, type[Task]] = {
    task.name: task
    for task in (GoToLine, Heading, GoToPoint, GoToPointWithHeading, HeadingWithSpeed, RobustWalk)
}
