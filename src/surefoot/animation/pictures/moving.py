"""Moving pictures: animated PNG and GIF files."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, PngImagePlugin

from surefoot.animation.pictures.palettes import Bytes, indexed, palette_image, shared_palette
from surefoot.animation.pictures.picture import Picture
from surefoot.arrays import number
from surefoot.errors import FileError, InputError
from surefoot.files import as_path, write_atomic

_FORMATS = (".png", ".gif")


def save_moving(
    path: str | os.PathLike[str],
    pictures: Iterable[Picture],
    *,
    frame_rate: float = 20.0,
    repeat: bool = True,
    colors: int = 200,
) -> Path:
    """Writes a moving picture, whole or not at all.

    Args:
        path: ends in .png (animated PNG; browsers and README pages play it) or .gif.
        pictures: at least one, all of the same size.
        frame_rate: pictures a second, > 0 to 100.
        repeat: for ever, instead of once.
        colors: of the palette that all frames share, 2 to 255; fewer make a smaller file.

    Returns:
        where it was written.
    """
    target = as_path(path)
    if target.suffix.lower() not in _FORMATS:
        raise FileError(f"{target}: moving pictures are saved as {' or '.join(_FORMATS)}")
    number(frame_rate, "frame_rate", above=0.0, at_most=100.0)
    if not 2 <= colors <= 255:
        raise InputError(f"colors must be 2 to 255, got {colors}")
    shown = list(pictures)
    if not shown:
        raise InputError("a moving picture needs at least one picture")
    if len({picture.size for picture in shown}) > 1:
        raise InputError("the pictures of a moving picture must all have the same size")
    pixels = [picture.pixels for picture in shown]
    palette = shared_palette(pixels, colors)
    # One more place in the palette stands for "as in the frame before".
    unchanged = len(palette)
    frames = _changes(indexed(pixels, palette), unchanged)
    table = np.concatenate([palette, np.zeros((1, 3), dtype=np.uint8)])
    images = [palette_image(frame, table) for frame in frames]
    buffer = io.BytesIO()
    settings = {"duration": 1000.0 / frame_rate, "transparency": unchanged}
    _encode(buffer, images, target.suffix.lower(), settings, repeat)
    return write_atomic(target, buffer.getvalue())


def _encode(
    buffer: io.BytesIO,
    images: Sequence[Image.Image],
    kind: str,
    settings: dict[str, Any],
    repeat: bool,
) -> None:
    settings |= {"save_all": True, "append_images": images[1:]}
    if kind == ".png":
        # Frames are laid over what is there, so that unchanged pixels stay.
        settings |= {"blend": PngImagePlugin.Blend.OP_OVER, "optimize": True}
        settings["loop"] = 0 if repeat else 1
    else:
        # A GIF without a count plays once. Frames stay until the next.
        settings |= {"disposal": 1, "optimize": False}
        settings |= {"loop": 0} if repeat else {}
    images[0].save(buffer, kind.removeprefix("."), **settings)


def _changes(frames: Sequence[Bytes], unchanged: int) -> list[Bytes]:
    """Frames with `unchanged` in place of what is as in the frame before."""
    changed = [frames[0]]
    for before, after in pairwise(frames):
        changed.append(np.where(before == after, np.uint8(unchanged), after))
    return changed
