"""The step engine: plays a queue of steps and clips on a character (beacco2013, section 6).

It tracks where the character's root is and faces, lays every step where the last one ended, turns
the whole character by what a plan asks for, crossfades, and keeps feet on what they stand on. It
has no clock: poses are a pure function of the queue and of the time that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np

from surefoot import arrays
from surefoot.arrays import ArrayLike, number
from surefoot.errors import InputError
from surefoot.motion.blending import BLEND
from surefoot.motion.footholds import SIDES, Foothold
from surefoot.motion.gait.walker import Motion
from surefoot.motion.locking import moved
from surefoot.motion.playing.beats import BEAT, Beats, Poses, perform
from surefoot.motion.playing.footage import Footage
from surefoot.motion.playing.frames import LevelFrame, moving_body
from surefoot.motion.playing.legs import Cue
from surefoot.motion.playing.program import Manner, Program
from surefoot.world import Place, World


class Playable(Protocol):
    """Something to play: a part of a clip, such as a `Step`.

    Where it is `mirrored`, the clip is played as it is in a mirror.
    """

    @property
    def clip(self) -> str:
        """The clip's name."""
        ...

    @property
    def start(self) -> float:
        """[s] in the clip."""
        ...

    @property
    def end(self) -> float:
        """[s] in the clip."""
        ...


@dataclass(frozen=True, kw_only=True)
class EngineSettings:
    """How an engine plays.

    Attributes:
        blend: [s], 0.1 to 0.5: of crossfades from one step to the next; shorter where a step is.
        reach: [m], >= 0: how far up and down from where a step has it a foot looks for ground.
        slack: [rad], >= 0: pitch that standing feet do not follow: the noise of captured clips.
        follow: 0 to 1: how much the body goes with its feet across the ground, where those are
            not where the clip has them.
        clear: whether swinging feet are raised over what lies in their way.
    """

    blend: float = 0.3
    reach: float = 0.35
    slack: float = 0.0
    follow: float = 1.0
    clear: bool = True

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "blend", number(self.blend, "blend", at_least=BLEND[0], at_most=BLEND[1]))
        put(self, "reach", number(self.reach, "reach", at_least=0.0))
        put(self, "slack", number(self.slack, "slack", at_least=0.0))
        put(self, "follow", number(self.follow, "follow", at_least=0.0, at_most=1.0))


@dataclass(frozen=True)
class Queued:
    """A step in the queue.

    Attributes:
        clip: its clip's name.
        start: [s] when it begins.
        end: [s] when it ends.
        speed: how fast it plays.
    """

    clip: str
    start: float
    end: float
    speed: float


@dataclass(frozen=True)
class Event:
    """Something that happens.

    Attributes:
        t: [s] when.
        kind: a step begins or ends, a foot meets or leaves the ground.
        name: the clip, or "left" or "right".
        foothold: of a foot, the index in `Motion.footholds`.
    """

    t: float
    kind: Literal["begin", "end", "contact", "leave"]
    name: str
    foothold: int | None = None


