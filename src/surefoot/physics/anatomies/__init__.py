"""The built-in bodies: a humanoid, a bird and a raptor (coros2009 section 5)."""

from surefoot.physics.anatomies.bird import bird
from surefoot.physics.anatomies.humanoid import humanoid
from surefoot.physics.anatomies.raptor import raptor

__all__ = ["bird", "humanoid", "raptor"]
