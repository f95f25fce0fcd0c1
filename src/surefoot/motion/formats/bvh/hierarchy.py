"""The skeleton at the head of a BVH file: joints, offsets, end sites and channels.

The format has no standard, so this takes what tools write: any line ends, names with blanks and
colons, braces anywhere, keywords in any case, any channels in any order.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

import numpy as np

from surefoot.arrays import Floats, frozen
from surefoot.errors import FileError, one_of
from surefoot.limits import MAX_NUMBER

CHANNELS = tuple(f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ")

# More would be no skeleton but an attack on memory.
_MOST_JOINTS = 10_000

_WORD = re.compile(r"[{}]|[^\s{}]+")
_NAME = re.compile(r"[ \t]*([^\r\n{]*)")
_MOTION = re.compile(rb"(?:\A|[\r\n}])[ \t]*(MOTION)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Channel:
    """One column of the frames: which joint it moves, how, and along or about which axis."""

    joint: int
    kind: str
    axis: int

    @property
    def name(self) -> str:
        """As the file writes it: `Xposition`."""
        return f"{'XYZ'[self.axis]}{self.kind}"


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The skeleton as the file has it, in its axes and units.

    Attributes:
        names: of `n` joints, made unique; parents come before children, the root first.
        parents: `n` indices; -1 for the root.
        offsets: `(n, 3)`.
        ends: end sites: the joint that holds each, and its offset `(3,)`.
        channels: one for each column of the frames.
        notes: what had to be changed.
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Floats
    ends: tuple[tuple[int, Floats], ...]
    channels: tuple[Channel, ...]
    notes: tuple[str, ...]

    def column(self, index: int) -> str:
        """A column for a message: `Zrotation of joint 'LeftLeg'`."""
        channel = self.channels[index]
        return f"{channel.name} of joint {self.names[channel.joint]!r}"


def split_file(data: bytes, title: str) -> tuple[bytes, int]:
    """The head of a file, and where its motion begins, after the word MOTION."""
    found = _MOTION.search(data)
    if found is None:
        if b"HIERARCHY" not in data[:4096].upper():
            raise FileError(f"{title}: line 1: is no BVH file: it does not begin with HIERARCHY")
        raise FileError(f"{title}: line {line_of(data, len(data))}: ends before the word MOTION")
    return data[: found.start(1)], found.end(1)


def line_of(data: bytes, at: int) -> int:
    """The number of the line, from 1, that byte `at` is in."""
    before = data[:at]
    return 1 + (before.count(b"\n") or before.count(b"\r"))


def read_hierarchy(head: bytes, title: str) -> Hierarchy:
    """The skeleton of a file's head.

    Raises:
        FileError: names the file, the line and, where there is one, the joint.
    """
    try:
        return _read(head)
    except _FaultError as fault:
        raise FileError(f"{title}: {fault}") from None


class _FaultError(Exception):
    """What is wrong, without the file's name."""


# A folder of one actor's clips has the same head many times.
@lru_cache(maxsize=64)
def _read(head: bytes) -> Hierarchy:
    return _Parser(_text(head)).run()


def _text(head: bytes) -> str:
    try:
        return head.decode("utf-8-sig")
    except UnicodeDecodeError:
        return head.decode("latin-1")


