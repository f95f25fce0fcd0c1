"""A character's capabilities as the topological planner needs them (lopez2012, 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from surefoot import _native
from surefoot.arrays import ArrayLike, Floats, floats
from surefoot.character import Capability
from surefoot.character.capability import GRAVITY
from surefoot.errors import ProblemError

MODES = ("walk", "crouch")
"""Capabilities that go about on the ground, the preferred one first."""


@dataclass(frozen=True)
class JumpLimits:
    """What a jump can do.

    Attributes:
        vertical: [m/s], > 0: most upward impulse.
        horizontal: [m/s], > 0: most impulse over the ground.
        landing: [m/s], > 0: most downward speed on landing.
    """

    vertical: float
    horizontal: float
    landing: float

    @classmethod
    def of(cls, capability: Capability) -> JumpLimits:
        """Those that just make a capability's highest, farthest and deepest jump."""
        vertical = sqrt(2.0 * GRAVITY * capability.max_jump_up)
        if vertical == 0.0 or capability.max_jump_length == 0.0:
            raise ProblemError(f"capability {capability.name!r} does not jump")
        horizontal = GRAVITY * capability.max_jump_length / (2.0 * vertical)
        landing = max(sqrt(2.0 * GRAVITY * capability.max_drop), vertical)
        return cls(vertical, min(horizontal, capability.max_speed), landing)

    def reach(self, rise: ArrayLike) -> Floats:
        """[m] How far landings may be that lie `rise` [m] above the take-off; negative for none.

        The accessibility profile (3.2.1) in closed form.
        """
        rises = floats(rise, "rise")
        flat = np.ascontiguousarray(rises.reshape(-1))
        found = _native.jump_reach(self.vertical, self.horizontal, self.landing, flat)
        return found.reshape(rises.shape)


@dataclass(frozen=True)
class Skills:
    """What a traveller may do.

    Attributes:
        names: of the capabilities that go about on the ground.
        ground: those capabilities.
        jump: the capability that jumps; None for those who only step.
        limits: of its jumps.
    """

    names: tuple[str, ...]
    ground: tuple[Capability, ...]
    jump: Capability | None
    limits: JumpLimits

    @classmethod
    def of(cls, skills: Mapping[str, Capability]) -> Skills:
        """From a problem's capabilities by name."""
        names = tuple(name for name in MODES if name in skills)
        if not names:
            raise ProblemError(
                f"the topological planner needs one of {', '.join(MODES)}; there are: "
                f"{', '.join(skills)}"
            )
        jump = skills.get("jump")
        ground = tuple(skills[name] for name in names)
        if jump is None or not jump.jumps:
            # Who does not jump still steps over what a step is long and high.
            limits = JumpLimits(1.0, 1.0, 1.0)
            return cls(names, ground, None, limits)
        return cls(names, ground, jump, JumpLimits.of(jump))

    @property
    def rows(self) -> Floats:
        """`(n, 5)`: radius, height, step, slope and speed of each way of going about."""
        return np.array(
            [[c.radius, c.height, c.step_height, c.max_slope, c.speed] for c in self.ground]
        )

    @property
    def leap(self) -> Floats:
        """`(7,)`: impulses, landing speed and cylinder of jumps."""
        body, limits = self.jump or self.ground[0], self.limits
        return np.array(
            [limits.vertical, limits.horizontal, limits.landing, body.radius, body.height,
             body.step_height, 0.0]
        )  # fmt: skip
