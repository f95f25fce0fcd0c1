"""The default moves: cut from clips that the gait model makes to measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, field
from math import pi, sqrt

from surefoot.character import Character
from surefoot.control.moves import Move, contacts
from surefoot.errors import InputError
from surefoot.motion.default import default_families
from surefoot.motion.families import Made
from surefoot.motion.families.cache import kept
from surefoot.motion.playing.footage import Footage
from surefoot.motion.steps.step import Mode

WALK_TURNS = (-0.45, -0.22, 0.0, 0.22, 0.45)
"""[rad] a step of a walk; tighter while slow."""

SLOW_TURNS = (-0.7, -0.35, 0.0, 0.35, 0.7)
RUN_TURNS = (-0.3, -0.15, 0.0, 0.15, 0.3)


@dataclass(frozen=True, kw_only=True)
class _Row:
    """One clip, and what is cut from it.

    `begin` and `end` number its contacts, from 0; None is the clip's beginning, or where its
    blending phase begins. Speeds [m/s] and lengths [m] are for a leg of 0.93 m.
    """

    name: str
    family: str
    mode: Mode
    values: dict[str, float] = field(default_factory=lambda: dict[str, float]())
    begin: int | None = None
    end: int | None = None
    turns: tuple[float, ...] = (0.0,)
    lasting: tuple[float, ...] = ()


def _rows() -> list[_Row]:
    rows = [_Row(name="idle", family="idle", mode="stand", values={"duration": 8.0},
                 lasting=(0.25, 1.0))]  # fmt: skip
    rows += [
        _Row(name=f"turn {angle}", family="turn left", mode="turn", values={"angle": angle})
        for angle in (0.3, 0.6, 0.9, 1.2)
    ]
    rows += [
        _Row(name=f"turn round {angle:.1f}", family="turn round left", mode="turn",
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
        turns = SLOW_TURNS if speed < 1 else WALK_TURNS
        rows += [
            _Row(name=f"start {speed}", family="start", mode="walk", values=at, end=1),
            _Row(name=f"walk {speed}", family="walk", mode="walk", values=at, end=1, turns=turns),
            _Row(name=f"stop {speed}", family="stop", mode="walk", values=at),
        ]
    for turn in (0.8, pi / 2):
        for side in (1, -1):
            rows.append(_Row(name=f"walk 1.25 turn {side * turn:.2f}", family="walk", mode="walk",
                             values={"speed": 1.25, "turn": side * turn}))  # fmt: skip
    for speed in (2.5, 3.3, 4.15):
        at = {"speed": speed}
        rows += [
            _Row(name=f"run {speed}", family="run", mode="run", values=at, end=1, turns=RUN_TURNS),
            _Row(name=f"start running {speed}", family="start running", mode="run", values=at,
                 end=2),
            _Row(name=f"stop running {speed}", family="stop running", mode="run", values=at),
        ]  # fmt: skip
    for side in (1, -1):
        rows.append(_Row(name=f"run 2.5 turn {side * 0.9:.2f}", family="run", mode="run",
                         values={"speed": 2.5, "turn": side * 0.9}))  # fmt: skip
    for rise in JUMP_RISES:
        for far in (0.9, 1.15, 1.4):
            rows.append(_Row(name=f"jump {far} {rise}", family="standing jump", mode="jump",
                             values={"distance": far, "rise": rise}))  # fmt: skip
        for far in (1.4, 1.9, 2.35):
            # From the step before the take-off to the second one after the landing.
            rows.append(_Row(name=f"leap {far} {rise}", family="running jump", mode="jump",
                             values={"distance": far, "rise": rise}, begin=2, end=6))  # fmt: skip
    return rows


JUMP_RISES = (-0.6, -0.3, 0.0, 0.15, 0.3)
"""[m, for a leg of 0.93 m] that jumps go up."""

_LENGTHS = ("distance", "rise")


def default_moves(character: Character) -> tuple[Footage, tuple[Move, ...]]:
    """The clips of a character's default moves, ready to be played, and the moves cut from them.

    Clips are made once and kept in the user's cache folder.
    """
    rows, families = _rows(), default_families(character)
    skills = [skill.to_dict() for _, skill in sorted(character.capabilities.items())]
    possible: list[tuple[_Row, dict[str, float]]] = []
    for row in rows:
        values = _scaled(character, row.values)
        try:
            families[row.family].values(**values)
        except InputError:
            continue  # farther or higher than this body jumps
        possible.append((row, values))

    def make() -> list[Made]:
        return [families[row.family].made(row.name, **values) for row, values in possible]

    asked = repr(("controllers", astuple(character.measures), skills, possible))
    footage = Footage(character.skeleton, character.measures)
    moves: list[Move] = []
    for (row, _), made in zip(possible, kept(asked, character.skeleton, make), strict=True):
        made.add_to(footage)
        moves += _moves(footage, row, made)
    return footage, tuple(moves)


def _moves(footage: Footage, row: _Row, made: Made) -> Sequence[Move]:
    downs = contacts(footage.take(row.name))
    start = 0.0 if row.begin is None else downs[row.begin]
    end = made.blending if row.end is None else downs[row.end]
    if row.mode == "stand":
        return [
            Move(clip=row.name, start=0.5, end=0.5 + lasting, mode="stand", still=True)
            for lasting in row.lasting
        ]
    return [
        Move(clip=row.name, start=start, end=end, mode=row.mode, mirrored=mirrored, turns=row.turns)
        for mirrored in (False, True)
    ]


def _scaled(character: Character, values: dict[str, float]) -> dict[str, float]:
    """Speeds and lengths for this body."""
    size = character.measures.leg_length / 0.93
    factors = dict.fromkeys(_LENGTHS, size) | {"speed": sqrt(size)}
    return {name: value * factors.get(name, 1.0) for name, value in values.items()}
