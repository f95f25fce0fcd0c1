"""How a picture is lit and how much work goes into it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from surefoot.animation.pictures.colors import Color, checked_color, from_hex
from surefoot.arrays import Floats, number
from surefoot.errors import InputError, one_of

_TOP = from_hex("#dfe6ec")
_BOTTOM = from_hex("#f6f5f2")


@dataclass(frozen=True, kw_only=True)
class Look:
    """The light and the backdrop of a picture.

    Attributes:
        sun_azimuth: where the sun stands [rad], 0 is +x; none: over the viewer's left shoulder.
        sun_elevation: above the horizontal [rad], > 0 and <= pi / 2.
        sun_softness: half the angle that the sun spans [rad], 0 for crisp shadows, < 0.5.
        occlusion_reach: how far things darken each other's sky light [m], > 0.
        grid: spacing of the lines on the ground [m], > 0; none for no lines.
        top: linear colour of the backdrop at the top of the picture.
        bottom: the same at the bottom.
        cutaway: everything above this height is left out, in shadows too [m]; none to show all.
    """

    sun_azimuth: float | None = None
    sun_elevation: float = math.radians(50.0)
    sun_softness: float = math.radians(1.6)
    occlusion_reach: float = 2.0
    grid: float | None = 1.0
    top: Color = _TOP
    bottom: Color = _BOTTOM
    cutaway: float | None = None

    def __post_init__(self) -> None:
        if self.sun_azimuth is not None:
            number(self.sun_azimuth, "sun_azimuth")
        number(self.sun_elevation, "sun_elevation", above=0.0, at_most=math.pi / 2)
        number(self.sun_softness, "sun_softness", at_least=0.0, at_most=0.5)
        number(self.occlusion_reach, "occlusion_reach", above=0.0)
        if self.grid is not None:
            number(self.grid, "grid", above=0.0)
        if self.cutaway is not None:
            number(self.cutaway, "cutaway")
        object.__setattr__(self, "top", checked_color(self.top, "top"))
        object.__setattr__(self, "bottom", checked_color(self.bottom, "bottom"))

    def to_sun(self, forward: Floats) -> Floats:
        """`(3,)` unit vector to the sun, for a camera that looks along `forward`."""
        azimuth = self.sun_azimuth
        if azimuth is None:
            # Behind the viewer's left shoulder: what is seen is lit, and shadows fall to the right.
            azimuth = math.atan2(-forward[1], -forward[0]) - math.radians(55.0)
        level = math.cos(self.sun_elevation)
        return np.array(
            [level * math.cos(azimuth), level * math.sin(azimuth), math.sin(self.sun_elevation)]
        )


@dataclass(frozen=True, kw_only=True)
class Quality:
    """How many rays a picture is made of.

    Attributes:
        sky_rays: towards the sky, from each pixel.
        sun_rays: towards the sun, from each pixel.
        edge_samples: lines of sight through each pixel on an edge.
    """

    sky_rays: int
    sun_rays: int
    edge_samples: int


QUALITIES: Mapping[str, Quality] = MappingProxyType(
    {
        "draft": Quality(sky_rays=2, sun_rays=1, edge_samples=4),
        "good": Quality(sky_rays=6, sun_rays=4, edge_samples=12),
        "best": Quality(sky_rays=16, sun_rays=10, edge_samples=32),
    }
)
"""The levels of quality, by name."""


def quality_named(name: str) -> Quality:
    """The level called `name`."""
    try:
        return QUALITIES[name]
    except (KeyError, TypeError):
        raise InputError(one_of("quality", name, QUALITIES)) from None
