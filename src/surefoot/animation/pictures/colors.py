"""Colours: linear for light, sRGB for files, and a palette for things that have none."""

from __future__ import annotations

import zlib

import numpy as np

from surefoot.arrays import ArrayLike, Floats, vectors
from surefoot.errors import InputError

Color = tuple[float, float, float]
"""Linear red, green and blue, 0 to 1."""


def from_hex(code: str) -> Color:
    """The linear colour of a web colour such as "#3a7ca5"."""
    digits = code.removeprefix("#")
    try:
        if len(digits) != 6:
            raise ValueError
        values = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    except ValueError:
        raise InputError(f"a colour code is # and six hex digits, got {code!r}") from None
    red, green, blue = (float(value) for value in from_srgb(np.array(values)))
    return (red, green, blue)


def from_srgb(values: Floats) -> Floats:
    """Linear light of display values, 0 to 1."""
    low = values <= 0.04045
    return np.where(low, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def to_srgb(values: Floats) -> Floats:
    """Display values, 0 to 1, of linear light."""
    low = values <= 0.0031308
    return np.where(low, values * 12.92, 1.055 * np.maximum(values, 1e-9) ** (1 / 2.4) - 0.055)


# Linear light up to here is shown as it is; brighter light is rolled off smoothly to white.
_SHOULDER = 0.72


def displayed(light: Floats) -> Floats:
    """Display values, 0 to 1, of linear light of any strength: tone curve, then gamma."""
    room = 1.0 - _SHOULDER
    over = np.maximum(light - _SHOULDER, 0.0)
    rolled = _SHOULDER + room * (1.0 - np.exp(-over / room))
    return to_srgb(np.where(light > _SHOULDER, rolled, np.maximum(light, 0.0)))


def checked_color(color: ArrayLike, name: str) -> Color:
    """A linear colour of three numbers in 0 to 1, or an error that names it."""
    values = vectors(color, name)
    if values.shape != (3,) or values.min() < 0 or values.max() > 1:
        raise InputError(f"{name} must be red, green, blue in 0 to 1, got {color!r}")
    return (float(values[0]), float(values[1]), float(values[2]))


GROUND: Color = from_hex("#e4e2dd")
"""Floors and terrain: pale, so that shadows and contacts read well."""

# Resting things: plaster and pale clay, near in lightness, told apart by a hint of hue.
_RESTING_CODES = ("#d8cfc0", "#c4cdd1", "#d6c6ba", "#c3cec0", "#d0c8cf", "#c2c6d2", "#dad2ba")
# Moving things: stronger, since they are what one must watch; none is near the teal of people.
_MOVING_CODES = ("#e39a55", "#cf6249", "#8479bd", "#ddb23c", "#5c89b8", "#b0647b", "#89a75d")
_RESTING = tuple(from_hex(code) for code in _RESTING_CODES)
_MOVING = tuple(from_hex(code) for code in _MOVING_CODES)


def palette_color(name: str, *, moving: bool = False) -> Color:
    """A pleasant colour that a name always gets."""
    colors = _MOVING if moving else _RESTING
    return colors[zlib.crc32(name.encode()) % len(colors)]
