"""From a plan of steps to an animation: the step engine plays them (beacco2013, section 6)."""

from __future__ import annotations

import numpy as np

from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.motion.default import default_footage
from surefoot.motion.engine import Engine
from surefoot.motion.library import Library
from surefoot.motion.playing.filming import library_footage
from surefoot.planning.footsteps.playing import Part, named, play
from surefoot.planning.plan import Plan
from surefoot.planning.segments import Steps
from surefoot.world import Place, World


def engine_of_steps(
    plan: Plan, world: World, character: Character, library: Library | None
) -> Engine:
    """What plays the steps that a plan names; see `animate`."""
    footage = (
        default_footage(character)
        if library is None
        else library_footage(library.fitted(character.measures), character.measures)
    )
    first = plan.segments[0]
    return play(
        footage, world, _parts(plan), Place(first.frame, first.positions[0]),
        float(first.headings[0]), plan.start,
    )  # fmt: skip


def _parts(plan: Plan) -> list[Part]:
    parts: list[Part] = []
    for index, segment in enumerate(plan.segments):
        if not isinstance(segment.execution, Steps):
            name = type(segment.execution).__name__.lower()
            raise InputError(
                f"plan segment {index} is to be executed by a {name}, others by steps; a plan"
                " takes steps throughout, or not at all"
            )
        speeds = segment.execution.speeds or (1.0,) * len(segment.execution.names)
        rows = np.column_stack([segment.positions, segment.headings, segment.times])
        for number, (name, speed) in enumerate(zip(segment.execution.names, speeds, strict=True)):
            # A jump is a segment of its own, with points of its flight in between.
            ends = -1 if len(speeds) == 1 else number + 1
            begins = float(segment.times[number])
            parts.append(named(name, speed=speed, begins=begins, to=rows[ends], body=segment.frame))
    return parts
