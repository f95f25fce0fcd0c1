"""Steps: clips cut where feet land, each with what a planner wants to know (beacco2013 4)."""

from surefoot.motion.steps.annotating import find_steps
from surefoot.motion.steps.step import FEET, MODES, SAMPLED, SAMPLES, Step
from surefoot.motion.steps.steps import Steps, joined, no_steps

__all__ = [
    "FEET",
    "MODES",
    "SAMPLED",
    "SAMPLES",
    "Step",
    "Steps",
    "find_steps",
    "joined",
    "no_steps",
]
