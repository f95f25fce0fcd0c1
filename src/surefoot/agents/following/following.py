"""A simulated body that is led along a plan: at every foot strike a place a little ahead on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from surefoot.agents.following.ground import Ground
from surefoot.agents.following.planning import calm_plan
from surefoot.agents.following.result import Followed
from surefoot.agents.following.settings import FollowSettings
from surefoot.arrays import Floats
from surefoot.errors import InputError, ProblemError
from surefoot.math import rotations
from surefoot.physics.policies.mirroring import turned
from surefoot.physics.policies.policy import Policy
from surefoot.physics.policies.trusted import cycle
from surefoot.physics.stage import Action, Stage
from surefoot.physics.states import States
from surefoot.planning import Plan, Problem
from surefoot.planning.planners import Planner
from surefoot.planning.spacetime import SpaceTime, SpaceTimeSettings
from surefoot.world import Place

_INSET = 0.8  # [m] that landmarks keep from edges: simulated bodies sway


def follow(
    problem: Problem,
    policy: Policy,
    *,
    planner: Planner | None = None,
    settings: FollowSettings | None = None,
) -> Followed:
    """A simulated body goes where the problem asks, over what moves, and does not fall.

    It plans for what the policy can do, is told at every foot strike where to go next, as seen from
    what carries it, and plans anew when it has gone astray.

    Args:
        problem: where from and where to; the body begins in a steady step there.
        policy: that leads the body; one for a task that executes segments, as "go-to-point" does.
        planner: `sf.SpaceTime()` that keeps away from edges when not given.
        settings: how.
    """
    settings = settings or FollowSettings()
    planner = planner or SpaceTime(SpaceTimeSettings(inset=_INSET))
    plan = _planned(policy, problem, planner, settings)
    if not plan:
        raise ProblemError(f"nothing to follow: {plan.status.message}")
    walker = _Walker(problem, policy, plan, settings)
    plans = [plan]
    while walker.goes_on(plans[-1]):
        if walker.astray and len(plans) < settings.plans:
            again = walker.planned_anew(planner)
            if again:
                plans.append(again)
        walker.step(plans[-1])
    return walker.result(tuple(plans))


def _planned(policy: Policy, problem: Problem, planner: Planner, settings: FollowSettings) -> Plan:
    return calm_plan(policy, problem, planner, pace=settings.pace, slack=settings.slack)


class _Walker:
    """The body on its way."""

    def __init__(
        self, problem: Problem, policy: Policy, plan: Plan, settings: FollowSettings
    ) -> None:
        self.problem, self.policy, self.settings = problem, policy, settings
        self.ground = Ground(problem.world, policy.body, plan)
        self.clock, self.standing, self.astray = problem.start_time, True, False
        start = problem.start
        if start.body is None:
            raise ProblemError("a simulated body starts on a body of the world: give such a place")
        self.carrier, self.carriers = start.body, [start.body]
        heading = problem.start_heading
        if heading is None:
            heading = float(plan.segments[0].headings[0]) if plan.segments else 0.0
        self.now = self.ground.stood(_first_step(policy), start, heading, self.clock)
        self.frames: list[Floats] = []
        self.actions: list[Action] = []
        self.off: list[float] = []

    @property
    def seen(self) -> States:
        """The body from what carries it."""
        return self.ground.seen_from(self.now, self.carrier, self.clock)

    @property
    def place(self) -> Place:
        """The point of the ground under the body, on what carries it."""
        x, y, _ = self.seen.places[0].tolist()
        return Place(self.carrier, np.array([x, y, self.ground.top(self.carrier)]))

    @property
    def feet(self) -> Floats:
        """`(3,)` [m]: the same point in the world."""
        return self.problem.world.position(self.place, self.clock)

    def arrived(self, plan: Plan) -> bool:
        """Whether it is where the plan ends, as near as a body is that steps in place."""
        goal = self.problem.world.position(plan.place(plan.end), self.clock)
        return float(np.linalg.norm(goal - self.feet)) <= self.settings.arrival

    def goes_on(self, plan: Plan) -> bool:
        """Whether there is something left to do."""
        if not self.standing or self.clock > plan.end + self.settings.patience:
            return False
        return self.clock < plan.end - self.settings.ahead or not self.arrived(plan)

    def planned_anew(self, planner: Planner) -> Plan | None:
        """A plan from where it is now; none where nobody can stand there."""
        left = self.problem.end_time - self.clock
        if left <= 0.0:
            return None
        try:
            asked = replace(
                self.problem, start=self.place, start_time=self.clock, horizon=left,
                start_heading=float(self.seen.headings[0]),
            )  # fmt: skip
        except ProblemError:
            return None
        return _planned(self.policy, asked, planner, self.settings) or None

    def step(self, plan: Plan) -> None:
        """To the next foot strike."""
        seen = self.seen
        action = self.policy.act(seen, self._task(plan, seen))
        rate = self.settings.rate
        run = self.ground.stage.step(self.now, action, clocks=self.clock, frames_per_second=rate)
        lasted = float(run.of("duration")[0])
        self.frames.append(run.frames[0, : max(1, int(np.ceil(lasted * rate - 1e-6)))])
        self.actions.append(action)
        self.clock += lasted
        self.standing = bool(run.standing[0])
        if not self.standing:
            return
        self.now = run.states
        under = self.ground.under(self.now, self.clock)
        if under is not None and under != self.carrier:
            self.carrier = under
            self.carriers.append(under)
        wanted = plan.position(self.clock, self.problem.world)
        self.off.append(float(np.linalg.norm((wanted - self.feet)[:2])))
        self.astray = self.off[-1] > self.settings.astray

    def _task(self, plan: Plan, seen: States) -> list[float]:
        """Where to go next, ahead and to the left as the body sees it."""
        world = self.problem.world
        # A place on something that moves is gone to where it is now: so is the body's own.
        soon = self.clock + self.settings.ahead
        place, doing = plan.place(soon), plan.segment_at(soon)
        if doing is None or doing.kind.waits:
            place = self.ground.with_room(place, self.settings.room)
        point = world.position(place, self.clock)
        pose = world[self.carrier].trajectory.pose(self.clock)
        local = rotations.rotate(rotations.inverse(pose.rotation), point - pose.position)
        offset = turned((local - seen.places[0])[None, :2], -seen.headings)[0]
        far = float(np.hypot(*offset))
        return (offset * min(1.0, self.settings.farthest / max(far, 1e-9))).tolist()

    def result(self, plans: tuple[Plan, ...]) -> Followed:
        whole = np.concatenate([*self.frames, self.now.positions])
        return Followed(
            ground=self.ground, plans=plans, start=self.problem.start_time,
            frames=whole[np.isfinite(whole).all(axis=1)], rate=self.settings.rate,
            actions=tuple(self.actions), carriers=tuple(self.carriers), off=np.array(self.off),
            arrived=self.standing and self.arrived(plans[-1]), standing=self.standing,
        )  # fmt: skip


def _first_step(policy: Policy) -> States:
    """A body that steps in place, or as nearly so as its actions allow."""
    stage = Stage(policy.body)
    slowest: tuple[float, States] | None = None
    for action in policy.actions:
        found = cycle(stage, action)
        if found is None:
            continue
        first = policy.metric.mirror.canonical(found[[0]])[0]
        speed = float(np.hypot(*first.velocities[0, :2]))
        if slowest is None or speed < slowest[0]:
            slowest = speed, first
    if slowest is None:
        raise InputError(f"{policy.body.name}: no action of the policy has a steady step")
    return slowest[1]
