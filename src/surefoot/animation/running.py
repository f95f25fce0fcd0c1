"""From a plan of controller runs to an animation: the step engine plays their rollouts."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor

import numpy as np

from surefoot import control
from surefoot.animation.animation import Animation
from surefoot.character import Character
from surefoot.control import Controller
from surefoot.errors import InputError
from surefoot.planning.plan import Plan
from surefoot.planning.runs import rollouts
from surefoot.planning.segments import Controller as ControllerRun
from surefoot.world import World


def ran(
    plan: Plan,
    world: World,
    character: Character,
    rate: float,
    linger: float,
    controllers: Mapping[str, Controller] | None = None,
) -> Animation:
    """The poses of a character that does what a plan's controllers do; see `animate`."""
    if plan.character != character.name:
        raise InputError(f"the plan is for {plan.character!r}, not for {character.name!r}")
    chain = rollouts(plan, world, character, controllers)
    engine = control.play(chain, _first(plan))
    count = floor((plan.end + linger - plan.start) * rate + 1e-9) + 1
    times = plan.start + np.arange(count) / rate
    path, headings = plan.track(times, world)
    return Animation(
        plan=plan,
        world=world,
        character=character,
        motion=engine.at(times),
        path=path,
        headings=headings,
        rate=rate,
    )


def _first(plan: Plan) -> control.Configuration:
    how = plan.segments[0].execution
    if not isinstance(how, ControllerRun) or how.run is None:
        raise InputError(
            "plan segment 0 is not executed by a controller, others are; a plan runs controllers"
            " throughout, or not at all"
        )
    return how.run.start
