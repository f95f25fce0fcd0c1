"""What comes of a pursuit: the plan that was done, its episodes, and how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import radians
from os import PathLike

import numpy as np

from surefoot.agents.pursuit.episodes import Episode, Report
from surefoot.agents.pursuit.runner import Runner
from surefoot.agents.pursuit.targets import Target, Watched
from surefoot.animation import Animation, animate
from surefoot.animation.gltf_cast import Figure, save_cast
from surefoot.animation.pictures import (
    Camera,
    Extra,
    Picture,
    ball,
    filmstrip,
    path,
    person,
    render,
    time_label,
)
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.planning import Plan
from surefoot.world import Body, Keyframed, World
from surefoot.world.primitives import ball as sphere

RATE = 30.0
"""[1/s] of animations."""

SIZE = 0.18
"""[m] of the ball that stands for a target without a body."""

COLOR = (0.85, 0.25, 0.12)
"""Of that ball."""


@dataclass(frozen=True, eq=False)
class Pursuit:
    """A pursuit; truthy when the target was caught.

    Attributes:
        plan: all that the pursuer did, as one plan; `plan.check(world)` verifies it.
        episodes: one for each time that it planned.
        world: where.
        character: who pursued.
        target: who or what was pursued.
        caught: [s] when; None where it was not.
    """

    plan: Plan
    episodes: tuple[Episode, ...]
    world: World
    character: Character
    target: Target
    caught: float | None

    def __bool__(self) -> bool:
        return self.caught is not None

    @property
    def report(self) -> Report:
        """How the episodes held their time."""
        return Report.of(self.episodes)

    @property
    def rates(self) -> tuple[float, ...]:
        """[evaluations/ms] of all episodes: with them `pursue` repeats a measured pursuit."""
        return tuple(each.rate for each in self.episodes)

    def __str__(self) -> str:
        return f"{self.plan.status.message}; {self.report}"

    @cached_property
    def animation(self) -> Animation:
        """The pursuer."""
        return animate(self.plan, self.world, self.character, rate=RATE)

    @cached_property
    def target_animation(self) -> Animation | None:
        """The target, where it is a runner; as long as the pursuer's."""
        if not isinstance(self.target, Runner):
            return None
        plan = self.target.plan(self.animation.end)
        return animate(plan, self.world, self.target.character, rate=RATE, linger=0.0)

    def target_path(self) -> Floats:
        """`(n, 3)` [m]: where the target was at the animation's moments."""
        times = np.minimum(self.animation.times, self.plan.end)
        return np.array([self.target.point(float(t)) for t in times])

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the world, the pursuer and the target as one `.glb` or `.gltf` file."""
        shown = [("pursuer", self.animation)]
        if self.target_animation is not None:
            shown.append(("target", self.target_animation))
        figures = [
            Figure(name, each.character, each.times, each.root, each.rotations)
            for name, each in shown
        ]
        world = self.world
        if self.target_animation is None and not isinstance(self.target, Watched):
            world = world.copy([*world, self._stand_in()])
        notes = {"plan": str(self.plan.status), "report": str(self.report)}
        save_cast(path, world, figures, rate=RATE, extras=notes)

    def _stand_in(self) -> Body:
        """A ball that goes where a target without a body went."""
        points = self.target_path() + np.array([0.0, 0.0, 0.9])
        return Body(
            name="target", mesh=sphere(SIZE), color=COLOR, solid=False,
            trajectory=Keyframed(self.animation.times, points),
        )  # fmt: skip

    def picture(
        self,
        moments: Sequence[float] | None = None,
        *,
        size: tuple[int, int] = (480, 300),
        columns: int = 3,
        quality: str = "good",
    ) -> Picture:
        """A filmstrip of both.

        Args:
            moments: [s]; six over all of it when not given.
            size: of each picture [pixels].
            columns: of the strip.
            quality: "draft", "good" or "best".
        """
        times = np.linspace(self.plan.start, self.plan.end, 6) if moments is None else moments
        way, other = self.animation.path, self.target_path()
        around = np.concatenate([way, other])
        above, below = np.array([2.0, 2.0, 2.2]), np.array([2.0, 2.0, 0.5])
        spread = np.concatenate([around + above, around - below])
        camera = Camera.framing(spread, radians(-60.0), radians(32.0), size=size)
        shots = [
            render(self.world, float(t), camera, extras=self._shown(float(t)), quality=quality)
            for t in times
        ]
        return filmstrip(shots, [time_label(float(t)) for t in times], columns=columns)

    def _shown(self, t: float) -> list[Extra]:
        animation, runs = self.animation, self.target_animation
        done = animation.times <= t
        extras = [person(animation.character, *animation.pose(t))]
        if done.sum() > 1 and float(np.ptp(animation.path[done], axis=0).max()) > 1e-3:
            extras.append(path(animation.path[done] + [0.0, 0.0, 0.03]))
        if runs is not None:
            extras.append(person(runs.character, *runs.pose(t)).tinted(COLOR, 0.6))
        elif not isinstance(self.target, Watched):
            extras.append(ball(self.target.point(t) + np.array([0.0, 0.0, 0.9]), SIZE))
        return extras
