"""Several pictures in one: moments of a motion in a row or a grid."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from surefoot.animation.pictures.colors import Color, from_hex, to_srgb
from surefoot.animation.pictures.labels import labelled
from surefoot.animation.pictures.picture import Picture
from surefoot.errors import InputError

_PAPER: Color = from_hex("#ffffff")


def filmstrip(
    pictures: Iterable[Picture],
    labels: Sequence[str] | None = None,
    *,
    columns: int | None = None,
    gap: int = 6,
    color: Color = _PAPER,
) -> Picture:
    """Pictures of one size beside each other.

    Args:
        pictures: at least one, all of the same size.
        labels: a text for each; none: no texts.
        columns: how many in a row, >= 1; none: all in one row.
        gap: between them [pixels], >= 0.
        color: linear, of the gaps.
    """
    shown = list(pictures)
    if not shown:
        raise InputError("a filmstrip needs at least one picture")
    sizes = sorted({picture.size for picture in shown})
    if len(sizes) > 1:
        listed = ", ".join(f"{width} x {height}" for width, height in sizes)
        raise InputError(f"the pictures of a filmstrip must have one size, got {listed}")
    if labels is not None:
        if len(labels) != len(shown):
            raise InputError(f"{len(shown)} pictures need as many labels, got {len(labels)}")
        shown = [labelled(each, text) for each, text in zip(shown, labels, strict=True)]
    across = len(shown) if columns is None else min(columns, len(shown))
    if across < 1 or gap < 0:
        raise InputError(f"columns must be at least 1 and gap at least 0, got {columns} and {gap}")
    width, height = sizes[0]
    down = math.ceil(len(shown) / across)
    paper = np.round(to_srgb(np.array(color)) * 255).astype(np.uint8)
    sheet = np.empty((down * (height + gap) - gap, across * (width + gap) - gap, 3), np.uint8)
    sheet[:] = paper
    for index, picture in enumerate(shown):
        top, left = index // across * (height + gap), index % across * (width + gap)
        sheet[top : top + height, left : left + width] = picture.pixels
    return Picture(sheet)
