"""Gathering: what a character can do with a library (beacco2013 4.3, 5.2)."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Bools, Floats, Ints
from surefoot.character import Character
from surefoot.errors import ProblemError
from surefoot.motion.library import Library
from surefoot.motion.playing.footage import Footage
from surefoot.motion.steps import MODES, Steps
from surefoot.motion.steps.body import body_of
from surefoot.planning.footsteps.colliders import colliders
from surefoot.planning.footsteps.cutting import (
    USUAL,
    Cut,
    chosen,
    cut,
    exactly_timed,
    extra_turn,
    turning,
)
from surefoot.planning.footsteps.platforms import (
    Variant,
    crouching,
    dearer,
    leads,
    reaches,
    uneven,
)
from surefoot.planning.footsteps.playing import BLEND, LONG_BLEND
from surefoot.planning.footsteps.repertoire import Repertoire
from surefoot.planning.footsteps.settings import FootstepSettings
from surefoot.planning.footsteps.transitions import (
    Ends,
    allowed,
    listed,
    postured,
    usable,
    ways_to_stand,
)
from surefoot.planning.footsteps.treading import Treading

_STRAIGHT = 0.06  # [rad] that a step may turn and still be straight
_GOING = 0.5  # [m/s] ahead, from which on a step can be turned beyond what it does
_ALIKE = (0.07, 0.07, 0.08, 0.09)  # [s], [m], [rad], [m]: actions whose times, ways, turns and feet
# differ by less are the same
_ALIKE_SPEED = 0.5  # [m/s]
_ALIKE_RISE, _ALIKE_HEIGHT = 0.04, 0.06  # [m] likewise
_ALIKE_LOW = 0.12  # [leg lengths]
_RUNNING_FLIGHT = 0.25  # [s] in the air, from which on it is a jump


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
    steps, special = chosen(library.steps.with_mirror(), settings.modes, settings.wait)
    steps = exactly_timed(steps, footage)
    bodies = {
        clip.name: body_of(clip, own)[0]
        for clip, own in zip(library.clips, library.measures, strict=True)
    }
    cuts = [cut(steps, index, bodies, footage) for index in range(len(steps))]
    swing, modes = steps.swing.astype(np.int32), steps.mode.astype(np.int32)
    actions: list[Variant] = []
    for own in (~special, special):
        varied = _varied(cuts, np.flatnonzero(own).tolist(), modes, settings)
        actions += [varied[index] for index in _different(cuts, swing, varied)]
    leg = character.measures.leg_length
    actions += crouching(steps, cuts, np.flatnonzero(~special).tolist(), leg)
    return _assembled(character, steps, cuts, actions, special, footage, settings)


def _different(cuts: list[Cut], swing: Ints, actions: list[Variant]) -> list[int]:
    """Actions without those that are as good as an earlier one."""
    if not actions:
        return []
    moves = np.array([extra_turn(cuts[one.step].move, one.turn) for one in actions])
    durations = np.array([cuts[one.step].duration / one.speed for one in actions])
    rises = np.array([cuts[one.step].treading.rise for one in actions])
    begins, ends = (
        np.array([getattr(cuts[one.step], side)[0] for one in actions]) for side in ("begin", "end")
    )
    feet = np.array([swing[one.step] for one in actions])
    kept: list[int] = []
    for index in range(len(actions)):
        near = np.array(kept, dtype=np.intp)
        near = near[feet[near] == feet[index]]
        near = near[np.abs(durations[near] - durations[index]) < _ALIKE[0]]
        near = near[np.abs(moves[near, :2] - moves[index, :2]).max(axis=1) < _ALIKE[1]]
        near = near[np.abs(moves[near, 2] - moves[index, 2]) < _ALIKE[2]]
        near = near[np.abs(rises[near] - rises[index]) < _ALIKE_RISE]
        for figures in (begins, ends):
            away = np.abs(figures[near] - figures[index])
            near = near[(away[:, 4:].max(axis=(1, 2)) < _ALIKE[3])]
            away = np.abs(figures[near, 0, 2] - figures[index, 0, 2])
            near = near[away < _ALIKE_HEIGHT]
        if len(near) == 0:
            kept.append(index)
    return kept


def _varied(
    cuts: list[Cut], own: list[int], modes: Ints, settings: FootstepSettings
) -> list[Variant]:
    """Some steps at all speeds and turns that are allowed; the usual ones first."""
    own = [index for index in own if index == 0 or modes[index] < len(USUAL) or leads(cuts[index])]
    found = [Variant(index) for index in own]
    turns = [turn * side for turn in settings.turns if turn > 0 for side in (1.0, -1.0)]
    straight = [index for index in own if index > 0 and abs(cuts[index].move[2]) < _STRAIGHT]
    if own and own[0] != 0:
        # Run-ups lead to their jump, and who is in the air goes where it jumped to.
        straight = [i for i in straight if modes[i] >= len(USUAL) and not _jumps(cuts[i])]
    for index in straight:
        if cuts[index].move[0] / cuts[index].duration > _GOING:
            found += [Variant(index, turn=turn) for turn in turns]
    for speed in settings.speeds:
        found += [Variant(index, speed=speed) for index in straight if speed != 1.0]
    return found


def _jumps(one: Cut) -> bool:
    airborne = float(np.diff(one.treading.flight)[0]) * one.duration
    return airborne > _RUNNING_FLIGHT


def _assembled(
    character: Character, steps: Steps, cuts: list[Cut], actions: list[Variant], special: Bools,
    footage: Footage, settings: FootstepSettings,
) -> Repertoire:  # fmt: skip
    step = np.array([one.step for one in actions], dtype=np.int32)
    speed = np.array([one.speed for one in actions])
    extra = np.array([one.turn for one in actions])
    lift = np.array([one.lift for one in actions])
    platform = special[step] | (lift != 0.0)
    durations = np.array([one.duration for one in cuts])[step] / speed
    moves = np.array([extra_turn(cuts[one.step].move, one.turn) for one in actions])
    samples = np.array([turning(cuts[one.step].samples, one.turn) for one in actions])
    for index, one in enumerate(actions):
        samples[index, :, :4, 2] += one.lifted(durations[index])[:, None]
    begins, ends = (
        Ends(
            np.array([getattr(one, side)[0] for one in cuts])[step],
            np.array([getattr(one, side)[1] for one in cuts])[step] * speed[:, None],
        )
        for side in ("begin", "end")
    )
    begins.figures[:, :4, 2] += lift[:, None]
    may, apart = allowed(
        begins, ends, steps.support[step].astype(np.int32), steps.swing[step].astype(np.int32),
        feet_apart=settings.feet_apart, speed_change=settings.speed_change,
    )  # fmt: skip
    may &= postured(begins, ends, platform, character.measures.leg_length)
    # Effort (5.3): velocity relative to what supports the body.
    standing, moving = character.standing_energy, character.moving_energy
    paces = np.array([one.length for one in cuts])[step] / durations
    penalty = np.where(steps.mode[step] == MODES.index("run"), settings.run_penalty, 1.0)
    going = np.hypot(moves[:, 0], moves[:, 1])
    astray = np.where(going > 0.05, 1.0 - moves[:, 0] / np.maximum(going, 1e-9), 0.0) / 2
    penalty *= 1.0 + settings.astray_penalty * astray
    penalty *= dearer(steps.mode[step].astype(np.int32))
    efforts = durations * (standing + moving * paces**2) * penalty
    price = 2.0 * (standing * moving) ** 0.5
    changes = settings.change_price * apart
    # Usual actions lead to platform actions only where the ground asks for it.
    level = may & (platform[:, None] | ~platform[None]) & ~uneven(steps.mode[step].astype(np.int32))
    good = usable(may, level, 0, ~platform)
    if good[~platform].sum() < 2:
        raise ProblemError(
            "footsteps: no step of the library follows a stand and leads to one; feet_apart and"
            " speed_change say how far bodies may differ there"
        )
    may, changes, platform = may[np.ix_(good, good)], changes[np.ix_(good, good)], platform[good]
    step, speed, extra, lift = step[good], speed[good], extra[good], lift[good]
    moves, durations, samples, efforts = moves[good], durations[good], samples[good], efforts[good]
    beyond = np.maximum(efforts - price * np.hypot(moves[:, 0], moves[:, 1]), 0.0)
    beyond[0] = 0.0
    level = level[np.ix_(good, good)]
    excess, _ = ways_to_stand(level, changes + beyond, 0)
    slow = np.where(np.arange(len(step)) == 0, 0.0, durations)
    _, stop = ways_to_stand(level, 0.02 * changes + slow, 0)
    trod = [cuts[int(index)].treading for index in step]
    skill, modes = character.capability("walk"), steps.mode[step].astype(np.int32)
    kinds = _kinds(
        steps.swing[step].astype(np.int32), ends.velocities[good], ends.figures[good, 0, 2],
        platform, character.measures.leg_length,
    )  # fmt: skip
    return Repertoire(
        footage=footage, steps=steps, step=step, speed=speed, extra=extra, moves=moves,
        durations=durations, efforts=efforts, samples=samples,
        successors=listed(may, changes, platform), excess=excess, stop=stop, kinds=kinds,
        stand=0, price=price, colliders=colliders(character.measures),
        max_slope=skill.max_slope, step_height=skill.step_height, radius=skill.radius,
        special=platform,
        flags=_flags(trod, platform, modes == MODES.index("jump")),
        feet=_feet(trod, reaches(trod, moves, durations, modes, skill.step_height), lift),
        blends=np.where(lift != 0.0, LONG_BLEND, BLEND),
    )  # fmt: skip


def _flags(trod: list[Treading], platform: Bools, leaping: Bools) -> Ints:
    bits = [
        (*one.lands.tolist(), one.often, special, jumps)
        for one, special, jumps in zip(trod, platform.tolist(), leaping.tolist(), strict=True)
    ]
    return np.array(bits, dtype=np.int32) @ np.array([1, 2, 4, 8, 16], dtype=np.int32)


def _feet(trod: list[Treading], limits: Floats, lift: Floats) -> Floats:
    soles = np.array([one.soles.reshape(-1) for one in trod])
    ground = np.array([one.ground.reshape(-1) for one in trod])
    leaves = np.array([one.leaves for one in trod])
    return np.column_stack([soles, ground, limits, leaves, lift])


def _kinds(swing: Ints, velocities: Floats, heights: Floats, platform: Bools, leg: float) -> Ints:
    """Which foot lands, how fast the body then goes ahead and aside, and how low it is."""
    low = np.where(platform, np.rint((heights / leg - 0.95) / _ALIKE_LOW), 0.0)
    keys = np.column_stack([swing, np.rint(velocities[:, :2] / _ALIKE_SPEED), low])
    return np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int32)
