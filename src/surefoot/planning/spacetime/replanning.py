"""Planning again: when the goal moves, or what a body will do, most trajectories stay the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from surefoot._native import RunMemory
from surefoot.planning.goals import AnyGoal
from surefoot.planning.plan import Plan
from surefoot.planning.problem import Problem
from surefoot.planning.spacetime.landmarks import Landmarks
from surefoot.planning.spacetime.planner import SpaceTime, solve
from surefoot.planning.spacetime.search import Search
from surefoot.world import Mesh, Trajectory, World


class Replanner:
    """Plans again and again from one start, and runs no trajectory twice.

    What it finds is what a planner finds that knows nothing of the plans before. Trajectories to
    and from goals, and those that a body whose future has changed may come near to, before or now,
    are run again; `plan.statistics["trajectories_recalled"]` says how many were not.

    Args:
        problem: what is asked first.
        planner: that is to plan.
    """

    def __init__(self, problem: Problem, planner: SpaceTime | None = None) -> None:
        self.problem, self.planner = problem, planner or SpaceTime()
        self._memory = RunMemory()
        self._bodies = _bodies(problem.world)
        self._known: Landmarks | None = None

    def plan(
        self, *, goal: AnyGoal | None = None, world: World | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Plan:  # fmt: skip
        """The plan for another goal or another world, or for the same one, changed or not.

        Args:
            goal: from now on.
            world: from now on; of the same bodies, or nothing is known of it.
            cancel: asked now and then.
        """
        changes = {"goal": goal, "world": world}
        given = {name: value for name, value in changes.items() if value is not None}
        self.problem = replace(self.problem, **given)
        self._look()
        return solve(self.problem, self._search(), cancel=cancel).plan

    def _look(self) -> None:
        """Forgets what the world's changes may have changed."""
        before, now = self._bodies, _bodies(self.problem.world)
        self._bodies = now
        meshes = {name: mesh for name, (mesh, _) in now.items()}
        if meshes != {name: mesh for name, (mesh, _) in before.items()}:
            self._memory = RunMemory()
            return
        for name, (mesh, trajectory) in now.items():
            old = before[name][1]
            if old is not trajectory:
                self._memory.forget(
                    mesh.native, old.native, trajectory.native, self.problem.start_time,
                    self.problem.end_time,
                )  # fmt: skip

    def _search(self) -> Search:
        search = self.planner.search(self.problem, memory=self._memory)
        marks = search.landmarks
        if self._known is not None and not _alike(self._known, marks):
            # Known by other numbers now.
            self._memory = RunMemory()
            search = self.planner.search(self.problem, memory=self._memory)
        self._known = marks
        return search


def _bodies(world: World) -> dict[str, tuple[Mesh, Trajectory]]:
    return {body.name: (body.mesh, body.trajectory) for body in world}


def _alike(before: Landmarks, now: Landmarks) -> bool:
    """Whether all landmarks are the same but for goals, the last but one."""
    if len(before) != len(now):
        return False
    same = (before.frames == now.frames) & (before.places == now.places).all(axis=1)
    same &= before.bodies == now.bodies
    return bool(same[:-2].all() and same[-1])
