"""A mannequin made by code: rigid shells over dark joints, skinned to the canonical skeleton."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from surefoot.character.mannequin.assembly import Assembly
from surefoot.character.mannequin.limbs import add_arms, add_legs, add_shoes
from surefoot.character.mannequin.trunk import add_head, add_trunk
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.character.skin import Color, Skin

COLORS: Mapping[str, Color] = {
    "shell": (0.80, 0.79, 0.76),
    "torso": (0.03, 0.30, 0.38),
    "legs": (0.13, 0.155, 0.20),
    "joints": (0.045, 0.05, 0.06),
    "visor": (0.012, 0.02, 0.03),
    "shoes": (0.03, 0.30, 0.38),
    "soles": (0.75, 0.75, 0.75),
}
"""The mannequin's parts and their usual colours."""

# Mass over height [kg/m] of the adult that the figures of the parts are stated for.
_USUAL_MASS_PER_HEIGHT = 40.25
_USUAL_HEIGHT = 1.75


def mannequin(skeleton: Skeleton, measures: Measures, colors: Mapping[str, Color] = COLORS) -> Skin:
    """A mannequin of these measures, in the rest pose of a canonical skeleton.

    Args:
        skeleton: with the canonical joints, of the same measures.
        measures: its lengths and mass; a heavier body has thicker limbs.
        colors: linear red, green, blue for the parts of `COLORS`.
    """
    girth = _USUAL_HEIGHT * sqrt(measures.mass / measures.height / _USUAL_MASS_PER_HEIGHT)
    body = Assembly(skeleton)
    add_trunk(body, measures, girth)
    add_head(body, measures, girth)
    add_arms(body, measures, girth)
    add_legs(body, measures, girth)
    add_shoes(body, measures)
    return body.skin({**COLORS, **colors})
