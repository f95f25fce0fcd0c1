"""Plans and animates human characters through 3D worlds that move.

The flow is world, character, problem, plan, animation, studio:

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

if TYPE_CHECKING:
    from surefoot import control, physics, studio
    from surefoot.agents import Crowd, CrowdSettings, Entrant, Recording
    from surefoot.agents.pursuit import Pursuit, PursuitSettings, Runner, pursue, travel
    from surefoot.agents.senses import Senses
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
    from surefoot.planning.footsteps import Footpath, Footsteps, FootstepSettings
    from surefoot.planning.grid import Grid, GridMap, GridSettings
    from surefoot.planning.planners import plan
    from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
    from surefoot.planning.topology import Atlas, Topology, TopologySettings, Traveller
    from surefoot.scenario import Scenario, load_world
    from surefoot.world import (
        Attached,
        Body,
        Capsule,
        Contact,
        Cylinder,
        Feed,
        Foot,
        Function,
        Keyframed,
        Mesh,
        Observed,
        Place,
        Played,
        Static,
        TimedPath,
        Trajectory,
        Watching,
        World,
        along,
        primitives,
        scenes,
    )

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
    "Feed",
    "Watching",
    "Played",
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
    "control",
    "physics",
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
    "GridMap",
    "GridSettings",
    "SpaceTime",
    "SpaceTimeSettings",
    "Topology",
    "TopologySettings",
    "Atlas",
    "Traveller",
    "Footsteps",
    "FootstepSettings",
    "Footpath",
    "Plan",
    "Segment",
    "animate",
    "Animation",
    "pictures",
    "Crowd",
    "Entrant",
    "CrowdSettings",
    "Recording",
    "pursue",
    "Pursuit",
    "PursuitSettings",
    "Runner",
    "travel",
    "Senses",
    "studio",
    "SurefootError",
    "__version__",
]

# Where each name lives. Stages are imported when first used: asking a world needs no animation,
# and the studio needs an optional dependency.
_HOMES = {
    "surefoot.agents": ("Crowd", "CrowdSettings", "Entrant", "Recording"),
    "surefoot.agents.pursuit": ("Pursuit", "PursuitSettings", "Runner", "pursue", "travel"),
    "surefoot.agents.senses": ("Senses",),
    "surefoot.animation": ("Animation", "animate", "pictures"),
    "surefoot.character": ("Capability", "Character", "people"),
    "surefoot.errors": ("SurefootError",),
    "surefoot.math": ("Pose",),
    "surefoot.planning": (
        *("AllOf", "AnyOf", "Cost", "Goal", "Limits", "Plan", "Problem", "Region", "Segment"),
        "costs",
    ),
    "surefoot.planning.footsteps": ("Footpath", "FootstepSettings", "Footsteps"),
    "surefoot.planning.grid": ("Grid", "GridMap", "GridSettings"),
    "surefoot.planning.planners": ("plan",),
    "surefoot.planning.spacetime": ("SpaceTime", "SpaceTimeSettings"),
    "surefoot.planning.topology": ("Atlas", "Topology", "TopologySettings", "Traveller"),
    "surefoot.scenario": ("Scenario", "load_world"),
    "surefoot.world": (
        *("Attached", "Body", "Capsule", "Contact", "Cylinder", "Feed", "Foot", "Function"),
        *("Keyframed", "Mesh", "Observed", "Place", "Played", "Static", "TimedPath", "Trajectory"),
        *("Watching", "World", "along"),
        *("primitives", "scenes"),
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in ("control", "physics", "studio"):
        return import_module(f"surefoot.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'surefoot' has no attribute {name!r}")
    home = import_module(_HOME[name])
    value = getattr(home, name) if hasattr(home, name) else import_module(f"{_HOME[name]}.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
