"""A person of 70.4 kg with 34 degrees of freedom."""

from __future__ import annotations

from surefoot.physics.anatomies.limbs import UPWARD, Leg
from surefoot.physics.anatomy import SIDES, Anatomy, Joint, Part, Shape, Vector

SKIN: Vector = (0.62, 0.38, 0.26)
SHIRT: Vector = (0.10, 0.28, 0.45)
TROUSERS: Vector = (0.16, 0.17, 0.21)
SHOES: Vector = (0.05, 0.05, 0.06)

LEG = Leg(
    thigh=0.43,
    shin=0.42,
    ankle=0.075,
    masses=(6.8, 2.4, 0.65, 0.15),
    radii=(0.07, 0.048),
    hip_at=(0.0, 0.095, -0.02),
    heel=0.06,
    ball=0.13,
    toe=0.19,
    width=0.09,
    color=TROUSERS,
    shoe=SHOES,
)


def humanoid() -> Anatomy:
    """The anatomy."""
    parts = (_pelvis(), *_trunk())
    for side in SIDES:
        parts += (*LEG.parts(side, "pelvis"), *_arm(side))
    return Anatomy(
        name="humanoid",
        parts=parts,
        root_gains=(1000.0, 100.0, 400.0),
        hip_damping=40.0,
        ligaments=(0.15, 300.0),
        fall_height=0.5,
    )


def _pelvis() -> Part:
    sides = Shape(mass=6.9, start=(0.0, -0.07, 0.0), end=(0.0, 0.07, 0.0), radius=0.095)
    belly = Shape(mass=4.0, start=(0.0, -0.05, 0.08), end=(0.0, 0.05, 0.08), radius=0.09)
    return Part(name="pelvis", shapes=(sides, belly), color=TROUSERS)


def _trunk() -> tuple[Part, ...]:
    waist = Joint(
        name="waist", kind="ball", stiffness=400.0, damping=40.0, held="heading", limit=300.0
    )
    chest = (
        Shape(mass=8.0, start=(0.0, -0.06, 0.10), end=(0.0, 0.06, 0.10), radius=0.1),
        Shape(mass=11.0, start=(0.0, -0.08, 0.23), end=(0.0, 0.08, 0.23), radius=0.115),
        Shape(mass=8.0, start=(0.0, -0.13, 0.35), end=(0.0, 0.13, 0.35), radius=0.07),
    )
    neck = Joint(name="neck", kind="ball", stiffness=40.0, damping=4.0, limit=60.0, held="heading")
    skull = (
        Shape(mass=0.9, start=(0.0, 0.0, 0.0), end=(0.005, 0.0, 0.06), radius=0.05),
        Shape(mass=4.0, start=(0.02, 0.0, 0.14), end=(0.015, 0.0, 0.19), radius=0.085),
    )
    return (
        Part(
            name="torso",
            parent="pelvis",
            at=(0.0, 0.0, 0.12),
            joints=(waist,),
            shapes=chest,
            color=SHIRT,
        ),
        Part(
            name="head",
            parent="torso",
            at=(0.0, 0.0, 0.42),
            joints=(neck,),
            shapes=skull,
            color=SKIN,
        ),
    )


def _arm(side: str) -> tuple[Part, ...]:
    out = 1.0 if side == "left" else -1.0
    shoulder = Joint(name=f"{side} shoulder", kind="ball", stiffness=60.0, damping=6.0, limit=100.0)
    elbow = Joint(
        name=f"{side} elbow", axis=UPWARD, stiffness=30.0, damping=2.5, limit=60.0, span=(0.0, 2.5)
    )
    return (
        Part(
            name=f"{side} upper arm",
            parent="torso",
            at=(0.0, out * 0.205, 0.34),
            joints=(shoulder,),
            color=SHIRT,
            shapes=(
                Shape(
                    mass=2.1,
                    start=(0.0, out * 0.02, -0.02),
                    end=(0.0, out * 0.02, -0.26),
                    radius=0.042,
                ),
            ),
        ),
        Part(
            name=f"{side} forearm",
            parent=f"{side} upper arm",
            at=(0.0, out * 0.02, -0.29),
            joints=(elbow,),
            color=SKIN,
            shapes=(
                Shape(mass=1.3, start=(0.0, 0.0, 0.0), end=(0.0, 0.0, -0.24), radius=0.034),
                Shape(mass=0.4, start=(0.0, 0.0, -0.29), end=(0.01, 0.0, -0.33), radius=0.035),
            ),
        ),
    )
