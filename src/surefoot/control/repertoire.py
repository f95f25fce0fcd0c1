"""Repertoires: all that a character can do next, whatever it has just done.

The motion graph that controllers act on. Its states are the ways in which moves end; poses that
are alike are one state, so what a clip's parameters did before its blending phase is forgotten
(levine2011, section 4.1), and ten times as many clips are not ten times as many states. Its actions
are moves, each with one of its turns.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from surefoot import _native
from surefoot.arrays import Bools, Floats, Ints, number
from surefoot.character import Character
from surefoot.character.measures import Measures
from surefoot.control.default import default_moves
from surefoot.control.moves import Cut, Move, cut
from surefoot.control.thinning import Thinning, going_round, thinned
from surefoot.errors import InputError
from surefoot.motion.library import Library
from surefoot.motion.playing.filming import library_footage
from surefoot.motion.playing.footage import Footage
from surefoot.motion.steps.step import MODES, Mode
from surefoot.motion.transitions import transition_costs

ALIKE = 0.06
"""[m]: ends of moves that are this near to each other (see `transition_costs`) are one state."""

FARTHEST = 0.2
"""[m]: the dearest transition that a crossfade hides; standing to a slow walk is just dearer."""

SMOOTH = 0.084
"""[m]: the same among the default moves, which lead into each other by design."""

STEP_TURNS = (-0.3, 0.0, 0.3)
"""[rad] that steps of a library are turned by."""


@dataclass(frozen=True, eq=False)
class Repertoire:
    """The moves of a body, and how they follow each other.

    Attributes:
        footage: the clips, ready to be played.
        moves: what is cut from them; only such as something can follow.
        cuts: what each move does.
        states: `(s, k)`: features of the poses in which moves end.
        ends: `(m,)`: the state in which each move ends.
        costs: `(s, m)` [m]: of going from each state on to each move, over its leeway; see
            `transition_costs`.
        action_moves: `(a,)`: the move of each action.
        turns: `(a,)` [rad]: by which the character is turned meanwhile.
        farthest: [m]: the dearest transition that is made.
        left_out: what is not in it and why, in sentences.
    """

    footage: Footage
    moves: tuple[Move, ...]
    cuts: tuple[Cut, ...]
    states: Floats
    ends: Ints
    costs: Floats
    action_moves: Ints
    turns: Floats
    farthest: float = FARTHEST
    left_out: tuple[str, ...] = ()

    @property
    def actions(self) -> int:
        """How many."""
        return len(self.action_moves)

    def move(self, action: int) -> Move:
        """The move of an action."""
        return self.moves[int(self.action_moves[action])]

    @cached_property
    def viable(self) -> Bools:
        """`(s, m)`: which moves can follow each state."""
        return self.costs <= self.farthest

    @cached_property
    def durations(self) -> Floats:
        """`(a,)` [s]."""
        return np.array([self.move(action).duration for action in range(self.actions)])

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """Of the moves, those there are."""
        found = {move.mode for move in self.moves}
        return tuple(mode for mode in MODES if mode in found)

    def of_modes(self, modes: Sequence[Mode]) -> Bools:
        """`(a,)`: which actions are of these modes, and lead to no other."""
        wanted = np.array(
            [{move.mode, move.into or move.mode} <= set(modes) for move in self.moves],
            dtype=np.bool_,
        )
        return wanted[self.action_moves]

    @cached_property
    def native(self) -> _native.Moves:
        """The moves as rollouts take them."""
        paths = [cut.path for cut in self.cuts]
        feet = [cut.feet for cut in self.cuts]
        return _native.Moves(
            offsets=_offsets(paths),
            paths=np.concatenate(paths).reshape(-1),
            foot_offsets=_offsets(feet),
            feet=np.concatenate(feet).reshape(-1),
            durations=np.array([move.duration for move in self.moves]),
            still=np.array([move.still for move in self.moves]),
            ends=self.ends,
            action_moves=self.action_moves,
            turns=self.turns,
        )

    def paths(self, count: int) -> Floats:
        """`(a, count, 4)`: x, y, z [m] and heading [rad] of each action at even times.

        In the frame of its beginning, from there to its end.
        """
        return self.native.sampled(count).reshape(self.actions, count, 4)

    @cached_property
    def hash(self) -> str:
        """A name for what is in it."""
        total = hashlib.sha256(repr(self.farthest).encode())
        for move, piece in zip(self.moves, self.cuts, strict=True):
            total.update(repr(move).encode())
            for array in (piece.path, piece.feet, piece.entry, piece.exit):
                total.update(np.round(array, 7).tobytes())
        return total.hexdigest()[:32]

    def action(self, clip: str, *, turn: float = 0.0, mirrored: bool = False) -> int:
        """The first action that plays a clip, turned as near to `turn` [rad] as can be."""
        found = [
            action
            for action in range(self.actions)
            if self.move(action).clip == clip and self.move(action).mirrored == mirrored
        ]
        if not found:
            names = sorted({move.clip for move in self.moves})
            raise InputError(f"no move plays clip {clip!r}; there are: {', '.join(names)}")
        return min(found, key=lambda action: abs(self.turns[action] - turn))

    @cached_property
    def stands(self) -> Bools:
        """`(s,)`: in which states the character stands."""
        still = np.array([move.still for move in self.moves], dtype=np.bool_)
        return np.isin(np.arange(len(self.states)), self.ends[still])

    @cached_property
    def standing(self) -> int:
        """The action after which the character stands, for starts out of nothing."""
        still = [i for i, move in enumerate(self.moves) if move.still]
        if not still:
            raise InputError(f"no clip stands; there are clips that {', '.join(self.modes)}")
        return int(np.flatnonzero(self.action_moves == still[0])[0])


def repertoire(
    source: Character | Library,
    measures: Measures | None = None,
    *,
    thinning: Thinning | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Repertoire:
    """The repertoire of a character's default moves, or of a library's steps.

    Args:
        source: a character; or a library, whose steps are played on one body.
        measures: of that body; of the library's first actor when not given.
        thinning: which steps of a library are left out, and how many are kept.
        progress: see `default_moves`.
    """
    if isinstance(source, Character):
        return connected(*default_moves(source, progress), farthest=SMOOTH)
    body = measures or source.measures[0]
    footage, moves = library_footage(source, body), _library_moves(source.fitted(body))
    cuts = [cut(footage, move) for move in moves]
    kept, left_out = thinned(moves, cuts, FARTHEST, thinning or Thinning())
    found = connected(footage, [move for move, keep in zip(moves, kept, strict=True) if keep])
    before = len(found.moves)
    # Ends that are alike have become one state, which may have cut a way back.
    while not (stays := going_round(found.viable[found.ends], found.ends >= 0)).all():
        found = connected(footage, [found.moves[i] for i in np.flatnonzero(stays)])
    if len(found.moves) < before:
        lost = before - len(found.moves)
        left_out += (f"{lost} of {len(moves)} moves are left out: nothing leads back from them",)
    return replace(found, left_out=left_out)


def connected(footage: Footage, moves: Sequence[Move], *, farthest: float = FARTHEST) -> Repertoire:
    """Moves with the states that they end in, without those that nothing can follow.

    Args:
        footage: the clips.
        moves: what is cut from them.
        farthest: [m], > 0: the dearest transition that is made; see `transition_costs`.
    """
    number(farthest, "farthest", above=0.0)
    kept: tuple[Move, ...] = tuple(moves)
    cuts = [cut(footage, move) for move in kept]
    while True:
        if not kept:
            raise InputError("no move can follow another: a repertoire needs clips that connect")
        entries = np.array([piece.entry for piece in cuts])
        states, ends = _alike(np.array([piece.exit for piece in cuts]))
        costs = transition_costs(states, entries) / [move.leeway for move in kept]
        alive: Bools = np.asarray((costs <= farthest).any(axis=1))[ends]
        if alive.all():
            break
        kept = tuple(move for move, keep in zip(kept, alive, strict=True) if keep)
        cuts = [piece for piece, keep in zip(cuts, alive, strict=True) if keep]
    pairs = [(i, turn) for i, move in enumerate(kept) for turn in move.turns]
    return Repertoire(
        footage=footage,
        moves=kept,
        cuts=tuple(cuts),
        states=states,
        ends=ends,
        costs=costs,
        action_moves=np.array([i for i, _ in pairs], dtype=np.int32),
        turns=np.array([turn for _, turn in pairs]),
        farthest=farthest,
    )


def _alike(features: Floats) -> tuple[Floats, Ints]:
    """Features of states `(s, k)`, and which one each pose is.

    A state is the pose that most others are alike to, of those that are left.
    """
    near: Bools = transition_costs(features, features) <= ALIKE
    np.fill_diagonal(near, True)
    leaders: list[int] = []
    ends = np.full(len(features), -1, dtype=np.int32)
    while (left := ends < 0).any():
        counts = np.where(left, (near & left).sum(axis=1), 0)
        leader = int(np.argmax(counts))
        ends[near[leader] & left] = len(leaders)
        leaders.append(leader)
    return features[leaders], ends


def _library_moves(library: Library) -> list[Move]:
    """The steps of a library, either foot first."""
    found: list[Move] = []
    for step in library.steps.with_mirror():
        clip = library.clip(step.clip)
        end = min(step.end, clip.duration)
        if end - step.start < 0.1:
            continue
        going = step.mode in ("walk", "run")
        found.append(
            Move(
                clip=step.clip, start=step.start, end=end, mode=step.mode,
                mirrored=step.mirrored, turns=STEP_TURNS if going else (0.0,),
                still=step.mode == "stand",
            )
        )  # fmt: skip
    return found


def _offsets(arrays: Sequence[Floats]) -> Ints:
    return np.cumsum([0, *(len(array) for array in arrays)]).astype(np.int32)
