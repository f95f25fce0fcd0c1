"""From a plan of controller runs to an animation: the step engine plays their rollouts."""

from __future__ import annotations

from surefoot import control
from surefoot.character import Character
from surefoot.motion.engine import Engine
from surefoot.planning.plan import Plan
from surefoot.planning.runs import rollouts, runs
from surefoot.world import World


def engine_of_runs(plan: Plan, world: World, character: Character) -> Engine:
    """What plays the rollouts of the controllers that a plan runs; see `animate`."""
    return control.play(rollouts(plan, world, character), runs(plan)[0].start)
