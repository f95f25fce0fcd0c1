"""Worlds made by code, ready to plan in: `load("yard")`."""

from surefoot.world.scenes import stair_house, yard  # noqa: F401 - each registers itself
from surefoot.world.scenes.registry import Scene, describe, load, names

__all__ = ["Scene", "describe", "load", "names"]
