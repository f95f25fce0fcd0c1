"""What time it is on the page: playing, pausing, jumping, looping."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field

from surefoot import arrays
from surefoot.arrays import number
from surefoot.errors import InputError

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Playing speeds to choose from, over real time."""


@dataclass
class Timeline:
    """A moment that moves between a start and an end; safe to use from several threads.

    Attributes:
        start: [s].
        end: [s], >= start; the same where nothing ever moves.
        time: the moment shown [s]; what is put outside is brought to the nearer end.
        playing: whether it moves on.
        speed: seconds shown for each second that passes, > 0.
        loop: whether the end is followed by the start; else it stops there.
    """

    start: float
    end: float
    time: float = math.nan
    playing: bool = False
    speed: float = 1.0
    loop: bool = True
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.start = arrays.time(self.start, "timeline start")
        self.end = arrays.time(self.end, "timeline end", at_least=self.start)
        self.speed = number(self.speed, "speed", above=0.0)
        self.time = self.start if math.isnan(self.time) else self.clamped(self.time)

    @property
    def duration(self) -> float:
        """[s]."""
        return self.end - self.start

    def clamped(self, t: float) -> float:
        """The nearest moment of the timeline [s]."""
        if math.isnan(t):
            raise InputError("time must be a number, got nan")
        return min(max(t, self.start), self.end)

    def seek(self, t: float) -> float:
        """Jumps to a moment [s], or to the nearer end; gives where it is now."""
        with self._lock:
            self.time = self.clamped(t)
            return self.time

    def play(self) -> None:
        """Moves on; from the start again where it had come to the end."""
        with self._lock:
            if self.time >= self.end:
                self.time = self.start
            self.playing = self.duration > 0

    def pause(self) -> None:
        """Stays at this moment."""
        with self._lock:
            self.playing = False

    def set_speed(self, speed: float) -> None:
        """Changes how fast it plays, > 0."""
        with self._lock:
            self.speed = number(speed, "speed", above=0.0)

    def advance(self, elapsed: float) -> float:
        """Moves on by `elapsed` [s] of real time while playing; gives the moment shown [s]."""
        with self._lock:
            if not self.playing:
                return self.time
            t = self.time + elapsed * self.speed
            if t >= self.end and self.loop:
                t = self.start + (t - self.start) % self.duration
            elif t >= self.end:
                t, self.playing = self.end, False
            self.time = t
            return t
