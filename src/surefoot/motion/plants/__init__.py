"""Foot plants: when and where each foot is on the ground (beacco2013 4.2)."""

from surefoot.motion.plants.clips import foot_paths
from surefoot.motion.plants.finding import find_plants
from surefoot.motion.plants.paths import PARTS, FootPaths
from surefoot.motion.plants.plants import Plant, Plants
from surefoot.motion.plants.settings import PlantSettings

__all__ = [
    "PARTS",
    "FootPaths",
    "Plant",
    "PlantSettings",
    "Plants",
    "find_plants",
    "foot_paths",
]
