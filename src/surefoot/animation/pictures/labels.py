"""Small texts on pictures."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from surefoot.animation.pictures.fonts import font
from surefoot.animation.pictures.picture import Picture
from surefoot.errors import InputError, one_of

CORNERS = ("top left", "top right", "bottom left", "bottom right")
"""Where a label can be."""

_INK = (45, 52, 60, 255)
_PAPER = (255, 255, 255, 205)


def labelled(
    picture: Picture,
    text: str,
    at: str | tuple[float, float] = "bottom left",
    *,
    height: int | None = None,
) -> Picture:
    """The picture with a text on a pale plate.

    Args:
        picture: to write on.
        text: one line, not empty.
        at: a corner such as "bottom left", or the pixel (from the left, from the top) that the
            plate sits on, such as `Camera.project` gives; it is kept inside the picture.
        height: of the letters [pixels], >= 4; none: as fits the picture.
    """
    if not text.strip() or "\n" in text:
        raise InputError(f"a label must be one line of text, got {text!r}")
    size = height if height is not None else min(28, max(9, picture.size[1] // 30))
    if size < 4:
        raise InputError(f"letters must be at least 4 pixels high, got {size}")
    plate = _plate(text, size)
    left, top = _corner(picture.size, plate.size, at, size)
    image = picture.image.convert("RGBA")
    image.alpha_composite(plate, (max(0, left), max(0, top)))
    return Picture(np.asarray(image.convert("RGB")))


def time_label(t: float) -> str:
    """How a moment is written: "1.25 s"."""
    return f"{t:.2f} s"


def _plate(text: str, size: int) -> Image.Image:
    """The text on its plate, with round corners; drawn large and shrunk, to be smooth."""
    scale = 4
    letters = font(size * scale)
    left, _, right, _ = letters.getbbox(text)
    # The height is that of tall letters with descenders, so that plates are all alike.
    _, top, _, bottom = letters.getbbox("Ag")
    pad = 0.45 * size * scale
    width, height = right - left + 2.4 * pad, bottom - top + 1.3 * pad
    final = (max(1, round(width / scale)), max(1, round(height / scale)))
    large = Image.new("RGBA", (final[0] * scale, final[1] * scale), (255, 255, 255, 0))
    draw = ImageDraw.Draw(large)
    edge = (0, 0, large.size[0] - 1, large.size[1] - 1)
    draw.rounded_rectangle(edge, radius=0.8 * pad, fill=_PAPER)
    draw.text((1.2 * pad - left, 0.65 * pad - top), text, fill=_INK, font=letters)
    return large.resize(final, Image.Resampling.LANCZOS)


def _corner(
    size: tuple[int, int], plate: tuple[int, int], at: str | tuple[float, float], letters: int
) -> tuple[int, int]:
    free = (size[0] - plate[0], size[1] - plate[1])
    if not isinstance(at, str):
        x, y = (float(value) for value in at)
        if not (np.isfinite(x) and np.isfinite(y)):
            raise InputError(f"a label's pixel must be finite, got ({x:g}, {y:g})")
        wanted = (round(x - plate[0] / 2), round(y - plate[1] - 0.4 * letters))
        return min(max(wanted[0], 0), free[0]), min(max(wanted[1], 0), free[1])
    if at not in CORNERS:
        raise InputError(one_of("corner", at, CORNERS))
    gap = round(0.7 * letters)
    vertical, horizontal = at.split()
    return (
        gap if horizontal == "left" else free[0] - gap,
        gap if vertical == "top" else free[1] - gap,
    )
