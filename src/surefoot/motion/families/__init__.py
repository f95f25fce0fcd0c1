"""Families of clips that the gait model makes: continuous in a few numbers (levine2011, 4.1)."""

from surefoot.motion.families.family import BLENDING, Family, Made, Parameter

__all__ = ["BLENDING", "Family", "Made", "Parameter"]
