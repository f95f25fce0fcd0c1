"""A raptor of 77.8 kg with 42 degrees of freedom, twelve of them in the tail."""

from __future__ import annotations

from surefoot.physics.anatomies.limbs import UPWARD, Leg
from surefoot.physics.anatomy import SIDES, Anatomy, Joint, Part, Shape, Vector

HIDE: Vector = (0.20, 0.27, 0.12)
BELLY: Vector = (0.42, 0.40, 0.22)
CLAW: Vector = (0.12, 0.11, 0.09)

TAIL = ((7.0, 0.30, 0.085), (4.4, 0.28, 0.065), (2.4, 0.26, 0.047), (1.2, 0.26, 0.032))
"""Mass [kg], length [m] and radius [m] of each piece, from the hips back."""

LEG = Leg(
    thigh=0.36,
    shin=0.38,
    ankle=0.08,
    masses=(5.0, 2.4, 1.1, 0.3),
    radii=(0.08, 0.042),
    hip_at=(0.0, 0.11, -0.03),
    heel=0.07,
    ball=0.15,
    toe=0.25,
    width=0.12,
    color=HIDE,
    shoe=CLAW,
)


def raptor() -> Anatomy:
    """The anatomy."""
    parts = (_trunk(), *_neck_and_head(), *_tail())
    for side in SIDES:
        parts += (*LEG.parts(side, "trunk"), *_arm(side))
    return Anatomy(
        name="raptor",
        parts=parts,
        root_gains=(1000.0, 100.0, 400.0),
        hip_damping=36.0,
        fall_height=0.42,
    )


def _trunk() -> Part:
    hips = Shape(mass=14.0, start=(-0.1, 0.0, 0.02), end=(0.06, 0.0, 0.03), radius=0.125)
    ribs = Shape(mass=19.6, start=(0.08, 0.0, 0.02), end=(0.3, 0.0, 0.06), radius=0.14)
    return Part(name="trunk", shapes=(hips, ribs), color=HIDE)


def _neck_and_head() -> tuple[Part, ...]:
    neck = Joint(
        name="neck", kind="ball", stiffness=300.0, damping=30.0, limit=250.0, held="heading"
    )
    head = Joint(
        name="head", kind="ball", stiffness=100.0, damping=9.0, limit=100.0, held="heading"
    )
    throat = Shape(mass=4.6, start=(0.02, 0.0, 0.02), end=(0.14, 0.0, 0.26), radius=0.065)
    skull = Shape(mass=3.6, start=(0.0, 0.0, 0.03), end=(0.1, 0.0, 0.03), radius=0.075)
    snout = Shape(mass=1.8, start=(0.17, 0.0, 0.015), end=(0.3, 0.0, 0.0), radius=0.048)
    return (
        Part(
            name="neck",
            parent="trunk",
            at=(0.36, 0.0, 0.1),
            joints=(neck,),
            shapes=(throat,),
            color=HIDE,
        ),
        Part(
            name="head",
            parent="neck",
            at=(0.16, 0.0, 0.3),
            joints=(head,),
            shapes=(skull, snout),
            color=BELLY,
        ),
    )


def _tail() -> tuple[Part, ...]:
    parts: list[Part] = []
    parent, at = "trunk", (-0.2, 0.0, 0.04)
    for number, (mass, length, radius) in enumerate(TAIL, start=1):
        joint = Joint(
            name=f"tail {number}",
            kind="ball",
            stiffness=(200.0, 110.0, 60.0, 30.0)[number - 1],
            damping=(20.0, 10.0, 5.0, 2.5)[number - 1],
            limit=150.0,
            held="heading" if number == 1 else "parent",
        )
        piece = Shape(
            mass=mass, start=(-0.02, 0.0, 0.0), end=(-length + 0.02, 0.0, 0.0), radius=radius
        )
        parts.append(
            Part(
                name=f"tail {number}",
                parent=parent,
                at=at,
                joints=(joint,),
                shapes=(piece,),
                color=HIDE if number % 2 else BELLY,
            )
        )
        parent, at = f"tail {number}", (-length, 0.0, 0.0)
    return tuple(parts)


def _arm(side: str) -> tuple[Part, ...]:
    out = 1.0 if side == "left" else -1.0
    shoulder = Joint(name=f"{side} shoulder", axis=UPWARD, stiffness=12.0, damping=1.0, limit=20.0)
    elbow = Joint(name=f"{side} elbow", axis=UPWARD, stiffness=8.0, damping=0.6, limit=15.0)
    return (
        Part(
            name=f"{side} upper arm",
            parent="trunk",
            at=(0.33, out * 0.15, -0.03),
            joints=(shoulder,),
            shapes=(Shape(mass=0.5, start=(0, 0, -0.01), end=(0, 0, -0.13), radius=0.03),),
            color=HIDE,
        ),
        Part(
            name=f"{side} forearm",
            parent=f"{side} upper arm",
            at=(0.0, 0.0, -0.15),
            joints=(elbow,),
            shapes=(Shape(mass=0.3, start=(0, 0, -0.01), end=(0, 0, -0.13), radius=0.022),),
            color=BELLY,
        ),
    )
