"""Gaits: step controllers in files that a person can read and edit.

A gait has a target for every joint over one step, for the leg that stands and the leg that swings,
and says how the swing foot answers to the body's motion (coros2009 section 3, Yin et al. 2007).
Left and right are mirror images unless the file says otherwise.

    surefoot = "gait"
    version = 1
    made = ['surefoot ...']    # the commands that made it, if the tuner did
    like = "walk"              # start from this one; what follows replaces it
    step_time = 0.34           # [s] over which the targets run; a step ends at the foot strike
    turn = 0.0                 # [rad] to the left in each step
    hold = 1.0                 # share of the stance hip's torque that stays in flight
    takeover = 0.0             # [N] on the swing foot that make it the one that stands; 0: none do

    [ahead]                    # the swing thigh goes ahead by place * d + speed * (v - wanted)
    place = 0.5                # [rad/m], d: the body's centre beyond the stance ankle
    speed = 0.2                # [rad s/m]
    wanted = 0.9               # [m/s]

    [sideways]                 # likewise; wanted is to the left
    ...
    [targets]                  # [rad] one number, or five over the step
    "swing knee" = [0.4, 0.9, 0.8, 0.3, 0.1]

    [left] and [right]         # targets that differ while that foot stands
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from surefoot import schema
from surefoot.arrays import Floats, floats, number, shortened
from surefoot.errors import FileError, InputError, VersionError, one_of
from surefoot.files import read_toml, write_atomic
from surefoot.physics.anatomy import SIDES, Anatomy, Joint

KNOTS = 5
"""Of a target over a step."""

VERSION = 1

Curve = tuple[float, ...]
Targets = Mapping[str, Curve]


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """How far the swing thigh moves with the body, in one plane."""

    place: float = 0.5
    """[rad/m] with the centre of mass's distance beyond the stance ankle."""
    speed: float = 0.2
    """[rad s/m] with its speed beyond the wanted one."""
    wanted: float = 0.0
    """[m/s]."""

    def __post_init__(self) -> None:
        for name in ("place", "speed", "wanted"):
            number(getattr(self, name), name)


@dataclass(frozen=True, kw_only=True)
class Gait:
    """One step controller.

    Attributes:
        name: what it is called.
        step_time: [s] over which the targets run, > 0.
        turn: [rad] to the left in each step.
        hold: share of the stance hip's torque that stays in flight, 0 to 1. Nothing carries that
            torque then but the leg itself, which it throws aside; runs let go of it.
        takeover: [N], >= 0. A swing foot that carries more while the stance foot carries nothing is
            the one that stands from then on, however early in the step; 0: none is. After a push
            the leg that stands may hang in the air while the other, folding, has all the weight.
        ahead, sideways: the swing foot's feedback.
        targets: joint names as `target_names` lists them, with their curves [rad].
        left, right: what differs while that foot stands.
        made: the commands that made it, one after the other, where the tuner did.
    """

    name: str
    step_time: float
    turn: float = 0.0
    hold: float = 1.0
    takeover: float = 0.0
    ahead: Feedback = Feedback()
    sideways: Feedback = Feedback()
    targets: Targets = field(default_factory=dict[str, Curve])
    left: Targets = field(default_factory=dict[str, Curve])
    right: Targets = field(default_factory=dict[str, Curve])
    made: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        title = f"gait {self.name!r}"
        number(self.step_time, f"{title}: step_time [s]", at_least=0.05, at_most=5.0)
        number(self.turn, f"{title}: turn")
        number(self.hold, f"{title}: hold", at_least=0.0, at_most=1.0)
        number(self.takeover, f"{title}: takeover", at_least=0.0)

    def mirrored(self, name: str) -> Gait:
        """The same to the other side."""
        return replace(
            self,
            name=name,
            turn=-self.turn,
            sideways=replace(self.sideways, wanted=-self.sideways.wanted),
            left=self.right,
            right=self.left,
            made=(),
        )

    def compiled(self, anatomy: Anatomy) -> tuple[Floats, Floats]:
        """Its numbers `(10,)` and knots `(2, channels, 5)` for the native controller."""
        known = target_names(anatomy)
        for name in (*self.targets, *self.left, *self.right):
            if name not in known:
                raise InputError(f"gait {self.name!r}: {one_of('target', name, known)}")
        numbers = [self.step_time, self.turn]
        for plane in (self.ahead, self.sideways):
            numbers += [plane.place, plane.speed, plane.wanted]
        numbers += [self.hold, self.takeover]
        knots = [self._side(anatomy, stance) for stance in SIDES]
        title = f"gait {self.name!r}"
        return floats(numbers, title), floats(knots, title)

    def _side(self, anatomy: Anatomy, stance: str) -> list[Curve]:
        """Every channel's curve, in the body's own left and right."""
        given = {**self.targets, **(self.left if stance == "left" else self.right)}
        flat = (0.0,) * KNOTS
        rows: list[Curve] = []
        for joint in (*anatomy.joints, _ROOT):
            for name, sign in _channels(joint, stance):
                rows.append(tuple(sign * value for value in given.get(name, flat)))
        return rows


