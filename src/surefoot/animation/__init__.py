"""Animation: from plans to poses, files and pictures."""

from surefoot.animation.animate import EXECUTABLE, animate, plan_footsteps
from surefoot.animation.animation import Animation
from surefoot.animation.gltf_export import save_world
from surefoot.animation.markers import Marker

__all__ = ["EXECUTABLE", "Animation", "Marker", "animate", "plan_footsteps", "save_world"]
