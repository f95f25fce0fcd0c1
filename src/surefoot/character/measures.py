"""The lengths and the mass of a body, and the proportions that give them from its height.

Figures as fractions of the standing height: adults after Drillis and Contini's segment lengths as
tabulated in Winter, "Biomechanics and Motor Control of Human Movement"; hip and shoulder widths
are between the joint centres, which lie inside the outer widths of such tables. A child of about
seven has a larger head and shorter legs; its figures are rounded from public surveys of children.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from surefoot.arrays import Floats, frozen, number
from surefoot.errors import CharacterError


@dataclass(frozen=True, kw_only=True)
class Proportions:
    """Lengths as fractions of the standing height, `[0, 1]`; mass from the body mass index.

    Attributes:
        thigh: hip joint to knee.
        shin: knee to ankle.
        ankle: ankle above the sole.
        foot_length: heel to toe tip.
        foot_width: at the ball.
        hip_width: between the hip joints.
        shoulder_width: between the shoulder joints.
        shoulder_height: shoulder joints above the ground.
        upper_arm: shoulder joint to elbow.
        forearm: elbow to wrist.
        hand: wrist to finger tips.
        neck_height: base of the neck above the ground.
        head_height: where head and neck meet, above the ground.
        chin_height: chin above the ground.
        eye_height: eyes above the ground.
        body_mass_index: mass over height squared [kg/m^2].
    """

    thigh: float = 0.245
    shin: float = 0.246
    ankle: float = 0.039
    foot_length: float = 0.152
    foot_width: float = 0.055
    hip_width: float = 0.100
    shoulder_width: float = 0.210
    shoulder_height: float = 0.803
    upper_arm: float = 0.186
    forearm: float = 0.146
    hand: float = 0.108
    neck_height: float = 0.838
    head_height: float = 0.900
    chin_height: float = 0.870
    eye_height: float = 0.936
    body_mass_index: float = 23.0


ADULT = Proportions()
CHILD = Proportions(
    thigh=0.227,
    shin=0.228,
    ankle=0.040,
    foot_length=0.156,
    foot_width=0.060,
    hip_width=0.096,
    shoulder_width=0.190,
    shoulder_height=0.770,
    upper_arm=0.178,
    forearm=0.140,
    hand=0.105,
    neck_height=0.806,
    head_height=0.868,
    chin_height=0.838,
    eye_height=0.908,
    body_mass_index=16.0,
)

# How far heel and ball lie from the ankle along the foot, over the foot's length.
_HEEL, _BALL = 0.235, 0.485

# Pairs of heights where the second lies above the first, in every body.
_RISING = (
    ("leg_length", "shoulder_height"),
    ("leg_length", "neck_height"),
    ("neck_height", "head_height"),
    ("head_height", "height"),
    ("chin_height", "height"),
    ("chin_height", "eye_height"),
    ("eye_height", "height"),
)


@dataclass(frozen=True, kw_only=True)
class Measures:
    """The lengths [m] and the mass [kg] of a body; every one greater than zero.

    Attributes:
        height: standing height, sole to crown.
        mass: [kg].
        thigh: hip joint to knee.
        shin: knee to ankle.
        ankle_height: ankle above the sole when standing.
        foot_length: heel to toe tip.
        foot_width: at the ball.
        heel_behind: how far the heel lies behind the ankle.
        ball_ahead: how far the ball (where the toes bend) lies ahead of the ankle.
        ball_height: the toes' axis above the sole.
        hip_width: between the hip joints.
        shoulder_width: between the shoulder joints.
        shoulder_height: shoulder joints above the ground.
        upper_arm: shoulder joint to elbow.
        forearm: elbow to wrist.
        hand: wrist to finger tips.
        neck_height: base of the neck above the ground.
        head_height: where head and neck meet, above the ground.
        chin_height: chin above the ground.
        eye_height: eyes above the ground.
    """

    height: float
    mass: float
    thigh: float
    shin: float
    ankle_height: float
    foot_length: float
    foot_width: float
    heel_behind: float
    ball_ahead: float
    ball_height: float
    hip_width: float
    shoulder_width: float
    shoulder_height: float
    upper_arm: float
    forearm: float
    hand: float
    neck_height: float
    head_height: float
    chin_height: float
    eye_height: float

    def __post_init__(self) -> None:
        for field in fields(self):
            value = number(
                getattr(self, field.name), f"measure {field.name}", above=0.0, error=CharacterError
            )
            object.__setattr__(self, field.name, value)
        for lower, upper in _RISING:
            below, above = getattr(self, lower), getattr(self, upper)
            if above <= below:
                raise CharacterError(
                    f"measure {upper} = {above:.3f} m must be greater than {lower} = {below:.3f} m"
                )
        if self.foot_length <= self.heel_behind + self.ball_ahead:
            raise CharacterError(
                f"measure foot_length = {self.foot_length:.3f} m leaves no toes beyond heel_behind"
                f" + ball_ahead = {self.heel_behind + self.ball_ahead:.3f} m"
            )

    @classmethod
    def from_height(
        cls, height: float, *, mass: float | None = None, proportions: Proportions = ADULT
    ) -> Measures:
        """The measures of a person `height` [m] tall.

        Args:
            height: [m], in 0.3 to 3.
            mass: [kg], > 0; from the height and the body mass index when not given.
            proportions: `ADULT`, `CHILD` or your own.
        """
        tall = number(height, "height", at_least=0.3, at_most=3.0, error=CharacterError)
        share = proportions
        foot = share.foot_length * tall
        return cls(
            height=tall,
            mass=share.body_mass_index * tall**2 if mass is None else mass,
            thigh=share.thigh * tall,
            shin=share.shin * tall,
            ankle_height=share.ankle * tall,
            foot_length=foot,
            foot_width=share.foot_width * tall,
            heel_behind=_HEEL * foot,
            ball_ahead=_BALL * foot,
            ball_height=0.35 * share.ankle * tall,
            hip_width=share.hip_width * tall,
            shoulder_width=share.shoulder_width * tall,
            shoulder_height=share.shoulder_height * tall,
            upper_arm=share.upper_arm * tall,
            forearm=share.forearm * tall,
            hand=share.hand * tall,
            neck_height=share.neck_height * tall,
            head_height=share.head_height * tall,
            chin_height=share.chin_height * tall,
            eye_height=share.eye_height * tall,
        )

    @property
    def leg_length(self) -> float:
        """Hip joint to sole with a straight leg [m]: the L of gait formulas."""
        return self.thigh + self.shin + self.ankle_height

    @property
    def toe_ahead(self) -> float:
        """How far the toe tip lies ahead of the ankle [m]."""
        return self.foot_length - self.heel_behind

    @property
    def heel(self) -> Floats:
        """`(3,)` [m]: the heel's contact point, from the ankle, in the foot's frame."""
        return frozen(np.array([-self.heel_behind, 0.0, -self.ankle_height]))

    @property
    def ball(self) -> Floats:
        """`(3,)` [m]: the ball's contact point, from the ankle, in the foot's frame."""
        return frozen(np.array([self.ball_ahead, 0.0, -self.ankle_height]))

    @property
    def toe_tip(self) -> Floats:
        """`(3,)` [m]: the toe tip on the ground, from the ankle, in the flat foot's frame."""
        return frozen(np.array([self.toe_ahead, 0.0, -self.ankle_height]))
