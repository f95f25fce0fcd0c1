"""Around what obstructs a surface, by way of others."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.character import people
from surefoot.math import Pose, rotations
from surefoot.planning import Goal
from surefoot.planning.topology import Atlas, TopologySettings, Traveller
from surefoot.planning.topology.search import CHANGE
from surefoot.world import Body, Static, World
from surefoot.world.primitives import box, slab

LITTLE = people.little()
FLOOR = Body(name="floor", mesh=slab((6, 4, 0.2)))


def _watched(world: World, frames: int = 90) -> Atlas:
    atlas = Atlas(world, LITTLE.capabilities, TopologySettings())
    for k in range(frames):
        atlas.update(k / 60)
    return atlas


def _lying(name: str, size: tuple[float, float, float], x: float, y: float, turn: float) -> Body:
    about = rotations.from_rotation_vector(np.array([0.0, 0.0, turn]))
    return Body(name=name, mesh=box(size), trajectory=Static(Pose((x, y, 0.5 * size[2]), about)))


def test_what_parts_a_floor_is_climbed_over() -> None:
    """Start and goal are on one surface that a long crate parts; the way back down matters."""
    world = World([FLOOR, _lying("crate", (0.9, 4.4, 0.15), 0.0, 0.0, 0.0)])
    atlas = _watched(world)
    traveller = Traveller(
        atlas, LITTLE, world.place((-2.5, 0.3, 0.0)), Goal(world.place((2.5, -0.3, 0.0)))
    )
    t, stood = atlas.now, []
    for _ in range(1200):
        t += 1 / 60
        atlas.update(t)
        traveller.step(t)
        stood.append(traveller.figure.place.body)
        if traveller.done:
            break
    assert traveller.arrived
    assert "crate" in stood
    # Up and down once: nobody comes down on the side that it came from.
    counts = traveller.figure.counts
    assert counts.jumps + counts.steps == 2
    plan = traveller.plan()
    assert plan.check(world), str(plan.check(world))


def test_a_wall_too_high_to_climb_parts_it_for_good() -> None:
    world = World([FLOOR, _lying("wall", (0.9, 4.4, 0.35), 0.0, 0.0, 0.0)])
    atlas = _watched(world)
    assert not _passage(atlas, world, (-2.5, 0.3, 0.0), (2.5, -0.3, 0.0))[0]


def _passage(
    atlas: Atlas, world: World, start: tuple[float, ...], goal: tuple[float, ...]
) -> tuple[bool, np.ndarray]:
    begin, end = world.place(start), world.place(goal)
    here, (there, node) = atlas.surface(begin)[0], atlas.surface(end)
    s = atlas.settings
    return atlas.native.passage(
        here, begin.position[None].copy(), 0, there, np.array([node], dtype=np.int32), CHANGE,
        s.max_relative_speed, s.min_valid, np.zeros(0, dtype=np.int32),
        np.zeros((0, 3), dtype=np.int32),
    )[:2]  # fmt: skip


def _by_hand(atlas: Atlas, world: World, start: tuple[float, ...], goal: tuple[float, ...]) -> bool:
    """Every configuration that can be come to, by plain search over (body, node, skill)."""
    begin, end = world.place(start), world.place(goal)
    _, target = atlas.surface(end)
    shapes, names = atlas.skills.ground, [body.name for body in world]
    nodes = {name: atlas.roadmap(name).nodes()[0] for name in names}
    able = {name: atlas.roadmap(name).nodes()[1] for name in names}

    def clear(body: str, a: np.ndarray, b: np.ndarray, skill: int) -> bool:
        size = shapes[skill]
        lasts = max(float(np.linalg.norm(b - a)) / size.speed, 1e-3)
        ident = world.id(body)
        time, _ = atlas.native.first_contact(
            ident, np.array([atlas.now, atlas.now + lasts]), np.array([a, b]), size.radius,
            size.height, size.step_height, ident,
        )  # fmt: skip
        return time == np.inf

    beside: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for name in names:
        for a, b, skills in atlas.roadmap(name).edges().tolist():
            beside.setdefault((name, a), []).append((b, skills))
            beside.setdefault((name, b), []).append((a, skills))
    over: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for relation in atlas.relations:
        for row in atlas.native.jumps(relation.index).tolist():
            key = (relation.source[0], int(row[0]))
            over.setdefault(key, []).append((relation.target[0], int(row[1])))
    far = 1.8 * atlas.roadmap(str(begin.body)).spacing
    first = str(begin.body)
    queue: list[tuple[str, int, int]] = []
    for node, spot in enumerate(nodes[first]):
        if np.abs(spot - begin.position).max() < far:
            queue += [
                (first, node, skill)
                for skill in range(len(shapes))
                if able[first][node] >> skill & 1 and clear(first, begin.position, spot, skill)
            ]
    seen = set(queue)
    while queue:
        name, node, skill = queue.pop()
        spot = nodes[name][node]
        after = []
        for other, skills in beside.get((name, node), []):
            for k in range(len(shapes)):
                both = able[name][node] >> skill & 1 and able[name][node] >> k & 1
                if (
                    skills >> k & 1
                    and (k == skill or both)
                    and clear(name, spot, nodes[name][other], k)
                ):
                    after.append((name, other, k))
        if skill == 0:
            for body, landing in over.get((name, node), []):
                there = nodes[body][landing]
                if clear(body, there, there, 0):
                    after.append((body, landing, 0))
        for state in after:
            if state not in seen:
                seen.add(state)
                queue.append(state)
    return any((str(end.body), target, k) in seen for k in range(len(shapes)))


@pytest.mark.parametrize("seed", range(6))
def test_passages_are_those_of_a_plain_search_in_random_worlds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    things = [
        _lying(f"thing {k}", tuple(rng.uniform((0.4, 0.6, 0.08), (0.9, 1.6, 0.3))),
               *rng.uniform((-1.0, -1.9), (1.0, 1.9)), rng.uniform(0, np.pi))
        for k in range(14)
    ]  # fmt: skip
    world = World([FLOOR, *things])
    atlas = _watched(world, 40)
    start, goal = (-2.6, 0.0, 0.0), (2.6, 0.0, 0.0)
    reached, hops = _passage(atlas, world, start, goal)
    assert reached == _by_hand(atlas, world, start, goal)
    # Each change of surfaces is one that was seen to be possible.
    for relation, take_off, landing in hops.tolist():
        assert atlas.has_jump(relation, take_off, landing)
