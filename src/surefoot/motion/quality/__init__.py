"""Figures that tell good motion from bad: feet that slide or sink, joints and knees, jerk."""

from surefoot.motion.quality.report import Quality, assess
from surefoot.motion.quality.slide import foot_slide, penetration, sole_points
from surefoot.motion.quality.smoothness import (
    KNEE_ACCELERATION,
    KNEE_SPEED,
    knee_bend,
    knee_bounds,
)

__all__ = [
    "KNEE_ACCELERATION",
    "KNEE_SPEED",
    "Quality",
    "assess",
    "foot_slide",
    "knee_bend",
    "knee_bounds",
    "penetration",
    "sole_points",
]
