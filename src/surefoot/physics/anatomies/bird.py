"""A bird of 64.1 kg with 24 degrees of freedom: a heavy head, light legs."""

from __future__ import annotations

from surefoot.physics.anatomies.limbs import Leg
from surefoot.physics.anatomy import SIDES, Anatomy, Joint, Part, Shape, Vector

PLUMAGE: Vector = (0.65, 0.42, 0.05)
BREAST: Vector = (0.8, 0.66, 0.3)
HORN: Vector = (0.7, 0.2, 0.03)

LEG = Leg(
    thigh=0.27,
    shin=0.30,
    ankle=0.06,
    masses=(3.2, 1.8, 1.05, 0.0),
    radii=(0.062, 0.032),
    hip_at=(0.045, 0.10, -0.1),
    heel=0.09,
    ball=0.19,
    toe=0.19,
    width=0.14,
    gains=(350.0, 350.0, 100.0),
    dampings=(4.0, 25.0, 6.0),
    color=BREAST,
    shoe=HORN,
)


def bird() -> Anatomy:
    """The anatomy."""
    parts = (_trunk(), *_neck_and_head())
    for side in SIDES:
        parts += LEG.parts(side, "trunk")
    return Anatomy(
        name="bird",
        parts=parts,
        root_gains=(1000.0, 100.0, 400.0),
        hip_damping=28.0,
        stance_twist_limit=50.0,
        fall_height=0.38,
    )


def _trunk() -> Part:
    belly = Shape(mass=20.0, start=(-0.08, 0.0, -0.02), end=(0.08, 0.0, 0.05), radius=0.17)
    back = Shape(mass=6.0, start=(-0.22, 0.0, -0.02), end=(-0.05, 0.0, 0.04), radius=0.12)
    tail = Shape(mass=2.0, start=(-0.42, 0.0, 0.06), end=(-0.26, 0.0, 0.0), radius=0.05)
    return Part(name="trunk", shapes=(belly, back, tail), color=PLUMAGE)


def _neck_and_head() -> tuple[Part, ...]:
    neck = Joint(
        name="neck", kind="ball", stiffness=300.0, damping=30.0, limit=250.0, held="heading"
    )
    head = Joint(
        name="head", kind="ball", stiffness=200.0, damping=18.0, limit=150.0, held="heading"
    )
    throat = Shape(mass=8.0, start=(0.0, 0.0, 0.02), end=(0.04, 0.0, 0.26), radius=0.075)
    skull = Shape(mass=14.6, start=(0.0, 0.0, 0.08), end=(0.05, 0.0, 0.09), radius=0.125)
    beak = Shape(mass=1.4, start=(0.16, 0.0, 0.07), end=(0.29, 0.0, 0.03), radius=0.04)
    return (
        Part(
            name="neck",
            parent="trunk",
            at=(0.1, 0.0, 0.14),
            joints=(neck,),
            shapes=(throat,),
            color=BREAST,
        ),
        Part(
            name="head",
            parent="neck",
            at=(0.045, 0.0, 0.3),
            joints=(head,),
            shapes=(skull, beak),
            color=PLUMAGE,
        ),
    )
