"""Plays a crowd scene: makes the crowd, hands out goals, drags what is dragged, and films it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from surefoot import arrays
from surefoot.agents.crowd import Crowd
from surefoot.agents.film import Film
from surefoot.agents.recording import PlannerMaker
from surefoot.agents.scenes.scene import CrowdScene
from surefoot.agents.settings import CrowdSettings


@dataclass(frozen=True, eq=False)
class Played:
    """A scene that was played.

    Attributes:
        scene: which.
        crowd: as it is at the end.
        film: all poses.
        arrived: how many stand at their last goal, or left when they were there.
    """

    scene: CrowdScene
    crowd: Crowd
    film: Film
    arrived: int


def play(
    scene: CrowdScene,
    *,
    planner: PlannerMaker | None = None,
    settings: CrowdSettings | None = None,
    dt: float = 1.0 / 60.0,
    duration: float | None = None,
    film: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Played:
    """Plays a scene until everybody is at the last goal, or its time is over.

    Args:
        scene: what.
        planner: gives the planner for a world; the planner of footsteps when not given.
        settings: how; the scene's own when not given.
        dt: [s], > 0: of a frame.
        duration: [s], > 0: at most; the scene's own when not given.
        film: whether poses are kept.
        progress: told how much of the time is over, 0 to 1.
    """
    arrays.time(dt, "dt", above=0.0)
    span = scene.duration if duration is None else arrays.time(duration, "duration", above=0.0)
    crowd = gather(scene, planner=planner, settings=settings)
    world = crowd.world
    walkers = dict(zip(crowd.agents, scene.walkers, strict=True))
    left = {agent: list(walker.goals[1:]) for agent, walker in walkers.items()}
    shots = Film(world)
    while crowd.t < span:
        there = [agent for agent in crowd.agents if crowd.arrived(agent)]
        for agent in there:
            if left[agent]:
                crowd.goal(agent, left[agent].pop(0))
        for name, hidden in scene.live.items():
            world.observe(name, crowd.t, hidden.pose(crowd.t))
        if film:
            shots.shoot(crowd)
        if scene.leave:
            for agent in there:
                if walkers[agent].goals and crowd.arrived(agent):
                    crowd.remove(agent)
        if crowd.done:
            break
        crowd.step(dt)
        if progress is not None:
            progress(crowd.t / span)
    # What was only seen frame by frame is shown, and checked, as it truly moved.
    shots.world = world.copy()
    for name, hidden in scene.live.items():
        shots.world.move(name, hidden)
    stay = crowd.agents
    there = sum(crowd.arrived(agent) and not left[agent] for agent in stay)
    return Played(scene, crowd, shots, len(scene.walkers) - len(stay) + there)


def gather(
    scene: CrowdScene,
    *,
    planner: PlannerMaker | None = None,
    settings: CrowdSettings | None = None,
) -> Crowd:
    """The crowd of a scene at its start, in a world of its own; everybody has its first goal.

    Args:
        scene: what.
        planner: gives the planner for a world; the planner of footsteps when not given.
        settings: how; the scene's own when not given.
    """
    world = scene.world.copy()
    crowd = Crowd(world, planner=planner, settings=settings or scene.settings)
    for walker in scene.walkers:
        agent = crowd.add(walker.character, walker.place, heading=walker.heading)
        if walker.goals:
            crowd.goal(agent, walker.goals[0])
    return crowd
