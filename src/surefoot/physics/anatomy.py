"""What a simulated body is made of: parts, joints and shapes, and the MJCF text that they become.

Where all angles are zero every part's axes are the world's: x ahead, y to the left, z up.
Angles have names that a person can use:

    bend    forward: a thigh or an arm swings ahead, a trunk leans ahead
    out     sideways: a limb goes outward; `lean` of a trunk, to the left
    twist   about its length: a limb turns outward; a trunk turns to the left
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Literal

from surefoot import arrays
from surefoot.arrays import number, vector
from surefoot.errors import CharacterError, one_of

Vector = tuple[float, float, float]
Kind = Literal["ball", "hinge"]
Holding = Literal["parent", "heading"]

SIDES = ("left", "right")
MAX_FREEDOM = 128
"""Degrees of freedom that the native controller has room for; kMostFreedom there."""

MOST_PARTS = 200
"""A person has about 20; the matrix of inertia grows with the square of their number."""

_NUMBERS = ("hip_damping", "twist_share", "stance_twist_limit", "fall_height", "armature")


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A capsule, box or ball of a part.

    Attributes:
        mass: [kg].
        start, end: [m] ends of a capsule's middle line; a ball's centre and a box's centre at both.
        radius: [m] of a capsule or ball.
        half: [m] half sizes of a box, which is one when given.
        turn: [rad] of a box about y.
        sole: whether it can strike the ground.
    """

    mass: float
    start: Vector
    end: Vector
    radius: float = 0.0
    half: Vector | None = None
    turn: float = 0.0
    sole: bool = False

    def __post_init__(self) -> None:
        number(self.mass, "shape: mass", at_least=0.0, error=CharacterError)
        arrays.position(self.start, "shape: start", error=CharacterError)
        arrays.position(self.end, "shape: end", error=CharacterError)
        arrays.length(self.radius, "shape: radius", at_least=0.0, error=CharacterError)
        if self.half is not None:
            arrays.position(self.half, "shape: half", error=CharacterError)
        number(self.turn, "shape: turn", error=CharacterError)

    def mjcf(self, name: str) -> str:
        """Its element."""
        at = tuple((a + b) / 2 for a, b in zip(self.start, self.end, strict=True))
        if self.half is not None:
            place = f'type="box" pos="{_text(at)}" size="{_text(self.half)}"'
            if self.turn:
                place += f' axisangle="0 1 0 {self.turn:g}"'
        elif self.start == self.end:
            place = f'type="sphere" pos="{_text(at)}" size="{self.radius:g}"'
        else:
            ends = _text((*self.start, *self.end))
            place = f'type="capsule" fromto="{ends}" size="{self.radius:g}"'
        return f'<geom name={_quoted(name)} {place} mass="{self.mass:g}"/>'


@dataclass(frozen=True, kw_only=True)
class Joint:
    """How a part turns against the one that it hangs on.

    Attributes:
        name: such as "left knee"; sided joints begin with their side.
        kind: a ball joint, with `bend`, `out` or `lean`, and `twist`; or a hinge.
        axis: a hinge's; turning about it is positive.
        stiffness: [Nm/rad] with which its target is tracked; 0: passive.
        damping: [Nm s/rad] of the joint itself.
        limit: [Nm] of torque.
        held: whether the target is relative to the parent, or to the heading in the world.
        span: [rad] that a hinge can turn.
        spring: [Nm/rad] passive, towards zero.
    """

    name: str
    kind: Kind = "hinge"
    axis: Vector = (0.0, 1.0, 0.0)
    stiffness: float = 0.0
    damping: float = 0.0
    limit: float = 400.0
    held: Holding = "parent"
    span: tuple[float, float] | None = None
    spring: float = 0.0

    def __post_init__(self) -> None:
        title = f"joint {self.name!r}"
        vector(self.axis, f"{title}: axis", error=CharacterError)
        for name in ("stiffness", "damping", "limit", "spring"):
            value = getattr(self, name)
            number(value, f"{title}: {name}", at_least=0.0, error=CharacterError)
        if self.span is not None:
            vector(self.span, f"{title}: span", 2, error=CharacterError)

    @property
    def side(self) -> str:
        """`left`, `right`, or nothing for a joint in the middle."""
        first = self.name.split(" ", 1)[0]
        return first if first in SIDES else ""

    @property
    def role(self) -> str:
        """Its name without the side."""
        return self.name.removeprefix(self.side).strip()

    @property
    def channels(self) -> int:
        """Numbers of its target."""
        return 3 if self.kind == "ball" else 1

    def mjcf(self) -> str:
        """Its element."""
        text = f'<joint name={_quoted(self.name)} type="{self.kind}" damping="{self.damping:g}"'
        if self.kind == "hinge":
            text += f' axis="{_text(self.axis)}" stiffness="{self.spring:g}"'
            if self.span is not None:
                text += f' limited="true" range="{self.span[0]:g} {self.span[1]:g}"'
        return text + "/>"


