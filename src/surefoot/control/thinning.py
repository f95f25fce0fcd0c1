"""Thinning: of many captured moves, as many as training can do with in about a minute.

What is nearly the same as something else adds nothing; what leads to where nothing else begins is
a trap; and of what is left, that is dropped first which is most like something that stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from surefoot.arrays import Bools, Floats, number
from surefoot.control.moves import Cut, Move
from surefoot.motion.transitions import transition_costs

BRIDGED = 0.85
"""Of the moves that are kept: the others are there to lead from one of these to another."""


@dataclass(frozen=True, kw_only=True)
class Thinning:
    """How many moves are kept, and which count as the same.

    Attributes:
        most: moves that are kept, >= 2.
        pose: [m], >= 0: how far apart two moves may begin and end; see `transition_costs`.
        way: [m], >= 0: how far apart they may lead.
        turn: [rad], >= 0: how differently they may turn.
        lasting: of their duration, >= 0: how much longer one may take.
    """

    most: int = 170
    pose: float = 0.07
    way: float = 0.1
    turn: float = 0.15
    lasting: float = 0.2

    def __post_init__(self) -> None:
        number(self.most, "most moves", at_least=2)
        for name in ("pose", "way", "turn", "lasting"):
            number(getattr(self, name), name, at_least=0.0)


def thinned(
    moves: Sequence[Move], cuts: Sequence[Cut], farthest: float, how: Thinning
) -> tuple[Bools, tuple[str, ...]]:
    """Which moves `(m,)` are kept, and what was left out, in sentences.

    Args:
        moves: of a library.
        cuts: what each of them does.
        farthest: [m]: the dearest transition that is made.
        how: what is dropped.
    """
    told: list[str] = []
    counts = [len(moves)]

    def tell(kept: Bools, why: str) -> None:
        counts.append(int(kept.sum()))
        if counts[-1] < counts[-2]:
            told.append(f"{counts[-2] - counts[-1]} of {len(moves)} moves are left out: {why}")

    unlike = _unlike(moves, cuts, how)
    kept = _different(unlike)
    tell(kept, "they are nearly the same as others")
    exits, entries = (np.array([getattr(cut, end) for cut in cuts]) for end in ("exit", "entry"))
    follows: Bools = transition_costs(exits, entries) <= farthest
    kept = going_round(follows, kept)
    tell(kept, "nothing leads to them, or nothing leads back to the others")
    if int(kept.sum()) > how.most:
        kept = _rejoined(follows, kept, _spread(moves, unlike, kept, round(BRIDGED * how.most)))
        tell(kept, f"they are most like others that stay, and at most {how.most} are kept")
    return kept, tuple(told)


def _unlike(moves: Sequence[Move], cuts: Sequence[Cut], how: Thinning) -> Floats:
    """`(m, m)`: how different moves are; up to 1 they count as the same."""
    total = np.zeros((len(moves), len(moves)))
    for end in ("entry", "exit"):
        poses = np.array([getattr(cut, end) for cut in cuts])
        total = np.maximum(total, transition_costs(poses, poses) / max(how.pose, 1e-9))
    ends = np.array([cut.path[-1] for cut in cuts])
    apart = np.linalg.norm(ends[:, None, :3] - ends[None, :, :3], axis=-1)
    total = np.maximum(total, apart / max(how.way, 1e-9))
    turned = np.abs(ends[:, None, 3] - ends[None, :, 3])
    total = np.maximum(total, turned / max(how.turn, 1e-9))
    lasting = np.array([move.duration for move in moves])
    longer = np.abs(np.log(lasting[:, None] / lasting[None, :]))
    total = np.maximum(total, longer / max(np.log1p(how.lasting), 1e-9))
    kinds = np.array([f"{move.mode} {move.still} {move.into}" for move in moves])
    total[kinds[:, None] != kinds[None, :]] = np.inf
    np.fill_diagonal(total, np.inf)
    return total


def _different(unlike: Floats) -> Bools:
    """`(m,)`: one of each kind: the one that most others are like, of those that are left."""
    same: Bools = unlike <= 1.0
    np.fill_diagonal(same, True)
    left, kept = np.ones(len(same), dtype=np.bool_), np.zeros(len(same), dtype=np.bool_)
    while left.any():
        counts = np.where(left, (same & left).sum(axis=1), 0)
        first = int(np.argmax(counts))
        kept[first] = True
        left &= ~same[first]
    return kept


def going_round(follows: Bools, kept: Bools) -> Bools:
    """`(m,)`: the most moves of those kept from each of which every other can be come by."""
    which = np.flatnonzero(kept)
    if len(which) == 0:
        return kept
    reach: Bools = follows[np.ix_(which, which)] | np.eye(len(which), dtype=np.bool_)
    while True:
        farther: Bools = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (farther == reach).all():
            break
        reach = farther
    both: Bools = reach & reach.T
    found = np.zeros(len(kept), dtype=np.bool_)
    found[which[both[int(np.argmax(both.sum(axis=1)))]]] = True
    return found


def _spread(moves: Sequence[Move], unlike: Floats, kept: Bools, most: int) -> Bools:
    """`(m,)`: at most so many, without those that are most like another.

    Every mode keeps its share, and at least four.
    """
    modes = np.array([move.mode for move in moves])
    share = most / max(int(kept.sum()), 1)
    least = {mode: min(4, int((kept & (modes == mode)).sum())) for mode in set(modes.tolist())}
    wanted = {
        mode: max(least[mode], int(share * int((kept & (modes == mode)).sum()))) for mode in least
    }
    for mode, count in sorted(wanted.items()):
        own = np.flatnonzero(kept & (modes == mode)).tolist()
        apart = unlike[np.ix_(own, own)].copy()
        while len(own) > count:
            worst = int(np.argmin(apart.min(axis=1)))
            apart = np.delete(np.delete(apart, worst, 0), worst, 1)
            own.pop(worst)
        kept = kept & ((modes != mode) | np.isin(np.arange(len(kept)), own))
    return kept


def _rejoined(follows: Bools, all_: Bools, chosen: Bools) -> Bools:
    """`(m,)`: moves that were chosen, and others of all by which one gets from each to each."""
    core = going_round(follows, chosen)
    left = [int(i) for i in np.flatnonzero(chosen & ~core)]
    for move in left:
        if not core[move]:
            core[_way(follows, all_, core, move)] = True
            core[_way(follows.T, all_, core, move)] = True
    return core


def _way(follows: Bools, all_: Bools, sources: Bools, goal: int) -> list[int]:
    """The fewest moves that lead from any of some to one of them, with both ends."""
    came = np.full(len(all_), -1)
    reached, front = sources.copy(), np.flatnonzero(sources)
    while not reached[goal] and len(front):
        ahead: Bools = follows[front].any(axis=0) & all_ & ~reached
        new = np.flatnonzero(ahead)
        came[new] = front[np.argmax(follows[np.ix_(front, new)], axis=0)]
        reached[new] = True
        front = new
    way = [goal]
    while came[way[-1]] >= 0:
        way.append(int(came[way[-1]]))
    return way
