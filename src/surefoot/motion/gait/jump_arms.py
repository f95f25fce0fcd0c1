"""The arms of a jump: back as the body dips, forward and up through take-off, down before landing.

Jumpers throw their arms forward while their legs stretch, which adds to the take-off, and lower
them in the air: at landing they are beside the hips or behind them. Off one foot the arm on its
side is thrown forward, against the leg that leads, the other one goes back, and both spread in
the air. The angles are rounded from medians over ten jumps and seven leaps of motion capture, which
`tools/measure_jump_arms.py` prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats
from surefoot.character.capability import GRAVITY
from surefoot.motion.curves import monotone, smootherstep
from surefoot.motion.footholds import SIDES, Foothold
from surefoot.motion.gait.ballistics import Ballistics

TOGETHER = 0.06
"""[s] within which both feet leave the ground, or meet it, together."""

SMALL = 0.02
"""Of a long flight: below, it is a step of a run and no jump."""

THROWN = 0.8
"""[rad] that both arms are thrown forward by take-off, per v* upward and per v* across.

The fit over the clips has 0.72 upward, and across 1.2 for the hips, which go less far than the
feet that v* is taken from here.
"""

FARTHEST = (0.3, 1.75)
"""[rad] of that, at least and at most."""

LEAP_THROWN = (0.4, 0.5)
"""[rad] that the leading arm of a leap is thrown forward, and [rad per v* upward] more."""

RUN = 0.9
"""v* of a run from which on leaps have all of the swing; slower ones have more of the walk's."""

DEEP = (0.1, 0.8)
"""[L] that a jump goes down: from where on arms spread for balance, and where they do so most."""

ROOM = (0.1, 0.5)
"""[s for a leg of 0.93 m] from one jump to the next: for no swing of the arms, for all of it."""


@dataclass(frozen=True)
class _Key:
    """A pose of an arm; its angles [rad] are `base`, and `more` for each [rad] thrown forward.

    They are: forward and outward at the shoulder, inward twist of the upper arm, bend of the
    elbow. `at` is in [s for a leg of 0.93 m] on the ground, in shares of the flight aloft.
    """

    at: float
    base: tuple[float, float, float, float]
    more: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class _Course:
    """The keys of an arm before take-off and in the air."""

    ground: tuple[_Key, ...]
    aloft: tuple[_Key, ...]


_BOTH = _Course(
    (
        _Key(-0.74, (0.00, 0.14, 0.10, 0.20)),
        _Key(-0.35, (-0.30, 0.16, -0.10, 0.35), (-0.40, 0.00, -0.10, 0.05)),
        _Key(-0.15, (0.00, 0.20, 0.05, 0.30), (0.42, 0.00, 0.05, 0.42)),
        _Key(0.00, (0.00, 0.20, 0.15, 0.20), (0.98, 0.22, 0.25, 0.95)),
    ),
    (
        _Key(0.08, (0.00, 0.20, 0.15, 0.20), (1.00, 0.22, 0.22, 0.92)),
        _Key(0.50, (0.00, 0.18, 0.02, 0.25), (0.28, 0.10, 0.04, 0.36)),
        _Key(0.80, (-0.08, 0.16, -0.12, 0.25), (-0.06, 0.02, 0.00, 0.20)),
    ),
)
"""Both arms, off both feet."""

_LEADING = _Course(
    (
        _Key(-0.27, (-0.85, 0.15, -0.20, 1.50)),
        _Key(0.00, (0.00, 0.50, 0.25, 1.85), (1.00, 0.00, 0.00, 0.00)),
    ),
    (
        _Key(0.15, (0.00, 0.58, 0.15, 1.65), (1.00, 0.00, 0.00, 0.00)),
        _Key(0.50, (0.00, 0.62, -0.20, 1.15), (0.30, 0.00, 0.00, 0.00)),
        _Key(0.82, (-0.75, 0.75, -0.75, 1.10)),
    ),
)
"""Off one foot: the arm on its side."""

_FOLLOWING = _Course(
    (
        _Key(-0.27, (0.10, 0.15, 0.35, 1.95)),
        _Key(0.00, (-0.40, 0.50, -0.25, 1.30)),
    ),
    (
        _Key(0.20, (-0.45, 0.58, -0.35, 1.00)),
        _Key(0.50, (-0.55, 0.68, -0.60, 0.75)),
        _Key(0.82, (-0.72, 0.75, -0.80, 0.80)),
    ),
)
"""Off one foot: the other arm."""

# At landing, and a moment later: on both feet, and on one.
_DOWN_BOTH = (
    _Key(0.00, (-0.12, 0.14, -0.22, 0.35), (-0.15, 0.00, 0.00, 0.12)),
    _Key(0.14, (-0.04, 0.13, -0.12, 0.42)),
)
_DOWN_ONE = (_Key(0.00, (-0.78, 0.40, -0.75, 1.15)), _Key(0.12, (-0.45, 0.25, -0.30, 1.30)))
_SPREAD = np.array([0.15, 0.45, 0.0, 0.35])  # [rad] more of each angle at landing, deep down

# [s for a leg of 0.93 m] before take-off in which the arms go over to the swing, off both feet and
# off one; after landing from when on they go back to their own, and until when; on both feet it
# takes longer, by so much per v* of the impact.
_TAKEN_UP = ((-0.74, -0.40), (-0.50, -0.27))
_GIVEN_UP = ((0.18, 0.20), (0.02, 0.22))
_LONGER = 0.4


