"""What a character can do, one way of moving at a time: its bounding cylinder and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import pi, sqrt
from typing import Any

from surefoot.arrays import number
from surefoot.character.measures import Measures
from surefoot.errors import CharacterError, one_of

GRAVITY = 9.81
"""[m/s^2]"""


@dataclass(frozen=True, kw_only=True)
class Capability:
    """One way of moving and its limits; plain numbers, so it can be written as JSON.

    Attributes:
        name: "walk", "run", "crouch", "jump" or a name of your own; not empty.
        radius: [m], > 0: of the upright cylinder around the body.
        height: [m], > 0: of that cylinder, and so the lowest ceiling.
        step_height: [m], >= 0 and < height: the highest step taken without a jump.
        max_slope: [rad], in [0, pi/2): the steepest ground stood on.
        speed: [m/s], >= 0: the preferred speed.
        max_speed: [m/s], > 0 and >= speed.
        acceleration: [m/s^2], > 0: the fastest change of speed.
        turn_rate: [rad/s], > 0: the fastest change of heading.
        max_jump_length: [m], >= 0: the farthest landing over level ground; 0 where nothing jumps.
        max_jump_up: [m], >= 0: the highest landing above the take-off.
        max_drop: [m], >= 0: the deepest landing below the take-off.
    """

    name: str
    radius: float
    height: float
    step_height: float
    max_slope: float
    speed: float
    max_speed: float
    acceleration: float = 2.0
    turn_rate: float = 2.5
    max_jump_length: float = 0.0
    max_jump_up: float = 0.0
    max_drop: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise CharacterError(f"a capability's name must be text, got {self.name!r}")
        for field in fields(self)[1:]:
            value = number(
                getattr(self, field.name),
                f"capability {self.name!r}: {field.name}",
                at_least=0.0,
                error=CharacterError,
            )
            object.__setattr__(self, field.name, value)
        for name in ("radius", "height", "max_speed", "acceleration", "turn_rate"):
            if getattr(self, name) == 0.0:
                self._refuse(name, "must be greater than 0")
        if self.max_slope >= pi / 2:
            self._refuse("max_slope", "must be less than pi/2 [rad]; was it given in degrees?")
        if self.step_height >= self.height:
            self._refuse("step_height", f"must be less than height = {self.height:g}")
        if self.max_speed < self.speed:
            self._refuse("max_speed", f"must be at least speed = {self.speed:g}")

    def _refuse(self, field: str, why: str) -> None:
        value = getattr(self, field)
        raise CharacterError(f"capability {self.name!r}: {field} {why}, got {value:g}")

    @property
    def jumps(self) -> bool:
        """Whether this way of moving leaves the ground to land elsewhere."""
        return self.max_jump_length > 0.0

    def to_dict(self) -> dict[str, str | float]:
        """The fields as plain text and numbers."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Capability:
        """The capability with these fields; an error names the ones unknown or missing."""
        known = [field.name for field in fields(cls)]
        title = f"capability {values.get('name', '')!r}"
        for name in values:
            if name not in known:
                raise CharacterError(f"{title}: {one_of('field', name, known)}")
        missing = [name for name in known[:7] if name not in values]
        if missing:
            raise CharacterError(f"{title}: missing {', '.join(missing)}")
        return cls(**values)


def human(measures: Measures) -> tuple[Capability, ...]:
    """Walk, run, crouch and jump of a healthy person of these measures.

    Speeds follow from the leg length by equal Froude number v / sqrt(g L): people of every size
    walk most comfortably near 0.44, break into a run between 0.62 and 0.8, and run easily near 1.
    """
    legs, tall = measures.leg_length, measures.height
    pace = sqrt(GRAVITY * legs)
    radius = 0.143 * tall
    step = 0.2 * tall
    return (
        Capability(
            name="walk", radius=radius, height=tall, step_height=step, max_slope=0.61,
            speed=0.44 * pace, max_speed=0.66 * pace, acceleration=1.5, turn_rate=2.5,
        ),
        Capability(
            name="run", radius=radius, height=tall, step_height=step, max_slope=0.44,
            speed=1.0 * pace, max_speed=1.7 * pace, acceleration=3.0, turn_rate=2.5,
        ),
        Capability(
            name="crouch", radius=1.15 * radius, height=0.72 * tall, step_height=0.7 * step,
            max_slope=0.52, speed=0.24 * pace, max_speed=0.36 * pace, acceleration=1.2,
            turn_rate=1.8,
        ),
        Capability(
            name="jump", radius=radius, height=tall, step_height=step, max_slope=0.44,
            speed=1.0 * pace, max_speed=1.7 * pace, acceleration=3.0, turn_rate=2.5,
            max_jump_length=2.6 * legs, max_jump_up=0.5 * legs, max_drop=1.0 * legs,
        ),
    )  # fmt: skip
