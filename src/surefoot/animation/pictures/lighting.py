"""Light: the sun with soft shadows, and the sky as far as it can be seen from each point."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from surefoot.animation.pictures import sampling
from surefoot.animation.pictures.scene import Layer, Surface
from surefoot.animation.pictures.settings import Look
from surefoot.arrays import Floats

# Linear strengths, chosen together: pale ground in the sun is near white, its shadows stay airy.
SUN = np.array([0.74, 0.70, 0.635])
_ZENITH = np.array([0.46, 0.51, 0.59])
_HORIZON = np.array([0.54, 0.545, 0.55])
_BELOW = np.array([0.30, 0.29, 0.275])
# Light that a surface passes on to its neighbours, as a share of its colour: near ones share each
# other's shade, far ones are lit.
_BOUNCE_NEAR = 0.02
_BOUNCE_FAR = 0.45
# Where things touch or nearly do [m], even the sun is dimmed by up to this share. Nature does not
# do so, but it shows at a glance whether a foot is on the floor.
_TOUCH_REACH = 0.30
_TOUCH = 0.65
# How far rays start above the surface they leave [m].
_LIFT = 2e-4


@dataclass(frozen=True, eq=False)
class Light:
    """What arrives at surfaces.

    Attributes:
        sun: `(k,)`: how much of the sun is in view, 0 to 1.
        sky: `(k, 3)`: light of the sky and of surfaces around.
    """

    sun: Floats
    sky: Floats


@dataclass(frozen=True, eq=False)
class Rays:
    """The patterns of rays for one picture.

    Attributes:
        sun: `(16, r, 3)` unit vectors to points of the sun, for each kind of pixel.
        sky: `(16, s, 3)` unit vectors about +z.
    """

    sun: Floats
    sky: Floats


def patterns(to_sun: Floats, softness: float, sun_rays: int, sky_rays: int) -> Rays:
    """The rays to cast from every point, for a sun of half angle `softness` [rad]."""
    first, second = sampling.across(to_sun)
    spots = sampling.disc(sun_rays) * math.tan(softness)
    sun = to_sun + spots[..., :1] * first + spots[..., 1:] * second
    sun = sun / np.linalg.norm(sun, axis=-1, keepdims=True)
    return Rays(sun, sampling.hemisphere(sky_rays))


def gather(
    solids: Layer,
    surface: Surface,
    kinds: npt.NDArray[np.intp],
    rays: Rays,
    to_sun: Floats,
    look: Look,
) -> Light:
    """The light at surface points.

    Args:
        solids: what blocks it.
        surface: `k` points.
        kinds: `(k,)` of their pixels.
        rays: the patterns.
        to_sun: `(3,)` unit vector.
        look: for the reach of occlusion and for the cutaway.
    """
    sun, sky = np.zeros(len(kinds)), np.zeros((len(kinds), 3))
    touching = np.zeros(len(kinds))
    rows = np.flatnonzero(surface.hit)
    sky[rows], touching[rows] = _sky_light(solids, surface, rows, rays.sky[kinds[rows]], look)
    lit = (surface.normal[rows] @ to_sun > 0) & (surface.facing[rows] @ to_sun > -0.2)
    rows = rows[lit]
    sun[rows] = _sun_light(solids, surface, rows, rays.sun[kinds[rows]], look)
    return Light(sun * (1.0 - _TOUCH * touching), sky)


def open_sky(directions: Floats) -> Floats:
    """Light `(..., 3)` of the sky in unit directions `(..., 3)`."""
    up = directions[..., 2:]
    above = _HORIZON + (_ZENITH - _HORIZON) * np.sqrt(np.clip(up, 0.0, 1.0))
    # A soft horizon: light from below is what a pale floor further away would send back.
    share = np.clip(0.5 + up * 4.0, 0.0, 1.0)
    return _BELOW + (above - _BELOW) * share


def unshadowed(normals: Floats, to_sun: Floats) -> Floats:
    """Light `(k, 3)` on faces with nothing around them; for marks in mid-air."""
    facing_sun = np.clip(normals @ to_sun, 0.0, 1.0)[:, None]
    return SUN * (0.35 + 0.65 * facing_sun) * 0.8 + open_sky(normals) * 0.9


def _sun_light(
    solids: Layer, surface: Surface, rows: npt.NDArray[np.intp], directions: Floats, look: Look
) -> Floats:
    origins = surface.position[rows] + surface.facing[rows] * _LIFT
    seen = np.zeros(len(rows))
    for ray in range(directions.shape[1]):
        hits = solids.world.ray(origins, directions[:, ray])
        seen += ~_blocked(hits.hit, hits.position, look)
    return seen / directions.shape[1]


def _sky_light(
    solids: Layer, surface: Surface, rows: npt.NDArray[np.intp], local: Floats, look: Look
) -> tuple[Floats, Floats]:
    """Light of the sky and of neighbours `(r, 3)`, and how closely they crowd in `(r,)`."""
    normal, facing = surface.normal[rows], surface.facing[rows]
    first, second = sampling.across(normal)
    origins = surface.position[rows] + facing * _LIFT
    total, touching = np.zeros((len(rows), 3)), np.zeros(len(rows))
    for ray in range(local.shape[1]):
        spot = local[:, ray]
        directions = spot[:, :1] * first + spot[:, 1:2] * second + spot[:, 2:] * normal
        # About a round normal some rays start into the flat face: send them to its front.
        into = np.minimum(np.einsum("kc,kc->k", directions, facing), 0.0)
        directions -= 2.0 * into[:, None] * facing
        hits = solids.world.ray(origins, directions, max_distance=look.occlusion_reach)
        light = open_sky(directions)
        blocked = np.flatnonzero(_blocked(hits.hit, hits.position, look))
        far = (hits.distance[blocked] / look.occlusion_reach)[:, None]
        colors = solids.face_colors(hits.body[blocked], hits.triangle[blocked])
        bounced = (_BOUNCE_NEAR + (_BOUNCE_FAR - _BOUNCE_NEAR) * np.sqrt(far)) * colors
        # The sky fades in, so that nothing changes abruptly at the reach.
        light[blocked] += (bounced - light[blocked]) * (1.0 - far**2)
        total += light
        touching[blocked] += np.clip(1.0 - hits.distance[blocked] / _TOUCH_REACH, 0.0, 1.0)
    return total / local.shape[1], touching / local.shape[1]


def _blocked(hit: npt.NDArray[np.bool_], position: Floats, look: Look) -> npt.NDArray[np.bool_]:
    if look.cutaway is None:
        return hit
    return hit & (position[:, 2] < look.cutaway)
