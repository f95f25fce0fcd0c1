"""Runs recordings again, and holds each frame against what was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from surefoot.agents.crowd import Crowd
from surefoot.agents.inputs import Added, Input, Removed, Sent, Viewed, apply_to_world
from surefoot.agents.recording import PlannerMaker, Recording
from surefoot.errors import ReplayError


def replayed(
    recording: Recording, planner: PlannerMaker | None, *, threads: int | None
) -> Iterator[Crowd]:
    """See `Recording.replay`."""
    world = recording.world.copy()
    settings = recording.settings
    if threads is not None:
        settings = replace(settings, threads=threads)
    crowd = Crowd(world, planner=planner, settings=settings, start=recording.start)
    if crowd.planner.name != recording.planner:
        raise ReplayError(
            f"recorded with planner {recording.planner!r}, replayed with {crowd.planner.name!r}"
        )
    _check_identity(crowd, recording)
    waiting = iter((*recording.inputs, None))
    change = next(waiting)
    for frame, dt in enumerate(recording.steps.tolist()):
        while change is not None and change.frame <= frame:
            _apply(change, crowd, recording)
            change = next(waiting)
        if frame == 0:
            yield crowd
        crowd.step(dt, nodes=int(recording.nodes[frame]))
        if crowd.digest != recording.digests[frame]:
            raise ReplayError(
                f"frame {frame} of {len(recording)} came out differently; it was recorded by"
                " another version, or its world was changed without the recording's knowledge"
            )
        yield crowd


def _apply(change: Input, crowd: Crowd, recording: Recording) -> None:
    match change:
        case Added():
            character = recording.characters[change.character]
            agent = crowd.add(character, change.place, heading=change.heading)
            if agent != change.agent:
                raise ReplayError(f"agent {change.agent} came as agent {agent}")
            _check_identity(crowd, recording)
        case Removed():
            crowd.remove(change.agent)
        case Sent():
            crowd.goal(change.agent, change.goal)
        case Viewed():
            crowd.view_from(change.viewers)
        case _:
            apply_to_world(change, crowd.world)


def _check_identity(crowd: Crowd, recording: Recording) -> None:
    """Another library, or other settings, would only be noticed when somebody goes elsewhere."""
    now = crowd.planner.identity
    for name, recorded in recording.identity.items():
        if name in now and now[name] != recorded:
            raise ReplayError(
                f"recorded with {name} = {recorded}, replayed with {now[name]}: give replay a"
                " planner like the one that was recorded"
            )
