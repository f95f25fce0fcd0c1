"""Random feasible targets in each controller's own abstract task, and whether it gets there.

Nothing but the task's own idea of an obstacle is there, on endless level ground.
"""

from __future__ import annotations

import numpy as np

from surefoot import control


def random_start(
    rng: np.random.Generator, controller: control.Controller, modes: tuple[str, ...]
) -> control.Configuration:
    """After any of a controller's own moves."""
    repertoire = controller.repertoire
    own = [a for a in controller.learned.actions.tolist() if repertoire.move(a).mode in modes]
    return control.Configuration.after(repertoire, int(rng.choice(own)), (0.0, 0.0, 0.0))


def does_its_task(rng: np.random.Generator, controller: control.Controller) -> bool:
    """Whether a controller reaches a random feasible target as it should."""
    task = controller.task
    if isinstance(task, control.Wait):
        return _waits(rng, controller, task)
    if isinstance(task, control.Jump):
        return _jumps(rng, controller)
    if isinstance(task, control.Avoid):
        return _goes_round(rng, controller)
    if isinstance(task, control.Corner):
        return _follows(rng, controller)
    return _goes(rng, controller)


def share_done(controller: control.Controller, count: int, seed: int) -> float:
    """Of random feasible targets, how many a controller reaches as it should."""
    rng = np.random.default_rng(seed)
    return sum(does_its_task(rng, controller) for _ in range(count)) / count


def _somewhere(rng: np.random.Generator, near: float, far: float) -> np.ndarray:
    away, bearing = rng.uniform(near, far), rng.uniform(-np.pi, np.pi)
    return away * np.array([np.cos(bearing), np.sin(bearing)])


def _goes(rng: np.random.Generator, controller: control.Controller) -> bool:
    start = random_start(rng, controller, controller.task.modes)
    target = _somewhere(rng, 0.5, 12.0)
    rollout = controller.rollout(start, (*target, 0.0))
    end = rollout.last.place.position[:2]
    return bool(rollout) and np.hypot(*(end - target)) <= controller.task.arrival + 1e-6


def cylinder(rng: np.random.Generator, task: control.Task) -> tuple[np.ndarray, np.ndarray]:
    """A target, and the centre of a cylinder about half-way that leaves room at both ends."""
    room = 2.0 if "run" in task.required else 0.9  # a runner under way needs some
    while True:
        target = _somewhere(rng, 4.0, 9.0)
        centre = rng.uniform(0.3, 0.7) * target + rng.normal(0.0, 0.5, 2)
        ends = np.hypot(*centre) - room, np.hypot(*(target - centre)) - 0.8
        if min(ends) >= task.size:
            return target, centre


def _goes_round(rng: np.random.Generator, controller: control.Controller) -> bool:
    target, centre = cylinder(rng, controller.task)
    runs = "run" in controller.task.required
    start = random_start(rng, controller, ("stand", "turn") if runs else ("stand", "turn", "walk"))
    rollout = controller.rollout(start, (*target, 0.0), obstacle=control.Obstacle(*centre))
    _, way = rollout.path()
    depth = controller.task.size - np.hypot(*(way[:, :2] - centre).T).min()
    # Between the points of the grid it may cut in a little.
    return bool(rollout) and depth < 0.1 * controller.task.size


def line_to_follow(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, control.Obstacle]:
    """Where a line is met at a right angle, a target farther along it, and the line."""
    angle, side = rng.uniform(-np.pi, np.pi), rng.choice([-1, 1])
    ahead = np.array([np.cos(angle), np.sin(angle)])
    way = side * np.array([-ahead[1], ahead[0]])
    foot = rng.uniform(1.0, 5.0) * ahead
    target = foot + rng.uniform(1.5, 6.0) * way
    return foot, target, control.Obstacle(*target, float(np.arctan2(way[1], way[0])) + np.pi / 2)


