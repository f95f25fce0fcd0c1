from __future__ import annotations

import pytest

from surefoot.world.scenes.maze import Maze, best_shortcut, grown, wall_between


@pytest.mark.parametrize("seed", range(5))
def test_one_way_leads_to_every_room(seed: int) -> None:
    maze = grown(7, 5, [], seed)
    assert len(maze.open) == 7 * 5 - 1
    assert maze.distances((0, 0)).keys() == set(maze.rooms)


def test_rooms_that_are_joined_stay_joined() -> None:
    court = wall_between((3, 2), (2, 2))
    assert court == ((2, 2), (3, 2))
    assert court in grown(7, 5, [court], 1).open


def test_ways_are_shortest() -> None:
    maze = Maze(4, 4)
    maze.open = set(maze.walls)
    assert len(maze.way((0, 0), (3, 3))) == 7
    maze.open = {wall for wall in maze.walls if wall[0][0] == wall[1][0] or wall[0][1] == 3}
    assert maze.way((0, 0), (1, 0)) == [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 3),
        (1, 2),
        (1, 1),
        (1, 0),
    ]


def test_the_best_shortcut_is_the_one_that_brings_the_ends_nearest() -> None:
    maze = grown(8, 8, [], 1)
    start, end = (0, 0), (7, 7)
    found = best_shortcut(maze, start, end, away=2)

    def length(wall: object) -> int:
        return len(Maze(8, 8, {*maze.open, wall}).way(start, end))  # pyright: ignore[reportArgumentType]

    away = {
        room
        for room in maze.rooms
        if min(maze.distances(start)[room], maze.distances(end)[room]) >= 2
    }
    others = [w for w in maze.walls if w not in maze.open and set(w) <= away]
    assert found in others
    assert length(found) == min(map(length, others))
    assert length(found) < len(maze.way(start, end))
