"""Verifies a plan against a world, independently of the planner that made it.

Every claim is looked at again with the exact queries: nothing is taken from the search. What
fails is told apart by its cause: bodies that did not do what the plan assumed (the world changed),
or a plan that was wrong about the world it was made for.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from surefoot.planning import claims, wording
from surefoot.planning.claims import Fault, Finding
from surefoot.world import Place, World

if TYPE_CHECKING:
    from surefoot.planning.plan import Plan


class Cause(StrEnum):
    """Whose fault a violation is."""

    PLAN = "the plan was wrong"
    WORLD = "the world changed"


@dataclass(frozen=True)
class Violation:
    """One claim of a plan that does not hold.

    Attributes:
        fault: which kind of claim.
        time: [s] when it first fails.
        place: where.
        body: the body it is about, None where no single one is.
        message: a sentence.
        cause: whether the world or the plan is to blame.
        where: the place in words, in world coordinates.
    """

    fault: Fault
    time: float
    place: Place
    body: str | None
    message: str
    cause: Cause
    where: str

    def __str__(self) -> str:
        return f"{self.time:.2f} s, {self.where}: {self.message} ({self.cause})"


@dataclass(frozen=True)
class Check:
    """What came of verifying a plan; truthy when every claim holds.

    Attributes:
        violations: in order of time.
        moments: how many moments of standing were looked at; moving ones are swept in one piece.
    """

    violations: tuple[Violation, ...]
    moments: int

    def __bool__(self) -> bool:
        return not self.violations

    @property
    def plan_was_wrong(self) -> bool:
        """Whether anything fails that cannot be laid on a change of the world."""
        return any(violation.cause is Cause.PLAN for violation in self.violations)

    @property
    def world_changed(self) -> bool:
        """Whether anything fails because a body did not do as assumed."""
        return any(violation.cause is Cause.WORLD for violation in self.violations)

    def __str__(self) -> str:
        if self:
            return f"every claim holds ({self.moments} moments of standing looked at)"
        count = len(self.violations)
        do = "1 claim of the plan does" if count == 1 else f"{count} claims of the plan do"
        return "\n  ".join([f"{do} not hold:", *map(str, self.violations)])


def check(plan: Plan, world: World) -> Check:
    """Verifies every collision, support and timing claim of `plan` in `world`."""
    walk = claims.Walk.of(plan, world)
    findings = [
        *claims.missing_bodies(plan, world),
        *claims.joints(walk),
        *claims.collisions(walk),
        *claims.supports(walk),
        *claims.speeds(walk),
        *claims.flights(walk),
        *claims.footsteps(walk),
        *claims.horizons(walk),
        *claims.arrival(walk),
    ]
    changes = _changes(plan, world) if findings else {}
    violations = [_violation(finding, plan, changes, world) for finding in findings]
    violations.sort(key=lambda violation: violation.time)
    return Check(tuple(violations), sum(len(part.times) for part in walk.parts))


def _changes(plan: Plan, world: World) -> dict[str, str]:
    """What is different about each body that a plan knew, and which it did not know."""
    changes = {known.body: known.change(world) for known in plan.assumes}
    if plan.assumes:
        changes |= {name: f"{name!r} is new" for name in world.bodies if name not in changes}
    return {name: change for name, change in changes.items() if change}


def _violation(finding: Finding, plan: Plan, changes: dict[str, str], world: World) -> Violation:
    involved = [name for name in finding.bodies if name in changes]
    if finding.point is not None and not involved:
        # Nobody in particular: whoever should have been there, and is not.
        involved = [
            known.body
            for known in plan.assumes
            if known.body in changes and known.covers(finding.point, finding.time, finding.margin)
        ]
    reasons = "; ".join(changes[name] for name in involved)
    body = (*involved, *finding.bodies, None)[0]
    return Violation(
        fault=finding.fault,
        time=finding.time,
        place=finding.place,
        body=body,
        message=f"{finding.message}; {reasons}" if reasons else finding.message,
        cause=Cause.WORLD if involved else Cause.PLAN,
        where=wording.place(finding.place, world, finding.time),
    )
