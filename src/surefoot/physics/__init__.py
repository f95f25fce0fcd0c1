"""Physics: simulated bodies that walk, and worlds that MuJoCo runs (coros2009).

MuJoCo is optional: `pip install 'surefoot[physics]'`. Without it this package still imports, and
what needs the engine says so.

    mujoco = physics.engine()       # the `mujoco` package, of a version that fits
"""

from surefoot.physics.extra import engine

__all__ = ["engine"]
