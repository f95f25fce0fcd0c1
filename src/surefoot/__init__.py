"""Plans and animates human characters through 3D worlds that move.

world -> character -> problem -> plan -> animation -> studio

import surefoot as sf

scene = sf.scenes.load("yard")
problem = sf.Problem(
world=scene.world, character=sf.people.adult(), start=scene.start, goal=sf.Goal(scene.goal)
)
plan = sf.plan(problem)
animation = sf.animate(plan, scene.world, problem.character)
animation.save("walk.glb")
sf.studio.show(animation)
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from surefoot.animation import Animation, animate, pictures
from surefoot.character import Capability, Character, people
from surefoot.errors import SurefootError
from surefoot.math import Pose
from surefoot.planning import (
    AllOf,
    AnyOf,
    Cost,
    Goal,
    Limits,
    Plan,
    Problem,
    Region,
    Segment,
    costs,
)
from surefoot.planning.grid import Grid, GridSettings
from surefoot.planning.planners import plan
from surefoot.scenario import Scenario
from surefoot.world import (
    Attached,
    Body,
    Capsule,
    Contact,
    Cylinder,
    Foot,
    Function,
    Keyframed,
    Mesh,
    Observed,
    Place,
    Static,
    TimedPath,
    Trajectory,
    World,
    along,
    primitives,
    scenes,
)
from surefoot.world.loaders import load_world

if TYPE_CHECKING:
    from surefoot import studio as studio

__version__ = version("surefoot")

# In the order of the flow: world, character, problem, plan, animation, studio.
__all__ = [  # noqa: RUF022
    "World",
    "Body",
    "Mesh",
    "Pose",
    "Trajectory",
    "Static",
    "Keyframed",
    "along",
    "Function",
    "Observed",
    "Attached",
    "Place",
    "Cylinder",
    "Capsule",
    "Foot",
    "TimedPath",
    "Contact",
    "primitives",
    "load_world",
    "scenes",
    "Character",
    "Capability",
    "people",
    "Problem",
    "Goal",
    "Region",
    "AnyOf",
    "AllOf",
    "Cost",
    "costs",
    "Limits",
    "Scenario",
    "plan",
    "Grid",
    "GridSettings",
    "Plan",
    "Segment",
    "animate",
    "Animation",
    "pictures",
    "studio",
    "SurefootError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    # The studio needs an optional dependency: it is imported when first used.
    if name == "studio":
        return import_module("surefoot.studio")
    raise AttributeError(f"module 'surefoot' has no attribute {name!r}")
