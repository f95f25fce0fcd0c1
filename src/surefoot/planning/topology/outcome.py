"""What came of a journey, as a plan of the world as it happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from surefoot.planning import wording
from surefoot.planning.assumptions import assume
from surefoot.planning.plan import Outcome, Plan, Status
from surefoot.world import World

if TYPE_CHECKING:
    from surefoot.planning.topology.traveller import Traveller


def as_plan(who: Traveller, world: World | None = None) -> Plan:
    """What a traveller did until now; see `Traveller.plan`."""
    bodies = None
    if world is None:
        world = who.atlas.world
        bodies = [body.name for body in world if not body.trajectory.moving]
    segments = who.figure.trace.segments()
    counts, efforts = who.figure.counts, who.efforts
    statistics: dict[str, int | float] = {
        "plans": efforts.plans,
        "replans": who.replans,
        "nodes_expanded": efforts.expanded,
        "obstruction_tests": efforts.tests,
        "jumps": counts.jumps,
        "steps_over": counts.steps,
        "falls": counts.falls,
        "struck": counts.struck,
        "search_ms": round(1e3 * efforts.seconds, 3),
        "slowest_ms": round(1e3 * efforts.slowest, 3),
        "obstruction_ms": round(1e3 * efforts.test_seconds, 3),
    }
    end = segments[-1].end if segments else who.start
    return Plan(
        character=who.character.name, capabilities=dict(who.character.capabilities),
        origin=who.origin, start=who.start, goal=who.goal, segments=segments,
        status=_status(who, end), cost=end - who.start, statistics=statistics,
        assumes=assume(world, who.start, end, bodies, segments=segments), planner="topology",
    )  # fmt: skip


def _status(who: Traveller, end: float) -> Status:
    goal = wording.goal(who.goal, who.atlas.world, end, at=not who.arrived)
    if who.arrived:
        return Status(Outcome.REACHED, f"reached {goal} at {who.arrived_at:.2f} s")
    if who.lost:
        return Status(Outcome.UNREACHABLE, f"fell where nothing is to land on, by {end:.2f} s")
    why = who.why or "it was under way"
    return Status(Outcome.OUT_OF_TIME, f"had not reached {goal} by {end:.2f} s: {why}")