_ROOT = Joint(name="root", kind="ball", stiffness=1.0)


def target_names(anatomy: Anatomy) -> tuple[str, ...]:
    """What a gait of this body can have targets for."""
    names: dict[str, None] = {}
    for joint in (*anatomy.joints, _ROOT):
        # The stance hip's torque follows from the others; a passive joint has none.
        if joint.stiffness > 0:
            names |= {name: None for name, _ in _channels(joint, "left")}
    return tuple(name for name in names if not name.startswith("stance hip "))


def _channels(joint: Joint, stance: str) -> list[tuple[str, float]]:
    """Names of a joint's targets about x, y, z (or its hinge), with the sign of the turn."""
    if joint.side:
        role = f"{'stance' if joint.side == stance else 'swing'} {joint.role}"
        outward = 1.0 if joint.side == "left" else -1.0
        if joint.kind == "hinge":
            mirrored = joint.axis[1] == 0.0
            return [(role, outward if mirrored else 1.0)]
        return [(f"{role} out", outward), (f"{role} bend", -1.0), (f"{role} twist", outward)]
    if joint.kind == "hinge":
        return [(joint.name, 1.0)]
    # In the middle of the body: to the side that stands.
    there = 1.0 if stance == "left" else -1.0
    return [
        (f"{joint.name} lean", -there),
        (f"{joint.name} bend", 1.0),
        (f"{joint.name} twist", there),
    ]


# --- files ---------------------------------------------------------------------------------------

_NUMBERS = ("step_time", "turn", "hold", "takeover")
_PLANES = ("ahead", "sideways")
_TABLES = ("targets", "left", "right")
_WORDS = ("surefoot", "version", "like", "mirror_of", "note", "made")
_FIELDS = (*_WORDS, *_NUMBERS, *_PLANES, *_TABLES)


def load_gait(path: str | os.PathLike[str], find: Callable[[str], Gait] | None = None) -> Gait:
    """Reads a gait; its name is the file's.

    Args:
        path: ends in .toml.
        find: gives the gait that `like` or `mirror_of` names; files beside this one by default.
    """
    return _load(Path(path), find, ())


def _load(path: Path, find: Callable[[str], Gait] | None, above: tuple[str, ...]) -> Gait:
    """The gait of a file; `above` are the names of those that refer to it."""
    data = read_toml(path)
    name = path.stem.replace("_", " ")

    def beside(other: str) -> Gait:
        if other in (*above, name):
            circle = " -> ".join((*above, name, other))
            raise InputError(f"gaits refer to each other in a circle: {circle}")
        return _load(path.with_name(file_name(other)), None, (*above, name))

    try:
        return _read(name, data, find or beside)
    except InputError as reason:
        raise FileError(f"{path}: {reason}") from reason


def file_name(gait: str) -> str:
    """Where a gait of that name is kept."""
    return gait.replace(" ", "_") + ".toml"


