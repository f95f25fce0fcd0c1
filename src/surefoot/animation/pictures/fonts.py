"""The letters on pictures."""

from __future__ import annotations

from functools import cache

from PIL import ImageFont, features


@cache
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Letters `size` pixels high.

    Pillow carries a font of its own; without FreeType it has one size only.
    """
    return ImageFont.load_default(size) if features.check("freetype2") else ImageFont.load_default()
