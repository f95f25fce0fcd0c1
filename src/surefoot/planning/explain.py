"""Plans for people: a short table, and the reasons in words.

All coordinates are the world's. Where the character is on something that moves, or goes from one
body to another, the body is named beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import TYPE_CHECKING

from surefoot.planning import statistics, wording
from surefoot.planning.segments import Kind, Segment, Timing
from surefoot.planning.wording import Assumed
from surefoot.world import Place

if TYPE_CHECKING:
    from surefoot.planning.assumptions import Assumption
    from surefoot.planning.plan import Plan

GROUND = "the ground"
"""What a character is on where a plan names no body."""

NAMED = 3
"""Bodies that are named in a sentence; those beyond are counted."""


def table(plan: Plan) -> str:
    """What, when, where and at what cost; a line for each segment."""
    if not plan.segments:
        return _headline(plan)
    rows = [("what", "start", "end", "from", "to", "on", "cost")]
    for segment, described in zip(plan.segments, described_segments(plan), strict=True):
        times = f"{segment.start:.2f}", f"{_about(segment)}{segment.end:.2f}"
        to = "" if described.stays else described.end
        cost = f"{segment.cost:.2f}"
        rows.append((segment.kind.value, *times, described.start, to, described.on, cost))
    # A column that says nothing is left out.
    columns = [column for column in zip(*rows, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    lines = [_headline(plan)]
    for row in zip(*columns, strict=True):
        cells = [
            f"{cell:>{width}}" if column[0] in ("start", "end", "cost") else f"{cell:<{width}}"
            for cell, width, column in zip(row, widths, columns, strict=True)
        ]
        lines.append(f"  {'  '.join(cells)}")
    return "\n".join(lines)


def in_words(plan: Plan) -> str:
    """What is done, why that, and what it relies on."""
    lines = [_headline(plan)]
    for i, (segment, described) in enumerate(
        zip(plan.segments, described_segments(plan), strict=True), start=1
    ):
        because = f", because {segment.because}" if segment.because else ""
        lines.append(f"{i}. At {segment.start:.2f} s {_sentence(segment, described)}{because}.")
        for other in segment.instead:
            cost = "cannot be done" if isinf(other.cost) else f"would cost {other.cost:.2f} in all"
            lines.append(f"   Not: {other.what}: {other.why_not} ({cost}).")
    lines += _trust(plan)
    if plan.choice:
        lines.append(f"The {choice(plan)}.")
    took = statistics.in_words(plan.statistics)
    if took:
        lines.append(f"Planning: {took}.")
    return "\n".join(lines)


def choice(plan: Plan) -> str:
    """Which planner was chosen where the caller named none, and why."""
    return f"planner is {plan.planner}, because {plan.choice}"


def goal(plan: Plan) -> str:
    """The goal of a plan in world coordinates, as it is when the plan ends."""
    return wording.goal(plan.goal, Assumed(plan.assumes), plan.end)


def _headline(plan: Plan) -> str:
    made = [part for part in (plan.planner, statistics.headline(plan.statistics)) if part]
    by = f" ({', '.join(made)})" if made else ""
    if plan:
        time = f"{plan.duration:.2f} s, cost {plan.cost:.2f}"
        return f"{plan.character} reaches {goal(plan)} in {time}{by}"
    line = f"{plan.character} does not reach {goal(plan)}: {plan.status.message}{by}"
    if plan.segments:
        known = Assumed(plan.assumes)
        last = plan.place(plan.end)
        place = wording.place(last, known, plan.end, on=known.moves(last.body))
        line += f"; the best way found ends at {plan.end:.2f} s, {place}"
    return line


class Described:
    """A segment's places in words; see `described_segments`.

    Attributes:
        start: where it begins, in world coordinates.
        end: where it ends.
        on: the body that it is on, or those that it goes from and to; empty where that is ground
            which never moves.
        first: what carries the character before.
        last: what carries it after.
        rides: whether that moves.
        stays: whether it begins and ends at the same place of the world.
    """

    def __init__(self, segment: Segment, before: str | None, known: Assumed) -> None:
        frame = segment.frame
        ends = [Place(frame, segment.positions[i]) for i in (0, -1)]
        self.start = wording.place(ends[0], known, segment.start, on=False)
        self.end = wording.place(ends[1], known, segment.end, on=False)
        first = last = frame
        if segment.flights:
            first, last = segment.flights[0].take_off.body, segment.flights[-1].landing.body
        elif segment.kind is Kind.BOARD:
            first = before
        self.first, self.last = first or GROUND, last or GROUND
        self.rides = known.moves(last)
        moves = known.moves(first) or known.moves(last)
        self.on = ""
        if moves:
            self.on = self.last if first == last else f"{self.first} to {self.last}"
        self.stays = self.start == self.end


def described_segments(plan: Plan) -> Sequence[Described]:
    """The places of each segment of a plan, in world coordinates."""
    known = Assumed(plan.assumes)
    before = plan.origin.body
    described: list[Described] = []
    for segment in plan.segments:
        described.append(Described(segment, before, known))
        before = segment.flights[-1].landing.body if segment.flights else segment.frame
    return described


def _sentence(segment: Segment, described: Described) -> str:
    kind, end = segment.kind, described.end
    until = f"until {_about(segment)}{segment.end:.2f} s"
    over = described.first != described.last and bool(described.on)
    if kind is Kind.RIDE:
        way = f"at {end}" if described.stays else f"from {described.start} to {end}"
        return f"ride {described.last} {way} {until}"
    on = f" on {described.last}" if described.rides else ""
    if kind in (Kind.WAIT, Kind.TURN):
        return f"{kind} at {end}{on} {until}"
    if segment.flights:
        airborne = sum(flight.end - flight.start for flight in segment.flights)
        whence = f" on {described.first}" if over else ""
        there = f" on {described.last}" if described.on else ""
        return f"{kind} from {described.start}{whence} to {end}{there}, {airborne:.2f} s in the air"
    if kind is Kind.BOARD and over:
        return f"step from {described.first} to {described.last} at {end} {until}"
    return f"{kind} {segment.length:.2f} m{on} to {end} {until}"


def _about(segment: Segment) -> str:
    return "" if segment.timing is Timing.FIXED else "about "


def _trust(plan: Plan) -> list[str]:
    """On whose motion the plan rests: what carries the character, and what must stay away."""
    frames = [segment.frame for segment in plan.segments]
    frames += [flight.landing.body for segment in plan.segments for flight in segment.flights]
    moving = [known for known in plan.assumes if known.moves]
    carriers = [known for known in moving if known.body in frames]
    carriers.sort(key=lambda known: frames.index(known.body))
    others = [known for known in moving if known.body not in frames]
    lines: list[str] = []
    if carriers:
        names = [repr(known.body) for known in carriers]
        if len(names) > NAMED:
            names[NAMED - 1 :] = [f"{len(names) - NAMED + 1} more"]
        listed = " and ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]
        lines.append(f"It is carried by {listed}, {_known(carriers)}.")
    if others:
        many = f"{len(others)} other moving bodies" if len(others) > 1 else repr(others[0].body)
        lines.append(f"It keeps clear of {many}, {_known(others)}.")
    return lines


def _known(bodies: Sequence[Assumption]) -> str:
    """For how long the motion of some bodies is known, by the one of which least is."""
    least = min(bodies, key=lambda known: (known.horizon, known.confidence))
    if isinf(least.horizon):
        return "whose motion is known for all time"
    which = "" if len(bodies) == 1 else f" (that of {least.body!r}, the least known)"
    return (
        f"whose motion is known until {least.horizon:.2f} s{which}, with confidence"
        f" {least.confidence:.2f} at the end of the plan"
    )
