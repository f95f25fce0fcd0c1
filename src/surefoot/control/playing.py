"""Playing rollouts: the step engine plays the moves that a controller chose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from surefoot.control.configuration import Configuration
from surefoot.control.repertoire import Repertoire
from surefoot.control.rollout import Piece, Rollout, ended
from surefoot.errors import InputError
from surefoot.motion.engine import Engine, EngineSettings


@dataclass(frozen=True)
class _Run:
    """One action, from where it is begun or gone on with to where it ends or is left."""

    first: Piece
    last: Piece


def play(
    rollouts: Rollout | Sequence[Rollout],
    start: Configuration,
    *,
    settings: EngineSettings | None = None,
) -> Engine:
    """An engine that plays a rollout, or several that follow each other.

    Args:
        rollouts: what a controller does; or controllers one after the other, each from the
            configuration in which the last one ended.
        start: the configuration that the first one began with.
        settings: how the engine plays.
    """
    chain = (rollouts,) if isinstance(rollouts, Rollout) else tuple(rollouts)
    if not chain:
        raise InputError("there is no rollout to play")
    first = chain[0]
    for rollout in chain[1:]:
        if rollout.world is not first.world or rollout.repertoire is not first.repertoire:
            raise InputError("rollouts that are played together share one world and repertoire")
    repertoire = first.repertoire
    engine = Engine(
        repertoire.footage, first.world, place=start.place, heading=start.heading,
        start=first.start, settings=settings,
    )  # fmt: skip
    for run in _runs(repertoire, [piece for rollout in chain for piece in rollout.pieces]):
        move = repertoire.move(run.first.action)
        # Standing goes on where it was, as long as the clip lasts.
        begin = move.start + run.first.begin
        lasts = run.last.until - run.first.start
        take = repertoire.footage.take(move.clip, mirrored=move.mirrored)
        if move.still:
            while lasts > 1e-6:
                part = min(lasts, take.duration - begin)
                engine.append(move, begin=begin, end=begin + part)
                lasts, begin = lasts - part, move.start
            continue
        engine.append(
            move,
            begin=begin,
            end=min(begin + lasts, take.duration),
            to=ended(repertoire, run.last),
        )
    return engine


def _runs(repertoire: Repertoire, pieces: Sequence[Piece]) -> list[_Run]:
    runs: list[_Run] = []
    for piece in pieces:
        if piece.until - piece.start < 1e-6:
            continue
        move = repertoire.move(piece.action)
        last = runs[-1].last if runs else None
        goes_on = last is not None and last.action == piece.action and piece.begin > 1e-9
        stands_on = last is not None and move.still and repertoire.move(last.action).still
        if runs and (goes_on or stands_on):
            runs[-1] = _Run(runs[-1].first, piece)
        else:
            runs.append(_Run(piece, piece))
    return runs
