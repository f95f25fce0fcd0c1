"""Rotations and rigid poses."""

from surefoot.math import rotations
from surefoot.math.transforms import Pose

__all__ = ["Pose", "rotations"]
