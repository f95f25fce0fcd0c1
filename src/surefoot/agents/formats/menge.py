"""Reads Menge's projects: a scene (who and where) and a behaviour (goals, states, transitions).

Of behaviours, what says where people go is read: goals, the selector of each state, and the states
that follow when a goal is reached. How they get there is this package's to plan: velocity
components, road maps and fields are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from surefoot.agents.formats.ground import Spots, extent, floor, free_area, walls
from surefoot.agents.formats.tree import Tree, parse_xml
from surefoot.agents.scenes.scene import Cast, CrowdScene, Walker, at
from surefoot.arrays import Floats
from surefoot.errors import FileError, InputError, one_of
from surefoot.planning.goals import Goal
from surefoot.world import Body, World

_APART = 0.9
"""[m] At least, between people; nearer starts are moved apart."""

_GOALS = 4
"""Goals of one agent at most: behaviours may go round for ever."""

_FAR = 1e4
_LIMIT = 20_000


@dataclass(frozen=True, eq=False)
class _Spot:
    """A goal of the file: a point, and how near is near enough."""

    point: Floats
    tolerance: float


def read_menge(path: str | PathLike[str], *, seed: int = 0) -> CrowdScene:
    """The scene of a Menge project.

    Args:
        path: the project's XML file; the files that it names are looked for beside it. Or a scene
            alone, `nameS.xml`, with its behaviour `nameB.xml` beside it.
        seed: of what the files leave to chance.

    Raises:
        FileError: a file is none of Menge's; names the element.
    """
    file = Path(path)
    try:
        return _read(file, seed)
    except InputError as reason:  # a size, a place or a crowd that cannot be
        raise FileError(f"{file}: {reason}") from reason


def _read(file: Path, seed: int) -> CrowdScene:
    experiment, behaviour = _parts(file)
    random = np.random.default_rng(seed)
    notes: list[str] = []
    segments = _segments(experiment, notes)
    starts = _starts(experiment, random)
    if not starts:
        raise FileError(f"{experiment.file}: there are no agents")
    states = _States(behaviour, random, notes)
    ways = [states.goals(state, spot) for spot, state in starts]
    points = [spot for spot, _ in starts] + [goal.point for way in ways for goal in way]
    low, high = extent(points, [-_FAR] * 2, [_FAR] * 2)
    bodies = [floor(low, high)]
    if len(segments):
        bodies.append(Body(name="walls", mesh=walls(segments), color=(0.55, 0.50, 0.44)))
    world = World(bodies, name=file.stem)
    cast = Cast(seed)
    spots = Spots(world, cast.widest(), random)
    walkers: list[Walker] = []
    for (spot, _), way in zip(starts, ways, strict=True):
        place = spots.near(spot, _APART)
        if float(np.hypot(*(place - spot))) > 0.0:
            notes.append("some starts were too near to each other or to walls, and moved apart")
        first = way[0].point - place if way else np.array([1.0, 0.0])
        walkers.append(
            Walker(
                character=cast.person(),
                place=at(place),
                heading=float(np.arctan2(first[1], first[0])),
                goals=tuple(Goal(at(g.point), tolerance=max(g.tolerance, 0.3)) for g in way),
            )
        )
    return CrowdScene(
        name=file.stem,
        description="a Menge project",
        world=world,
        walkers=tuple(walkers),
        duration=120.0,
        area=free_area(world, low, high),
        leave=True,
        notes=tuple(dict.fromkeys(notes)),
    )


def _parts(file: Path) -> tuple[Tree, Tree]:
    """Scene and behaviour: of a project, or a scene (nameS.xml) with its behaviour beside it."""
    root = parse_xml(file)
    if root.name == "Project":
        scene = _part(file, root.attribute("scene"), "Experiment")
        return scene, _part(file, root.attribute("behavior"), "BFSM")
    if root.name == "Experiment" and file.stem.endswith("S"):
        return root, _part(file, f"{file.stem[:-1]}B.xml", "BFSM")
    raise FileError(f"{file}: no Menge project or scene: its root is <{root.name}>")


def _part(project: Path, name: str, kind: str) -> Tree:
    tree = parse_xml(project.parent / name)
    if tree.name != kind:
        raise FileError(f"{tree.file}: expected <{kind}>, its root is <{tree.name}>")
    return tree


def _segments(experiment: Tree, notes: list[str]) -> Floats:
    """Walls `(n, 2, 2)` [m]: the edges of all obstacles."""
    found: list[Floats] = []
    for group in experiment.all("ObstacleSet"):
        if group.attribute("type", "explicit") != "explicit":
            notes.append(f"obstacles of kind {group.attribute('type')} are left out")
            continue
        for obstacle in group.all("Obstacle"):
            ring = np.array(
                [
                    [vertex.attribute_number("p_x"), vertex.attribute_number("p_y")]
                    for vertex in obstacle.all("Vertex")
                ]
            )
            if len(ring) < 2:
                raise FileError(f"{obstacle.file}: <Obstacle> needs two vertices or more")
            ends = np.roll(ring, -1, axis=0)
            edges = np.stack([ring, ends], axis=1)
            found.append(edges if obstacle.attribute("closed", "1") == "1" else edges[:-1])
    return np.concatenate(found) if found else np.empty((0, 2, 2))


def _starts(experiment: Tree, random: np.random.Generator) -> list[tuple[Floats, str]]:
    """Where agents start, and in which state."""
    found: list[tuple[Floats, str]] = []
    for group in experiment.all("AgentGroup"):
        state = group.need("StateSelector").attribute("name")
        maker = group.need("Generator")
        points = _generated(maker)
        if maker.attribute("displace_dist", "c") == "u":
            # Menge displaces by a distance along a direction; here along any.
            least = maker.attribute_number("displace_min", 0.0)
            most = max(maker.attribute_number("displace_max", 0.0), least)
            away = random.uniform(least, most, len(points))
            turn = random.uniform(0.0, 2.0 * np.pi, len(points))
            points = points + np.stack([away * np.cos(turn), away * np.sin(turn)], axis=1)
        found += [(point, state) for point in points]
        if len(found) > _LIMIT:
            raise FileError(f"{group.file}: more than {_LIMIT} agents")
    return found


def _generated(maker: Tree) -> Floats:
    kind = maker.attribute("type")
    if kind == "explicit":
        return np.array(
            [[a.attribute_number("p_x"), a.attribute_number("p_y")] for a in maker.all("Agent")],
            dtype=np.float64,
        ).reshape(-1, 2)
    if kind == "rect_grid":
        anchor = np.array([maker.attribute_number("anchor_x"), maker.attribute_number("anchor_y")])
        offset = np.array([maker.attribute_number("offset_x"), maker.attribute_number("offset_y")])
        columns, rows = (int(maker.attribute_number(f"count_{axis}")) for axis in "xy")
        if min(columns, rows) < 1 or columns * rows > _LIMIT:
            raise FileError(f"{maker.file}: <Generator>: {columns} x {rows} agents")
        across, up = np.meshgrid(np.arange(columns), np.arange(rows), indexing="ij")
        grid: Floats = np.stack([across.ravel(), up.ravel()], axis=1).astype(np.float64) * offset
        turn = np.radians(maker.attribute_number("rotation", 0.0))
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        points: Floats = anchor + grid.astype(np.float64) @ spin.T
        return points
    raise FileError(f"{maker.file}: {one_of('generator', kind, ('explicit', 'rect_grid'))}")


class _States:
    """The states of a behaviour, and where they lead."""

    def __init__(self, tree: Tree, random: np.random.Generator, notes: list[str]) -> None:
        self._tree, self._random, self._notes = tree, random, notes
        self._states = {state.attribute("name"): state for state in tree.all("State")}
        self._sets = {
            group.attribute("id"): {
                goal.attribute("id"): _goal(goal, notes) for goal in group.all("Goal")
            }
            for group in tree.all("GoalSet")
        }
        self._next: dict[str, tuple[str, float | None]] = {}
        for change in tree.all("Transition"):
            self._read_transition(change)

    def goals(self, state: str, spot: Floats) -> list[_Spot]:
        """Where somebody who starts at a spot in a state goes, one goal after the other."""
        found: list[_Spot] = []
        here, seen = spot, set[str]()
        while len(found) < _GOALS:
            if state not in self._states:
                raise FileError(f"{self._tree.file}: {one_of('state', state, self._states)}")
            then = self._next.get(state)
            goal = self._selected(self._states[state], here)
            if goal is not None:
                near = then[1] if then is not None and then[1] is not None else goal.tolerance
                found.append(_Spot(goal.point, near))
                here = goal.point
            if then is None or (state in seen and goal is None):
                break
            seen.add(state)
            state = then[0]
        return found

    def _selected(self, state: Tree, spot: Floats) -> _Spot | None:
        selector = state.find("GoalSelector")
        if selector is None:
            return None
        kind = selector.attribute("type")
        if kind == "identity":
            return None
        if kind == "mirror":
            sides = [selector.attribute_number(f"mirror_{axis}", 1.0) for axis in "xy"]
            return _Spot(np.where(np.array(sides) != 0.0, -spot, spot), 0.3)
        choose: Mapping[str, Callable[[list[_Spot]], _Spot]] = {
            "farthest": lambda goals: max(goals, key=lambda g: _gap(g, spot)),
            "nearest": lambda goals: min(goals, key=lambda g: _gap(g, spot)),
            "random": lambda goals: goals[int(self._random.integers(len(goals)))],
        }
        goals = self._goal_set(selector)
        if kind == "explicit":
            name = selector.attribute("goal")
            if name not in goals:
                raise FileError(f"{self._tree.file}: {one_of('goal', name, goals)}")
            return goals[name]
        if kind not in choose or not goals:
            self._notes.append(f"goal selectors of kind {kind} are left out: such agents stay")
            return None
        return choose[kind](list(goals.values()))

    def _goal_set(self, selector: Tree) -> Mapping[str, _Spot]:
        name = selector.attribute("goal_set", "")
        if name not in self._sets:
            if selector.attribute("type") in ("explicit", "farthest", "nearest", "random"):
                raise FileError(f"{self._tree.file}: {one_of('goal set', name, self._sets)}")
            return {}
        return self._sets[name]

    def _read_transition(self, change: Tree) -> None:
        condition = change.find("Condition")
        kind = "" if condition is None else condition.attribute("type", "")
        if kind not in ("goal_reached", "auto", "timer", "AABB"):
            self._notes.append(f"transitions on {kind or 'nothing'} are left out")
            return
        near = None
        if kind == "goal_reached" and condition is not None:
            near = condition.attribute_number("distance", 0.3)
        if change.has("to"):
            targets = [change.attribute("to")]
        else:
            targets = [s.attribute("name") for t in change.all("Target") for s in t.all("State")]
        if not targets:
            self._notes.append("transitions that go back to where they came from are left out")
            return
        for origin in change.attribute("from").replace(",", " ").split():
            self._next.setdefault(origin, (targets[0], near))


def _goal(goal: Tree, notes: list[str]) -> _Spot:
    kind = goal.attribute("type")
    if kind == "AABB":
        low = np.array([goal.attribute_number("min_x"), goal.attribute_number("min_y")])
        high = np.array([goal.attribute_number("max_x"), goal.attribute_number("max_y")])
        return _Spot((low + high) / 2.0, float(np.abs(high - low).min()) / 2.0)
    point = np.array([goal.attribute_number("x"), goal.attribute_number("y")])
    if kind == "circle":
        return _Spot(point, goal.attribute_number("radius"))
    if kind != "point":
        notes.append(f"goals of kind {kind} are taken as points")
    return _Spot(point, 0.3)


def _gap(goal: _Spot, spot: Floats) -> float:
    return float(np.hypot(*(goal.point - spot)))
