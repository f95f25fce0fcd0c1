"""levine2011: known futures."""

from surefoot.planning.spacetime.landmarks import Landmarks
from surefoot.planning.spacetime.planner import SpaceTime
from surefoot.planning.spacetime.replanning import Replanner
from surefoot.planning.spacetime.settings import SpaceTimeSettings

__all__ = ["Landmarks", "Replanner", "SpaceTime", "SpaceTimeSettings"]
