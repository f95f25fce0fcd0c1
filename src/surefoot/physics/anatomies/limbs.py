"""Legs, as every built-in body has two of them."""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.physics.anatomy import Joint, Part, Shape, Vector

UPWARD: Vector = (0.0, -1.0, 0.0)
"""Turning about it lifts what points ahead."""


@dataclass(frozen=True, kw_only=True)
class Leg:
    """Measures of a leg.

    Attributes:
        thigh, shin: [m] from hip to knee and from knee to ankle.
        ankle: [m] above the sole.
        masses: [kg] of thigh, shin, foot and toes; no toes when that is 0.
        radii: [m] of thigh and shin.
        hip_at: [m] in the root's frame, of the left leg.
        heel, ball, toe: [m] where the sole begins, the toes begin, and all ends, from the ankle.
        width: [m] of the sole.
        gains: [Nm/rad] of hip, knee and ankle.
        dampings: [Nm s/rad] of hip, knee and ankle joints.
        color: of its parts.
    """

    thigh: float
    shin: float
    ankle: float
    masses: tuple[float, float, float, float]
    radii: tuple[float, float]
    hip_at: Vector
    heel: float
    ball: float
    toe: float
    width: float
    gains: tuple[float, float, float] = (400.0, 400.0, 100.0)
    dampings: tuple[float, float, float] = (5.0, 35.0, 8.0)
    color: Vector
    shoe: Vector

    def parts(self, side: str, root: str) -> tuple[Part, ...]:
        """Thigh, shin, foot and toes of one side."""
        out = 1.0 if side == "left" else -1.0
        x, y, z = self.hip_at
        hip, knee = self._joint(side, "hip", 0), self._joint(side, "knee", 1)
        upper, lower, sole, toes = self.masses
        thick, thin = self.radii
        parts = [
            Part(
                name=f"{side} thigh",
                parent=root,
                at=(x, out * y, z),
                joints=(hip,),
                shapes=(_tube(upper, -0.4 * thick, 0.7 * thick - self.thigh, thick),),
                color=self.color,
            ),
            Part(
                name=f"{side} shin",
                parent=f"{side} thigh",
                at=(0.0, 0.0, -self.thigh),
                joints=(knee,),
                shapes=(_tube(lower, 0.0, 0.6 * thin - self.shin, thin),),
                color=self.color,
            ),
            Part(
                name=f"{side} foot",
                parent=f"{side} shin",
                at=(0.0, 0.0, -self.shin),
                joints=(self._joint(side, "ankle", 2), self._roll(side)),
                shapes=(self._sole(sole, -self.heel, self.ball, 0.0),),
                color=self.shoe,
            ),
        ]
        if toes > 0:
            bend = Joint(
                name=f"{side} toes", axis=UPWARD, damping=1.0, spring=12.0, span=(-0.3, 1.2)
            )
            parts.append(
                Part(
                    name=f"{side} toes",
                    parent=f"{side} foot",
                    at=(self.ball, 0.0, 0.0),
                    joints=(bend,),
                    shapes=(self._sole(toes, 0.0, self.toe - self.ball, 0.004),),
                    color=self.shoe,
                )
            )
        return tuple(parts)

    def _joint(self, side: str, name: str, index: int) -> Joint:
        stiffness, damping = self.gains[index], self.dampings[index]
        if name == "hip":
            return Joint(name=f"{side} hip", kind="ball", stiffness=stiffness, damping=damping)
        if name == "knee":
            return Joint(name=f"{side} knee", stiffness=stiffness, damping=damping, span=(0.0, 2.5))
        return Joint(
            name=f"{side} ankle",
            axis=UPWARD,
            stiffness=stiffness,
            damping=damping,
            limit=150.0,
            span=(-1.2, 1.2),
        )

    def _roll(self, side: str) -> Joint:
        return Joint(
            name=f"{side} ankle roll",
            axis=(1.0, 0.0, 0.0),
            stiffness=self.gains[2],
            damping=self.dampings[2],
            limit=150.0,
            span=(-0.6, 0.6),
        )

    def _sole(self, mass: float, back: float, front: float, thinner: float) -> Shape:
        half = 0.024 - thinner / 2
        middle: Vector = ((back + front) / 2, 0.0, half - self.ankle)
        return Shape(
            mass=mass,
            start=middle,
            end=middle,
            half=((front - back) / 2, self.width / 2, half),
            sole=True,
        )


def _tube(mass: float, top: float, bottom: float, radius: float) -> Shape:
    return Shape(mass=mass, start=(0.0, 0.0, top), end=(0.0, 0.0, bottom), radius=radius)
