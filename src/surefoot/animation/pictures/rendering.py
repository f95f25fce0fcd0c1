"""Taking a picture: a ray caster over the world's own exact queries, shaded in numpy.

Every pixel gets one line of sight with a few rays towards sun and sky; their grain is filtered
on each surface; pixels that differ from their neighbours get many lines of sight instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from surefoot.animation.pictures import lighting, sampling
from surefoot.animation.pictures.buffers import Buffers, Indices
from surefoot.animation.pictures.camera import Camera, Size, checked_size
from surefoot.animation.pictures.colors import displayed
from surefoot.animation.pictures.extras import Extra
from surefoot.animation.pictures.lighting import Rays
from surefoot.animation.pictures.picture import Picture
from surefoot.animation.pictures.scene import assemble
from surefoot.animation.pictures.settings import Look, Quality, quality_named
from surefoot.animation.pictures.shading import View
from surefoot.arrays import Floats, number
from surefoot.world import World

# Lines of sight worked on at once: few enough to stay in a core's cache.
_BATCH = 24_000


def render(
    world: World,
    t: float = 0.0,
    camera: Camera | None = None,
    *,
    extras: Sequence[Extra] = (),
    size: Size | None = None,
    quality: str = "good",
    look: Look | None = None,
    threads: int | None = None,
) -> Picture:
    """A picture of a world at a moment.

    Args:
        world: its bodies have their own colours, or pleasant ones; ground is pale.
        t: the moment [s].
        camera: the view; none: one with everything but the ground in view.
        extras: people, paths and marks to show as well.
        size: width and height [pixels]; none: the camera's.
        quality: "draft", "good" or "best".
        look: light and backdrop.
        threads: how many to use; none: one for each core. The picture has the same bits anyway.
    """
    level = quality_named(quality)
    workers = os.cpu_count() or 1 if threads is None else threads
    number(workers, "threads", at_least=1)
    look = look or Look()
    scene = assemble(world, t, extras)
    if camera is None:
        camera = framing(scene.subject, size, look)
    elif size is not None:
        camera = camera.resized(checked_size(size))
    view = View(scene, camera, look, look.to_sun(camera.axes[2]))
    width, height = camera.size
    pool = ThreadPoolExecutor(int(workers))
    try:
        image = np.zeros((height, width, 3))
        return _Exposure(view, level, Buffers.empty(width, height), image, pool).picture()
    finally:
        # After Ctrl-C, what has not begun is not done.
        pool.shutdown(cancel_futures=True)


def framing(subject: Floats, size: Size | None, look: Look) -> Camera:
    """The usual camera for points `(n, 3)` [m]; what is cut away need not be in view."""
    if look.cutaway is not None:
        subject = np.minimum(subject, [np.inf, np.inf, look.cutaway])
    return Camera.framing(subject, size=size or (960, 540))


@dataclass(frozen=True, eq=False)
class _Exposure:
    """One picture in the making."""

    view: View
    quality: Quality
    buffers: Buffers
    image: Floats
    pool: ThreadPoolExecutor

    def picture(self) -> Picture:
        self._each_band(self._look)
        self._each_band(self._finish)
        self._refine(*np.nonzero(self.buffers.edges(self.image, self.view.camera)))
        return Picture(np.round(self.image * 255.0).astype(np.uint8))

    def _each_band(self, work: Callable[[range], None]) -> None:
        """Does work on bands of rows; each writes its own rows, so their order does not matter."""
        width, height = self.view.camera.size
        step = max(1, _BATCH // width)
        bands = [range(top, min(height, top + step)) for top in range(0, height, step)]
        for _ in self.pool.map(work, bands):
            pass

    def _look(self, band: range) -> None:
        """One line of sight for each pixel, and the light where it ends."""
        columns, rows = self._pixels(band)
        surface = self.view.surface(self.view.sights(_middles(columns, rows)))
        rays = self._rays(self.quality.sun_rays, self.quality.sky_rays)
        light = self.view.light(surface, sampling.pixel_kinds(columns, rows), rays)
        self.buffers.put(band, surface, light)

    def _finish(self, band: range) -> None:
        """Evens out the light, and makes colours of it."""
        sights = self.view.sights(_middles(*self._pixels(band)))
        surface, light = self.buffers.smooth(band, self.view.camera)
        colors, clear = self.view.colors(sights, surface, light)
        self.buffers.put_marks(band, clear)
        self.image[band.start : band.stop] = displayed(colors).reshape(len(band), -1, 3)

    def _refine(self, rows: Indices, columns: Indices) -> None:
        """Looks at pixels again, through many points of each."""
        count = 1 + len(rows) * self.quality.edge_samples // _BATCH
        parts = np.array_split(np.arange(len(rows)), count)

        def refine(part: Indices) -> None:
            self.image[rows[part], columns[part]] = self._refined(rows[part], columns[part])

        for _ in self.pool.map(refine, parts):
            pass

    def _refined(self, rows: Indices, columns: Indices) -> Floats:
        """`(k, 3)`: display values of pixels, each the mean of many lines of sight."""
        view, spots = self.view, sampling.inside_pixel(self.quality.edge_samples)
        corners = np.stack([columns, rows], axis=1)
        sights = view.sights((corners[None] + spots[:, None]).reshape(-1, 2))
        surface = view.surface(sights)
        rows, columns = np.tile(rows, len(spots)), np.tile(columns, len(spots))
        light, unlit = self.buffers.look_up(rows, columns, surface, view.camera)
        if len(unlit) > 0:
            # What no middle of a pixel nearby has seen needs its own, and more, rays.
            kinds = sampling.pixel_kinds(columns[unlit], rows[unlit])
            rays = self._rays(2 * self.quality.sun_rays, 2 * self.quality.sky_rays)
            own = view.light(surface.rows(unlit), kinds, rays)
            light.sun[unlit], light.sky[unlit] = own.sun, own.sky
        colors, _ = view.colors(sights, surface, light)
        # The mean of what is shown, not of light: bright edges keep their smooth stairs.
        return displayed(colors).reshape(len(spots), -1, 3).sum(axis=0) / len(spots)

    def _rays(self, sun_rays: int, sky_rays: int) -> Rays:
        view = self.view
        return lighting.patterns(view.to_sun, view.look.sun_softness, sun_rays, sky_rays)

    def _pixels(self, band: range) -> tuple[Indices, Indices]:
        """Columns and rows of the pixels of a band."""
        width = self.view.camera.size[0]
        rows, columns = np.mgrid[band.start : band.stop, :width]
        return columns.reshape(-1), rows.reshape(-1)


def _middles(columns: Indices, rows: Indices) -> Floats:
    return np.stack([columns, rows], axis=1).astype(np.float64) + 0.5
