"""Reads SteerSuite's test cases (SteerBench XML).

The plane of a test case is x, z; here it is x, y with y = -z, so that left stays left. Agents are
people whatever radius the file gives them: the radius says how near to a goal is near enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from surefoot.agents.formats.ground import Spots, extent, floor, free_area, walls
from surefoot.agents.formats.tree import Tree, parse_xml
from surefoot.agents.scenes.scene import Cast, CrowdScene, Walker, at
from surefoot.arrays import Floats
from surefoot.errors import FileError, InputError
from surefoot.planning.goals import Goal
from surefoot.world import Body, World, primitives

_APART = 0.75
"""[m] Between people whom the file puts anywhere."""

_KNOWN = (
    "header", "agent", "agentRegion", "suggestedCameraView", "obstacle", "obstacleRegion",
    "circleObstacle", "orientedBoxObstacle", "polygonObstacle",
)  # fmt: skip

_LIMIT = 20_000
"""Agents and obstacles of one file at most."""


@dataclass(frozen=True, eq=False)
class _Someone:
    """An agent of the file: `spot` None where chance decides; goals likewise."""

    spot: Floats | None
    region: tuple[Floats, Floats]
    direction: Floats | None
    goals: tuple[tuple[Floats | None, float], ...]


def read_steersuite(path: str | PathLike[str], *, seed: int = 0) -> CrowdScene:
    """The scene in a SteerBench test case.

    Args:
        path: the XML file.
        seed: of what the file leaves to chance.

    Raises:
        FileError: the file is no test case; names the element.
    """
    file = Path(path)
    try:
        return _read(file, seed)
    except InputError as reason:  # a size, a place or a crowd that cannot be
        raise FileError(f"{file}: {reason}") from reason


def _read(file: Path, seed: int) -> CrowdScene:
    root = parse_xml(file)
    if root.name != "SteerBenchTestCase":
        raise FileError(f"{file}: no SteerBench test case: its root is <{root.name}>")
    header = root.need("header")
    random = np.random.default_rng(seed)
    notes: list[str] = []
    bounds = _bounds(header.need("worldBounds"))
    bodies = _obstacles(root, random, notes)
    people = _people(root, bounds, notes)
    if not people:
        raise FileError(f"{file}: there are no agents")
    known = [each.spot for each in people if each.spot is not None]
    known += [goal for each in people for goal, _ in each.goals if goal is not None]
    known += [corner for each in people if each.spot is None for corner in each.region]
    if _outside(known, bounds):
        notes.append("the world's bounds do not hold everybody; they are left out")
        bounds = (np.full(2, -np.inf), np.full(2, np.inf))
    low, high = extent(known, *bounds)
    world = World([floor(low, high), *bodies], name=file.stem)
    cast = Cast(seed)
    spots = Spots(world, cast.widest(), random)
    for each in people:
        if each.spot is not None:
            spots.take(each.spot)
    walkers = [_walker(each, cast, spots, random, (low, high)) for each in people]
    name = header.find("name")
    said = header.find("description")
    return CrowdScene(
        name=name.text if name is not None and name.text else file.stem,
        description=" ".join(said.text.split()) if said is not None else "a SteerBench test case",
        world=world,
        walkers=tuple(walkers),
        duration=120.0,
        area=free_area(world, low, high),
        leave=True,
        notes=tuple(dict.fromkeys(notes)),
    )


def _walker(
    each: _Someone,
    cast: Cast,
    spots: Spots,
    random: np.random.Generator,
    bounds: tuple[Floats, Floats],
) -> Walker:
    spot = each.spot
    if spot is None:
        spot = spots.any(*_inside(each.region, bounds), _APART)
    goals: list[Goal] = []
    for target, tolerance in each.goals:
        found = random.uniform(*bounds) if target is None else target
        goals.append(Goal(at(found), tolerance=max(tolerance, 0.3)))
    way = each.direction
    if way is None or not way.any():
        way = random.normal(size=2)
    heading = float(np.arctan2(way[1], way[0]))
    return Walker(character=cast.person(), place=at(spot), heading=heading, goals=tuple(goals))


def _inside(region: tuple[Floats, Floats], bounds: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    low = np.maximum(region[0], bounds[0] + 0.5)
    return low, np.maximum(np.minimum(region[1], bounds[1] - 0.5), low)


def _people(root: Tree, bounds: tuple[Floats, Floats], notes: list[str]) -> list[_Someone]:
    found: list[_Someone] = []
    for agent in root.all("agent"):
        start = agent.need("initialConditions")
        goals = _goals(agent, start.number("radius", 0.5), notes)
        spot = _spot(start.need("position"))
        found.append(_Someone(spot, bounds, _spot(start.need("direction")), goals))
    for region in root.all("agentRegion"):
        count = _count(region, "numAgents")
        start = region.need("initialConditions")
        goals = _goals(region, start.number("radius", 0.5), notes)
        box = _box(region.need("regionBounds"))
        direction = _spot(start.need("direction"))
        found += [_Someone(None, box, direction, goals)] * count
    return found


def _goals(agent: Tree, radius: float, notes: list[str]) -> tuple[tuple[Floats | None, float], ...]:
    goals: list[tuple[Floats | None, float]] = []
    for goal in agent.need("goalSequence"):
        if goal.name == "seekStaticTarget":
            goals.append((_spot(goal.need("targetLocation")), radius))
        elif goal.name == "seekAxisAlignedBoxRegion":
            low, high = _box(goal)
            goals.append(((low + high) / 2.0, max(float((high - low).min()) / 2.0, radius)))
        elif goal.name != "idle":
            notes.append(f"goals of kind {goal.name} are left out: such an agent stays")
    return tuple(goals)


def _obstacles(root: Tree, random: np.random.Generator, notes: list[str]) -> list[Body]:
    notes += [f"<{child.name}> is left out" for child in root if child.name not in _KNOWN]
    boxes = [(*_box(child), max(child.number("ymax"), 0.1)) for child in root.all("obstacle")]
    for child in root.all("obstacleRegion"):
        count, size = _count(child, "numObstacles"), child.number("obstacleSize")
        low, high = _box(child.need("regionBounds"))
        tall = max(child.number("obstacleHeight", 1.0), 0.1)
        corners = random.uniform(low, np.maximum(high - size, low), (count, 2))
        boxes += [(corner, corner + size, tall) for corner in corners]
    bodies: list[Body] = []
    for low, high, tall in boxes:
        size = np.maximum(high - low, 1e-3)
        mesh = primitives.box((*size.tolist(), tall), (*((low + high) / 2).tolist(), tall / 2))
        bodies.append(_body(len(bodies), mesh))
    for child in root.all("circleObstacle"):
        spot = _need_spot(child.need("position"))
        mesh = primitives.cylinder(child.number("radius"), child.number("height", 1.0))
        bodies.append(_body(len(bodies), primitives.placed(mesh, *spot.tolist())))
    for child in root.all("orientedBoxObstacle"):
        spot, size = _need_spot(child.need("position")), child.need("size")
        tall = size.number("y")
        mesh = primitives.box((size.number("x"), size.number("z"), tall), (0.0, 0.0, tall / 2))
        turn = np.radians(child.number("thetaY", 0.0))
        bodies.append(_body(len(bodies), primitives.placed(mesh, *spot.tolist(), yaw=float(turn))))
    for child in root.all("polygonObstacle"):
        ring = np.array([_need_spot(point) for point in child if point.find("x") is not None])
        if len(ring) < 2:
            raise FileError(f"{child.file}: <polygonObstacle> needs two points or more")
        segments = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1)
        bodies.append(_body(len(bodies), walls(segments)))
    return bodies


def _body(index: int, mesh: primitives.Mesh) -> Body:
    return Body(name=f"obstacle {index}", mesh=mesh, color=(0.55, 0.50, 0.44))


def _count(tree: Tree, name: str) -> int:
    value = tree.number(name)
    if not 0 <= value <= _LIMIT or value != int(value):
        raise FileError(
            f"{tree.file}: <{tree.name}>: {name} must be a whole number up to {_LIMIT}, got {value}"
        )
    return int(value)


def _bounds(tree: Tree) -> tuple[Floats, Floats]:
    """Corners of the world; there are test cases with these turned round."""
    corners = np.array(
        [[tree.number(f"x{end}"), -tree.number(f"z{end}")] for end in ("min", "max")]
    )
    return corners.min(axis=0), corners.max(axis=0)


def _outside(spots: list[Floats], bounds: tuple[Floats, Floats]) -> bool:
    return any(((spot < bounds[0]) | (spot > bounds[1])).any() for spot in spots)


def _box(tree: Tree) -> tuple[Floats, Floats]:
    """Corners in the plane; depth becomes height on the page, turned over."""
    low = np.array([tree.number("xmin"), -tree.number("zmax")])
    high = np.array([tree.number("xmax"), -tree.number("zmin")])
    if (low > high).any():
        raise FileError(f"{tree.file}: <{tree.name}>: a minimum is above its maximum")
    return low, high


def _spot(tree: Tree) -> Floats | None:
    """A point in the plane, or None where it is random."""
    if tree.find("random") is not None and tree.need("random").text.lower() != "false":
        return None
    return _need_spot(tree)


def _need_spot(tree: Tree) -> Floats:
    return np.array([tree.number("x"), -tree.number("z")])
