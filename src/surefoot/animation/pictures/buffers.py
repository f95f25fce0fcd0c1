"""What the first look through each pixel found, kept to be filtered and looked up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from surefoot.animation.pictures.camera import Camera
from surefoot.animation.pictures.lighting import Light
from surefoot.animation.pictures.scene import Surface
from surefoot.animation.pictures.smoothing import REACH, SAME_NORMAL, Floats32, smoothed
from surefoot.arrays import Bools, Floats

Indices = npt.NDArray[np.intp]

# A pixel and its neighbours, the nearest first.
_NEARBY = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))
# How far out of a surface's plane a neighbour on the same surface may lie [pixels].
_OUT_OF_PLANE = 4.0
# Neighbouring pixels that differ by more than this (of 1) show their stairs.
_VISIBLE_STEP = 0.02
# Cosine of the angle beyond which neighbouring normals make a crease.
_BEND = 0.985


@dataclass(frozen=True, eq=False)
class Buffers:
    """Surfaces and light, one for each pixel, inside a border that filters can read.

    Attributes:
        body, back, distance: `(h + 4, w + 4)`; see `Surface`.
        position, facing, normal, color: `(3, h + 4, w + 4)`.
        rough: `(4, h + 4, w + 4)`: sun and sky of few rays.
        light: `(4, h + 4, w + 4)`: the same without grain.
        marked: `(h + 4, w + 4)`: whether marks are drawn there.
    """

    body: npt.NDArray[np.int32]
    back: Bools
    distance: Floats32
    position: Floats32
    facing: Floats32
    normal: Floats32
    color: Floats32
    rough: Floats32
    light: Floats32
    marked: Bools

    @classmethod
    def empty(cls, width: int, height: int) -> Buffers:
        """Buffers for a picture of this size [pixels]."""
        tall, wide = height + 2 * REACH, width + 2 * REACH

        def zeros(channels: int) -> Floats32:
            return np.zeros((channels, tall, wide), dtype=np.float32)

        return cls(
            body=np.full((tall, wide), -1, dtype=np.int32),
            back=np.zeros((tall, wide), dtype=np.bool_),
            distance=zeros(1)[0],
            position=zeros(3),
            facing=zeros(3),
            normal=zeros(3),
            color=zeros(3),
            rough=zeros(4),
            light=zeros(4),
            marked=np.zeros((tall, wide), dtype=np.bool_),
        )

    def put(self, band: range, surface: Surface, light: Light) -> None:
        """Stores the pixels of a band of rows."""
        shape = (len(band), self.body.shape[1] - 2 * REACH)
        rows, columns = _inside(band)
        for name in ("body", "back", "distance"):
            getattr(self, name)[rows, columns] = getattr(surface, name).reshape(shape)
        for name in ("position", "facing", "normal", "color"):
            getattr(self, name)[:, rows, columns] = getattr(surface, name).T.reshape(3, *shape)
        self.rough[0, rows, columns] = light.sun.reshape(shape)
        self.rough[1:, rows, columns] = light.sky.T.reshape(3, *shape)

    def put_marks(self, band: range, clear: Floats) -> None:
        """Stores where marks are drawn: where they let less by than all."""
        rows, columns = _inside(band)
        self.marked[rows, columns] = clear.reshape(len(band), -1) < 0.995

    def edges(self, image: Floats, camera: Camera) -> Bools:
        """`(h, w)`: pixels that differ visibly from a neighbour that shows something else.

        Light alone makes no edge: it has been smoothed, and shadows need no sharper one.

        Args:
            image: `(h, w, 3)` display values, 0 to 1.
            camera: for the size of pixels.
        """
        height, width = image.shape[:2]
        found = np.zeros((height, width), dtype=np.bool_)
        for down, right in ((1, 0), (0, 1)):
            here = (slice(0, height - down), slice(0, width - right))
            there = (slice(down, height), slice(right, width))
            visible = np.abs(image[here] - image[there]).max(axis=2) > _VISIBLE_STEP
            edge = visible & self._differ(_shifted(here), _shifted(there), camera)
            found[here] |= edge
            found[there] |= edge
        return found

    def _differ(
        self, here: tuple[slice, slice], there: tuple[slice, slice], camera: Camera
    ) -> Bools:
        normal = self.normal[:, *here]
        bend = (normal * self.normal[:, *there]).sum(axis=0)
        differ = (self.body[here] != self.body[there]) | (bend < _BEND)
        away = self.position[:, *there] - self.position[:, *here]
        off = np.abs((normal * away).sum(axis=0))
        differ |= off > _tolerance(self.distance[here].astype(np.float64), camera)
        differ |= (self.color[:, *here] != self.color[:, *there]).any(axis=0)
        return differ | self.marked[here] | self.marked[there]

    def smooth(self, band: range, camera: Camera) -> tuple[Surface, Light]:
        """Fills in the light of a band of rows; returns its surfaces and their light."""
        around = slice(band.start, band.stop + 2 * REACH)
        rows, columns = _inside(band)
        self.light[:, rows, columns] = smoothed(
            self.rough[:, around],
            self.normal[:, around],
            self.position[:, around],
            self.body[around],
            _tolerance(self.distance[around].astype(np.float64), camera).astype(np.float32),
        )

        def flat(values: Floats32) -> Floats:
            inside = values[:, rows, columns].reshape(len(values), -1)
            return np.ascontiguousarray(inside.T, dtype=np.float64)

        light = flat(self.light)
        surface = Surface(
            self.body[rows, columns].reshape(-1),
            self.distance[rows, columns].reshape(-1).astype(np.float64),
            flat(self.position),
            flat(self.facing),
            flat(self.normal),
            flat(self.color),
            self.back[rows, columns].reshape(-1),
        )
        return surface, Light(light[:, 0], light[:, 1:])

    def look_up(
        self, rows: Indices, columns: Indices, surface: Surface, camera: Camera
    ) -> tuple[Light, Indices]:
        """The light that pixels, or their neighbours, have for the same surfaces.

        Args:
            rows: `(k,)` of the pixels.
            columns: `(k,)`.
            surface: `k` points seen through these pixels.
            camera: for the size of pixels.

        Returns:
            the light, and which of the `k` found none.
        """
        found = np.zeros((len(rows), 4))
        left = np.flatnonzero(surface.hit)
        tolerance = _tolerance(surface.distance, camera)
        for down, right in _NEARBY:
            if len(left) == 0:
                break
            at = (rows[left] + (down + REACH), columns[left] + (right + REACH))
            same = self.body[at] == surface.body[left]
            mine, there = left[same], (at[0][same], at[1][same])
            normal = surface.normal[mine]
            agrees = np.einsum("kc,ck->k", normal, self.normal[:, *there]) > SAME_NORMAL
            away = self.position[:, *there].T - surface.position[mine]
            agrees &= np.abs(np.einsum("kc,kc->k", normal, away)) < tolerance[mine]
            there = (there[0][agrees], there[1][agrees])
            found[mine[agrees]] = self.light[:, *there].T
            same[same] = agrees
            left = left[~same]
        return Light(found[:, 0], found[:, 1:]), left


def _inside(band: range) -> tuple[slice, slice]:
    return slice(REACH + band.start, REACH + band.stop), slice(REACH, -REACH)


def _shifted(at: tuple[slice, slice]) -> tuple[slice, slice]:
    """Rows and columns of the picture, as those of the buffers around it."""
    rows, columns = at
    return (
        slice(rows.start + REACH, rows.stop + REACH),
        slice(columns.start + REACH, columns.stop + REACH),
    )


def _tolerance(distance: Floats, camera: Camera) -> Floats:
    return _OUT_OF_PLANE * camera.pixel_size(np.where(np.isfinite(distance), distance, 0.0))
