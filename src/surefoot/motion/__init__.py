"""Motion: footholds first, then a body that walks on them with its feet locked."""

from surefoot.motion.footholds import Foothold
from surefoot.motion.runs import Stretch
from surefoot.motion.stepping import place_footsteps
from surefoot.motion.track import Ground, Track
from surefoot.motion.walker import Motion, Walker

__all__ = ["Foothold", "Ground", "Motion", "Stretch", "Track", "Walker", "place_footsteps"]
