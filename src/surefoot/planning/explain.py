"""Plans for people: a short table, and the reasons in words."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from surefoot.planning import statistics
from surefoot.planning.segments import Kind, Segment, Timing
from surefoot.world import Place

if TYPE_CHECKING:
    from surefoot.planning.assumptions import Assumption
    from surefoot.planning.plan import Plan


def table(plan: Plan) -> str:
    """What, when, where and at what cost; a line for each segment."""
    rows = [("what", "start", "end", "where", "cost")]
    for segment in plan.segments:
        times = f"{segment.start:.2f}", f"{_about(segment)}{segment.end:.2f}"
        rows.append((segment.kind.value, *times, _where(segment), f"{segment.cost:.2f}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_headline(plan)]
    for what, start, end, where, cost in rows if plan.segments else ():
        w = widths
        line = f"  {what:<{w[0]}}  {start:>{w[1]}}  {end:>{w[2]}}  {where:<{w[3]}}  {cost:>{w[4]}}"
        lines.append(line)
    return "\n".join(lines)


def in_words(plan: Plan) -> str:
    """What is done, why that, and what it relies on."""
    lines = [_headline(plan)]
    for i, segment in enumerate(plan.segments, start=1):
        because = f", because {segment.because}" if segment.because else ""
        lines.append(f"{i}. At {segment.start:.2f} s {_sentence(segment)}{because}.")
        for other in segment.instead:
            cost = "cannot be done" if isinf(other.cost) else f"would cost {other.cost:.2f} in all"
            lines.append(f"   Not: {other.what}: {other.why_not} ({cost}).")
    lines += _trust(plan)
    took = statistics.in_words(plan.statistics)
    if took:
        lines.append(f"Planning: {took}.")
    return "\n".join(lines)


def _headline(plan: Plan) -> str:
    made = [part for part in (plan.planner, statistics.headline(plan.statistics)) if part]
    by = f" ({', '.join(made)})" if made else ""
    if plan:
        time = f"{plan.duration:.2f} s, cost {plan.cost:.2f}"
        return f"{plan.character} reaches {plan.goal} in {time}{by}"
    line = f"{plan.character} does not reach {plan.goal}: {plan.status.message}{by}"
    if plan.segments:
        line += f"; the best way found ends at {plan.end:.2f} s, {plan.place(plan.end)}"
    return line


def _where(segment: Segment) -> str:
    start, end = (Place(segment.frame, segment.positions[i]) for i in (0, -1))
    if segment.flights:
        return f"{segment.flights[0].take_off} to {segment.flights[-1].landing}"
    return f"{end}" if segment.kind.waits else f"{Place(None, start.position)} to {end}"


def _sentence(segment: Segment) -> str:
    kind, end = segment.kind, Place(segment.frame, segment.positions[-1])
    until = f"until {_about(segment)}{segment.end:.2f} s"
    if kind is Kind.RIDE:
        return f"ride {segment.frame} at {Place(None, end.position)} {until}"
    if kind is Kind.WAIT:
        return f"wait at {end} {until}"
    if segment.flights:
        airborne = sum(flight.end - flight.start for flight in segment.flights)
        return f"{kind} from {_where(segment)}, {airborne:.2f} s in the air"
    if kind is Kind.TURN:
        return f"turn at {end} {until}"
    return f"{kind} {segment.length:.2f} m to {end} {until}"


def _about(segment: Segment) -> str:
    return "" if segment.timing is Timing.FIXED else "about "


def _trust(plan: Plan) -> list[str]:
    """On whose motion the plan rests: who carries it by name, who must stay away by number."""
    frames = {segment.frame for segment in plan.segments}
    frames |= {flight.landing.body for segment in plan.segments for flight in segment.flights}
    moving = [known for known in plan.assumes if len(known.times) > 1]
    carriers = [known for known in moving if known.body in frames]
    others = [known for known in moving if known.body not in frames]
    lines = [f"It is carried by {known.body!r}, {_known(known)}." for known in carriers]
    if others:
        least = min(others, key=lambda known: (known.horizon, known.confidence))
        many = f"{len(others)} other moving bodies" if len(others) > 1 else "1 other moving body"
        lines.append(
            f"It keeps clear of {many}; the least known is {least.body!r}, {_known(least)}."
        )
    return lines


def _known(known: Assumption) -> str:
    if isinf(known.horizon):
        return "known for ever"
    return f"known until {known.horizon:.2f} s with confidence {known.confidence:.2f} at the end"
