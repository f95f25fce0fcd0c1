"""Claims about the way on the ground: whole, free, firm, and not too fast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from surefoot.arrays import Bools
from surefoot.planning.claims.walk import Fault, Finding, Part, Walk, names
from surefoot.planning.frames import frame_velocities, to_frame
from surefoot.world import Cylinder, TimedPath, World

if TYPE_CHECKING:
    from surefoot.planning.plan import Plan

SKIN = 0.001
"""[m] A body may be grazed by this much."""

JOINT = 0.01
"""[m] By which the ends of two segments may miss each other."""

SLIP = 0.02
"""[m/s] By which the ground may move otherwise than the body that is said to carry."""

CRACK = 0.1
"""[m] Gap in the ground that nobody notices."""

AIR_TIME = 1.0
"""[s] The longest that a step over a gap may take."""


def missing_bodies(plan: Plan, world: World) -> Iterator[Finding]:
    """Segments on bodies that the world does not have."""
    for segment in plan.segments:
        if segment.frame is not None and segment.frame not in world:
            yield Finding(
                fault=Fault.MISSING,
                time=segment.start,
                place=segment.place(segment.start),
                message=f"the {segment.kind} is on {segment.frame!r}, which is not in the world",
                bodies=(segment.frame,),
            )


def joints(walk: Walk) -> Iterator[Finding]:
    """Each segment begins where and when the last one ended."""
    plan, world = walk.plan, walk.world
    ends = [(plan.start, plan.origin), *((s.end, s.place(s.end)) for s in plan.segments)]
    for (end, left), segment in zip(ends[:-1], plan.segments, strict=True):
        right = segment.place(segment.start)
        bodies = names(left.body, right.body)
        if any(name not in world for name in bodies):
            continue
        gap = np.linalg.norm(world.position(right, segment.start) - world.position(left, end))
        late = segment.start - end
        if gap > JOINT or abs(late) > 1e-6:
            yield Finding(
                fault=Fault.JOINT,
                time=segment.start,
                place=right,
                message=f"the {segment.kind} begins {gap:.3f} m and {late:.3f} s from where the"
                " plan had got to",
                bodies=bodies,
            )


def collisions(walk: Walk) -> Iterator[Finding]:
    """The capability's cylinder touches nothing on its way, at any moment."""
    for part in walk.parts:
        segment, size = part.segment, part.capability
        shape = Cylinder(size.radius - SKIN, size.height - SKIN, size.step_height)
        path = TimedPath(segment.times, segment.positions, segment.frame)
        contact = walk.world.sweep(path, shape, tolerance=1e-4)
        if contact is not None:
            yield Finding(
                fault=Fault.COLLISION,
                time=contact.time,
                place=segment.place(contact.time),
                message=f"the {segment.kind} runs into {contact.body!r}",
                bodies=(contact.body, *names(segment.frame)),
            )


def supports(walk: Walk) -> Iterator[Finding]:
    """There is ground to stand on, level enough, and it moves as the frame does."""
    for part in walk.parts:
        yield from _support(part, walk.world)


def _support(part: Part, world: World) -> Iterator[Finding]:
    segment, size = part.segment, part.capability
    step = max(size.step_height, SKIN)
    below = world.support(part.points, part.times, up=step, down=step)
    # As the ground itself is carried: who turns with it is not as fast at every height.
    soles = part.points.copy()
    soles[below.hit, 2] = below.height[below.hit]
    slip = np.min(
        [
            np.linalg.norm(
                below.velocity - frame_velocities(world, frame, soles, part.times), axis=1
            )
            for frame in part.frames
        ],
        axis=0,
    )
    steep = below.slope > size.max_slope + 1e-6
    bad = part.grounded & (~below.hit | steep | (slip > SLIP))
    gap = 0.45 * size.height if segment.kind.bridges else CRACK
    for first, last in _runs(bad):
        if first > 0 and last < len(bad) - 1:
            across = _across(part, world, first, last)
            if across <= gap and part.times[last] - part.times[first] <= AIR_TIME:
                continue
        if not below.hit[first]:
            why, on = f"nothing to stand on within {step:.2f} m", ()
        else:
            on = (world.names[int(below.body[first])],)
            if steep[first]:
                why = f"the ground of {on[0]!r} is {below.slope[first]:.2f} rad steep, more than"
                why += f" the {size.max_slope:.2f} rad of {size.name!r}"
            else:
                carrier = "the world" if segment.frame is None else repr(segment.frame)
                why = f"the {segment.kind} is carried by {carrier} but stands on {on[0]!r}, which"
                why += f" moves {slip[first]:.2f} m/s past it"
        yield Finding(
            fault=Fault.SUPPORT,
            time=float(part.times[first]),
            place=part.place(first),
            message=why,
            bodies=(*names(segment.frame), *on),
            point=part.points[first],
            margin=step,
        )


def _across(part: Part, world: World, first: int, last: int) -> float:
    """[m] How far one gets between two moments, as seen from what carries: trains may move on."""
    ends = [first, last]
    seen = [to_frame(world, frame, part.points[ends], part.times[ends]) for frame in part.frames]
    return min(float(np.linalg.norm((local[1] - local[0])[:2])) for local in seen)


def _runs(mask: Bools) -> list[tuple[int, int]]:
    """First and last index of each run of true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(first), int(after) - 1) for first, after in edges.reshape(-1, 2)]


def speeds(walk: Walk) -> Iterator[Finding]:
    """On the ground nobody is faster, relative to what carries them, than they can be."""
    for part in walk.parts:
        steps = np.diff(part.times)
        each = [to_frame(walk.world, frame, part.points, part.times) for frame in part.frames]
        speed = np.min(
            [np.linalg.norm(np.diff(local[:, :2], axis=0), axis=1) / steps for local in each],
            axis=0,
        )
        speed *= part.grounded[:-1] & part.grounded[1:]
        fastest = int(np.argmax(speed))
        limit = part.capability.max_speed
        if speed[fastest] > 1.01 * limit + 0.01:
            yield Finding(
                fault=Fault.SPEED,
                time=float(part.times[fastest]),
                place=part.place(fastest),
                message=f"the {part.segment.kind} goes at {speed[fastest]:.2f} m/s,"
                f" {part.capability.name!r} at most at {limit:.2f} m/s",
                bodies=names(*part.frames),
            )
