"""Times of controllers in their own tasks, over the least that any sequence of moves takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from references.brute_force import Blocked, Search, small
from references.own_tasks import away_from_corner, cylinder, line_to_follow
from surefoot import control
from surefoot.control.going import running
from surefoot.control.jumping import SOLE, leaping
from surefoot.control.obstacles import avoid_running

WALKS = ("idle", "start 1.25", "walk 1.25", "stop 1.25", "turn 0.6", "turn 1.2")
RUNS = ("idle", "start running 2.5", "run 2.5", "stop running 2.5", "turn 0.6", "turn 1.2")
JUMPS = (*WALKS, "jump 0.9 0.0", "jump 1.15 0.0", "jump 1.4 0.0")
STEPS = (
    *(*JUMPS, "start 0.85", "walk 0.85", "stop 0.85", "turn 0.3", "turn round 2.1"),
    *("step ahead 0.18", "step ahead 0.36", "step back 0.36", "step left 0.18"),
)
OVER = 0.6 + 2 * SOLE  # [m] between feet on either side of a ditch
OVER_WIDE = 1.0 + 2 * SOLE
UNSEEN = 7  # a seed that nothing was tuned on; 0, 100 and 101 were


@dataclass(frozen=True)
class Scene:
    """Where to go, and what is in the way.

    Attributes:
        target: `(2,)` [m].
        obstacle: the controller's idea of it.
        blocked: what is not allowed to who is to be as careful as a rollout was.
        crossed: see `Search.best_time`.
    """

    target: np.ndarray
    obstacle: control.Obstacle | None = None
    blocked: Callable[[control.Rollout], Blocked] | None = None
    crossed: Callable[[np.ndarray], np.ndarray] | None = None


Scenes = Callable[[np.random.Generator, Search], Scene]


def over_best(
    controller: control.Controller, scene: Scenes, count: int, *, over: float = 0.0,
    seed: int = UNSEEN,
) -> np.ndarray:  # fmt: skip
    """Times of random rollouts from a stand, over the least times that there are."""
    rng = np.random.default_rng(seed)
    search = Search(controller, over=over)
    found: list[float] = []
    for _ in range(count):
        own = scene(rng, search)
        start = control.Configuration.standing(controller.repertoire)
        rollout = controller.rollout(start, (*own.target, 0.0), obstacle=own.obstacle, longest=40.0)
        assert rollout
        blocked = None if own.blocked is None else own.blocked(rollout)
        least = search.best_time(own.target, rollout.duration + 0.1, blocked, own.crossed)
        assert np.isfinite(least)
        found.append(rollout.duration / least)
    return np.array(found)


def somewhere(near: float, far: float) -> Scenes:
    """Targets all around, with nothing in the way."""

    def scene(rng: np.random.Generator, _: Search) -> Scene:
        away, bearing = rng.uniform(near, far), rng.uniform(-np.pi, np.pi)
        return Scene(away * np.array([np.cos(bearing), np.sin(bearing)]))

    return scene


def behind_a_cylinder(cut: float = 0.1) -> Scenes:
    """Targets behind a cylinder.

    Args:
        cut: of the radius: nobody cuts in by more, or than the rollout does.
    """

    def scene(rng: np.random.Generator, search: Search) -> Scene:
        task = search.controller.task
        target, centre = cylinder(rng, task)

        def blocked(rollout: control.Rollout) -> Blocked:
            nearest = np.hypot(*(rollout.path(120.0)[1][:, :2] - centre).T).min()
            least = min((1.0 - cut) * task.size, nearest - 0.01)

            def inside(_: np.ndarray, ways: np.ndarray, __: np.ndarray) -> np.ndarray:
                return np.hypot(*np.moveaxis(ways - centre, -1, 0)).min(axis=1) < least

            return inside

        return Scene(target, control.Obstacle(*centre), blocked)

    return scene


def along_a_line(rng: np.random.Generator, search: Search) -> Scene:
    """Targets along a line that is gone to at a right angle; nobody strays farther from that."""
    foot, target, line = line_to_follow(rng)
    size = search.controller.task.size

    def blocked(rollout: control.Rollout) -> Blocked:
        gone = away_from_corner(rollout.path(120.0)[1][:, :2], foot, target).max()
        most = max(float(gone) + 0.01, size)

        def astray(_: np.ndarray, ways: np.ndarray, __: np.ndarray) -> np.ndarray:
            return away_from_corner(ways, foot, target).max(axis=1) > most

        return astray

    return Scene(target, line, blocked)


def behind_a_ditch(
    near: float, far: float, behind: tuple[float, float] = (1.5, 4.0), askew: float = np.pi
) -> Scenes:
    """Targets behind a ditch that no foot stands in, jumped over and nothing else."""

    def scene(rng: np.random.Generator, search: Search) -> Scene:
        size, angle = search.controller.task.size, rng.uniform(-askew, askew)
        normal = np.array([np.cos(angle), np.sin(angle)])
        edge = rng.uniform(near, far)
        beyond = edge + size + rng.uniform(*behind)
        target = beyond * normal + rng.normal(0.0, 0.7) * np.array([-normal[1], normal[0]])

        def blocked(ids: np.ndarray, ways: np.ndarray, feet: np.ndarray) -> np.ndarray:
            body, stands = ways @ normal - edge, feet @ normal - edge
            behind = body[:, 0] > size
            over = (body[:, 0] < 0) & (body[:, -1] > size)
            deep = np.nan_to_num(np.minimum(stands, size - stands), nan=-9.0).max(axis=1)
            inside = ((body > -0.05) & (body < size)).any(axis=1)
            bad = ~behind & ((deep > -SOLE) | (~over & inside))
            return bad | (search.jumps[ids] & ~over)

        ditch = control.Obstacle(*(edge * normal), angle, (0.0,))
        return Scene(
            target, ditch, lambda _: blocked, lambda places: places @ normal - edge > size
        )  # fmt: skip

    return scene


@dataclass(frozen=True)
class Trial:
    """A controller that is held against brute force.

    Its transitions cost nothing, since brute force counts time alone.

    Attributes:
        task: what for.
        scene: random scenes of it.
        clips: what with; all when not given.
        over: see `Search`.
    """

    task: control.Task
    scene: Scenes
    clips: tuple[str, ...] | None = None
    over: float = 0.0

    def controller(self, repertoire: control.Repertoire) -> control.Controller:
        """Trained, and its clips few enough to search all sequences of them."""
        task = replace(self.task, smoothness=0.0)
        clips = self.clips
        if isinstance(task, control.Jump):
            task = replace(task, rises=(0.0,))
            clips = clips or tuple(
                move.clip for move in repertoire.moves
                if move.mode != "jump" or move.clip.endswith(" 0.0")
            )  # fmt: skip
        own = repertoire if clips is None else small(repertoire, clips)
        return control.train(own, [task])[task.name]

    def ratios(self, repertoire: control.Repertoire, count: int, seed: int = UNSEEN) -> np.ndarray:
        """Times over the least ones."""
        return over_best(
            self.controller(repertoire), self.scene, count, over=self.over, seed=seed
        )  # fmt: skip


def trials() -> dict[str, Trial]:
    """For each controller that goes somewhere; jumps and leaps on level ground."""
    return {
        "walk": Trial(control.Go(), somewhere(1.0, 6.0), WALKS),
        "run": Trial(running(), somewhere(1.0, 5.0), RUNS),
        "corner": Trial(control.Corner(), along_a_line, WALKS),
        "avoid": Trial(control.Avoid(), behind_a_cylinder(), WALKS),
        "avoid running": Trial(avoid_running(), behind_a_cylinder()),
        "jump": Trial(control.Jump(), behind_a_ditch(1.0, 4.0), STEPS, OVER),
        "leap": Trial(leaping(), behind_a_ditch(5.0, 8.0, askew=0.4), None, OVER_WIDE),
    }
