"""The grid planner: any mesh, walked on as it is at rest, past what moves by waiting.

The search sees the bodies that never move. Along the way it finds, walks are timed against every
body that does: where one comes in the way, the plan waits before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character import Capability
from surefoot.errors import ProblemError, one_of
from surefoot.planning.assumptions import assume
from surefoot.planning.goals import ANY_TIME, AllOf, Goal, Region, leaves
from surefoot.planning.grid.assembly import Assembly
from surefoot.planning.grid.cells import Cells, at_rest, find_cells
from surefoot.planning.grid.route import Route, Walkable, rounded, straightened
from surefoot.planning.grid.search import shortest
from surefoot.planning.grid.settings import GridSettings
from surefoot.planning.grid.timing import Schedule, Scheduler
from surefoot.planning.plan import Outcome, Plan, Status
from surefoot.planning.problem import Problem
from surefoot.planning.segments import Segment


@dataclass(frozen=True)
class Grid:
    """Finds a walk over surface cells with A*; see `GridSettings`."""

    settings: GridSettings = field(default_factory=GridSettings)

    name = "grid"

    def plan(
        self,
        problem: Problem,
        *,
        progress: Callable[[str, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:
        """The walk that solves the problem, or why there is none and the way as far as it goes."""
        return _Run(problem, self.settings, progress, cancel).plan()


class _Run:
    """One run of the planner; keeps what the steps share."""

    def __init__(
        self,
        problem: Problem,
        settings: GridSettings,
        progress: Callable[[str, float], None] | None,
        cancel: Callable[[], bool] | None,
    ) -> None:
        self.problem, self.settings = problem, settings
        if settings.capability not in problem.skills:
            raise ProblemError(one_of("capability", settings.capability, problem.skills))
        self.skill: Capability = problem.skills[settings.capability]
        self.speed = min(settings.speed or self.skill.speed, self.skill.max_speed)
        self.still = at_rest(problem.world)
        self.costs = problem.cost.table(problem.world, problem.character, tuple(problem.skills))
        self.statistics: dict[str, int | float] = {}
        self.goal_is_free = True
        self._progress = progress
        self._cancelled = cancel or (lambda: False)
        self._clock = time.perf_counter()

    def plan(self) -> Plan:
        self._refuse_what_it_cannot_do()
        cells = find_cells(self.still, self.skill, self.settings)
        self._done("cells", 0.5, cells=len(cells.points), edges=len(cells.targets) // 2)
        corners, outcome = self._search(cells)
        self._done("search", 0.7)
        route = self._route(corners)
        self._done("route", 0.8, metres=round(route.length, 3))
        if route.length < 1e-6:
            return self._stay(outcome)
        return self._timed(route, outcome)

    def _refuse_what_it_cannot_do(self) -> None:
        world = self.problem.world
        if isinstance(self.problem.goal, AllOf):
            raise ProblemError("the grid planner goes to one goal, or any of several; not all of")
        riding = [("start", self.problem.start.body)]
        riding += [
            ("goal", leaf.place.body)
            for leaf in leaves(self.problem.goal)
            if isinstance(leaf, Goal)
        ]
        for what, body in riding:
            if body is not None and world[body].trajectory.moving:
                raise ProblemError(
                    f"the {what} rides on {body!r}, which moves; the grid planner walks only on "
                    "bodies that stay where they are"
                )

    # --- steps -----------------------------------------------------------------------------------

    def _search(self, cells: Cells) -> tuple[Floats, Outcome]:
        """Points from the start towards the goal, and whether they get there."""
        world, now = self.problem.world, self.problem.start_time
        start = world.position(self.problem.start, now)
        starts = self._near(cells, start)
        if not starts:
            x, y, z = cells.points[np.argmin(np.linalg.norm(cells.points - start, axis=1))]
            raise ProblemError(
                f"the start ({start[0]:.2f}, {start[1]:.2f}, {start[2]:.2f}) is not next to ground "
                f"that {self.skill.name!r} can walk; the nearest is ({x:.2f}, {y:.2f}, {z:.2f})"
            )
        goals, toward = self._goals(cells)
        self.goal_is_free = bool(goals.any())
        found = shortest(
            cells,
            starts,
            goals,
            toward,
            self._prices(cells.points),
            shyness=self.settings.shyness,
            most=self.problem.limits.nodes,
            cancelled=self._cancelled,
        )
        self.statistics["expanded"] = found.expanded
        corners = np.concatenate([[start], cells.points[found.path]])
        if not found.reached:
            ended = Outcome.EXHAUSTED if found.exhausted else Outcome.UNREACHABLE
            return corners, Outcome.CANCELLED if self._cancelled() else ended
        # The last cell is within the goal's tolerance; go on to the goal itself if one can.
        exact = toward[np.argmin(np.linalg.norm(toward - corners[-1], axis=1))]
        if Walkable(self.still, self.skill).line(np.stack([corners[-1], exact])) is not None:
            corners = np.concatenate([corners, [exact]])
        return corners, Outcome.REACHED

    def _prices(self, points: Floats) -> Floats:
        """What a metre costs at points, over what the cheapest costs on the level."""
        world, now = self.problem.world, np.full(len(points), self.problem.start_time)
        reach = self.skill.step_height
        ground = world.support(points, now, up=reach, down=reach)
        velocities = np.tile([self.speed, 0.0, 0.0], (len(points), 1))
        rates = self.costs.rates(self.skill.name, points, now, velocities, ground.body)
        least = self.costs.lower[self.costs.modes.index(self.skill.name)]
        least += self.costs.per_speed_squared * self.speed**2
        # A cost that is nowhere more than nothing leaves only the length to choose by.
        return np.maximum(rates / least, 1.0) if least > 0 else 1.0 + rates

    def _near(self, cells: Cells, point: Floats) -> dict[int, float]:
        """Cells that a straight walk joins to a point, with their distance."""
        distance = np.linalg.norm(cells.points - point, axis=1)
        near = np.argsort(distance, kind="stable")[:12]
        walkable = Walkable(self.still, self.skill)
        return {
            int(i): float(distance[i])
            for i in near
            if distance[i] <= 3 * self.settings.cell
            and walkable.line(np.stack([point, cells.points[i]])) is not None
        }

    def _goals(self, cells: Cells) -> tuple[Bools, Floats]:
        """Which cells are goals, and the points that stand for them."""
        world, now = self.problem.world, self.problem.start_time
        goals = np.zeros(len(cells.points), dtype=np.bool_)
        points: list[Floats] = []
        for leaf in leaves(self.problem.goal):
            # When is decided later; here only where.
            spot = replace(leaf, arrive=ANY_TIME, heading=None)
            there = spot.reached(world, cells.points, np.full(len(goals), now))
            goals |= there
            if isinstance(leaf, Goal):
                exact = world.position(leaf.place, now)
                points.append(exact)
                if not there.any():
                    # A tolerance finer than the cells: those that lead straight to the place.
                    goals[list(self._near(cells, exact))] = True
            elif there.any():
                points.extend(cells.points[there])
        if not points:
            raise ProblemError(f"nobody can stand at the goal: {self.problem.goal}")
        return goals, np.array(points)

    def _route(self, corners: Floats) -> Route:
        if len(corners) < 2 or np.allclose(corners, corners[0]):
            return Route.through(corners[:1])
        walkable = Walkable(self.still, self.skill)
        stretches = straightened(corners, walkable, self._prices)
        return Route.through(rounded(stretches, walkable, self._prices, radius=0.8))

    # --- the plan --------------------------------------------------------------------------------

    def _timed(self, route: Route, outcome: Outcome) -> Plan:
        """Walks and waits along the route, with the turns before and after."""
        assembly = Assembly(self.problem, self.skill)
        first = assembly.first_turn(route)
        now = self.problem.start_time if first is None else first.end
        scheduler = Scheduler(
            self.problem.world, route, self.skill, self.speed, self.settings.wait_step
        )
        schedule = scheduler.schedule(now, self.problem.end_time)
        self._done("timing", 1.0, sweeps=scheduler.sweeps)
        segments = ([] if first is None else [first]) + assembly.parts(route, schedule)
        if outcome is Outcome.REACHED and schedule.blocked is not None:
            outcome = Outcome.OUT_OF_TIME
        if outcome is Outcome.REACHED:
            last = segments[-1]
            goal = self._goal_at(last.positions[-1], last.end)
            segments += assembly.arrival(
                goal, last.positions[-1], float(last.headings[-1]), last.end
            )
            if segments[-1].end > min(goal.arrive[1], self.problem.end_time):
                outcome = Outcome.OUT_OF_TIME
        return self._plan(segments, Status(outcome, self._sentence(outcome, schedule, segments)))

    def _goal_at(self, point: Floats, t: float) -> Goal | Region:
        """Which of the goals a point is at."""
        found = leaves(self.problem.goal)
        for goal in found:
            spot = replace(goal, arrive=ANY_TIME, heading=None)
            if spot.reached(self.problem.world, point[None], np.array([t]))[0]:
                return goal
        return found[0]

    def _stay(self, outcome: Outcome) -> Plan:
        return self._plan([], Status(outcome, self._sentence(outcome, Schedule([], None), [])))

    def _plan(self, segments: list[Segment], status: Status) -> Plan:
        problem = self.problem
        end = segments[-1].end if segments else problem.start_time
        return Plan(
            character=problem.character.name,
            capabilities={self.skill.name: self.skill},
            origin=problem.start,
            start=problem.start_time,
            goal=problem.goal,
            segments=tuple(segments),
            status=status,
            cost=sum(segment.cost for segment in segments),
            statistics=self.statistics,
            assumes=assume(problem.world, problem.start_time, end),
            planner="grid",
        )

    def _sentence(self, outcome: Outcome, schedule: Schedule, segments: list[Segment]) -> str:
        goal = self.problem.goal
        if outcome is Outcome.REACHED:
            at = segments[-1].end if segments else self.problem.start_time
            return f"reaches {goal} at {at:.1f} s"
        if outcome is Outcome.OUT_OF_TIME:
            body = schedule.blocked.body if schedule.blocked is not None else ""
            what = f"{body!r} does not let it pass" if body else "the walk takes longer"
            return (
                f"{goal} is not reached in time (horizon {self.problem.horizon:g} s): {what}; "
                "try a longer horizon or a later arrival"
            )
        if outcome is Outcome.EXHAUSTED:
            return f"stopped after {self.problem.limits.nodes} cells; raise limits.nodes"
        if outcome is Outcome.CANCELLED:
            return "cancelled; the way found so far is kept"
        if not self.goal_is_free:
            return (
                f"nobody can stand at {goal}: there is no room or no ground; the plan goes near it"
            )
        return (
            f"no walk over bodies at rest joins the start and {goal}; the plan goes as near as it "
            f"can with steps of {self.skill.step_height:.2f} m and a body of radius "
            f"{self.skill.radius:.2f} m"
        )

    def _done(self, stage: str, share: float, **counts: int | float) -> None:
        now = time.perf_counter()
        self.statistics[f"{stage} milliseconds"] = round((now - self._clock) * 1e3, 2)
        self.statistics.update(counts)
        self._clock = now
        if self._progress is not None:
            self._progress(stage, share)