@dataclass(frozen=True, kw_only=True)
class Part:
    """A rigid part.

    Attributes:
        name: such as "left thigh".
        parent: the part that it hangs on; nothing for the root.
        at: [m] where, in the parent's frame.
        joints: that it turns by; the root has none.
        shapes: what it looks and weighs like.
        color: linear red, green, blue, for pictures and files.
    """

    name: str
    parent: str = ""
    at: Vector = (0.0, 0.0, 0.0)
    joints: tuple[Joint, ...] = ()
    shapes: tuple[Shape, ...]
    color: Vector = (0.45, 0.45, 0.5)

    def __post_init__(self) -> None:
        arrays.position(self.at, f"part {self.name!r}: at", error=CharacterError)
        vector(self.color, f"part {self.name!r}: color", error=CharacterError)

    @property
    def mass(self) -> float:
        """[kg]."""
        return sum(shape.mass for shape in self.shapes)


@dataclass(frozen=True, kw_only=True)
class Anatomy:
    """A body's parts and the gains that are not one joint's.

    Attributes:
        name: of the body.
        parts: the root first, parents before children.
        root_gains: [Nm/rad], [Nm s/rad], [Nm] with which the root is held in the world.
        hip_damping: [Nm s/rad] of the swing thigh in the world.
        twist_share: of the swing hip's torque along the thigh. A thigh has so little inertia about
            its length that the whole torque makes it spin.
        stance_twist_limit: [Nm].
        ligaments: [rad] that a thigh twists freely against the root, and [Nm/rad], at most 60 Nm,
            that pull it back beyond; a leg in flight has nothing else to stop it.
        fall_height: [m] of the root above the lower ankle, under which it has fallen.
        armature: [kg m^2] added to every joint.
    """

    name: str
    parts: tuple[Part, ...]
    root_gains: tuple[float, float, float]
    hip_damping: float
    twist_share: float = 0.2
    stance_twist_limit: float = 60.0
    ligaments: tuple[float, float] = (0.3, 200.0)
    fall_height: float
    armature: float = 0.008

    def __post_init__(self) -> None:
        vector(self.root_gains, f"{self.name}: root_gains", error=CharacterError)
        vector(self.ligaments, f"{self.name}: ligaments", 2, error=CharacterError)
        for name in _NUMBERS:
            value = getattr(self, name)
            number(value, f"{self.name}: {name}", at_least=0.0, error=CharacterError)
        if not 0 < len(self.parts) <= MOST_PARTS:
            count = len(self.parts)
            raise CharacterError(f"{self.name} must have 1 to {MOST_PARTS} parts, got {count}")
        seen: set[str] = set()
        for part in self.parts:
            if part.parent and part.parent not in seen:
                raise CharacterError(f"{part.name}: {one_of('part', part.parent, seen)}")
            if part.mass <= 0:
                raise CharacterError(f"{part.name} has no mass")
            seen.add(part.name)
        for need in ("hip", "knee", "ankle"):
            for side in SIDES:
                if f"{side} {need}" not in self.joint_names:
                    known = ", ".join(self.joint_names)
                    raise CharacterError(
                        f"{self.name} has no joint '{side} {need}' and cannot walk; it has: {known}"
                    )
        for side in SIDES:
            if not any(shape.sole for part in self.leg(side) for shape in part.shapes):
                raise CharacterError(f"{self.name}'s {side} foot has no shape that is a sole")
        if self.freedom > MAX_FREEDOM:
            raise CharacterError(
                f"{self.name} has {self.freedom} degrees of freedom; simulated bodies have at most"
                f" {MAX_FREEDOM}, the root's six included"
            )

    @property
    def root(self) -> Part:
        """The part that nothing holds."""
        return self.parts[0]

    @property
    def joints(self) -> tuple[Joint, ...]:
        """All, in the order of the parts."""
        return tuple(joint for part in self.parts for joint in part.joints)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Of all joints."""
        return tuple(joint.name for joint in self.joints)

    @property
    def mass(self) -> float:
        """[kg]."""
        return sum(part.mass for part in self.parts)

    @property
    def freedom(self) -> int:
        """Degrees of freedom, the root's six included."""
        return 6 + sum(joint.channels for joint in self.joints)

    def leg(self, side: str) -> tuple[Part, ...]:
        """The parts of a foot: the one that the ankle turns, and its toes."""
        foot = self.turned_by(f"{side} ankle")
        return (foot, *(part for part in self.parts if part.parent == foot.name))

    def turned_by(self, joint: str) -> Part:
        """The part that a joint turns."""
        for part in self.parts:
            if any(own.name == joint for own in part.joints):
                return part
        raise CharacterError(one_of("joint", joint, self.joint_names))

    def mjcf(self) -> str:
        """The root's body element, with all that hangs on it."""
        return _body(self, self.root, free=True)


def _body(anatomy: Anatomy, part: Part, *, free: bool) -> str:
    inside = ['<freejoint name="root"/>'] if free else []
    inside += [joint.mjcf() for joint in part.joints]
    inside += [shape.mjcf(f"{part.name} {i}") for i, shape in enumerate(part.shapes)]
    inside += [
        _body(anatomy, child, free=False) for child in anatomy.parts if child.parent == part.name
    ]
    begin = f'<body name={_quoted(part.name)} pos="{_text(part.at)}">'
    return "\n".join([begin, *inside, "</body>"])


def _quoted(name: str) -> str:
    return f'"{html.escape(name)}"'


def _text(numbers: tuple[float, ...]) -> str:
    return " ".join(f"{number:g}" for number in numbers)
