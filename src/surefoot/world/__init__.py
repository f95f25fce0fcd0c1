"""Worlds: bodies that move, places on them, and exact queries about any moment."""

from surefoot.world.body import Body
from surefoot.world.futures import Function, Observed
from surefoot.world.keyframes import Keyframed, along
from surefoot.world.live import Feed, Played, Pushed, Watched, Watching
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.queries import Contact, Nearest, RayHits, Supports, TimedPath
from surefoot.world.shapes import Capsule, Cylinder, Foot, Standing
from surefoot.world.trajectory import Attached, Static, Trajectory
from surefoot.world.world import World

__all__ = [
    "Attached",
    "Body",
    "Capsule",
    "Contact",
    "Cylinder",
    "Feed",
    "Foot",
    "Function",
    "Keyframed",
    "Mesh",
    "Nearest",
    "Observed",
    "Place",
    "Played",
    "Pushed",
    "RayHits",
    "Standing",
    "Static",
    "Supports",
    "TimedPath",
    "Trajectory",
    "Watched",
    "Watching",
    "World",
    "along",
    "merge",
]
