"""From lines of sight to colours: what is met, how it is lit, what is drawn over it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from surefoot.animation.pictures import lighting
from surefoot.animation.pictures.camera import Camera
from surefoot.animation.pictures.lighting import Light, Rays
from surefoot.animation.pictures.scene import Layer, Scene, Surface
from surefoot.animation.pictures.settings import Look
from surefoot.arrays import Floats, Ints

# A cut through something solid, as on an architect's plan.
_SECTION = np.array([0.055, 0.06, 0.07])
_LINE_WIDTH = 0.014
_LINE_STRENGTH = 0.22
# A mark this low over the surface behind it shares its light, one this high does not [m].
_LYING = 0.02
_HIGH = 0.08
_MOST_MARKS = 6


@dataclass(frozen=True, eq=False)
class Sights:
    """Lines of sight.

    Attributes:
        pixels: `(k, 2)`, where they pass through the picture.
        origins: `(k, 3)` [m].
        directions: `(k, 3)` unit vectors.
        begin: `(k,)` [m]: how far along they begin to see; beyond 0 where a cutaway is.
    """

    pixels: Floats
    origins: Floats
    directions: Floats
    begin: Floats

    def at(self, distances: Floats) -> Floats:
        """Points `(k, 3)` at distances `(k,)` [m]."""
        return self.origins + distances[:, None] * self.directions


@dataclass(frozen=True, eq=False)
class View:
    """Everything that stays the same over one picture."""

    scene: Scene
    camera: Camera
    look: Look
    to_sun: Floats

    @cached_property
    def fade_start(self) -> float:
        """The distance [m] beyond which ground fades: behind the subject, and not soon."""
        away = np.linalg.norm(self.scene.subject - self.camera.eye, axis=1)
        return max(1.8 * self.camera.distance, 1.1 * float(away.max()))

    def sights(self, pixels: Floats) -> Sights:
        """The lines of sight through pixels `(k, 2)`."""
        origins, directions = self.camera.rays(pixels)
        begin = np.zeros(len(pixels))
        if self.look.cutaway is not None:
            above = (origins[:, 2] > self.look.cutaway) & (directions[:, 2] < -1e-9)
            drop = origins[above, 2] - self.look.cutaway
            begin[above] = drop / -directions[above, 2]
        return Sights(pixels, origins, directions, begin)

    def surface(self, sights: Sights) -> Surface:
        """What lines of sight meet in the solid layer."""
        solids, starts = self.scene.solids, sights.at(sights.begin)
        found = solids.trace(starts, sights.directions)
        found = replace(found, distance=found.distance + sights.begin)
        if self.look.cutaway is None:
            return found
        above = found.hit & (found.position[:, 2] > self.look.cutaway + 1e-6)
        found = replace(
            found,
            body=np.where(above, -1, found.body).astype(np.int32),
            distance=np.where(above, np.inf, found.distance),
        )
        cut = np.where(sights.begin > 0, solids.around(starts), -1).astype(np.int32)
        return _sectioned(found, cut, starts, sights.begin)

    def light(self, surface: Surface, kinds: npt.NDArray[np.intp], rays: Rays) -> Light:
        """The light at surfaces."""
        return lighting.gather(self.scene.solids, surface, kinds, rays, self.to_sun, self.look)

    def colors(self, sights: Sights, surface: Surface, light: Light) -> tuple[Floats, Floats]:
        """Linear light `(k, 3)` that reaches the eye, and the share `(k,)` that marks let by."""
        backdrop = self._backdrop(sights.pixels)
        hit = surface.hit
        facing_sun = np.clip(surface.normal @ self.to_sun, 0.0, 1.0) * light.sun
        arriving = facing_sun[:, None] * lighting.SUN + light.sky
        color = surface.color * self._lines(surface, sights.directions) * arriving
        color += self._highlight(surface, sights.directions, light)
        color = np.where(hit[:, None], color, backdrop)
        color = self._faded(color, backdrop, surface)
        if self.scene.marks is None:
            return color, np.ones(len(color))
        return self._marked(self.scene.marks, color, sights, surface, arriving)

    def _backdrop(self, pixels: Floats) -> Floats:
        share = np.clip(pixels[:, 1:] / self.camera.size[1], 0.0, 1.0)
        top, bottom = np.array(self.look.top), np.array(self.look.bottom)
        return top + (bottom - top) * share

    def _lines(self, surface: Surface, directions: Floats) -> Floats:
        """`(k, 1)`: how much the lines on the ground darken it, averaged over each pixel."""
        solids, spacing = self.scene.solids, self.look.grid
        left = np.ones((len(surface.body), 1))
        if spacing is None or not solids.ground.any():
            return left
        level = (surface.facing[:, 2] > 0.8) & solids.ground[surface.body]
        rows = np.flatnonzero(level)
        if len(rows) == 0:
            return left
        # How far apart, in x and y, neighbouring pixels to the right and above see the floor.
        toward, (right, up, _) = directions[rows], self.camera.axes
        down = np.minimum(toward[:, 2:], -0.01)
        upward = up[:2] - toward[:, :2] * (up[2] / down)
        pixel = self.camera.pixel_size(surface.distance[rows])[:, None]
        reach = pixel * np.sqrt(right[:2] ** 2 + upward**2)
        offset = np.abs((surface.position[rows, :2] / spacing + 0.5) % 1.0 - 0.5) * spacing
        # The share of the pixel, with soft borders, that a line of this width covers.
        half = _LINE_WIDTH / 2
        covered = _tent_below((offset + half) / reach) - _tent_below((offset - half) / reach)
        covered = covered.max(axis=1)
        left[rows, 0] -= _LINE_STRENGTH * covered
        return left

    def _highlight(self, surface: Surface, directions: Floats, light: Light) -> Floats:
        gloss = self.scene.solids.gloss[surface.body]
        shine = np.zeros((len(gloss), 3))
        rows = np.flatnonzero(gloss > 0)
        if len(rows) == 0:
            return shine
        normal, toward = surface.normal[rows], -directions[rows]
        half = toward + self.to_sun
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        glint = np.clip(np.einsum("kc,kc->k", normal, half), 0.0, 1.0) ** 40 * light.sun[rows]
        # Near outlines every surface mirrors the sky (Schlick's approximation).
        edge = (1.0 - np.clip(np.einsum("kc,kc->k", normal, toward), 0.0, 1.0)) ** 5
        mirrored = (0.04 + 0.6 * edge)[:, None] * light.sky[rows]
        shine[rows] = gloss[rows, None] * (0.45 * glint[:, None] * lighting.SUN + mirrored)
        return shine

    def _faded(self, color: Floats, backdrop: Floats, surface: Surface) -> Floats:
        """Ground far behind the subject melts into the backdrop."""
        solids = self.scene.solids
        rows = np.flatnonzero(solids.ground[surface.body])
        if len(rows) == 0 or self.camera.orthographic:
            return color
        far = surface.distance[rows] / self.fade_start
        share = np.clip((far - 1.0) / 2.2, 0.0, 1.0)[:, None]
        share = share * share * (3.0 - 2.0 * share)
        color[rows] += (backdrop[rows] - color[rows]) * share
        return color

    def _marked(
        self,
        marks: Layer,
        color: Floats,
        sights: Sights,
        surface: Surface,
        arriving: Floats,
    ) -> tuple[Floats, Floats]:
        """Colours with the marks drawn over them, front to back; and what the marks let by."""
        rows = np.arange(len(color))
        start = sights.begin.copy()
        clear = np.ones(len(color))
        drawn = np.zeros_like(color)
        for _ in range(_MOST_MARKS):
            toward = sights.directions[rows]
            found = marks.trace(sights.origins[rows] + start[rows, None] * toward, toward)
            met = found.hit
            rows, found, toward = rows[met], found.rows(np.flatnonzero(met)), toward[met]
            if len(rows) == 0:
                break
            depth = start[rows] + found.distance
            behind = surface.distance[rows] - depth
            slant = np.abs(np.einsum("kc,kc->k", surface.facing[rows], toward))
            above = np.where(surface.hit[rows], np.abs(behind), np.inf) * np.maximum(slant, 1e-3)
            lying = np.clip((_HIGH - above) / (_HIGH - _LYING), 0.0, 1.0)[:, None]
            free = lighting.unshadowed(found.normal, self.to_sun)
            light = free + (arriving[rows] - free) * lying
            head_on = np.abs(np.einsum("kc,kc->k", found.normal, toward))
            alpha: Floats = marks.opacity[found.body]
            alpha = alpha * (1 - marks.rim[found.body] * head_on**0.7)
            alpha = np.where(behind > -0.002, alpha, alpha * marks.through[found.body])
            # The far side of a ghost is inside it.
            alpha = np.where(found.back & marks.closed[found.body], 0.0, alpha)
            drawn[rows] += (clear[rows] * alpha)[:, None] * found.color * light
            clear[rows] *= 1 - alpha
            start[rows] = depth + 1e-5
            rows = rows[clear[rows] > 0.02]
        return color * clear[:, None] + drawn, clear


def _tent_below(x: Floats) -> Floats:
    """Share of a tent of unit area over -1 to 1 that lies below `x`."""
    near = np.clip(1.0 - np.abs(x), 0.0, 1.0) ** 2 / 2
    return np.where(x < 0, near, 1.0 - near)


def _sectioned(found: Surface, cut: Ints, starts: Floats, begin: Floats) -> Surface:
    """Surfaces, with a flat top for those that begin inside a body `cut`."""
    inside, up = cut >= 0, np.array([0.0, 0.0, 1.0])
    flat = inside[:, None]
    return Surface(
        body=np.where(inside, cut, found.body),
        distance=np.where(inside, begin, found.distance),
        position=np.where(flat, starts, found.position),
        facing=np.where(flat, up, found.facing),
        normal=np.where(flat, up, found.normal),
        color=np.where(flat, _SECTION, found.color),
        back=found.back & ~inside,
    )
