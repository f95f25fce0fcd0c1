"""Repertoires: everything a character may do next, as the search wants it (beacco2013 4.3, 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surefoot import _native
from surefoot.arrays import Bools, Floats, Ints
from surefoot.motion.playing.footage import Footage
from surefoot.motion.steps import SAMPLES, Steps
from surefoot.planning.footsteps.colliders import Colliders
from surefoot.planning.footsteps.playing import BLEND
from surefoot.planning.footsteps.reels import reel
from surefoot.planning.footsteps.transitions import Successors

_THERE, _PRECISE, _SWEEPS = 0.25, 0.02, 200  # [m], [J/kg]: of the guide


@dataclass(frozen=True, eq=False, kw_only=True)
class Repertoire:
    """Actions: steps of a library, each at some speeds and turns, and which may follow which.

    Lengths are in the frame that the body travels in when an action begins: x where it faces, y to
    its left, from the floor between the feet.

    Attributes:
        footage: what the steps are played from.
        steps: those that are used, with their mirror images.
        step: `(n,)`: the step of each action.
        speed: `(n,)`: how fast it is played.
        extra: `(n,)` [rad]: how far it is turned beyond what the step does.
        moves: `(n, 3)` [m], [m], [rad]: how far the body goes and turns.
        durations: `(n,)` [s].
        efforts: `(n,)` [J/kg] (5.3).
        samples: `(n, SAMPLES, 6, 3)` [m]: where the body's points are on the way.
        successors: what may follow what.
        excess: `(n,)` [J/kg]: the least effort until a stand beyond what its distance costs.
        stop: `(n,)`: what to do next to come to a stand soonest.
        kinds: `(n,)`: actions of a kind leave the body on the same foot, going about as fast.
        stand: the stand-still action.
        price: [J/(kg m)]: the least that a metre costs.
        colliders: of the body.
        max_slope: [rad]: the steepest ground that it stands on.
        step_height: [m]: the highest step that it takes without a jump.
        radius: [m] of the body, arms hanging.
        special: `(n,)`: which are platform actions: only for ground that asks for them.
        flags: `(n,)`: bits: whether the left and the right foot come down; whether one does so more
            than once; whether it is a platform action; whether it jumps.
        feet: `(n, 15)`: soles (x, y, turn) of left and right where it ends; the ground under left
            and right where it begins, and where it ends; how far up and down it may go; when left
            and right leave the ground; how much higher than by itself the body is at first: see
            `treading` and `platforms`.
        blends: `(n,)` [s]: of the crossfade that it begins with.
    """

    footage: Footage
    steps: Steps
    step: Ints
    speed: Floats
    extra: Floats
    moves: Floats
    durations: Floats
    efforts: Floats
    samples: Floats
    successors: Successors
    excess: Floats
    stop: Ints
    kinds: Ints
    stand: int
    price: float
    colliders: Colliders
    max_slope: float
    step_height: float
    radius: float
    special: Bools
    flags: Ints
    feet: Floats
    blends: Floats

    def __len__(self) -> int:
        return len(self.step)

    @property
    def lifts(self) -> Floats:
        """`(n,)` [m]: how much higher than by itself a body is at first; see `platforms`."""
        return self.feet[:, 14]

    def name(self, action: int) -> str:
        """An action in words."""
        step = self.steps[int(self.step[action])]
        parts = ["mirrored " if step.mirrored else "", step.clip, f" {step.start:.2f} s"]
        if self.speed[action] != 1.0:
            parts.append(f" x {self.speed[action]:g}")
        if self.extra[action]:
            parts.append(f" {self.extra[action]:+.2f} rad")
        if self.lifts[action]:
            parts.append(", going down" if self.lifts[action] > 0 else ", coming up")
        return "".join(parts)

    @cached_property
    def girths(self) -> Floats:
        """`(n,)` [m]: radius around the root of a cylinder that holds all others."""
        away = self.samples[..., :2] - self.samples[:, :, :1, :2]
        far = np.sqrt((away * away).sum(axis=-1)) + self.colliders.radii
        return far.max(axis=(1, 2))

    @cached_property
    def paces(self) -> Floats:
        """`(n,)` [m/s]: of the fastest point of the body across the ground."""
        way = np.diff(self.samples[..., :2], axis=1)
        fastest = np.sqrt((way * way).sum(axis=-1)).max(axis=(1, 2))
        return fastest * (SAMPLES - 1) / self.durations

    @cached_property
    def native(self) -> _native.StepTable:
        """The same for the native search, with samples as steps are played."""
        stands = np.zeros(len(self), dtype=np.bool_)
        stands[self.stand] = True
        table = _native.StepTable(
            moves=np.ascontiguousarray(self.moves),
            durations=self.durations,
            efforts=self.efforts,
            excess=self.excess,
            stop=self.stop,
            kinds=self.kinds,
            stands=stands,
            girths=self.girths,
            paces=self.paces,
            offsets=self.successors.offsets,
            usual=self.successors.usual,
            successors=self.successors.actions,
            changes=self.successors.costs,
            samples=np.ascontiguousarray(self.samples.reshape(len(self), -1)),
            flags=self.flags,
            feet=self.feet,
            colliders=np.stack([self.colliders.radii, self.colliders.low, self.colliders.high]),
            sole=float(self.samples[self.stand, 0, 4:, 2].mean()),
            price=self.price,
        )
        table.rehearse(self.reel, self.stand, BLEND)
        return table

    @cached_property
    def guide(self) -> _native.FootstepGuide:
        """What goals cost where nothing is in the way, after each action."""
        return _native.FootstepGuide(self.native, _THERE, _PRECISE, _SWEEPS)

    @cached_property
    def reel(self) -> _native.Reel:
        """What bodies play that take these steps."""
        return reel(
            self.footage, self.steps, self.step, self.speed, self.blends, self.stand
        )  # fmt: skip
