"""From a footpath to the segments of a plan."""

from __future__ import annotations

from itertools import groupby

import numpy as np

from surefoot.arrays import Floats
from surefoot.motion.flight import Flight
from surefoot.motion.playing.footage import Take
from surefoot.motion.steps import MODES
from surefoot.planning.cost import CostTable
from surefoot.planning.footsteps.footpath import Footpath, carrier
from surefoot.planning.footsteps.playing import Part
from surefoot.planning.footsteps.treading import treading
from surefoot.planning.frames import headings_to_frame, headings_to_world, to_frame, to_world
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Kind, Segment, Steps, Timing
from surefoot.world import Place

_KINDS = {
    "walk": Kind.WALK,
    "run": Kind.RUN,
    "turn": Kind.TURN,
    "stand": Kind.WAIT,
    "crouch": Kind.CROUCH,
    "step up": Kind.WALK,
    "step down": Kind.WALK,
    "jump": Kind.JUMP,
}
_SKILLS = {Kind.RUN: "run", Kind.CROUCH: "crouch", Kind.JUMP: "jump"}
_CRACK = 0.08  # [m] of missing ground that is no gap
_FLYING = 1 / 60  # [s] between points of a flight


def segments_of(path: Footpath, problem: Problem) -> tuple[Segment, ...]:
    """Steps of the same kind in a row as one segment each, with its cost; jumps by themselves."""
    costs = problem.cost.table(problem.world, problem.character, tuple(problem.skills))
    kinds = [(_kind(path, part, problem), part.body or "") for part in path.parts]
    found: list[Segment] = []
    numbered = list(zip(kinds, path.parts, strict=True))
    for (kind, _), group in groupby(numbered, key=lambda one: one[0]):
        parts = [part for _, part in group]
        if kind is Kind.JUMP:
            found += [_segment(path, problem, costs, kind, [part]) for part in parts]
        else:
            found.append(_segment(path, problem, costs, kind, parts))
    return tuple(found)


def _segment(
    path: Footpath, problem: Problem, costs: CostTable, kind: Kind, parts: list[Part]
) -> Segment:
    frame = parts[0].body
    rows = np.stack([_before(path, parts[0], frame), *(part.to[:5] for part in parts)])
    skill = _SKILLS.get(kind, "walk")
    mode = "wait" if kind.waits else skill
    flights: tuple[Flight, ...] = ()
    names = tuple(part.name for part in parts)
    if kind is Kind.JUMP:
        flight, rows = _flown(path, problem, parts[0])
        flights = () if flight is None else (flight,)
    times, positions = rows[:, 4], rows[:, :3]
    return Segment(
        kind=kind,
        capability=skill,
        times=times,
        positions=positions,
        headings=rows[:, 3],
        frame=frame,
        timing=Timing.FIXED,
        execution=Steps(names, tuple(part.speed for part in parts)),
        flights=flights,
        cost=_cost(problem, costs, mode, times, positions, frame),
    )


def _before(path: Footpath, part: Part, frame: str | None = None) -> Floats:
    """Where a part begins, in the frame of a body."""
    row = path.states[path.index(part.begins)]
    own = carrier(path.world, float(row[7]))
    if own == frame or path.world is None:
        return row[:5]
    world, times = path.world, row[4:5]
    place = to_frame(world, frame, to_world(world, own, row[None, :3], times), times)[0]
    facing = headings_to_world(world, own, row[3:4], times)
    turned = headings_to_frame(world, frame, facing, times)
    return np.array([*place, turned[0], row[4]])


def _kind(path: Footpath, part: Part, problem: Problem) -> Kind:
    if part.stands:
        return Kind.RIDE if part.body is not None else Kind.WAIT
    begins = path.states[path.index(part.begins)]
    # From the step across until the other foot has followed.
    if carrier(path.world, float(begins[7])) != part.body or begins[8] != begins[9]:
        return Kind.BOARD
    action = int(path.ids[path.index(part.begins)])
    if path.repertoire.lifts[action]:
        return Kind.CROUCH  # down into one, or up from it
    kind = _KINDS[MODES[int(path.repertoire.steps.mode[path.repertoire.step[action]])]]
    if kind is Kind.WALK and part.body is None and _bridges(path, part, problem):
        return Kind.STEP_OVER
    return kind


def _bridges(path: Footpath, part: Part, problem: Problem) -> bool:
    """Whether there is no ground between where a step begins and ends."""
    start, end = _before(path, part)[:3], part.to[:3]
    count = int(np.linalg.norm(end - start) / (_CRACK / 2)) + 2
    share = np.linspace(0.0, 1.0, count)[:, None]
    reach = problem.skills["walk"].step_height
    below = problem.world.support((1 - share) * start + share * end, part.begins, up=reach,
                                  down=reach)  # fmt: skip
    missing = ~below.hit
    return bool(missing.sum() >= 2 or missing[0] or missing[-1])


def _flown(path: Footpath, problem: Problem, part: Part) -> tuple[Flight | None, Floats]:
    """The flight of a jump, and its way: on the ground, along the parabola, on the ground."""
    take = path.repertoire.footage.take(part.clip, mirrored=part.mirrored)
    trod = treading(take, part.start, part.end)
    start, end = _before(path, part), part.to[:5]
    if not trod.flies:
        return None, np.stack([start, end])
    off, on = (
        _along(take, part, share, start, end, height)
        for share, height in zip(trod.flight.tolist(), (start[2], end[2]), strict=True)
    )
    if trod.lands.all():
        # With both feet: from between them to between them, wherever the body leans.
        off[:2], on[:2] = start[:2], end[:2]
    flight = Flight(
        take_off=Place(None, off[:3]), landing=Place(None, on[:3]), start=float(off[4]),
        end=float(on[4]),
    )  # fmt: skip
    airborne = flight.end - flight.start
    inside: Floats = np.linspace(flight.start, flight.end, int(airborne / _FLYING) + 2)[1:-1]
    air = np.column_stack(
        [
            flight.positions(problem.world, inside),
            np.interp(inside, [flight.start, flight.end], [float(off[3]), float(on[3])]),
            inside,
        ]
    )
    return flight, np.concatenate([[start], [off], air, [on], [end]])


def _along(
    take: Take, part: Part, share: float, start: Floats, end: Floats, height: float
) -> Floats:
    """A state `(5,)` on the way from one to another, as far as a clip has come by then."""
    first, last = take.frame(part.start)[0], take.frame(part.end)[0]
    place, facing = take.frame(part.start + share * (part.end - part.start))
    whole = float(np.linalg.norm(last - first))
    done = min(float(np.linalg.norm(place - first)) / max(whole, 1e-9), 1.0)
    row = start + done * (end - start)
    row[2], row[4] = height, start[4] + share * (end[4] - start[4])
    row[3] = start[3] + facing - take.frame(part.start)[1]
    return row


def _cost(
    problem: Problem,
    costs: CostTable,
    mode: str,
    times: Floats,
    positions: Floats,
    frame: str | None,
) -> float:
    """Effort by velocity relative to what carries."""
    steps = np.diff(times)
    when = (times[1:] + times[:-1]) / 2
    middles = to_world(problem.world, frame, (positions[1:] + positions[:-1]) / 2, when)
    velocities = np.diff(positions, axis=0) / steps[:, None]
    reach = max(skill.step_height for skill in problem.skills.values())
    ground = problem.world.support(middles, when, up=reach, down=reach)
    return float((costs.rates(mode, middles, when, velocities, ground.body) * steps).sum())
