"""A labyrinth of stone walls about a court (bandi2000, Fig. 16).

At A a gap leads straight to the court, wide enough for a person of 0.5 m and no more: cells fit
through it, but none with room beside it. The way with room is the long one, through B.

Cells of 0.25 m and rises of 0.10 m make 72 x 93 cells, 23 high, as in the paper's Table 1.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from surefoot.arrays import Floats
from surefoot.world.body import Body
from surefoot.world.mesh import Mesh, merge
from surefoot.world.place import Place
from surefoot.world.primitives import boxes, placed, slab, turned
from surefoot.world.scenes import garden
from surefoot.world.scenes.building import SAND, STONE, WATER, fixed, furniture
from surefoot.world.scenes.maze import Maze, Room, Wall, best_shortcut, grown, wall_between
from surefoot.world.scenes.registry import scene
from surefoot.world.world import World

SIZE_X, SIZE_Y = 18.0, 23.25
COLUMNS, ROWS = 10, 13
ROOM = np.array([SIZE_X / COLUMNS, SIZE_Y / ROWS])
THICKNESS, HEIGHT = 0.26, 1.86  # of a wall, without its coping
POST, POST_HEIGHT = 0.36, 1.90
HOVER = np.array([0.0, 0.0, 0.5])  # places are looked for from here down
GAP = 0.60  # at A: two cells of 0.25 m at most

COURT: tuple[Room, ...] = tuple((i, j) for i in (4, 5) for j in (5, 6, 7))
START: Room = (1, 0)
ENTRANCES: tuple[Wall, ...] = (
    ((1, -1), (1, 0)), ((1, ROWS - 1), (1, ROWS)),
    ((-1, 9), (0, 9)), ((COLUMNS - 1, 9), (COLUMNS, 9)),
)  # fmt: skip
"""Openings in the outer wall, opposite each other, so that copies side by side are joined."""


@scene("labyrinth", "stone walls about a court; the short way, A, is too narrow to walk at ease")
def make() -> tuple[World, Mapping[str, Place]]:
    """The world and its places."""
    inside = [wall_between(a, b) for a in COURT for b in COURT if _next(a, b)]
    maze = grown(COLUMNS, ROWS, inside, seed=139)
    short = best_shortcut(maze, START, COURT[0])
    detour = maze.way(*_nearer_first(maze, short))
    through = detour[len(detour) // 2]
    world = World([*_grounds(), *_stones(maze, short), *_ornaments(maze, short)], name="labyrinth")
    points = {
        "start": _middle(START),
        "goal": _middle((4, 5)),
        "A": next((start + end) / 2 for start, end, gap in _lines(maze, short) if gap),
        "B": _middle(through),
    }
    return world, {name: world.place(point + HOVER) for name, point in points.items()}


def _next(first: Room, second: Room) -> bool:
    return abs(first[0] - second[0]) + abs(first[1] - second[1]) == 1


def _nearer_first(maze: Maze, wall: Wall) -> Wall:
    far = maze.distances(START)
    first, second = sorted(wall, key=far.__getitem__)
    return first, second


def _middle(room: Room) -> Floats:
    """On the ground in the middle of a room."""
    x, y = (np.array(room) + 0.5) * ROOM - [SIZE_X / 2, SIZE_Y / 2]
    return np.array([x, y, 0.0])


# --- stones --------------------------------------------------------------------------------------


def _grounds() -> list[Body]:
    return [fixed("ground", slab((SIZE_X, SIZE_Y, 0.2)), SAND)]


def _stones(maze: Maze, short: Wall) -> list[Body]:
    chance = random.Random(7)
    stones: list[Mesh] = []
    copings: list[Mesh] = []
    posts: set[tuple[float, float]] = set()
    for start, end, gap in _lines(maze, short):
        posts |= {(round(x, 6), round(y, 6)) for x, y, _ in (start, end)}
        along = end - start
        length, yaw = float(np.linalg.norm(along)), float(np.arctan2(along[1], along[0]))
        parts = [(0.0, length)]
        if gap:
            parts = [(0.0, (length - GAP) / 2), ((length + GAP) / 2, length)]
        for begin, stop in parts:
            stones.append(placed(_masonry(begin, stop, chance), start[0], start[1], 0.0, yaw))
            copings.append(placed(_coping(begin, stop), start[0], start[1], 0.0, yaw))
    return [
        fixed("walls", merge(stones), STONE),
        fixed("coping", merge(copings), (0.74, 0.71, 0.66)),
        fixed("posts", merge([placed(_post(), *at) for at in sorted(posts)]), (0.70, 0.67, 0.61)),
    ]


def _lines(maze: Maze, short: Wall) -> Iterator[tuple[Floats, Floats, bool]]:
    """Both ends of each piece of wall, and whether it is the one with the gap."""
    half = ROOM / 2
    outer = [((i, j), (i + 1, j)) for i in (-1, COLUMNS - 1) for j in range(ROWS)]
    outer += [((i, j), (i, j + 1)) for i in range(COLUMNS) for j in (-1, ROWS - 1)]
    for wall in [*maze.walls, *outer]:
        if wall in maze.open or wall in ENTRANCES:
            continue
        between = (_middle(wall[0]) + _middle(wall[1]))[:2] / 2
        # The outer wall stands on the ground and not half beside it.
        limit = np.array([SIZE_X, SIZE_Y]) / 2 - POST / 2
        along = np.array([0.0, half[1]]) if wall[0][0] != wall[1][0] else np.array([half[0], 0.0])
        ends = (np.clip(between + sign * along, -limit, limit) for sign in (-1, 1))
        start, end = (np.array([*at, 0.0]) for at in ends)
        yield start, end, wall == short


def _masonry(begin: float, stop: float, chance: random.Random) -> Mesh:
    """Courses of stones along +x about a core; every other course is shifted by half a stone."""
    core = THICKNESS - 0.05
    sizes = [[stop - begin, core, HEIGHT]]
    centres = [[(begin + stop) / 2, 0.0, HEIGHT / 2]]
    courses, joint = 3, 0.02
    tall = HEIGHT / courses
    for course in range(courses):
        joints = np.arange(begin - 0.45 * (course % 2), stop, 0.9)[1:]
        edges = np.array([begin, *[x for x in joints if begin + 0.2 < x < stop - 0.2], stop])
        for left, right in pairwise(edges):
            sizes.append([right - left - joint, THICKNESS - 0.02 * chance.random(), tall - joint])
            centres.append([(left + right) / 2, 0.0, (course + 0.5) * tall])
    return boxes(sizes, centres)


def _coping(begin: float, stop: float) -> Mesh:
    return boxes(
        [[stop - begin, THICKNESS + 0.06, 0.05], [stop - begin, THICKNESS - 0.06, 0.05]],
        [[(begin + stop) / 2, 0.0, HEIGHT + 0.025], [(begin + stop) / 2, 0.0, HEIGHT + 0.075]],
    )


def _post() -> Mesh:
    shaft = [[POST, POST, 0.22], [POST - 0.05, POST - 0.05, POST_HEIGHT], [POST, POST, 0.06]]
    heights = [0.11, POST_HEIGHT / 2, POST_HEIGHT + 0.03]
    cap = turned([(0.16, 0.0), (0.16, 0.03), (0.02, 0.14), (0.0, 0.14)], 4)
    return merge(
        [
            boxes(shaft, [[0.0, 0.0, z] for z in heights]),
            placed(cap, 0, 0, POST_HEIGHT + 0.06, 0.785),
        ]
    )


# --- ornaments -----------------------------------------------------------------------------------


def _ornaments(maze: Maze, short: Wall) -> list[Body]:
    """A fountain in the court, urns and benches where the ways end."""
    bodies: list[Body] = []
    ends = [room for room in maze.rooms if len(maze.neighbours(room)) == 1]
    kept_free = {START, *COURT, *short, *(room for wall in ENTRANCES for room in wall)}
    for number, room in enumerate(room for room in ends if room not in kept_free):
        (other,) = maze.neighbours(room)
        back = _middle(room) - _middle(other)
        back /= np.linalg.norm(back)
        x, y, _ = _middle(room) + 0.42 * back
        yaw = float(np.arctan2(back[1], back[0]))
        if number % 2:
            bodies += [
                furniture(f"urn {number}", placed(garden.urn(), x, y), garden.CLAY),
                furniture(
                    f"bush {number}", placed(garden.bush(0.3, 0.62), x, y, 0.68), garden.LEAF
                ),
            ]
        else:
            bench = placed(garden.stone_bench(), x, y, 0.0, yaw)
            bodies.append(furniture(f"bench {number}", bench, (0.66, 0.63, 0.58)))
    # Small enough to leave a way of a metre on both sides.
    basin, water = (part.transformed(scale=0.6) for part in garden.fountain())
    x, y, _ = (_middle(COURT[0]) + _middle(COURT[-1])) / 2
    return [
        *bodies,
        furniture("fountain", placed(basin, x, y), STONE),
        furniture("water", placed(water, x, y), WATER),
    ]
