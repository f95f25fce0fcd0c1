"""A chart: panels with axes, curves and shades, drawn large and shrunk to be smooth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from surefoot.animation.pictures.fonts import font
from surefoot.animation.pictures.picture import Picture
from surefoot.arrays import Floats

Color = tuple[int, int, int]

INK: Color = (45, 52, 60)
FAINT: Color = (120, 128, 138)
GRID: Color = (226, 230, 234)
PAPER: Color = (255, 255, 255)

_LARGER = 3
_LETTERS = 12  # pixels


class Chart:
    """Something to draw on, `size` pixels, until `picture` is asked for."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self._image = Image.new("RGB", (size[0] * _LARGER, size[1] * _LARGER), PAPER)
        self._draw = ImageDraw.Draw(self._image, "RGBA")

    @property
    def picture(self) -> Picture:
        """What has been drawn so far."""
        small = self._image.resize(self.size, Image.Resampling.LANCZOS)
        return Picture(np.asarray(small))

    def box(
        self, left: float, top: float, right: float, bottom: float, color: Color,
        alpha: float = 1.0,
    ) -> None:  # fmt: skip
        """A filled rectangle; `alpha` 1 covers what is below."""
        self._draw.rectangle(_large(left, top, right, bottom), fill=(*color, round(255 * alpha)))

    def line(self, points: Floats, color: Color, width: float = 1.3, alpha: float = 1.0) -> None:
        """A curve through points `(n, 2)` [pixels]."""
        if len(points) < 2:
            return
        flat = [tuple(point) for point in (points * _LARGER).tolist()]
        self._draw.line(
            flat, fill=(*color, round(255 * alpha)), width=round(width * _LARGER), joint="curve"
        )

    def text(
        self, x: float, y: float, words: str, color: Color = INK, *, size: int = _LETTERS,
        anchor: str = "lm",
    ) -> None:  # fmt: skip
        """Words at a pixel; the anchor as Pillow has it: "lm" left and middle, "rm", "mt", ..."""
        letters = font(size * _LARGER)
        self._draw.text(
            (x * _LARGER, y * _LARGER), words, fill=(*color, 255), font=letters, anchor=anchor
        )

    def width_of(self, words: str, size: int = _LETTERS) -> float:
        """How wide words are [pixels]."""
        left, _, right, _ = font(size * _LARGER).getbbox(words)
        return (right - left) / _LARGER


@dataclass(frozen=True)
class Panel:
    """A part of a chart with axes.

    Attributes:
        chart: to draw on.
        left, top, right, bottom: [pixels].
        start, end: what lies at the left and right edge, such as times.
        low, high: what lies at the lower and upper edge, after `shape`.
        shape: how values are spread, such as by their root; as they are by default.
    """

    chart: Chart
    left: float
    top: float
    right: float
    bottom: float
    start: float
    end: float
    low: float
    high: float
    shape: Callable[[Floats], Floats] | None = None

    def x(self, value: float) -> float:
        """The pixel of a value along the panel."""
        share = (value - self.start) / max(self.end - self.start, 1e-9)
        return self.left + share * (self.right - self.left)

    def y(self, values: Floats) -> Floats:
        """The pixels of values `(n,)`, kept inside the panel."""
        shaped = values if self.shape is None else self.shape(values)
        low, high = self._edges()
        share = np.clip((shaped - low) / max(high - low, 1e-9), 0.0, 1.0)
        return self.bottom - share * (self.bottom - self.top)

    def _edges(self) -> tuple[float, float]:
        edges = np.array([self.low, self.high])
        low, high = edges if self.shape is None else self.shape(edges)
        return float(low), float(high)

    def axes(self, ticks: Sequence[float], times: Sequence[float]) -> None:
        """Grid lines, and numbers at the left."""
        for value in ticks:
            (y,) = self.y(np.array([value])).tolist()
            self.chart.line(np.array([[self.left, y], [self.right, y]]), GRID, 1.0)
            self.chart.text(self.left - 6, y, f"{value:g}", FAINT, size=10, anchor="rm")
        for time in times:
            x = self.x(time)
            self.chart.line(np.array([[x, self.top], [x, self.bottom]]), GRID, 1.0)

    def title(self, words: str) -> None:
        """Words in the upper left corner, over what is there."""
        wide = self.chart.width_of(words, 11)
        self.chart.box(
            self.left + 2, self.top + 2, self.left + wide + 10, self.top + 17, PAPER, 0.7
        )
        self.chart.text(self.left + 6, self.top + 9, words, INK, size=11)

    def shade(self, start: float, end: float, color: Color, alpha: float) -> None:
        """Colours the time from `start` to `end`."""
        self.chart.box(self.x(start), self.top, self.x(end), self.bottom, color, alpha)

    def curve(
        self, times: Floats, values: Floats, color: Color, width: float = 1.3, alpha: float = 1.0
    ) -> None:
        """A curve of values `(n,)` over times `(n,)`."""
        span = max(self.end - self.start, 1e-9)
        x = self.left + (times - self.start) / span * (self.right - self.left)
        self.chart.line(np.stack([x, self.y(values)], axis=1), color, width, alpha)


def even_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two values, at most so many."""
    span = high - low
    if span <= 0.0:
        return [low]
    step = 10.0 ** np.floor(np.log10(span / most))
    step = next(step * m for m in (1, 2, 5, 10, 20) if span / (step * m) <= most)
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return [round(k * float(step), 10) for k in range(first, last + 1)]


def _large(*pixels: float) -> list[float]:
    return [_LARGER * pixel for pixel in pixels]
