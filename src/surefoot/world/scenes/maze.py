"""Mazes on a grid of rooms: which neighbours are joined, and how far it is between rooms."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

Room = tuple[int, int]
Wall = tuple[Room, Room]
"""Between two neighbouring rooms; the lower one first."""


@dataclass
class Maze:
    """Rooms in columns and rows; a wall is open or it is not.

    Attributes:
        columns: along x.
        rows: along y.
        open: the walls that can be passed.
    """

    columns: int
    rows: int
    open: set[Wall] = field(default_factory=set[Wall])

    @property
    def rooms(self) -> list[Room]:
        """All rooms."""
        return [(i, j) for i in range(self.columns) for j in range(self.rows)]

    @property
    def walls(self) -> list[Wall]:
        """All walls between rooms, open or not."""
        right = [((i, j), (i + 1, j)) for i, j in self.rooms if i + 1 < self.columns]
        return right + [((i, j), (i, j + 1)) for i, j in self.rooms if j + 1 < self.rows]

    def neighbours(self, room: Room) -> list[Room]:
        """Rooms that can be walked to."""
        i, j = room
        around = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
        return [other for other in around if wall_between(room, other) in self.open]

    def distances(self, start: Room) -> dict[Room, int]:
        """How many rooms away each room is that can be reached."""
        found = {start: 0}
        queue = deque([start])
        while queue:
            room = queue.popleft()
            for other in self.neighbours(room):
                if other not in found:
                    found[other] = found[room] + 1
                    queue.append(other)
        return found

    def way(self, start: Room, end: Room) -> list[Room]:
        """The rooms of a shortest way, both ends included."""
        left = self.distances(end)
        way = [start]
        while way[-1] != end:
            way.append(min(self.neighbours(way[-1]), key=left.__getitem__))
        return way


def wall_between(first: Room, second: Room) -> Wall:
    """The wall of two neighbours."""
    return (first, second) if first < second else (second, first)


def grown(columns: int, rows: int, joined: Iterable[Wall], seed: int) -> Maze:
    """A maze in which one way leads to every room.

    Args:
        columns: along x.
        rows: along y.
        joined: walls that are open from the start, such as those of a court.
        seed: decides the rest.
    """
    chance = random.Random(seed)
    maze = Maze(columns, rows, set(joined))
    group = {room: room for room in maze.rooms}

    def root(room: Room) -> Room:
        while group[room] != room:
            room = group[room]
        return room

    for first, second in maze.open:
        group[root(first)] = root(second)
    for wall in sorted(maze.walls, key=lambda _: chance.random()):
        first, second = (root(room) for room in wall)
        if first != second:
            group[first] = second
            maze.open.add(wall)
    return maze


def best_shortcut(maze: Maze, start: Room, end: Room, away: int = 3) -> Wall:
    """The closed wall whose opening would bring two rooms nearest to each other.

    Args:
        maze: in which.
        start: one room.
        end: the other.
        away: the wall is at least so many rooms from both.
    """
    here, there = maze.distances(start), maze.distances(end)
    closed = [
        wall
        for wall in maze.walls
        if wall not in maze.open and all(min(here[r], there[r]) >= away for r in wall)
    ]
    return min(closed, key=lambda w: (min(here[w[0]] + there[w[1]], here[w[1]] + there[w[0]]), w))
