"""The default moves: cut from clips that the gait model makes to measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field
from math import pi, sqrt

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.control.moves import SAME_MOMENT, Move, contacts
from surefoot.control.trimming import ALIKE, going_over, trimmed
from surefoot.errors import InputError
from surefoot.motion.default import default_families
from surefoot.motion.families import Made
from surefoot.motion.families.cache import kept
from surefoot.motion.playing.footage import Footage
from surefoot.motion.steps.step import Mode
from surefoot.motion.transitions import clip_features

TURNS = {0.85: 0.45, 1.25: 0.4, 1.7: 0.3, 2.5: 0.3, 3.3: 0.25, 4.15: 0.2}
"""[rad] that a step turns at most, by speed [m/s for a leg of 0.93 m]: feet that stand twist."""

START_TURNS = (-0.3, 0.0, 0.3)
STOP_TURNS = (-0.2, 0.0, 0.2)
LEAP_TURNS = (-0.25, 0.0, 0.25)
"""[rad] over five or six steps, so that a leap leads to where it is meant to."""

OFF_TURNS = (-0.2, 0.0, 0.2)
"""[rad] beside the angles at which somebody sets off."""


@dataclass(frozen=True, kw_only=True)
class _Row:
    """One clip, and what is cut from it.

    `begin` and `end` number its contacts, from 0; None is where something begins to happen in the
    clip, or where its blending phase begins. What leads to another clip ends at the first contact
    at which it is like that one's beginning. Speeds [m/s] and lengths [m] are for a leg of 0.93 m.
    """

    name: str
    family: str
    mode: Mode
    values: dict[str, float] = field(default_factory=lambda: dict[str, float]())
    begin: int | None = None
    end: int | None = None
    turns: tuple[float, ...] = (0.0,)
    lasting: tuple[float, ...] = ()
    into: Mode | None = None
    leads: tuple[str, ...] = ()
    alike: float = ALIKE
    leeway: float = 1.0


def _bends(speed: float) -> tuple[float, ...]:
    most = TURNS[speed]
    return (-most, -most / 2, 0.0, most / 2, most)


def _rows() -> list[_Row]:
    rows = [_Row(name="idle", family="idle", mode="stand", values={"duration": 8.0},
                 lasting=(0.25, 1.0))]  # fmt: skip
    rows += [
        _Row(name=f"turn {angle}", family="quick turn left", mode="turn", values={"angle": angle})
        for angle in (0.3, 0.6, 0.9, 1.2)
    ]
    rows += [
        _Row(name=f"turn round {angle:.1f}", family="about turn left", mode="turn",
             values={"angle": angle})
        for angle in (1.6, 2.1, 2.6, pi)
    ]  # fmt: skip
    rows += [
        _Row(name=f"step {way} {far}", family=f"step {way}", mode="walk", values={"distance": far})
        for way in ("left", "back", "ahead")
        for far in (0.18, 0.36)
    ]
    for speed in (0.85, 1.25, 1.7):
        at = {"speed": speed}
        rows += [
            _Row(name=f"start {speed}", family="start", mode="walk", values=at, turns=START_TURNS,
                 leads=(f"walk {speed}",)),
            _Row(
                name=f"walk {speed}",
                family="walk",
                mode="walk",
                values=at,
                end=1,
                turns=_bends(speed),
            ),
            _Row(name=f"stop {speed}", family="halt", mode="walk", values=at, turns=STOP_TURNS),
        ]  # fmt: skip
    rows += _set_offs()
    for side in (1, -1):
        rows.append(_Row(name=f"walk 1.25 turn {side * 0.8:.2f}", family="walk", mode="walk",
                         values={"speed": 1.25, "turn": side * 0.8}))  # fmt: skip
    for speed in (2.5, 3.3, 4.15):
        at = {"speed": speed}
        rows += [
            _Row(name=f"run {speed}", family="run", mode="run", values=at, end=1,
                 turns=_bends(speed)),
            _Row(name=f"start running {speed}", family="start running", mode="run", values=at,
                 leads=(f"run {speed}",), alike=0.09),
            _Row(name=f"stop running {speed}", family="halt running", mode="run", values=at),
        ]  # fmt: skip
    rows += _changes_of_pace()
    for side in (1, -1):
        rows.append(_Row(name=f"run 2.5 turn {side * 0.9:.2f}", family="run", mode="run",
                         values={"speed": 2.5, "turn": side * 0.9}))  # fmt: skip
    for rise in JUMP_RISES:
        for far in (0.9, 1.15, 1.4):
            rows.append(_Row(name=f"jump {far} {rise}", family="standing jump", mode="jump",
                             values={"distance": far, "rise": rise}))  # fmt: skip
        for far in (1.4, 1.9, 2.35):
            # From the step before the take-off to the second one after the landing, or a later.
            rows.append(_Row(name=f"leap {far} {rise}", family="running jump", mode="jump",
                             values={"distance": far, "rise": rise}, begin=2, end=6,
                             turns=LEAP_TURNS, leeway=1.35,
                             leads=("run 2.5", "run 3.3", "run 4.15")))  # fmt: skip
    return rows


def _set_offs() -> list[_Row]:
    """Out of a stand in any direction, turning with the first steps."""
    ways: tuple[tuple[float, str, Mode, tuple[float, ...]], ...] = (
        (1.25, "set off left", "walk", (0.5, 1.0, 1.6, 2.2, 2.7, pi)),
        (1.7, "set off left", "walk", (0.8, 1.6)),
        (2.5, "set off running left", "run", (0.6, 1.2, 1.8)),
        (3.3, "set off running left", "run", (0.8, 1.6)),
    )
    return [
        _Row(name=f"set off {speed} {angle:.1f}", family=family, mode=mode,
             values={"speed": speed, "angle": angle}, turns=OFF_TURNS,
             leads=(f"{mode} {speed}",), alike=0.07 if speed < 3 else ALIKE)
        for speed, family, mode, angles in ways
        for angle in angles
    ]  # fmt: skip


def _changes_of_pace() -> list[_Row]:
    """Between walks and runs without a stop; what runs at all counts as running."""
    changes: tuple[tuple[str, tuple[tuple[float, float], ...]], ...] = (
        ("walk to walk", ((0.85, 1.25), (1.25, 1.7), (1.7, 1.25), (1.25, 0.85))),
        ("walk to run", ((1.25, 2.5), (1.7, 2.5))),
        ("run to run", ((2.5, 3.3), (3.3, 4.15), (4.15, 3.3), (3.3, 2.5))),
        ("run to walk", ((2.5, 1.25), (2.5, 1.7), (3.3, 1.7), (4.15, 1.7))),
    )
    return [
        _Row(name=f"{family} {before} {after}", family=family,
             mode="walk" if family == "walk to walk" else "run",
             values={"before": before, "speed": after},
             into="walk" if family == "run to walk" else None,
             leads=(f"{family.split()[-1]} {after}",))
        for family, speeds in changes
        for before, after in speeds
    ]  # fmt: skip


JUMP_RISES = (-0.6, -0.3, 0.0, 0.15, 0.3)
"""[m, for a leg of 0.93 m] that jumps go up."""

_LENGTHS = ("distance", "rise")
_SPEEDS = ("speed", "before")


def default_moves(
    character: Character, progress: Callable[[int, int], None] | None = None
) -> tuple[Footage, tuple[Move, ...]]:
    """The clips of a character's default moves, ready to be played, and the moves cut from them.

    Clips are made once and kept in the user's cache folder.

    Args:
        character: whose.
        progress: called while clips are made, with how many are, and how many there will be; never
            where they were kept.
    """
    families = default_families(character)
    skills = [skill.to_dict() for _, skill in sorted(character.capabilities.items())]
    possible: list[tuple[_Row, dict[str, float]]] = []
    for row in _rows():
        values = _scaled(character, row.values)
        try:
            families[row.family].values(**values)
        except InputError:
            continue  # farther or higher than this body jumps
        possible.append((row, values))

    def make() -> list[Made]:
        made: list[Made] = []
        for row, values in possible:
            if progress is not None:
                progress(len(made), len(possible))
            made.append(families[row.family].made(row.name, **values))
        return made

    asked = repr(("controllers", astuple(character.measures), skills, possible))
    footage = Footage(character.skeleton, character.measures)
    moves: list[Move] = []
    clips = kept(asked, character.skeleton, make)
    standing = next(made for made in clips if made.clip.name == "idle").clip
    stand = clip_features(standing)[[round(0.75 * standing.rate)]]
    for made in clips:
        made.add_to(footage)
    for (row, _), made in zip(possible, clips, strict=True):
        moves += _moves(footage, row, made, stand)
    return footage, tuple(moves)


def _moves(footage: Footage, row: _Row, made: Made, stand: Floats) -> Sequence[Move]:
    if row.mode == "stand":
        return [
            Move(clip=row.name, start=0.5, end=0.5 + lasting, mode="stand", still=True)
            for lasting in row.lasting
        ]
    downs = contacts(footage.take(row.name))
    first, last = trimmed(made, stand)
    start = first if row.begin is None else downs[row.begin]
    end = last if row.end is None else downs[row.end]
    if row.leads:
        # Not before the contact that is asked for, and not in the blending phase.
        late = [t for t in downs[row.end or 0 :] if start + 0.2 < t <= last + SAME_MOMENT]
        end = going_over(footage, row.name, row.leads, late, row.alike)
    return [
        Move(
            clip=row.name,
            start=start,
            end=end,
            mode=row.mode,
            mirrored=mirrored,
            turns=row.turns,
            into=row.into,
            leeway=row.leeway,
        )
        for mirrored in (False, True)
    ]


def _scaled(character: Character, values: dict[str, float]) -> dict[str, float]:
    """Speeds and lengths for this body."""
    size = character.measures.leg_length / 0.93
    factors: dict[str, float] = dict.fromkeys(_LENGTHS, size)
    factors |= dict.fromkeys(_SPEEDS, sqrt(size))
    return {name: value * factors.get(name, 1.0) for name, value in values.items()}
