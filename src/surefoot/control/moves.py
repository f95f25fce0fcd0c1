"""Moves: pieces of clips that a controller strings together (levine2011, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Floats, number
from surefoot.errors import InputError
from surefoot.motion.footholds import SIDES
from surefoot.motion.playing.footage import Footage, Take
from surefoot.motion.playing.legs import floor
from surefoot.motion.steps.step import MODES, Mode
from surefoot.motion.transitions import pose_features

RATE = 30.0
"""[1/s] at which the way of a move is kept, at least."""

SAME_MOMENT = 0.02
"""[s]: a foot that lands this close to the beginning of a move stands from its beginning."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """A part of a clip, from one moment at which others can follow to the next.

    Attributes:
        clip: its name in the footage.
        start: [s] in the clip.
        end: [s] in the clip: the beginning of the blending phase, where what follows takes over.
        mode: what it counts as.
        mirrored: it is played as it is in a mirror.
        turns: [rad] by which the whole character can be turned meanwhile, beyond what the clip
            does: the parameter that varies continuously before the blending phase.
        still: it can be left at any moment, as standing can.
        into: the mode that it leads to, where that is another one: only who may go on in that
            mode makes such a move of their own accord.
        leeway: how many times as dear as others a transition to it may be: a leap hides more than
            a step does.
    """

    clip: str
    start: float
    end: float
    mode: Mode
    mirrored: bool = False
    turns: tuple[float, ...] = (0.0,)
    still: bool = False
    into: Mode | None = None
    leeway: float = 1.0

    def __post_init__(self) -> None:
        title = f"move of clip {self.clip!r}"
        number(self.start, f"{title}: start", at_least=0.0)
        number(self.end, f"{title}: end", above=self.start)
        for mode in (self.mode, self.into or self.mode):
            if mode not in MODES:
                raise InputError(f"{title}: mode must be one of {', '.join(MODES)}, got {mode!r}")
        for turn in self.turns:
            number(turn, f"{title}: turns", at_least=-np.pi, at_most=np.pi)
        number(self.leeway, f"{title}: leeway", above=0.0)
        if not self.turns:
            raise InputError(f"{title}: turns must hold at least one")

    @property
    def duration(self) -> float:
        """[s]."""
        return self.end - self.start

    def __str__(self) -> str:
        return f"{'mirrored ' if self.mirrored else ''}{self.clip} {self.start:.2f}-{self.end:.2f}"


@dataclass(frozen=True, eq=False)
class Cut:
    """What a move does, in the level frame that the body travels in at its beginning.

    Attributes:
        path: `(n, 4)`: x, y, z [m] and heading [rad] at even times from start to end; z is the
            ground, or, in the air, how high the body has been carried.
        feet: `(k, 7)`: foot (0 left, 1 right), from when and until when it stands [s since the
            move's start], where x, y, z [m], and heading [rad].
        entry: features of the pose at the start, see `pose_features`.
        exit: features of the pose at the end.
    """

    path: Floats
    feet: Floats
    entry: Floats
    exit: Floats


def contacts(take: Take) -> list[float]:
    """[s] when feet land in a clip, in order; what stood before the clip began does not count."""
    times = [fall.start for own in take.footfalls for fall in own]
    return sorted(max(t, 0.0) for t in times if t > -SAME_MOMENT)


def cut(footage: Footage, move: Move) -> Cut:
    """Cuts a move out of its clip."""
    take = footage.take(move.clip, mirrored=move.mirrored)
    if move.end > take.duration + 1e-6:
        raise InputError(f"{move}: the clip ends at {take.duration:.2f} s")
    times = np.linspace(move.start, move.end, int(np.ceil(move.duration * RATE)) + 1)
    origin, yaw = take.frame(move.start)
    base = floor(take, move.start)

    def local(points: Floats) -> Floats:
        ahead = points - origin
        c, s = np.cos(yaw), np.sin(yaw)
        return np.stack([c * ahead[..., 0] + s * ahead[..., 1],
                         c * ahead[..., 1] - s * ahead[..., 0]], axis=-1)  # fmt: skip

    frames = [take.frame(float(t)) for t in times]
    path = np.column_stack(
        [
            local(np.array([place for place, _ in frames])),
            _heights(footage, take, times) - base,
            np.array([heading for _, heading in frames]) - yaw,
        ]
    )
    feet: list[list[float]] = []
    for own in take.footfalls:
        for fall in own:
            if fall.start > move.end - SAME_MOMENT or fall.end < move.start + SAME_MOMENT:
                continue
            lands = fall.start - move.start
            x, y = local(fall.position[:2]).tolist()
            turned = 2 * np.arctan2(fall.rotation[3], fall.rotation[0])
            feet.append([
                SIDES.index(fall.foot), 0.0 if lands < SAME_MOMENT else lands,
                min(fall.end, move.end) - move.start, x, y, float(fall.position[2]) - base,
                float(turned) - yaw,
            ])  # fmt: skip
    rows = np.array(sorted(feet, key=lambda row: row[1])).reshape(-1, 7)
    entry, exit_ = moving_poses(footage, take, (move.start, move.end))
    return Cut(path, rows, entry, exit_)


def _heights(footage: Footage, take: Take, times: Floats) -> Floats:
    """The ground below the body; in the air, what carries it up and down with its root."""
    floors = np.array([floor(take, float(t)) for t in times])
    down = np.zeros(len(times), dtype=np.bool_)
    for own in take.footfalls:
        for fall in own:
            down |= (times >= fall.start - 1e-9) & (times <= fall.end + 1e-9)
    root = footage.frames[0][take.first + np.round(times * take.rate).astype(np.intp), 2]
    heights = floors.copy()
    edges = np.flatnonzero(np.diff(down.astype(np.int8)))
    for first in edges[down[edges]]:
        last = next((int(i) for i in edges if i > first), len(times) - 2) + 1
        inside = slice(first, last + 1)
        bump = root[inside] - root[first]
        share = np.linspace(0.0, 1.0, last + 1 - first)
        rise = floors[last] - floors[first]
        heights[inside] = floors[first] + bump + share * (rise - bump[-1])
    return heights


def moving_poses(footage: Footage, take: Take, times: Sequence[float]) -> list[Floats]:
    """Features of the moving poses at `times` [s] in a clip; see `pose_features`."""
    roots, locals_ = footage.frames
    count = round(take.duration * take.rate) + 1
    found: list[Floats] = []
    for t in times:
        # Velocities need a neighbour on either side.
        middle = min(max(round(t * take.rate), 1), count - 2)
        window = slice(take.first + middle - 1, take.first + middle + 2)
        poses = pose_features(footage.skeleton, roots[window], locals_[window], take.rate)
        found.append(poses[1])
    return found
