"""The footstep planner: every foot of every character, in time (beacco2013)."""

from surefoot.planning.footsteps.footpath import Footpath
from surefoot.planning.footsteps.live import LiveFootsteps
from surefoot.planning.footsteps.planner import Footsteps
from surefoot.planning.footsteps.settings import FootstepSettings

__all__ = ["Footpath", "FootstepSettings", "Footsteps", "LiveFootsteps"]
