"""The built-in people: mannequins of different sizes."""

from __future__ import annotations

from surefoot.character import capability, humanoid
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