class Engine:
    """Plays steps on one character.

    Args:
        footage: what there is to play, shared by all characters with this body.
        world: where; level ground everywhere when not given.
        place: where the character travels at first: the point between the feet.
        heading: [rad], which way, on the place's body.
        start: [s] when it begins.
        settings: how it plays.
    """

    def __init__(
        self,
        footage: Footage,
        world: World | None = None,
        *,
        place: Place | None = None,
        heading: float = 0.0,
        start: float = 0.0,
        settings: EngineSettings | None = None,
    ) -> None:
        self.settings = settings or EngineSettings()
        self.footage, self.world = footage, world
        begin = arrays.time(start, "start")
        frame = self._frame(place or Place(None, np.zeros(3)), heading, begin)
        manner = Manner(
            reach=self.settings.reach,
            slack=self.settings.slack,
            follow=self.settings.follow,
            clear=self.settings.clear,
        )
        self.program = Program(footage, world, frame, begin, manner)

    @property
    def start(self) -> float:
        """[s] when it begins."""
        return self.program.begin

    @property
    def end(self) -> float:
        """[s] when the last step ends, and the next would begin."""
        return self.program.end

    @property
    def queue(self) -> tuple[Queued, ...]:
        """Everything that was played and will be."""
        cues = [entry.cue for entry in self.program.entries]
        return tuple(Queued(cue.take.name, cue.start, cue.until, cue.speed) for cue in cues)

    def append(
        self,
        step: str | Playable,
        *,
        begin: float | None = None,
        end: float | None = None,
        speed: float = 1.0,
        turn: float = 0.0,
        to: tuple[Place, float] | None = None,
        footholds: Sequence[Foothold] = (),
        now: float | None = None,
        blend: float | None = None,
    ) -> Queued:
        """Plays a step after all others; poses before it begins stay as they were.

        Args:
            step: a part of a clip, or the name of a whole one.
            begin: [s] in the clip; the step's, or the clip's start when not given.
            end: [s] in the clip, > begin; the step's, or the clip's end when not given.
            speed: how many times as fast as the clip it plays, > 0.
            turn: [rad] by which the whole character is turned meanwhile, beyond what the step
                itself does: it corrects the heading, spread over the step.
            to: where the character's travel should end, and its heading on that place's body,
                instead.
            footholds: where the feet that land should come down, in order of contact; where the
                step says when not given. Their times are not used.
            now: [s]: when the queue ran dry before, the step begins now.
            blend: [s], 0.1 to 0.5; the settings' when not given.
        """
        cue = self._cue(step, begin, end, speed, now)
        wished = self.settings.blend if blend is None else blend
        number(wished, "blend [s]", at_least=BLEND[0], at_most=BLEND[1])
        target = None if to is None else self._frame(to[0], to[1], cue.until)
        places = _places(cue, footholds)
        self.program.append(
            cue, blend=wished, turn=number(turn, "turn"), target=target, places=places
        )
        return self.queue[-1]

    def at(self, times: ArrayLike) -> Motion:
        """The character at `times` `(n,)` [s]; after the end it comes to rest."""
        return moved(self.program, arrays.times(times, "times").reshape(-1))

    def place(self, t: float) -> tuple[Place, float]:
        """Where the character travels at `t` [s], and its heading [rad], on what carries it."""
        frame = self.program.travelling(arrays.time(t, "t"))
        return Place(frame.body, frame.position), frame.yaw

    def events(self, start: float = -np.inf, end: float = np.inf) -> tuple[Event, ...]:
        """What happens from `start` to `end` [s], in order; `end` itself is not included."""
        found: list[Event] = []
        for queued in self.queue:
            found.append(Event(queued.start, "begin", queued.clip))
            found.append(Event(queued.end, "end", queued.clip))
        for index, hold in enumerate(self.program.footholds()):
            found.append(Event(hold.start, "contact", hold.foot, index))
            found.append(Event(hold.end, "leave", hold.foot, index))
        inside = [event for event in found if start <= event.t < end]
        return tuple(sorted(inside, key=lambda event: (event.t, event.kind, event.name)))

    def forget(self, before: float) -> None:
        """Lets go of what was played before `before` [s], so that long plays stay small."""
        self.program.forget(arrays.time(before, "before"))

    def _cue(
        self, step: str | Playable, begin: float | None, end: float | None, speed: float,
        now: float | None,
    ) -> Cue:  # fmt: skip
        if isinstance(step, str):
            take = self.footage.take(step)
        else:
            take = self.footage.take(step.clip, mirrored=getattr(step, "mirrored", False))
        first, last = (0.0, take.duration) if isinstance(step, str) else (step.start, step.end)
        first = first if begin is None else begin
        last = last if end is None else end
        title = f"clip {take.name!r}"
        first = number(first, f"{title}: begin", at_least=0.0)
        last = number(last, f"{title}: end", at_most=take.duration + 1e-6)
        if not last > first:
            raise InputError(f"{title}: end must be after begin, got {first:g} to {last:g} s")
        start = self.end if now is None else max(self.end, arrays.time(now, "now"))
        return Cue(take, first, last, start, number(speed, "speed", above=0.0))

    def _frame(self, place: Place, heading: float, t: float) -> LevelFrame:
        frame = LevelFrame(place.body, place.position, number(heading, "heading"))
        return frame.on(self.world, moving_body(self.world, place.body), t)


class Cast:
    """Many characters that play from the same footage in the same world, asked at once.

    Args:
        engines: one for each character.
    """

    def __init__(self, engines: Sequence[Engine]) -> None:
        if not engines:
            raise InputError("a cast needs at least one engine")
        first = engines[0]
        for engine in engines:
            if engine.footage is not first.footage or engine.world is not first.world:
                raise InputError("a cast shares one footage and one world; make one cast for each")
        self.engines = tuple(engines)
        self.time = max(engine.start for engine in engines)
        self._beats: Beats = np.zeros(len(engines), dtype=BEAT)
        self._starts = np.full(len(engines), np.inf)
        self._ends = np.full(len(engines), -np.inf)
        self._versions = np.full(len(engines), -1)

    def advance(self, step: float, *, threads: int = 1) -> Poses:
        """The characters `step` [s] later than when they were asked last; see `at`."""
        return self.at(self.time + arrays.time(step, "step", at_least=0.0), threads=threads)

    def at(self, t: float, *, threads: int = 1) -> Poses:
        """All characters at `t` [s]: arrays have one row for each.

        Args:
            t: any time.
            threads: how many to use; the result has the same bits at any number.
        """
        self.time = arrays.time(t, "t")
        versions = np.array([engine.program.version for engine in self.engines])
        stale = (versions != self._versions) | (t < self._starts) | (t >= self._ends)
        for index in np.flatnonzero(stale).tolist():
            beat = self.engines[index].program.beat(t)
            self._beats[index] = beat
            self._starts[index], self._ends[index] = float(beat["start"]), float(beat["end"])
        self._versions = versions
        first = self.engines[0]
        times = np.full(len(self.engines), t)
        return perform(first.footage, self._beats, times, first.world, threads=threads)


def _places(cue: Cue, footholds: Sequence[Foothold]) -> dict[tuple[int, int], Foothold]:
    """Footholds by foot and number of its landing; feet that stand at first count before."""
    places: dict[tuple[int, int], Foothold] = {}
    counts = [0, 0]
    for hold in footholds:
        foot = SIDES.index(hold.foot)
        if counts[foot] >= len(cue.landings(foot)):
            raise InputError(
                f"clip {cue.take.name!r} lands the {hold.foot} foot {len(cue.landings(foot))} times"
                f" from {cue.begin:.2f} to {cue.end:.2f} s; there are more footholds than that"
            )
        places[foot, counts[foot]] = replace(hold)
        counts[foot] += 1
    return places
