"""The frames of a BVH file: how many, how often, and their numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

from surefoot import _native
from surefoot.arrays import Floats
from surefoot.errors import FileError
from surefoot.motion.formats.bvh.hierarchy import Hierarchy, line_of

_FRAMES = re.compile(rb"\s*Frames[ \t]*:?[ \t]*([^\s]*)", re.IGNORECASE)
_TIME = re.compile(rb"\s*Frame[ \t]*Time[ \t]*:?[ \t]*([^\s]*)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Frames:
    """The numbers below MOTION.

    Attributes:
        table: `(n, channels)`: lengths in the file's unit, angles in degrees.
        frame_time: [s] as the file states it; None where it states none that is a number.
        notes: what was assumed.
    """

    table: Floats
    frame_time: float | None
    notes: tuple[str, ...]


def read_frames(data: bytes, start: int, hierarchy: Hierarchy, title: str) -> Frames:
    """The frames of a file.

    Args:
        data: the whole file.
        start: where its motion begins.
        hierarchy: whose channels the numbers are.
        title: the file, for messages.

    Raises:
        FileError: numbers are missing, too many, or none; names line and joint.
    """
    notes: list[str] = []
    stated, frame_time, start = _head(data, start, title)
    columns = len(hierarchy.channels)
    if columns == 0:
        raise FileError(f"{title}: line {line_of(data, start)}: no joint has CHANNELS")
    if stated == 0:
        raise FileError(f"{title}: line {line_of(data, start)}: has no frames (Frames: 0)")
    values, bad, uneven, held, before = _native.numbers_in_text(
        data, start, columns, stated * columns
    )
    if bad >= 0:
        _refuse_word(data, start + bad, len(values), hierarchy, title)
    whole, rest = divmod(len(values), columns)
    if uneven >= 0 and len(values) != stated * columns:
        _refuse_line(data, start + uneven, held, before, stated, hierarchy, title)
    if whole < stated:
        raise FileError(
            f"{title}: line {line_of(data.rstrip(), len(data))}: ends after {whole} of"
            f" {stated} frames; {hierarchy.column(rest)} should be next"
        )
    if uneven >= 0:
        notes.append("frames do not keep to one line each")
    if whole > stated:
        notes.append(f"states {stated} frames but has {whole}; all are read")
    return Frames(values.reshape(whole, columns), frame_time, tuple(notes))


def _head(data: bytes, start: int, title: str) -> tuple[int, float | None, int]:
    """The number of frames, the time of one [s], and where the numbers begin."""
    stated: int | None = None
    frame_time: float | None = None
    while True:
        if frame := _FRAMES.match(data, start):
            word, start = frame.group(1), frame.end()
            if not re.fullmatch(rb"[0-9]{1,12}", word):
                shown = word.decode("latin-1")
                line = line_of(data, frame.start(1))
                raise FileError(f"{title}: line {line}: Frames: {shown!r} is no number of frames")
            stated = int(word)
        elif time := _TIME.match(data, start):
            start = time.end()
            try:
                frame_time = float(time.group(1))
            except ValueError:
                frame_time = None
        elif stated is None:
            line = line_of(data, start)
            raise FileError(f"{title}: line {line}: states no number of frames (Frames: ...)")
        else:
            return stated, frame_time, start


def _refuse_word(data: bytes, at: int, index: int, hierarchy: Hierarchy, title: str) -> NoReturn:
    match = re.match(rb"[^\s]{1,24}", data[at : at + 24])
    word = match.group().decode("latin-1") if match else ""
    frame, column = divmod(index, len(hierarchy.channels))
    raise FileError(
        f"{title}: line {line_of(data, at)}: {word!r} is no finite number below 1e15"
        f" ({hierarchy.column(column)}, frame {frame})"
    )


def _refuse_line(
    data: bytes, at: int, held: int, before: int, stated: int, hierarchy: Hierarchy, title: str
) -> NoReturn:
    columns = len(hierarchy.channels)
    frame = before // columns
    if held < columns:
        what = f"{hierarchy.column(held)} should be next"
    else:
        what = f"the last channel is {hierarchy.column(columns - 1)}"
    raise FileError(
        f"{title}: line {line_of(data, at)}: frame {frame} of {stated} has {held} values for"
        f" {columns} channels; {what}"
    )
