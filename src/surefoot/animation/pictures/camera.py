"""Cameras: where a picture is taken from, and what fits into it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from surefoot import arrays
from surefoot.arrays import ArrayLike, Floats, Vector, number
from surefoot.errors import InputError

Size = tuple[int, int]
"""Width and height of a picture [pixels]."""

_MOST_PIXELS = 64_000_000
# A camera nearer to its target than this sees nothing that a person would call a picture [m].
_NEAREST = 1e-3


@dataclass(frozen=True, eq=False)
class Camera:
    """A view of the world; up in the picture is up in the world.

    Attributes:
        eye: `(3,)` [m], where it is.
        target: `(3,)` [m], what is in the middle of the picture.
        field_of_view: vertical angle of the picture [rad], > 0 and < pi; not used by an
            orthographic camera.
        size: width and height [pixels], each >= 1.
        view_height: none for perspective; a number makes the camera orthographic and is what the
            picture spans vertically [m], > 0.
    """

    eye: Floats
    target: Floats
    field_of_view: float = math.radians(35.0)
    size: Size = (960, 540)
    view_height: float | None = None

    def __post_init__(self) -> None:
        eye, target = (
            arrays.position(self.eye, "camera eye"),
            arrays.position(self.target, "camera target"),
        )
        if float(np.linalg.norm(target - eye)) < _NEAREST:
            raise InputError(
                f"the camera is inside its target: eye and target are both at {_point(eye)}"
            )
        angle = number(self.field_of_view, "field_of_view", above=0.0)
        if angle >= math.pi:
            raise InputError(f"field_of_view must be less than pi, got {angle:g}; it is in radians")
        if self.view_height is not None:
            height = arrays.length(self.view_height, "view_height", above=0.0)
            object.__setattr__(self, "view_height", height)
        object.__setattr__(self, "eye", eye)
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "field_of_view", angle)
        object.__setattr__(self, "size", checked_size(self.size))

    @classmethod
    def framing(
        cls,
        subject: ArrayLike,
        azimuth: float = math.radians(-60.0),
        elevation: float = math.radians(25.0),
        *,
        size: Size = (960, 540),
        field_of_view: float = math.radians(35.0),
        margin: float = 0.06,
        orthographic: bool = False,
    ) -> Camera:
        """The camera in a direction that is as near as it can be with the subject in view.

        Args:
            subject: points `(n, 3)` [m]; two rows are the corners of a box, such as bounds.
            azimuth: where the camera stands, seen from the subject [rad]: 0 is +x, pi / 2 is +y.
            elevation: how far above the horizontal it stands [rad], -pi / 2 to pi / 2.
            size: width and height [pixels].
            field_of_view: vertical [rad].
            margin: share of the picture to keep free on each side, >= 0 and < 0.5.
            orthographic: parallel projection instead of perspective.
        """
        size = checked_size(size)
        points = _subject(subject)
        number(elevation, "elevation", at_least=-math.pi / 2, at_most=math.pi / 2)
        if number(margin, "margin", at_least=0.0) >= 0.5:
            raise InputError(f"margin must be less than 0.5, got {margin:g}")
        level = math.cos(elevation)
        away = np.array([level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation)])
        draft = cls(away, np.zeros(3), field_of_view, size)
        # The subject in the camera's axes: right, up, and depth along the line of sight.
        x, y, z = (points @ draft.axes.T).T
        inner = 1.0 - 2.0 * margin
        tall = math.tan(draft.field_of_view / 2)
        wide = tall * size[0] / size[1]
        if orthographic:
            return _parallel(draft, (x, y, z), inner)
        # Each pair of opposite sides of the view pyramid touches the outermost points on both
        # sides; the pair that needs more distance decides how far back the camera stands.
        x_middle, x_depth = _touching(x, z, wide * inner)
        y_middle, y_depth = _touching(y, z, tall * inner)
        depth = min(x_depth, y_depth, float(z.min()) - _NEAREST)
        eye = np.array([x_middle, y_middle, depth]) @ draft.axes
        middle = (float(z.min()) + float(z.max())) / 2
        ahead = draft.axes[2] * max(middle - depth, 1.0)
        return replace(draft, eye=eye, target=eye + ahead)

    @property
    def axes(self) -> Floats:
        """`(3, 3)`: unit vectors to the right, up in the picture, and forward, as rows."""
        forward = self.target - self.eye
        forward = forward / np.linalg.norm(forward)
        right = np.array([forward[1], -forward[0], 0.0])
        if np.linalg.norm(right) < 1e-9:
            # Straight up or down: +y is up in the picture, as on a map.
            right = np.array([1.0, 0.0, 0.0])
        right = right / np.linalg.norm(right)
        return np.stack([right, np.cross(right, forward), forward])

    @property
    def distance(self) -> float:
        """From the eye to the target [m]."""
        return float(np.linalg.norm(self.target - self.eye))

    @property
    def orthographic(self) -> bool:
        """Whether the projection is parallel."""
        return self.view_height is not None

    def resized(self, size: Size) -> Camera:
        """The same view with other pixels; a wider picture shows more at the sides."""
        return replace(self, size=size)

    def rays(self, pixels: Floats) -> tuple[Floats, Floats]:
        """Origins and unit directions `(..., 3)` of the lines of sight through pixels.

        Args:
            pixels: `(..., 2)`, from the left and from the top; the first pixel's middle is at
                (0.5, 0.5).
        """
        width, height = self.size
        right, up, forward = self.axes
        x = (pixels[..., :1] - width / 2) / (height / 2)
        y = (height / 2 - pixels[..., 1:]) / (height / 2)
        if self.view_height is not None:
            half = self.view_height / 2
            origins = self.eye + (x * half) * right + (y * half) * up
            return origins, np.broadcast_to(forward, origins.shape)
        half = math.tan(self.field_of_view / 2)
        directions = forward + (x * half) * right + (y * half) * up
        directions = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
        return np.broadcast_to(self.eye, directions.shape), directions

    def project(self, points: ArrayLike) -> tuple[Floats, Floats]:
        """Pixels `(..., 2)` where points `(..., 3)` [m] are seen, and their depths `(...)` [m].

        Depth is measured along the line of sight to the target; pixels of points at or behind the
        eye (depth <= 0) are NaN in perspective.
        """
        width, height = self.size
        seen = (arrays.positions(points, "points") - self.eye) @ self.axes.T
        depth = seen[..., 2]
        if self.view_height is not None:
            scale = np.full_like(depth, height / self.view_height)
        else:
            reach = np.where(depth > 0, depth, np.nan) * math.tan(self.field_of_view / 2)
            scale = height / 2 / reach
        pixels = [width / 2 + seen[..., 0] * scale, height / 2 - seen[..., 1] * scale]
        return np.stack(pixels, axis=-1), depth

    def pixel_size(self, distances: Floats) -> Floats:
        """What a pixel spans [m] at distances `(...)` [m] from the eye."""
        if self.view_height is not None:
            return np.full_like(distances, self.view_height / self.size[1])
        return distances * (2 * math.tan(self.field_of_view / 2) / self.size[1])


def checked_size(size: Size) -> Size:
    """Width and height as whole pixels, or an error that says what is wrong."""
    try:
        width, height = size
        whole = (int(width), int(height))
    except (TypeError, ValueError) as reason:
        raise InputError(f"size must be width and height in pixels, got {size!r}") from reason
    if min(whole) < 1 or whole != (width, height):
        raise InputError(f"size must be whole pixels, at least 1 x 1, got {width} x {height}")
    if whole[0] * whole[1] > _MOST_PIXELS:
        raise InputError(
            f"size must be at most {_MOST_PIXELS // 1_000_000} million pixels, "
            f"got {width} x {height}"
        )
    return whole


def box_corners(bounds: Floats) -> Floats:
    """`(8, 3)`: the corners of a box given by its lowest and highest coordinates `(2, 3)`."""
    return np.array(list(product(*_columns(bounds))))


def _columns(bounds: Floats) -> Iterator[tuple[float, float]]:
    for low, high in zip(bounds[0], bounds[1], strict=True):
        yield float(low), float(high)


def _subject(subject: ArrayLike) -> Floats:
    points = arrays.positions(subject, "what to frame")
    points = points.reshape(-1, 3)
    if len(points) == 0:
        raise InputError("nothing to frame: no points were given")
    return box_corners(points) if len(points) == 2 else points


def _parallel(draft: Camera, seen: tuple[Floats, Floats, Floats], inner: float) -> Camera:
    x, y, z = seen
    width, height = draft.size
    span = max(float(np.ptp(y)), float(np.ptp(x)) * height / width, _NEAREST) / inner
    # Far enough back that everything lies before the camera, with room for shadows' casters.
    back = float(z.min()) - max(span, float(np.ptp(z)), 1.0)
    middle = np.array([(x.min() + x.max()) / 2, (y.min() + y.max()) / 2, back])
    eye = middle @ draft.axes
    target = eye + draft.axes[2] * ((float(z.min()) + float(z.max())) / 2 - back)
    return replace(draft, eye=eye, target=target, view_height=span)


def _touching(across: Floats, depth: Floats, slope: float) -> tuple[float, float]:
    """Where the apex of a wedge of half width `slope` per depth holds all points, tightly."""
    high = float((across - slope * depth).max())
    low = float((-across - slope * depth).max())
    return (high - low) / 2, -(high + low) / (2 * slope)


def _point(point: Vector) -> str:
    return "(" + ", ".join(f"{value:g}" for value in point) + ")"