@dataclass(frozen=True, eq=False)
class ArmSwing:
    """What jumps do to the arms at `n` moments.

    Attributes:
        share: `(n,)`: how much the arms do the jump's swing and not their own, 0..1.
        forward: `(n, 2)` [rad] at the left and the right shoulder; back is negative.
        outward: `(n, 2)` [rad] away from the body.
        inward: `(n, 2)` [rad]: how far the upper arm is twisted, a bent forearm before the body.
        elbow: `(n, 2)` [rad] of its bend.
    """

    share: Floats
    forward: Floats
    outward: Floats
    inward: Floats
    elbow: Floats


@dataclass(frozen=True, eq=False)
class _Swing:
    """The arms of one jump."""

    times: Floats  # (keys,) [s]
    angles: Floats  # (keys, 2, 4) [rad]
    size: float  # the most that its share is
    rise: tuple[float, float]  # [s] in which its share comes
    fall: tuple[float, float]  # [s] in which it goes

    def share(self, times: Floats) -> Floats:
        """`(n,)` 0..1 at `times` [s]."""
        come, gone = (
            smootherstep((times - begin) / (end - begin)) for begin, end in (self.rise, self.fall)
        )
        return self.size * (come - gone)


class JumpArms:
    """The arms of a body's jumps.

    Args:
        ballistics: its flights.
        across: `(k,)` [m/s] how fast each of them goes over the ground that it leaves.
        footholds: of both feet.
    """

    def __init__(
        self, ballistics: Ballistics, across: Floats, footholds: Sequence[Foothold]
    ) -> None:
        flights = ballistics.airtimes
        jumps = [int(index) for index in np.flatnonzero(flights.long >= SMALL)]
        swings = [_swing(ballistics, index, float(across[index]), footholds) for index in jumps]
        for index, (one, two) in enumerate(pairwise(jumps)):
            swings[index : index + 2] = _passed(
                swings[index], swings[index + 1], float(flights.ends[one]),
                float(flights.starts[two]), flights.slow,
            )  # fmt: skip
        self._swings = tuple(swings)

    def at(self, times: Floats) -> ArmSwing:
        """The arms at `times` `(n,)` [s]."""
        total, angles = np.zeros(len(times)), np.zeros((len(times), 8))
        for swing in self._swings:
            near = np.flatnonzero((times > swing.rise[0]) & (times < swing.fall[1]))
            share = swing.share(times[near])
            total[near] += share
            for column, values in enumerate(swing.angles.reshape(-1, 8).T):
                angles[near, column] += share * monotone(times[near], swing.times, values)
        angles /= np.maximum(total, 1e-12)[:, None]
        return ArmSwing(total, *np.moveaxis(angles.reshape(-1, 2, 4), 2, 0))


def _swing(
    ballistics: Ballistics, index: int, across: float, footholds: Sequence[Foothold]
) -> _Swing:
    """The arms of one flight, as if it were the only one."""
    flights, pace = ballistics.airtimes, ballistics.pace
    start, end, slow = float(flights.starts[index]), float(flights.ends[index]), flights.slow
    off = [hold.foot for hold in footholds if abs(hold.end - start) < TOGETHER]
    down = [hold.foot for hold in footholds if abs(hold.start - end) < TOGETHER]
    up, impact = float(ballistics.launches[index, 2]), -float(ballistics.impacts[index, 2])
    drop = (impact**2 - up**2) / (2 * GRAVITY * ballistics.leg)
    deep = float(smootherstep((drop - DEEP[0]) / (DEEP[1] - DEEP[0])))
    up, impact, across, size = up / pace, impact / pace, across / pace, float(flights.long[index])
    if len(off) > 1:
        arms = [_BOTH, _BOTH]
        thrown = float(np.clip(THROWN * (up + across), *FARTHEST))
    else:
        arms = [_FOLLOWING, _FOLLOWING]
        for foot in off:
            arms[SIDES.index(foot)] = _LEADING
        thrown = LEAP_THROWN[0] + LEAP_THROWN[1] * max(up, 0.0)
        size *= min(across / RUN, 1.0)
    on_both = len(down) > 1
    landing = _DOWN_BOTH if on_both else _DOWN_ONE
    angles = np.array(
        [
            [np.array(key.base) + thrown * np.array(key.more) for key in keys]
            for keys in ((*arm.ground, *arm.aloft, *landing) for arm in arms)
        ]
    ).swapaxes(0, 1)
    angles[-2:] += deep * _SPREAD
    times = [start + slow * key.at for key in arms[0].ground]
    times += [start + key.at * (end - start) for key in arms[0].aloft]
    times += [end + slow * key.at for key in landing]
    begin, whole = _TAKEN_UP[len(off) < 2]
    release, gone = _GIVEN_UP[not on_both]
    gone += _LONGER * impact * on_both
    return _Swing(
        times=np.array(times), angles=angles, size=size,
        rise=(start + slow * begin, start + slow * whole),
        fall=(end + slow * release, end + slow * gone),
    )  # fmt: skip


def _passed(
    one: _Swing, two: _Swing, landing: float, take_off: float, slow: float
) -> tuple[_Swing, _Swing]:
    """The arms of two jumps in a row, passed from one to the other on the ground in between."""
    if two.rise[0] >= one.fall[1]:
        return one, two
    gap = take_off - landing
    room = float(smootherstep((gap / slow - ROOM[0]) / (ROOM[1] - ROOM[0])))
    between = (landing + 0.1 * gap, landing + max(0.6 * gap, 0.25 * slow))
    return replace(one, fall=between), replace(two, rise=between, size=room * two.size)
