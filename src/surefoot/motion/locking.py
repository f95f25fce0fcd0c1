"""Foot locking: soles exactly where they should be, and the body over them.

Clips, captured ones most of all, have feet that skate, float and sink. Here feet that are on the
ground are put on footholds, on slopes, stairs or bodies that move and turn, rolling over heel and
toes as the clip says; in between they are eased from one to the next. The pelvis goes with its
feet and as low as the legs need, and the legs are solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import radians
from typing import Protocol

import numpy as np

from surefoot.arrays import Floats, number
from surefoot.character.humanoid import JOINTS
from surefoot.character.measures import Measures
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.clip import Clip
from surefoot.motion.footholds import SIDES, Foothold, Side
from surefoot.motion.gait.rolling import rolled_ankle
from surefoot.motion.gait.walker import Motion
from surefoot.motion.playing.footage import Footage, Footfall
from surefoot.motion.playing.frames import LevelFrame
from surefoot.motion.playing.legs import Cue, travel_frame
from surefoot.motion.playing.program import Manner, Program
from surefoot.world import World

NEARLY_FLAT = 0.21
"""[rad]: a captured foot that stands with less pitch than this is taken to stand flat."""

ASTRAY = 0.02
"""[leg lengths] that a captured sole may be from where it stands, to count as standing."""

UNUSUAL = 0.08
"""[rad] that a captured foot's flat pitch may differ from what is usual for it."""

SLACK = radians(3.0)
"""[rad] of pitch that standing feet of captured clips do not follow."""


class Planted(Protocol):
    """When a foot is on the ground; `motion.plants.find_plants` finds out."""

    @property
    def foot(self) -> Side:
        """Which foot."""
        ...

    @property
    def start(self) -> float:
        """[s] first contact, in the clip."""
        ...

    @property
    def end(self) -> float:
        """[s] last contact, in the clip."""
        ...


def footfalls(clip: Clip, measures: Measures, planted: Iterable[Planted]) -> tuple[Footfall, ...]:
    """Where a clip's feet are on the ground, from when they are.

    A foot that skates or rolls is taken to stand where its sole is on average. One that is on the
    ground when the clip ends is taken to stay there.

    Args:
        clip: on the canonical skeleton.
        measures: of the body.
        planted: what `find_plants` found, or footholds in the clip's own space.
    """
    if clip.skeleton.joints != JOINTS:
        raise InputError(f"clip {clip.name!r} must be on the canonical skeleton")
    positions, turned = clip.skeleton.forward(clip.root, clip.rotations)
    stands = [
        (plant, _window(clip, plant), clip.skeleton.index(f"{plant.foot}_foot"))
        for plant in planted
    ]
    flats = _flats([plant.foot for plant, _, _ in stands],
                   [_pitch(turned[window, ankle]) for _, window, ankle in stands])  # fmt: skip
    found: list[Footfall] = []
    for (plant, window, ankle), flat in zip(stands, flats, strict=True):
        place, rotation, still = _sole(
            positions[window, ankle], turned[window, ankle], flat, measures
        )
        # Before and after that it is on its way already; held there, the leg would be stretched.
        first, last = window.start + still[0], window.start + still[1]
        start = plant.start if still[0] == 0 else first / clip.rate
        end = plant.end if window.start + still[1] == window.stop - 1 else last / clip.rate
        lasting = np.inf if end >= clip.duration - 0.5 / clip.rate else end
        found.append(Footfall(plant.foot, start, lasting, place, rotation, flat))
    return tuple(sorted(found, key=lambda footfall: footfall.start))


def _window(clip: Clip, plant: Planted) -> slice:
    """The frames in which a foot is on the ground; at least one."""
    first = int(np.clip(np.ceil(plant.start * clip.rate - 1e-6), 0, len(clip) - 1))
    last = int(np.floor(min(plant.end, clip.duration) * clip.rate + 1e-6))
    return slice(first, min(max(last, first), len(clip) - 1) + 1)


def _pitch(turned: Floats) -> Floats:
    """How far feet `(n, 4)` point down [rad]."""
    ahead = rotations.rotate(turned, [1.0, 0.0, 0.0])
    return np.arctan2(-ahead[:, 2], np.hypot(ahead[:, 0], ahead[:, 1]))


def _flats(feet: list[Side], pitches: list[Floats]) -> list[float]:
    """The pitch [rad] at which each standing foot is flat.

    That of its mid-stance, unless it is on heel or toes there: then what is usual for the foot.
    """
    middles = [float(np.median(_middle(pitch))) for pitch in pitches]
    usual = {
        side: float(np.median([m for foot, m in zip(feet, middles, strict=True) if foot == side]))
        for side in set(feet)
    }
    usual = {side: flat if abs(flat) < NEARLY_FLAT else 0.0 for side, flat in usual.items()}
    return [
        middle if abs(middle - usual[foot]) < UNUSUAL else usual[foot]
        for foot, middle in zip(feet, middles, strict=True)
    ]


