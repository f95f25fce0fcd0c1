"""The rollouts of controllers that a plan is made of, made again from what its segments say."""

from __future__ import annotations

from collections.abc import Mapping

from surefoot.character import Character
from surefoot.control import Controller, Obstacle, Rollout
from surefoot.errors import InputError
from surefoot.planning import segments
from surefoot.planning.plan import Plan
from surefoot.planning.segments import Run
from surefoot.planning.trained import controllers_of
from surefoot.world import World

SAME = 1e-6
"""[s] by which a rollout that is made again may end earlier or later than it did."""


def rollouts(
    plan: Plan,
    world: World,
    character: Character,
    controllers: Mapping[str, Controller] | None = None,
) -> tuple[Rollout, ...]:
    """The rollouts of a plan in order, each from the configuration in which the last one ended.

    Args:
        plan: whose segments are executed by controllers.
        world: the one it was planned in.
        character: the one it was planned for.
        controllers: those it was planned with; the character's own when not given.

    Raises:
        InputError: a segment is executed in another way, or a rollout comes out otherwise than it
            was planned: the controllers or the world are not the same.
    """
    trained = controllers_of(character) if controllers is None else controllers
    found: list[Rollout] = []
    for run in runs(plan):
        name = run.controller
        rollout = trained[name].rollout(
            run.start, run.target, obstacle=_obstacle(run), t=run.begin, arrival=run.arrival,
            wait=run.wait, boards=run.boards, world=world, character=character,
        )  # fmt: skip
        if run.broken_off and rollout.end > run.end:
            rollout = rollout.broken_off(run.end)
        if not rollout or abs(rollout.end - run.end) > SAME:
            raise InputError(
                f"controller {name!r} was to go from {run.begin:.2f} s to {run.end:.2f} s; it"
                f" {rollout.ending} at {rollout.end:.2f} s: the controllers or the world are not"
                " those of the plan"
            )
        found.append(rollout)
    return tuple(found)


def _obstacle(run: Run) -> Obstacle | None:
    if not run.obstacle:
        return None
    x, y, direction, *constants = run.obstacle
    return Obstacle(x, y, direction, tuple(constants))


def runs(plan: Plan) -> tuple[Run, ...]:
    """The runs of controllers that a plan is made of, in order; once for all segments of each."""
    found: list[Run] = []
    for i, segment in enumerate(plan.segments):
        how = segment.execution
        if not isinstance(how, segments.Controller) or how.run is None:
            raise InputError(f"plan segment {i} ({segment.kind}) is no run of a controller")
        for run in (how.run, *how.then):
            if not found or run.begin > found[-1].begin:
                found.append(run)
    return tuple(found)
