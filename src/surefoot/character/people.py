"""The built-in people: mannequins of different sizes."""

from __future__ import annotations

from math import pi

from surefoot.character import capability, humanoid
from surefoot.character.capability import GRAVITY, Capability
from surefoot.character.character import Character
from surefoot.character.mannequin import mannequin
from surefoot.character.measures import ADULT, CHILD, Measures, Proportions
from surefoot.character.skin import Color


def adult() -> Character:
    """An adult, 1.75 m."""
    return person("adult", 1.75, color=(0.03, 0.30, 0.38))


def child() -> Character:
    """A child of about seven, 1.20 m: a larger head, shorter legs, smaller steps."""
    return person("child", 1.20, proportions=CHILD, color=(0.85, 0.36, 0.03))


def tall_adult() -> Character:
    """A tall adult, 1.95 m."""
    return person("tall adult", 1.95, color=(0.10, 0.16, 0.50))


def little() -> Character:
    """Somebody 0.5 m tall with the abilities of lopez2012's agent (its section 5).

    Stands in 0.5 m of height and crouches in 0.15 m; goes at 2 m/s at most, and jumps with 2 m/s
    up and along, to land at no more than 3 m/s.
    """
    rise, drop = 2.0**2 / (2.0 * GRAVITY), 3.0**2 / (2.0 * GRAVITY)
    far = 2.0 * 2.0 * 2.0 / GRAVITY
    slope = pi / 6.0
    return person("little", 0.5, color=(0.55, 0.10, 0.42)).with_capabilities(
        # A step as high as the ground rises under the cylinder on the steepest slope.
        Capability(name="walk", radius=0.2, height=0.5, step_height=0.12, max_slope=slope,
                   speed=1.2, max_speed=2.0, acceleration=4.0, turn_rate=5.0),
        Capability(name="crouch", radius=0.3, height=0.15, step_height=0.1, max_slope=slope,
                   speed=0.6, max_speed=1.0, acceleration=3.0, turn_rate=4.0),
        Capability(name="jump", radius=0.2, height=0.5, step_height=0.12, max_slope=slope,
                   speed=1.2, max_speed=2.0, acceleration=4.0, turn_rate=5.0,
                   max_jump_length=far, max_jump_up=rise, max_drop=drop),
    )  # fmt: skip


def person(
    name: str,
    height: float,
    *,
    mass: float | None = None,
    proportions: Proportions = ADULT,
    color: Color = (0.03, 0.30, 0.38),
) -> Character:
    """A mannequin of any height.

    Args:
        name: for messages and files.
        height: [m], in 0.3 to 3.
        mass: [kg], > 0; from the height when not given.
        proportions: `ADULT`, `CHILD` or your own.
        color: linear red, green, blue of shirt and shoes, 0 to 1.
    """
    measures = Measures.from_height(height, mass=mass, proportions=proportions)
    skeleton = humanoid.skeleton(measures)
    return Character(
        name=name,
        skeleton=skeleton,
        measures=measures,
        capabilities={skill.name: skill for skill in capability.human(measures)},
        skin=mannequin(skeleton, measures, {"torso": color, "shoes": color}),
    )
