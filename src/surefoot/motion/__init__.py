"""Motion: what a body has been seen doing, or is made to do by our own gait model."""

from surefoot.motion.clip import Clip
from surefoot.motion.footholds import Foothold
from surefoot.motion.gait.runs import Stretch
from surefoot.motion.gait.stepping import place_footsteps
from surefoot.motion.gait.track import Ground, Track
from surefoot.motion.gait.walker import Motion, Walker

__all__ = ["Clip", "Foothold", "Ground", "Motion", "Stretch", "Track", "Walker", "place_footsteps"]
