"""Random local scenes for controllers, unlike what they imagine, and a slow check of what they do.

In each there is a way for a body with a controller's abilities: the ground about obstacles is free,
gaps are narrower than what is jumped over. What moves crosses the way, or carries it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from surefoot import control
from surefoot.character import Character
from surefoot.math import Pose, rotations
from surefoot.world import (
    Attached,
    Body,
    Cylinder,
    Keyframed,
    Mesh,
    Place,
    Static,
    TimedPath,
    Trajectory,
    World,
)
from surefoot.world.primitives import box, slab

LASTS = 40.0
"""[s] that bodies go on moving."""


@dataclass(frozen=True)
class Local:
    """A world, where to begin and with what heading [rad], and where to go."""

    world: World
    start: Place
    heading: float
    target: Place


def ground() -> Body:
    return Body(name="ground", mesh=slab((80.0, 80.0, 0.2)))


def still(x: float, y: float, z: float = 0.0, yaw: float = 0.0) -> Static:
    return Static(Pose(np.array([x, y, z]), rotations.from_yaw(yaw)))


def clutter(rng: np.random.Generator, target: np.ndarray) -> list[tuple[Mesh, Static]]:
    """Boxes of any size and turn about the middle of the way, unlike a cylinder."""
    found: list[tuple[Mesh, Static]] = []
    middle = rng.uniform(0.4, 0.6) * target + rng.normal(0.0, 0.3, 2)
    for i in range(rng.integers(1, 3)):
        at = middle + (rng.normal(0.0, 0.25, 2) if i else 0.0)
        shape = box((rng.uniform(0.15, 0.8), rng.uniform(0.15, 0.8), rng.uniform(0.6, 1.8)))
        found.append((shape, still(at[0], at[1], 0.5, rng.uniform(0, np.pi))))
    return found


def beside(rng: np.random.Generator, target: np.ndarray, room: float) -> list[tuple[Mesh, Static]]:
    """Boxes beside the way, none nearer to it than `room` [m]."""
    found: list[tuple[Mesh, Static]] = []
    ahead = target / np.hypot(*target)
    across = np.array([-ahead[1], ahead[0]])
    for _ in range(6):
        sides = rng.uniform(0.2, 1.2, 2)
        out = rng.choice([-1, 1]) * (room + 0.5 * np.hypot(*sides) + rng.exponential(0.4))
        at = rng.uniform(-0.1, 1.1) * target + out * across
        shape = box((float(sides[0]), float(sides[1]), rng.uniform(0.6, 1.8)))
        found.append((shape, still(at[0], at[1], 0.5, rng.uniform(0, np.pi))))
    return found


def kerbs(rng: np.random.Generator, target: np.ndarray) -> list[tuple[Mesh, Static]]:
    """A low step up across the way, and what lies on the ground beyond it."""
    share, high = rng.uniform(0.25, 0.75), rng.uniform(0.05, 0.18)
    bearing = float(np.arctan2(target[1], target[0]))
    skewed = bearing + rng.uniform(-0.4, 0.4)
    deep = rng.uniform(4.0, 9.0)
    centre = share * target + 0.5 * deep * np.array([np.cos(skewed), np.sin(skewed)])
    return [(slab((deep, 30.0, high)), still(centre[0], centre[1], high, skewed))]


def resting(pieces: list[tuple[Mesh, Static]]) -> World:
    named = [Body(name=f"piece {i}", mesh=mesh, trajectory=at)
             for i, (mesh, at) in enumerate(pieces)]  # fmt: skip
    return World([ground(), *named])


def carried(rng: np.random.Generator, pieces: list[tuple[Mesh, Static]]) -> World:
    """The same on a floor that drives along and slowly turns; "ground" is that floor."""
    heading, speed, turns = rng.uniform(-np.pi, np.pi), rng.uniform(0.3, 2.0), rng.normal(0.0, 0.08)
    times = np.arange(0.0, LASTS + 0.1, 0.5)
    way = speed * times[:, None] * [np.cos(heading), np.sin(heading), 0.0]

    drive = Keyframed(times=times, positions=way, rotations=rotations.from_yaw(turns * times))
    floor = Body(name="ground", mesh=slab((60.0, 60.0, 0.2)), trajectory=drive)
    named = [Body(name=f"piece {i}", mesh=mesh, trajectory=Attached(drive, at))
             for i, (mesh, at) in enumerate(pieces)]  # fmt: skip
    return World([floor, *named])


def crossing(rng: np.random.Generator, target: np.ndarray, speed: float) -> World:
    """Carts of any size that cross the way somewhere in its middle when somebody comes by.

    Args:
        rng: random numbers.
        target: `(2,)` [m].
        speed: [m/s] of whoever comes by, about.
    """
    bodies = [ground()]
    ahead = target / np.hypot(*target)
    across = np.array([-ahead[1], ahead[0]]) * rng.choice([-1.0, 1.0])
    for i in range(rng.integers(1, 3)):
        middle = rng.uniform(0.35, 0.65) * target
        drives = rng.uniform(0.4, 1.8)
        met = 1.0 + np.hypot(*middle) / speed + rng.normal(0.0, 0.5)
        keys = [[*(middle + drives * (t - met) * across), 0.9] for t in (0.0, LASTS)]
        sides = rng.uniform(0.4, 1.1, 2)
        mesh = box((float(sides[0]), float(sides[1]), 1.6))
        way = Keyframed(times=[0.0, LASTS], positions=keys)
        bodies.append(Body(name=f"cart {i}", mesh=mesh, trajectory=way))
    return World(bodies)


FOOT = 0.28
"""[m] How long a foot is, and a little more."""


def gap(rng: np.random.Generator, task: control.Task, *, moving: bool) -> Local:
    """A gap of any width that can be jumped over, at any angle, to a higher or lower side.

    What moves is the other side, along the edge.
    """
    leaps = task.name == "leap"
    angle, bend = rng.uniform(-np.pi, np.pi), rng.uniform(-0.012, 0.012)
    normal = np.array([np.cos(angle), np.sin(angle)])
    near = rng.uniform(1.2, 4.0) + (4.0 if leaps else 0.0)
    # What is narrower than a foot is no gap.
    width = max(rng.uniform(0.3, 0.75) * task.size, FOOT)
    rises = [0.0, -0.3] if leaps else [0.0, 0.1, -0.3, -0.5]
    rise = float(rng.choice(rises if "jump" in task.modes else [0.0, 0.1, -0.1]))
    far = near + width + 20.0
    beyond = near + width + rng.uniform(1.5, 3.0) + (2.5 if leaps else 0.0)
    aside = rng.normal(0.0, 0.4)
    edge = np.array([-normal[1], normal[0]])
    heading = rng.uniform(-np.pi, np.pi)
    far_side: Trajectory = still(*(far * normal), rise, angle + bend)
    target = Place(None, np.array([*(beyond * normal + aside * edge), rise]))
    if moving:
        speed = rng.uniform(0.2, 0.8) * rng.choice([-1.0, 1.0])
        keys = [[*(far * normal + speed * t * edge), rise] for t in (0.0, LASTS)]
        turned = np.tile(rotations.from_yaw(angle), (2, 1))
        far_side = Keyframed(times=[0.0, LASTS], positions=keys, rotations=turned)
        # Where it will be when somebody comes there.
        met = 2.0 + beyond / (2.5 if leaps else 1.3)
        target = Place("far", np.array([beyond - far, aside - speed * met, 0.0]))
    world = World([
        Body(name="near", mesh=slab((40.0, 90.0, 0.2)),
             trajectory=still(*((near - 20.0) * normal), 0.0, angle)),
        Body(name="far", mesh=slab((40.0, 90.0, 0.2)), trajectory=far_side),
    ])  # fmt: skip
    return Local(world, Place(None, np.zeros(3)), heading, target)


def local_scene(rng: np.random.Generator, task: control.Task, *, moving: bool) -> Local:
    """A random scene with a way for whoever does a task."""
    if isinstance(task, control.Jump):
        return gap(rng, task, moving=moving)
    bearing = rng.uniform(-np.pi, np.pi)
    away = rng.uniform(5.0, 8.0)
    target = away * np.array([np.cos(bearing), np.sin(bearing)])
    runs = "run" in task.required
    heading = rng.uniform(-np.pi, np.pi)
    there = np.array([*target, 0.0])
    if isinstance(task, control.Go):
        pieces = beside(rng, target, 1.8 if runs else 1.3)
        if not moving and rng.random() < 0.5:
            world = resting([*beside(rng, target, 2.0), *kerbs(rng, target)])
            there[2] = world.support(there[None], 0.0, up=0.5, down=0.5).height[0]
            return Local(world, Place(None, np.zeros(3)), heading, Place(None, there))
    elif moving and rng.random() < 0.5:
        world = crossing(rng, target, 2.4 if runs else 1.4)
        return Local(world, Place(None, np.zeros(3)), bearing, Place(None, there))
    else:
        pieces = clutter(rng, target)
    if moving:
        world = carried(rng, pieces)
        return Local(world, Place("ground", np.zeros(3)), heading, Place("ground", there))
    return Local(resting(pieces), Place(None, np.zeros(3)), heading, Place(None, there))


def check(
    world: World, who: Character, controller: control.Controller, adapted: control.Adapted
) -> None:
    """What is claimed holds under the exact queries: nothing is touched, feet find ground."""
    skill = who.capability(controller.task.capability)
    repertoire = controller.repertoire
    for piece in adapted.rollout.pieces:
        if piece.until - piece.start < 1e-6:
            continue
        intos = np.linspace(piece.begin, piece.end, 2 + int(30 * (piece.end - piece.begin)))
        rows = np.array([repertoire.native.at(piece.action, into) for into in intos])
        c, s = np.cos(piece.heading), np.sin(piece.heading)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        times = piece.start + intos - piece.begin
        flown = (times - piece.start)[:, None] * piece.drift
        way = rows[:, :3] @ turn.T + piece.place.position + flown
        path = TimedPath(times, way, piece.place.body)
        # The way is swept at fewer points than here: straight lines cut bends by millimetres.
        thin = Cylinder(skill.radius - 0.01, skill.height, skill.step_height)
        assert world.sweep(path, thin) is None, piece
        for foot in repertoire.native.feet(piece.action):
            # A foot that lands is the next piece's; that which stands since the start is its own.
            if not piece.begin - 1e-9 <= foot[1] < piece.end - 1e-9:
                continue
            if foot[1] == 0.0 and foot[2] < _last_down(repertoire, piece) - 1e-9:
                continue
            t = piece.start + foot[1] - piece.begin
            at = turn @ foot[3:6] + piece.place.position + (t - piece.start) * piece.drift
            if piece.place.body is not None:
                at = world[piece.place.body].trajectory.pose(t).apply(at)
            under = world.support(at, t, up=skill.step_height, down=skill.step_height)
            assert under.hit, piece
            assert under.slope <= skill.max_slope


def share_adapted(
    controller: control.Controller, who: Character, count: int, *, moving: bool, seed: int
) -> float:
    """In how many random scenes a controller finds its way; every success is checked.

    Every scene counts: nobody judges which of them are feasible.
    """
    rng = np.random.default_rng(seed)
    reached = 0
    for _ in range(count):
        scene = local_scene(rng, controller.task, moving=moving)
        start = control.Configuration.standing(controller.repertoire, scene.start, scene.heading)
        adapted = controller.adapt(scene.world, who, start, scene.target)
        if adapted:
            check(scene.world, who, controller, adapted)
        reached += bool(adapted)
    return reached / count


def _last_down(repertoire: control.Repertoire, piece: control.Piece) -> float:
    """[s] when the foot leaves that came down as an action began: those before it stood already."""
    feet = repertoire.native.feet(piece.action)
    return float(max(foot[2] for foot in feet if foot[1] == 0.0))
