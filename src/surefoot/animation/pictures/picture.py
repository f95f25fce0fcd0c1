"""Pictures: pixels that can be saved."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from surefoot.animation.pictures.palettes import Bytes, indexed, palette_image, shared_palette
from surefoot.errors import FileError, InputError
from surefoot.files import as_path, write_atomic


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """An image.

    Attributes:
        pixels: `(h, w, 3)` sRGB, 0 to 255; read-only.
    """

    pixels: Bytes

    def __post_init__(self) -> None:
        pixels = np.asarray(self.pixels)
        if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or not pixels.size:
            raise InputError(
                f"a picture needs (h, w, 3) uint8 pixels, got {pixels.shape} {pixels.dtype}"
            )
        pixels = pixels.copy()
        pixels.flags.writeable = False
        object.__setattr__(self, "pixels", pixels)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [pixels]."""
        return self.pixels.shape[1], self.pixels.shape[0]

    @property
    def image(self) -> Image.Image:
        """A copy as a Pillow image."""
        return Image.fromarray(self.pixels)

    def save(self, path: str | os.PathLike[str], *, colors: int | None = None) -> Path:
        """Writes a PNG file, whole or not at all.

        Args:
            path: must end in .png.
            colors: 2 to 256 for a smaller file with a palette of so many colours.

        Returns:
            where it was written.
        """
        target = as_path(path)
        if target.suffix.lower() != ".png":
            raise FileError(f"{target}: pictures are saved as .png")
        return write_atomic(target, self._png(colors))

    def _png(self, colors: int | None = None) -> bytes:
        image = self.image
        if colors is not None:
            if not 2 <= colors <= 256:
                raise InputError(f"colors must be 2 to 256, got {colors}")
            palette = shared_palette([self.pixels], colors)
            image = palette_image(indexed([self.pixels], palette)[0], palette)
        buffer = io.BytesIO()
        image.save(buffer, "PNG", optimize=True)
        return buffer.getvalue()

    def _repr_png_(self) -> bytes:
        return self._png()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.pixels, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return f"Picture({self.size[0]} x {self.size[1]})"
