"""Pursuit: somebody follows what moves unpredictably, through a world whose motion is known.

One episode after the other (levine2011, section 7.3): the target is seen; a plan is made that
starts where the character will be when it is due, or a little later, within as many evaluations as
an episode may take; what it does not finish the next one goes on with. The plan is taken up there,
or the best-known way where the search has not ended by then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from surefoot import arrays
from surefoot.agents.pursuit.chase import Chase
from surefoot.agents.pursuit.result import Pursuit
from surefoot.agents.pursuit.settings import PursuitSettings
from surefoot.agents.pursuit.targets import AnyTarget
from surefoot.agents.senses import Senses, checked
from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.errors import ProblemError
from surefoot.planning import Cost, Goal, Problem
from surefoot.planning.places import PlaceLike, resolve_place
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.world import World

AT_ONCE = SpaceTimeSettings(polish=300, haste=2.0)
"""One of the first ways, and more where there is time: the target will be elsewhere before the
best one is found. Episodes share the polish."""


def pursue(
    world: World,
    character: Character,
    start: PlaceLike,
    target: AnyTarget,
    *,
    settings: PursuitSettings | None = None,
    planner: SpaceTime | None = None,
    cost: Cost | None = None,
    t: float = 0.0,
    duration: float = 60.0,
    heading: float = 0.0,
    senses: Senses | None = None,
    capabilities: tuple[str, ...] | None = None,
    rates: Sequence[float] | None = None,
    progress: Callable[[float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Pursuit:
    """Pursues a target until it is caught, or the time is over.

    Args:
        world: where; its bodies' future is known.
        character: who pursues.
        start: where it stands: a place, a point or a name.
        target: a `Runner`, a body's name, or a function of time that gives where it is [m].
        settings: how.
        planner: of the plans; `SpaceTime(AT_ONCE)` when not given.
        cost: what counts; time when not given.
        t: [s] when it begins.
        duration: [s], > 0: at most.
        heading: [rad] at the start.
        senses: what the pursuer knows; everything when not given.
        capabilities: that it may use; all when not given.
        rates: [evaluations/ms] of each episode, from one that was measured, to repeat it.
        progress: told how much of the time is over, 0 to 1.
        cancel: asked now and then; the pursuit so far is given once it says true.

    Returns:
        what was done; truthy when the target was caught.
    """
    arrays.time(t, "t")
    arrays.time(duration, "duration", above=0.0)
    place = resolve_place(start, world, [t], character.capabilities.values(), "start")
    chase = Chase(
        world, character, place, target, settings or PursuitSettings(),
        planner or SpaceTime(AT_ONCE), cost, t, duration, heading, checked(senses),
        capabilities, rates,
    )  # fmt: skip
    while not chase.over and not (cancel is not None and cancel()):
        chase.episode()
        if progress is not None:
            progress(min((chase.now - t) / duration, 1.0))
    return chase.result()


def travel(
    problem: Problem,
    *,
    settings: PursuitSettings | None = None,
    planner: SpaceTime | None = None,
    senses: Senses | None = None,
    progress: Callable[[float], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Pursuit:
    """Goes to a goal live, planning again and again with what is known by then.

    Args:
        problem: with a place as its goal; it may last as long as its horizon.
        settings: how; one is there within the goal's tolerance.
        planner: of the plans; `SpaceTime(AT_ONCE)` when not given.
        senses: what the character knows; everything when not given.
        progress: told how much of the time is over, 0 to 1.
        cancel: asked now and then.
    """
    goal = problem.goal
    if not isinstance(goal, Goal):
        raise ProblemError(f"one travels to a place, not to {goal}")

    def there(t: float) -> Floats:
        return problem.world.position(goal.place, t)

    return pursue(
        problem.world, problem.character, problem.start, there,
        settings=replace(settings or PursuitSettings(lead=0.0), catch=goal.tolerance),
        planner=planner, cost=problem.cost, t=problem.start_time, duration=problem.horizon,
        heading=problem.start_heading or 0.0, senses=senses, capabilities=problem.capabilities,
        progress=progress, cancel=cancel,
    )  # fmt: skip