class _Parser:
    """Goes through the words of the head once."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._names: list[str] = []
        self._parents: list[int] = []
        self._offsets: list[Floats | None] = []
        self._ends: list[tuple[int, Floats]] = []
        self._channels: list[Channel] = []
        self._notes: list[str] = []
        # What is open: joints by index, end sites as None.
        self._open: list[int | None] = []

    def run(self) -> Hierarchy:
        word = self._word()
        if word is None or word.upper() != "HIERARCHY":
            self._fail("does not begin with HIERARCHY")
        while (word := self._word()) is not None:
            self._statement(word)
        if not self._names:
            self._fail("has no ROOT")
        if self._open:
            self._fail(f"joint {self._names[self._inside()]!r} is not closed with '}}'")
        offsets = [np.zeros(3) if offset is None else offset for offset in self._offsets]
        lacking = [name for name, o in zip(self._names, self._offsets, strict=True) if o is None]
        if lacking:
            self._notes.append(f"no OFFSET, taken as zero: {', '.join(lacking)}")
        return Hierarchy(
            names=tuple(self._names),
            parents=tuple(self._parents),
            offsets=frozen(np.array(offsets)),
            ends=tuple(self._ends),
            channels=tuple(self._channels),
            notes=tuple(self._notes),
        )

    def _statement(self, word: str) -> None:
        keyword = word.upper()
        if keyword in ("ROOT", "JOINT"):
            self._joint(keyword)
        elif keyword == "END":
            self._end_site()
        elif keyword == "OFFSET":
            self._offset()
        elif keyword == "CHANNELS":
            self._channel_list()
        elif keyword == "}":
            if not self._open:
                self._fail("'}' closes nothing")
            self._open.pop()
        else:
            known = ("ROOT", "JOINT", "End Site", "OFFSET", "CHANNELS", "}", "MOTION")
            self._fail(one_of("word", word, known))

    def _joint(self, keyword: str) -> None:
        line = self._line()
        name = self._name()
        if keyword == "ROOT" and self._names:
            self._fail(f"a second ROOT, {name!r}; only files with one skeleton are read", line)
        if keyword == "JOINT" and (not self._open or self._open[-1] is None):
            self._fail(f"joint {name!r} is in no other joint", line)
        if len(self._names) >= _MOST_JOINTS:
            self._fail(f"has more than {_MOST_JOINTS} joints", line)
        if not name:
            name = f"joint {len(self._names)}"
            self._notes.append(f"line {line}: a joint without a name is called {name!r}")
        if name in self._names:
            unique = f"{name}#{len(self._names)}"
            self._notes.append(f"line {line}: a second joint {name!r} is called {unique!r}")
            name = unique
        self._parents.append(self._inside() if self._open else -1)
        self._names.append(name)
        self._offsets.append(None)
        self._brace(f"joint {name!r}")
        self._open.append(len(self._names) - 1)

    def _end_site(self) -> None:
        line = self._line()
        self._name()
        if not self._open or self._open[-1] is None:
            self._fail("an End Site is in no joint", line)
        self._brace("End Site")
        self._open.append(None)

    def _offset(self) -> None:
        line = self._line()
        if not self._open:
            self._fail("an OFFSET is in no joint", line)
        joint = self._inside()
        where = f"OFFSET of {'the End Site of ' if self._open[-1] is None else ''}joint"
        offset = np.array([self._number(f"{where} {self._names[joint]!r}") for _ in range(3)])
        if self._open[-1] is None:
            self._ends.append((joint, frozen(offset)))
        else:
            self._offsets[joint] = offset

    def _channel_list(self) -> None:
        line = self._line()
        if not self._open or self._open[-1] is None:
            self._fail("CHANNELS are in no joint", line)
        joint = self._inside()
        title = f"CHANNELS of joint {self._names[joint]!r}"
        word = self._word() or ""
        if not re.fullmatch(r"[0-9]{1,3}", word):
            self._fail(f"{title}: {word!r} is no number of channels", line)
        known = {name.upper(): name for name in CHANNELS}
        for _ in range(int(word)):
            word = self._word()
            if word is None:
                self._fail(f"{title}: there are fewer than stated", line)
            name = known.get(word.upper())
            if name is None:
                self._fail(f"{title}: {one_of('channel', word, CHANNELS)}", line)
            if any(c.joint == joint and c.name == name for c in self._channels[-6:]):
                self._fail(f"{title}: {name} comes twice", line)
            self._channels.append(Channel(joint, name[1:], "XYZ".index(name[0])))

    def _inside(self) -> int:
        """The joint that is open."""
        return next(joint for joint in reversed(self._open) if joint is not None)

    def _word(self) -> str | None:
        found = _WORD.search(self._text, self._at)
        if found is None:
            self._at = len(self._text)
            return None
        self._at = found.end()
        return found.group()

    def _name(self) -> str:
        """The rest of the line, up to a brace: names may hold blanks."""
        found = _NAME.match(self._text, self._at)
        assert found is not None
        self._at = found.end()
        return found.group(1).strip()

    def _brace(self, title: str) -> None:
        if self._word() != "{":
            self._fail(f"{title} is not opened with '{{'")

    def _number(self, title: str) -> float:
        word = self._word() or ""
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not abs(value) <= MAX_NUMBER:  # nor is a NaN
            self._fail(f"{title}: {word!r} is no finite number below 1e15")
        return value

    def _line(self) -> int:
        before = self._text[: self._at]
        return 1 + (before.count("\n") or before.count("\r"))

    def _fail(self, message: str, line: int | None = None) -> NoReturn:
        raise _FaultError(f"line {line or self._line()}: {message}")