def _read(name: str, data: dict[str, Any], find: Callable[[str], Gait]) -> Gait:
    if data.get("surefoot") != "gait":
        raise InputError("no gait: its field 'surefoot' must say \"gait\"")
    if data.get("version") != VERSION:
        version = shortened(data.get("version"))
        raise VersionError(f"{name}: gait of version {version}; this reads version {VERSION}")
    for key in data:
        if key not in _FIELDS:
            raise InputError(one_of("field", key, _FIELDS))
    if "mirror_of" in data:
        return find(_name(data, "mirror_of")).mirrored(name)
    base = find(_name(data, "like")) if "like" in data else Gait(name=name, step_time=0.4)
    changed: dict[str, Any] = {key: _number(key, data[key]) for key in _NUMBERS if key in data}
    for plane in _PLANES:
        numbers = {key: _number(f"{plane}.{key}", v) for key, v in _table(data, plane).items()}
        for key in numbers:
            if key not in ("place", "speed", "wanted"):
                raise InputError(one_of(f"field of {plane}", key, ("place", "speed", "wanted")))
        changed[plane] = replace(getattr(base, plane), **numbers)
    for table in _TABLES:
        curves = {key: _curve(f"{table}.{key}", v) for key, v in _table(data, table).items()}
        changed[table] = {**getattr(base, table), **curves}
    return replace(base, name=name, made=_made(data.get("made", [])), **changed)


def _name(data: dict[str, Any], key: str) -> str:
    """The name of another gait, whose file is beside this one."""
    name = schema.converted(data[key], str, key)
    if Path(file_name(name)).name != file_name(name) or "\0" in name:
        raise InputError(f"{key}: expected the name of a gait, got {shortened(name)}")
    return name


def _made(value: Any) -> tuple[str, ...]:
    lines = cast("list[Any]", value) if isinstance(value, list) else [value]
    if not all(isinstance(line, str) for line in lines):
        raise InputError("made: expected the commands that made it")
    return tuple(lines)


def _table(data: dict[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, dict):
        raise InputError(f"{key}: expected a table")
    return cast("dict[str, Any]", found)


def _number(key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{key}: expected a number, got {shortened(value)}")
    return number(value, key)


def _curve(key: str, value: Any) -> Curve:
    values = cast("list[Any]", value) if isinstance(value, list) else [value] * KNOTS
    if len(values) != KNOTS:
        raise InputError(f"{key}: expected one number or {KNOTS}, got {len(values)}")
    return tuple(_number(key, item) for item in values)


def changed(gait: Gait, change: str) -> Gait:
    """With one thing set: `hold=0`, `ahead.wanted=2`, `swing elbow=1.4`, or five over the step."""
    name, equals, text = (part.strip() for part in change.partition("="))
    try:
        values = [float(value) for value in text.split(",")]
    except ValueError:
        values = []
    if not (name and equals and values):
        raise InputError(f"{change!r} sets nothing; say NAME=VALUE, as in 'ahead.wanted=2'")
    plane, _, key = name.partition(".")
    if name in _NUMBERS:
        return replace(gait, **{name: _number(name, values[0])})
    if plane in _PLANES:
        if key not in ("place", "speed", "wanted"):
            raise InputError(one_of(f"field of {plane}", key, ("place", "speed", "wanted")))
        return replace(gait, **{plane: replace(getattr(gait, plane), **{key: values[0]})})
    curve = _curve(name, values if len(values) > 1 else values[0])
    return replace(gait, targets={**gait.targets, name: curve})


def save_gait(path: str | os.PathLike[str], gait: Gait, *, note: str = "") -> None:
    """Writes a gait as TOML, whole or not at all."""
    lines = ['surefoot = "gait"', f"version = {VERSION}"]
    if note:
        lines.append(f'note = "{note}"')
    if gait.made:
        lines += ["made = [", *(f"    '{command}'," for command in gait.made), "]"]
    told = [key for key in _NUMBERS if key != "takeover" or gait.takeover]
    lines += [f"{key} = {getattr(gait, key):.4g}" for key in told]
    for plane in _PLANES:
        f: Feedback = getattr(gait, plane)
        lines += ["", f"[{plane}]", f"place = {f.place:.4g}", f"speed = {f.speed:.4g}"]
        lines.append(f"wanted = {f.wanted:.4g}")
    for table in _TABLES:
        curves: Targets = getattr(gait, table)
        if curves:
            lines += ["", f"[{table}]"]
            lines += [f'"{name}" = {_shown(curve)}' for name, curve in curves.items()]
    write_atomic(path, ("\n".join(lines) + "\n").encode())


def _shown(curve: Sequence[float]) -> str:
    if len(set(curve)) == 1:
        return f"{curve[0]:.4g}"
    return "[" + ", ".join(f"{value:.4g}" for value in curve) + "]"
