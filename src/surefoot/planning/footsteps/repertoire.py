"""Repertoires: everything a character may do next, as the search wants it (beacco2013 4.3, 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from surefoot import _native
from surefoot.arrays import Floats, Ints
from surefoot.character import Character
from surefoot.errors import ProblemError
from surefoot.motion.library import Library
from surefoot.motion.playing.footage import Footage
from surefoot.motion.steps import MODES, SAMPLES, Steps
from surefoot.motion.steps.body import body_of
from surefoot.planning.footsteps.colliders import Colliders, colliders
from surefoot.planning.footsteps.cutting import Cut, chosen, cut, extra_turn, turning
from surefoot.planning.footsteps.playing import BLEND
from surefoot.planning.footsteps.reels import reel
from surefoot.planning.footsteps.settings import FootstepSettings
from surefoot.planning.footsteps.transitions import (
    Ends,
    Successors,
    allowed,
    listed,
    usable,
    ways_to_stand,
)

_STRAIGHT = 0.06  # [rad] that a step may turn and still be straight
_GOING = 0.5  # [m/s] ahead, from which on a step can be turned beyond what it does
_ALIKE = (0.07, 0.07, 0.08, 0.09)  # [s], [m], [rad], [m]: actions whose times, ways, turns and feet
# differ by less are the same
_ALIKE_SPEED = 0.5  # [m/s]
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

    def __len__(self) -> int:
        return len(self.step)

    def name(self, action: int) -> str:
        """An action in words."""
        step = self.steps[int(self.step[action])]
        parts = ["mirrored " if step.mirrored else "", step.clip, f" {step.start:.2f} s"]
        if self.speed[action] != 1.0:
            parts.append(f" x {self.speed[action]:g}")
        if self.extra[action]:
            parts.append(f" {self.extra[action]:+.2f} rad")
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
            successors=self.successors.actions,
            changes=self.successors.costs,
            samples=np.ascontiguousarray(self.samples.reshape(len(self), -1)),
            colliders=np.stack([self.colliders.radii, self.colliders.low, self.colliders.high]),
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
        return reel(self.footage, self.steps, self.step, self.speed, self.stand)


def repertoire(
    character: Character, library: Library, footage: Footage, settings: FootstepSettings
) -> Repertoire:
    """What a character can do with a library.

    Args:
        character: whose effort counts.
        library: fitted to the character's body.
        footage: its clips, ready to be played.
        settings: of the planner.

    Raises:
        ProblemError: nobody stands still in the library, or no step can follow a stand.
    """
    steps = chosen(library.steps.with_mirror(), settings.modes, settings.wait)
    bodies = {
        clip.name: body_of(clip, own)[0]
        for clip, own in zip(library.clips, library.measures, strict=True)
    }
    cuts = [cut(steps, index, bodies, footage) for index in range(len(steps))]
    actions = _varied(cuts, settings)
    actions = [actions[index] for index in _different(cuts, steps.swing.astype(np.int32), actions)]
    return _assembled(character, steps, cuts, actions, footage, settings)


def _different(cuts: list[Cut], swing: Ints, actions: list[tuple[int, float, float]]) -> list[int]:
    """Actions without those that are as good as an earlier one."""
    moves = np.array([extra_turn(cuts[index].move, turn) for index, _, turn in actions])
    durations = np.array([cuts[index].duration / speed for index, speed, _ in actions])
    begins, ends = (
        np.array([getattr(cuts[index], side)[0][4:] for index, _, _ in actions])
        for side in ("begin", "end")
    )
    feet = np.array([swing[index] for index, _, _ in actions])
    kept: list[int] = []
    for index in range(len(actions)):
        near = np.array(kept, dtype=np.intp)
        near = near[feet[near] == feet[index]]
        near = near[np.abs(durations[near] - durations[index]) < _ALIKE[0]]
        near = near[np.abs(moves[near, :2] - moves[index, :2]).max(axis=1) < _ALIKE[1]]
        near = near[np.abs(moves[near, 2] - moves[index, 2]) < _ALIKE[2]]
        for figures in (begins, ends):
            near = near[np.abs(figures[near] - figures[index]).max(axis=(1, 2)) < _ALIKE[3]]
        if len(near) == 0:
            kept.append(index)
    return kept


def _varied(cuts: list[Cut], settings: FootstepSettings) -> list[tuple[int, float, float]]:
    """Actions: the step, its speed, and its extra turn; the usual ones first."""
    found = [(index, 1.0, 0.0) for index in range(len(cuts))]
    turns = [turn * side for turn in settings.turns if turn > 0 for side in (1.0, -1.0)]
    straight = [index for index in range(1, len(cuts)) if abs(cuts[index].move[2]) < _STRAIGHT]
    for index in straight:
        if cuts[index].move[0] / cuts[index].duration > _GOING:
            found += [(index, 1.0, turn) for turn in turns]
    for speed in settings.speeds:
        found += [(index, speed, 0.0) for index in straight if speed != 1.0]
    return found


def _assembled(
    character: Character, steps: Steps, cuts: list[Cut], actions: list[tuple[int, float, float]],
    footage: Footage, settings: FootstepSettings,
) -> Repertoire:  # fmt: skip
    step = np.array([index for index, _, _ in actions], dtype=np.int32)
    speed = np.array([one for _, one, _ in actions])
    extra = np.array([one for _, _, one in actions])
    durations = np.array([one.duration for one in cuts])[step] / speed
    moves = np.array([extra_turn(cuts[index].move, turn) for index, _, turn in actions])
    samples = np.array([turning(cuts[index].samples, turn) for index, _, turn in actions])
    begins, ends = (
        Ends(
            np.array([getattr(one, side)[0] for one in cuts])[step],
            np.array([getattr(one, side)[1] for one in cuts])[step] * speed[:, None],
        )
        for side in ("begin", "end")
    )
    may, apart = allowed(
        begins, ends, steps.support[step].astype(np.int32), steps.swing[step].astype(np.int32),
        feet_apart=settings.feet_apart, speed_change=settings.speed_change,
    )  # fmt: skip
    # Effort (5.3): velocity relative to what supports the body.
    standing, moving = character.standing_energy, character.moving_energy
    paces = np.array([one.length for one in cuts])[step] / durations
    penalty = np.where(steps.mode[step] == MODES.index("run"), settings.run_penalty, 1.0)
    going = np.hypot(moves[:, 0], moves[:, 1])
    astray = np.where(going > 0.05, 1.0 - moves[:, 0] / np.maximum(going, 1e-9), 0.0) / 2
    penalty *= 1.0 + settings.astray_penalty * astray
    efforts = durations * (standing + moving * paces**2) * penalty
    price = 2.0 * (standing * moving) ** 0.5
    changes = settings.change_price * apart
    good = usable(may, 0)
    if good.sum() < 2:
        raise ProblemError(
            "footsteps: no step of the library follows a stand and leads to one; feet_apart and"
            " speed_change say how far bodies may differ there"
        )
    may, changes = may[np.ix_(good, good)], changes[np.ix_(good, good)]
    step, speed, extra = step[good], speed[good], extra[good]
    moves, durations, samples, efforts = moves[good], durations[good], samples[good], efforts[good]
    beyond = np.maximum(efforts - price * np.hypot(moves[:, 0], moves[:, 1]), 0.0)
    beyond[0] = 0.0
    excess, _ = ways_to_stand(may, changes + beyond, 0)
    slow = np.where(np.arange(len(step)) == 0, 0.0, durations)
    _, stop = ways_to_stand(may, 0.02 * changes + slow, 0)
    return Repertoire(
        footage=footage, steps=steps, step=step, speed=speed, extra=extra, moves=moves,
        durations=durations, efforts=efforts, samples=samples, successors=listed(may, changes),
        excess=excess, stop=stop,
        kinds=_kinds(steps.swing[step].astype(np.int32), ends.velocities[good]),
        stand=0, price=price, colliders=colliders(character.measures),
        max_slope=character.capability("walk").max_slope,
    )  # fmt: skip


def _kinds(swing: Ints, velocities: Floats) -> Ints:
    """Which foot lands, and how fast the body then goes ahead and aside."""
    keys = np.column_stack([swing, np.rint(velocities[:, :2] / _ALIKE_SPEED)])
    return np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int32)
