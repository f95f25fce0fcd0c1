"""Motion: what a body has been seen doing, or is made to do by our own gait model."""

from surefoot.motion.clip import Clip
from surefoot.motion.footholds import Foothold
from surefoot.motion.gait.runs import Stretch
from surefoot.motion.gait.stepping import place_footsteps
from surefoot.motion.gait.track import Ground, Track
from surefoot.motion.gait.walker import Motion, Walker
from surefoot.motion.library import Library, build_library, load_library, save_library
from surefoot.motion.plants import FootPaths, Plant, Plants, PlantSettings, find_plants
from surefoot.motion.steps import Step, Steps, find_steps

__all__ = [
    "Clip",
    "FootPaths",
    "Foothold",
    "Ground",
    "Library",
    "Motion",
    "Plant",
    "PlantSettings",
    "Plants",
    "Step",
    "Steps",
    "Stretch",
    "Track",
    "Walker",
    "build_library",
    "find_plants",
    "find_steps",
    "load_library",
    "place_footsteps",
    "save_library",
]