def _middle(values: Floats) -> Floats:
    """The middle two fifths; at least one."""
    first = int(0.3 * len(values))
    return values[first : max(int(np.ceil(0.7 * len(values))), first + 1)]


def _sole(
    ankle: Floats, turned: Floats, flat: float, measures: Measures
) -> tuple[Floats, Floats, tuple[int, int]]:
    """The middle of a sole, its level rotation, and the first and last frame it is there."""
    pitch = _pitch(turned)
    # Where the foot is flattest it tells best where it stands and points.
    weight = np.exp(-((np.abs(pitch - flat) / 0.1) ** 2)) + 1e-3
    weight /= weight.sum()
    ahead = weight @ rotations.rotate(turned, [1.0, 0.0, 0.0])
    rotation = rotations.from_yaw(np.arctan2(ahead[1], ahead[0]))
    soles = ankle - rotations.rotate(rotation, rolled_ankle(measures, pitch - flat))
    place = weight @ soles
    off = np.linalg.norm((soles - place)[:, :2], axis=1) > ASTRAY * measures.leg_length
    middle = int(np.argmax(weight))
    before, after = np.flatnonzero(off[:middle]), np.flatnonzero(off[middle + 1 :])
    first = int(before[-1]) + 1 if len(before) else 0
    last = middle + int(after[0]) if len(after) else len(off) - 1
    return place, rotation, (first, last)


def lock_feet(
    clip: Clip,
    measures: Measures,
    planted: Sequence[Footfall],
    footholds: Sequence[Foothold] | None = None,
    *,
    world: World | None = None,
    start: float = 0.0,
    slack: float = SLACK,
    reach: float = 0.35,
    follow: float = 1.0,
) -> Motion:
    """A clip with its feet exactly on footholds.

    Args:
        clip: on the canonical skeleton.
        measures: of the body.
        planted: when and where the clip's feet are on the ground; see `footfalls`.
        footholds: where they should be instead, one for each of `planted` and in the same order;
            on any body of the world. Their times are not used. Where not given, feet stay where
            the clip has them, on the ground below or above if there is a world.
        world: whose bodies carry the feet.
        start: [s] when the clip begins, which matters where bodies move.
        slack: [rad], >= 0: pitch that standing feet do not follow; 0 for clips without noise.
        reach: [m], >= 0: how far up and down from where the clip has it a foot looks for ground.
        follow: 0 to 1: how much the body goes with its feet across the ground.

    Raises:
        InputError: footholds do not fit what is planted.
    """
    number(slack, "slack", at_least=0.0)
    number(reach, "reach", at_least=0.0)
    number(follow, "follow", at_least=0.0, at_most=1.0)
    footage = Footage(clip.skeleton, measures)
    take = footage.add(clip, planted)
    cue = Cue(take, 0.0, max(clip.duration, 1e-6), number(start, "start"), 1.0)
    places = _places(cue, planted, footholds)
    here = travel_frame(LevelFrame(None, np.zeros(3), 0.0), take, 0.0)
    manner = Manner(reach=reach, slack=slack, follow=follow)
    program = Program(footage, world, here, start, manner)
    program.append(cue, places=places)
    return moved(program, start + clip.times)


def moved(program: Program, times: Floats) -> Motion:
    """What a program plays at `times` `(n,)` [s]."""
    poses, holds = program.at(times)
    return Motion(
        times=times,
        root=poses.root,
        rotations=poses.rotations,
        contacts=poses.contacts,
        holds=holds,
        footholds=program.footholds(),
    )


def _places(
    cue: Cue, planted: Sequence[Footfall], footholds: Sequence[Foothold] | None
) -> dict[tuple[int, int], Foothold]:
    if footholds is None:
        return {}
    if len(footholds) != len(planted):
        raise InputError(f"{len(planted)} footfalls need as many footholds, got {len(footholds)}")
    places: dict[tuple[int, int], Foothold] = {}
    for footfall, hold in zip(planted, footholds, strict=True):
        if footfall.foot != hold.foot:
            raise InputError(
                f"the footfall at {footfall.start:g} s is of the {footfall.foot} foot, its foothold"
                f" of the {hold.foot} foot"
            )
        foot = SIDES.index(footfall.foot)
        if footfall is cue.planted(foot):
            places[foot, -1] = hold
        elif footfall in cue.landings(foot):
            places[foot, cue.landings(foot).index(footfall)] = hold
    return places
