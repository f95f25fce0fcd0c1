"""Fewer colours for smaller files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image

Bytes = npt.NDArray[np.uint8]


def shared_palette(images: Sequence[Bytes], colors: int) -> Bytes:
    """`(n, 3)`, n <= `colors`: colours that suit all images `(h, w, 3)`, from a sample of them."""
    step = max(1, len(images) // 8)
    sample = np.concatenate(images[::step])
    reduced = Image.fromarray(sample).quantize(
        colors, method=Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE
    )
    return np.array(reduced.getpalette() or [], dtype=np.uint8).reshape(-1, 3)


def indexed(images: Sequence[Bytes], palette: Bytes) -> list[Bytes]:
    """Images `(h, w)` of places in the palette, each the nearest.

    There is no dithering: pixels that do not change must not flicker, and cost nothing.
    """
    place_of = np.zeros(1 << 24, dtype=np.uint8)
    known = np.zeros(1 << 24, dtype=np.bool_)
    placed: list[Bytes] = []
    for image in images:
        codes = image.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
        new = np.unique(codes[~known[codes]])
        place_of[new] = _nearest(new, palette)
        known[new] = True
        placed.append(place_of[codes])
    return placed


def _nearest(codes: npt.NDArray[np.uint32], palette: Bytes) -> Bytes:
    colors = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1).astype(np.float32)
    table = palette.astype(np.float32)
    # |a - b|^2 without |a|^2, which is the same for all b.
    chunks = [
        ((table**2).sum(axis=1) - 2 * chunk @ table.T).argmin(axis=1)
        for chunk in np.array_split(colors, 1 + len(colors) // 50_000)
    ]
    return np.concatenate(chunks).astype(np.uint8)


def palette_image(places: Bytes, palette: Bytes) -> Image.Image:
    """A Pillow image of places `(h, w)` in a palette `(n, 3)`."""
    image = Image.fromarray(places)
    image.putpalette(palette.reshape(-1).tolist())
    return image