def away_from_corner(places: np.ndarray, foot: np.ndarray, target: np.ndarray) -> np.ndarray:
    """How far places `(..., 2)` are from the straight ways to `foot` and from there on [m]."""

    def away(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        share = np.clip((places - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
        return np.hypot(*np.moveaxis(places - a - share[..., None] * (b - a), -1, 0))

    return np.minimum(away(np.zeros(2), foot), away(foot, target))


def _follows(rng: np.random.Generator, controller: control.Controller) -> bool:
    """To the line at a right angle, then along it, and never far beyond it."""
    foot, target, line = line_to_follow(rng)
    start = random_start(rng, controller, ("stand", "turn", "walk"))
    rollout = controller.rollout(start, (*target, 0.0), obstacle=line)
    _, gone = rollout.path()
    out = float(np.hypot(*foot))
    return bool(rollout) and (gone[:, :2] @ foot / out).max() < out + 1.0


def _jumps(rng: np.random.Generator, controller: control.Controller) -> bool:
    """Over a ditch, with both feet on either side and none in between."""
    width, leaps = controller.task.size, controller.name == "leap"
    angle = rng.uniform(-np.pi, np.pi)
    normal = np.array([np.cos(angle), np.sin(angle)])
    rises = [-0.6, -0.3, 0.0] if leaps else [-0.6, -0.3, 0.0, 0.1]
    rise = rng.choice(rises if "jump" in controller.task.modes else [0.0])
    near = rng.uniform(5.0, 8.0) if leaps else rng.uniform(1.0, 4.0)
    beyond = near + width + rng.uniform(1.5, 4.0)
    target = beyond * normal + rng.normal(0.0, 0.7) * np.array([-normal[1], normal[0]])
    ditch = control.Obstacle(*(near * normal), angle, (float(rise),))
    start = random_start(rng, controller, ("stand", "turn"))
    rollout = controller.rollout(start, (*target, 0.0), obstacle=ditch, longest=40.0)
    inside = [
        foot @ normal - near
        for piece in rollout.pieces
        for foot in standing(controller.repertoire, piece)
    ]
    return bool(rollout) and not any(-0.05 < x < width + 0.05 for x in inside)


def standing(repertoire: control.Repertoire, piece: control.Piece) -> np.ndarray:
    """Where feet stand in a piece on level ground: `(k, 2)`."""
    feet = repertoire.native.feet(piece.action)
    feet = feet[feet[:, 1] <= piece.end]
    c, s = np.cos(piece.heading), np.sin(piece.heading)
    return feet[:, 3:5] @ np.array([[c, s], [-s, c]]) + piece.place.position[:2]


def _waits(rng: np.random.Generator, controller: control.Controller, task: control.Wait) -> bool:
    """It is ready in time: whoever waits that long goes nowhere meanwhile, and then stands.

    A move that is under way when time is up is played to its end.
    """
    start = random_start(rng, controller, controller.task.modes)
    target = _somewhere(rng, 2.0, 9.0)
    way = target / np.hypot(*target)
    angle = float(np.arctan2(target[1], target[0]))
    about = None
    if task.subject == "obstacle":
        constants = (0.0,) if isinstance(task.next, control.Jump) else ()
        x, y = (0.5 * target).tolist()
        turned = angle + np.pi / 2 if isinstance(task.next, control.Corner) else angle
        about = control.Obstacle(x, y, turned, constants)
    lasts = rng.uniform(4.5, 8.0)
    rollout = controller.rollout(start, (*target, 0.0), obstacle=about, wait=lasts)
    moved = rollout.last.place.position[:2]
    calm = controller.repertoire.move(rollout.last.action)
    stands = calm.still or calm.mode == "turn"
    late = rollout.duration - lasts
    # Who ran before needs some room to halt.
    return bool(rollout) and stands and -1e-6 <= late < 1.5 and float(np.abs(moved @ way)) < 6.0
