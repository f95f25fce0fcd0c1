"""Playing footpaths: what the step engine is to do (beacco2013, section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from surefoot.arrays import Floats
from surefoot.errors import InputError
from surefoot.motion.engine import Engine, EngineSettings
from surefoot.motion.playing.footage import Footage, Take
from surefoot.motion.playing.legs import floor
from surefoot.world import Place, World

BLEND = 0.2
"""[s] of crossfades: steps that may follow each other are alike where they meet."""

LONG_BLEND = 0.45
"""[s] likewise, where a body goes down into a crouch or comes up from one."""

POSTURE = 0.13
"""[leg lengths] by which roots differ there."""

FOLLOW = 0.3
"""How much bodies go with their feet, where those are not where a step has them. Bodies that stay
where they were planned touch nobody; legs make up for the rest."""

_NAME = re.compile(r"(?P<mirrored>mirrored )?(?P<clip>.+) \[(?P<start>[\d.]+), (?P<end>[\d.]+)\]")


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """A piece of a clip, and where it takes the body.

    Attributes:
        clip: its name.
        mirrored: whether it is played as in a mirror.
        start: [s] in the clip.
        end: [s] in the clip; a stand may go on for longer than its clip, which then begins anew.
        speed: how fast it is played.
        begins: [s].
        to: `(5,)`: x, y, z [m], heading [rad] and time [s] where it ends.
        stands: whether both feet stay.
        body: in whose frame that is; None for the world's own.
    """

    clip: str
    mirrored: bool
    start: float
    end: float
    speed: float
    begins: float
    to: Floats
    stands: bool = False
    body: str | None = None

    def longer(self, more: float, to: Floats) -> Part:
        """The same for `more` [s], which then ends at `to`."""
        return replace(self, end=self.end + more, to=to)

    @property
    def name(self) -> str:
        """As a plan names it; `named` reads it."""
        mirrored = "mirrored " if self.mirrored else ""
        return f"{mirrored}{self.clip} [{self.start:.6f}, {self.end:.6f}]"


def named(name: str, *, speed: float, begins: float, to: Floats, body: str | None = None) -> Part:
    """The part that a plan names."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise InputError(f"step {name!r} must be a clip and its times, as in 'walk [0.54, 1.08]'")
    return Part(
        clip=found["clip"], mirrored=bool(found["mirrored"]), start=float(found["start"]),
        end=float(found["end"]), speed=speed, begins=begins, to=to, body=body,
    )  # fmt: skip


def play(
    footage: Footage,
    world: World | None,
    parts: Iterable[Part],
    place: Place,
    heading: float,
    start: float,
) -> Engine:
    """An engine that plays parts, each to where it was planned to end.

    Args:
        footage: with their clips.
        world: where.
        parts: one after the other.
        place: where the body is at first.
        heading: [rad], which way it faces.
        start: [s] when the first one begins.
    """
    settings = EngineSettings(blend=BLEND, follow=FOLLOW)
    engine = Engine(footage, world, place=place, heading=heading, start=start, settings=settings)
    low: float | None = None
    for part in parts:
        take = footage.take(part.clip, mirrored=part.mirrored)
        begins, ends = (_height(footage, take, t) for t in (part.start, part.end))
        changes = low is not None and abs(begins - low) > POSTURE * footage.measures.leg_length
        blend, low = LONG_BLEND if changes else BLEND, ends
        target = (Place(part.body, part.to[:3]), float(part.to[3]))
        left, first = part.end - part.start, part.start
        while left > 1e-9:
            length = min(left, take.duration - first)
            engine.append(
                part.clip if not part.mirrored else _Mirrored(part.clip, first, first + length),
                begin=first, end=first + length, speed=part.speed, to=target, blend=blend,
            )  # fmt: skip
            blend = BLEND
            left -= length
            first = 0.0
    return engine


def _height(footage: Footage, take: Take, t: float) -> float:
    """[m] of the root above what the feet are on in a clip."""
    frame = take.first + min(round(t * take.rate), take.frames - 1)
    return float(footage.frames[0][frame, 2]) - floor(take, min(t, take.duration))


@dataclass(frozen=True)
class _Mirrored:
    clip: str
    start: float
    end: float
    mirrored: bool = True
