"""Ray, nearest, support and overlap against brute force, in thousands of random worlds.

The references look at every triangle with other methods than the native code. A question whose
answer would change within 1e-9 m is on the edge of a decision: then the native answer must be one
of the two. Few questions may be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from references import random_worlds
from references.scenes import Scene
from references.triangles import heights_under
from surefoot.arrays import Floats
from surefoot.world import Capsule, Cylinder, Foot, World

EDGE = 1e-9
"""[m] Closer to a decision than this, either answer is right."""

QUESTIONS = 8
SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 86))]
WORLDS = 250


@dataclass
class Asked:
    """Random worlds and a few questions to each."""

    seed: int
    worlds: list[World]
    times: list[Floats]
    scene: Scene
    points: Floats  # (questions, 3)

    def each(self, ask: str, *rows: Floats, **more: object) -> list[object]:
        """What every world answers; `rows` have one entry for each question."""
        split = [np.split(row, len(self.worlds)) for row in rows]
        return [
            getattr(world, ask)(*(part[i] for part in split), self.times[i], **more)
            for i, world in enumerate(self.worlds)
        ]


def _ask(seed: int, worlds: int) -> Asked:
    rng = np.random.default_rng(seed)
    made = [random_worlds.world(rng) for _ in range(worlds)]
    times = [random_worlds.moments(rng, QUESTIONS) for _ in made]
    scene = Scene.of(made, times)
    return Asked(seed, made, times, scene, _points(rng, scene))


def _points(rng: np.random.Generator, scene: Scene) -> Floats:
    """Half anywhere, half near a surface."""
    count = len(scene.starts)
    anywhere = rng.uniform(-4, 4, (count, 3))
    sizes = np.diff(np.append(scene.starts, len(scene.question)))
    corners = scene.corners[scene.starts + rng.integers(sizes)]
    weights = rng.dirichlet(np.ones(3), count)
    on_surface = np.einsum("nk,nkj->nj", weights, corners)
    offset = rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-6, -0.3, (count, 1))
    return np.where(rng.random((count, 1)) < 0.5, anywhere, on_surface + offset)


@pytest.fixture(params=SEEDS, scope="module")
def asked(request: pytest.FixtureRequest) -> Asked:
    return _ask(request.param, WORLDS)


def _few(edge_cases: np.ndarray, share: float) -> None:
    assert edge_cases.mean() < share, f"{edge_cases.mean():.2%} of all questions are undecided"


def _apart(high: Floats, low: Floats, most: float = 1e-6) -> np.ndarray:
    """Which bounds leave the answer open; equal infinities do not."""
    return (high != low) & ~(high < low + most)


def _same_triangle(
    scene: Scene, value: Floats, best: Floats, body: Floats, face: Floats, slack: Floats | float
) -> np.ndarray:
    """Which questions name a triangle whose own value is as good as the best."""
    rows = np.flatnonzero(value <= (best + slack)[scene.question])
    answer = (body[scene.question] == scene.body) & (face[scene.question] == scene.face)
    out = np.zeros(len(scene.starts), dtype=bool)
    out[scene.question[rows[answer[rows]]]] = True
    return out


def test_rays(asked: Asked) -> None:
    rng = np.random.default_rng(asked.seed + 1000)
    scene = asked.scene
    directions = rng.normal(size=asked.points.shape)
    level = rng.random(len(directions)) < 0.3
    directions[level] = np.eye(3)[rng.integers(3, size=level.sum())]
    directions *= rng.choice([-1, 1], (len(directions), 1))
    # Toward some surface, mostly.
    aimed = rng.random(len(directions)) < 0.5
    sizes = np.diff(np.append(scene.starts, len(scene.question)))
    target = scene.corners[scene.starts + rng.integers(sizes)].mean(axis=1)
    directions[aimed] = (target - asked.points)[aimed]
    unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)

    distance, inside = scene.ray(asked.points, unit)
    ahead = np.where(np.isnan(distance), np.inf, distance)
    # A ray that grazes loses as many digits as it is inclined.
    normals = np.cross(
        scene.corners[:, 1] - scene.corners[:, 0], scene.corners[:, 2] - scene.corners[:, 0]
    )
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    inclined = np.abs((normals * unit[scene.question]).sum(axis=1))
    slack = EDGE / np.maximum(inclined, 1e-12)
    sure = np.where((inside > slack) & (ahead > slack), ahead, np.inf)
    maybe = np.where((inside >= -slack) & (ahead >= -slack), ahead - slack, np.inf)
    first_sure, first_maybe = scene.least(sure), scene.least(maybe)

    found = asked.each("ray", asked.points, directions)
    got = np.concatenate([hits.distance for hits in found])
    hit = np.concatenate([hits.hit for hits in found])
    assert np.array_equal(hit, np.isfinite(got))
    # Never beyond what is surely hit, never before what may be hit.
    assert (got <= first_sure + 10 * EDGE).all()
    assert (got >= first_maybe - EDGE).all()
    undecided = _apart(first_sure, first_maybe)
    _few(undecided, 0.04)

    decided = hit & ~undecided
    body = np.concatenate([hits.body for hits in found])
    face = np.concatenate([hits.triangle for hits in found])
    assert _same_triangle(scene, maybe, got, body, face, 1e-6)[decided].all()
    position = np.concatenate([hits.position for hits in found])
    assert np.allclose(position[hit], asked.points[hit] + unit[hit] * got[hit, None], atol=1e-9)
    normal = np.concatenate([hits.normal for hits in found])
    assert np.allclose(normal[decided], _normals(scene, body, face)[decided], atol=1e-9)
    assert (body[~hit] == -1).all()
    assert (face[~hit] == -1).all()


def _normals(scene: Scene, body: Floats, face: Floats) -> Floats:
    out = np.zeros((len(scene.starts), 3))
    rows = (body[scene.question] == scene.body) & (face[scene.question] == scene.face)
    a, b, c = np.moveaxis(scene.corners[rows], 1, 0)
    normal = np.cross(b - a, c - a)
    out[scene.question[rows]] = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    return out


def test_nearest(asked: Asked) -> None:
    scene = asked.scene
    gaps = np.linalg.norm(scene.closest(asked.points) - asked.points[scene.question], axis=1)
    least = scene.least(gaps)
    found = asked.each("nearest", asked.points)
    got = np.concatenate([near.distance for near in found])
    slack = EDGE + _sliver(scene)
    assert (np.abs(got - least) <= slack).all()
    body = np.concatenate([near.body for near in found])
    face = np.concatenate([near.triangle for near in found])
    assert _same_triangle(scene, gaps, least, body, face, 2 * slack).all()
    position = np.concatenate([near.position for near in found])
    assert np.allclose(np.linalg.norm(position - asked.points, axis=1), got, atol=EDGE)
    # The point is on the triangle that was named.
    rows = (body[scene.question] == scene.body) & (face[scene.question] == scene.face)
    off = np.linalg.norm(scene.closest(position)[rows] - position[scene.question[rows]], axis=1)
    assert (off <= slack[scene.question[rows]]).all()


def _sliver(scene: Scene) -> Floats:
    """How much closest points on the worst triangle about lose to rounding: slivers lose most."""
    a, b, c = np.moveaxis(scene.corners, 1, 0)
    longest = np.max([np.linalg.norm(q - p, axis=1) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    doubled = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return -scene.least(-4e-12 * longest**3 / doubled)


def test_nearest_looks_no_further_than_told(asked: Asked) -> None:
    scene = asked.scene
    gaps = np.linalg.norm(scene.closest(asked.points) - asked.points[scene.question], axis=1)
    least = scene.least(gaps)
    for most in (0.0, 0.01, 0.3, 1.0):
        found = asked.each("nearest", asked.points, max_distance=most)
        hit = np.concatenate([near.hit for near in found])
        decided = np.abs(least - most) > EDGE + _sliver(scene)
        assert np.array_equal(hit[decided], (least < most)[decided])
        got = np.concatenate([near.distance for near in found])
        assert (np.abs(got - least)[hit] <= (EDGE + _sliver(scene))[hit]).all()
        assert np.isinf(got[~hit]).all()


@pytest.mark.parametrize(("up", "down"), [(0.0, 2.0), (0.4, 0.4), (5.0, 10.0)])
def test_support_of_points(asked: Asked, up: float, down: float) -> None:
    scene = asked.scene
    here = asked.points[scene.question]
    # Heights by weights of corners seen from above, without a ray.
    a, b, c = np.moveaxis(scene.corners, 1, 0)
    doubled = _turn(b - a, c - a)
    # How far from an edge, seen from above; walls have no inside.
    weights = np.stack(
        [_turn(b - here, c - here), _turn(c - here, a - here), _turn(a - here, b - here)]
    )
    edges = np.stack([c - b, a - c, b - a])
    lengths = np.linalg.norm(edges[..., :2], axis=-1)
    margin = (weights * np.sign(doubled) / np.maximum(lengths, 1e-300)).min(axis=0)
    steep = np.abs(doubled) / np.linalg.norm(np.cross(b - a, c - a), axis=1)
    wall = steep < 1e-9
    share = weights / np.where(wall, 1.0, doubled)
    height = (share * scene.corners[..., 2].T).sum(axis=0)
    slack = EDGE / np.maximum(steep, EDGE)
    top, bottom = here[:, 2] + up, here[:, 2] - down
    sure = (margin > EDGE) & (height < top - slack) & (height > bottom + slack) & ~wall
    maybe = (margin > -EDGE) & (height < top + slack) & (height > bottom - slack) & ~wall
    # A wall straight above or below the point may be met anywhere.
    beside = np.min([_aside(here, p, q) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    near_wall = wall & (beside < EDGE)
    highest_sure = -scene.least(np.where(sure, -height + slack, np.inf))
    highest_maybe = -scene.least(
        np.where(maybe, -height - slack, np.where(near_wall, -np.inf, np.inf))
    )

    found = asked.each("support", asked.points, up=up, down=down)
    got = np.concatenate([ground.height for ground in found])
    hit = np.concatenate([ground.hit for ground in found])
    assert np.array_equal(hit, np.isfinite(got))
    assert (got >= highest_sure - EDGE).all()
    assert (got <= highest_maybe + EDGE).all()
    undecided = _apart(highest_maybe, highest_sure)
    _few(undecided, 0.03)
    decided = hit & ~undecided
    body = np.concatenate([ground.body for ground in found])
    face = np.concatenate([ground.triangle for ground in found])
    assert _same_triangle(scene, np.where(maybe, -height, np.inf), -got, body, face, 1e-6)[
        decided
    ].all()
    normal = np.concatenate([ground.normal for ground in found])
    expected = _normals(scene, body, face)
    expected *= np.where(expected[:, 2:] < 0, -1.0, 1.0)
    assert np.allclose(normal[decided], expected[decided], atol=1e-9)
    slope = np.concatenate([ground.slope for ground in found])
    assert np.allclose(np.cos(slope[decided]), expected[decided, 2], atol=1e-9)
    assert np.isnan(slope[~hit]).all()


def _aside(points: Floats, start: Floats, end: Floats) -> Floats:
    """Distance from points to segments, seen from above."""
    along, back = (end - start)[:, :2], (points - start)[:, :2]
    square = (along**2).sum(axis=1)
    share = np.clip((along * back).sum(axis=1) / np.where(square > 0, square, 1.0), 0, 1)
    return np.linalg.norm(back - along * share[:, None], axis=1)


def _turn(first: Floats, second: Floats) -> Floats:
    return first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]


def test_support_of_feet(asked: Asked) -> None:
    rng = np.random.default_rng(asked.seed + 2000)
    scene = asked.scene
    foot = Foot(0.3, 0.12)
    up, down = 0.3, 0.5
    heading = np.round(rng.uniform(-4, 4, len(asked.points)) * 4) / 4
    here = asked.points[scene.question]
    turned = heading[scene.question]

    def highest(grown: float) -> Floats:
        lowest, top = heights_under(
            scene.corners, here[:, :2], turned, foot.length + 2 * grown, foot.width + 2 * grown
        )
        ceiling, floor = here[:, 2] + up + grown, here[:, 2] - down - grown
        reached = (lowest <= ceiling) & (top >= floor)
        return -scene.least(np.where(reached, -np.minimum(top, ceiling), np.inf))

    least, most = highest(-EDGE), highest(EDGE)
    points, headings = (np.split(row, len(asked.worlds)) for row in (asked.points, heading))
    found = [
        world.support(points[i], asked.times[i], up=up, down=down, foot=foot, heading=headings[i])
        for i, world in enumerate(asked.worlds)
    ]
    got = np.concatenate([ground.height for ground in found])
    # A steep triangle's height changes faster than the sole's edge is moved.
    undecided = _apart(most, least, 1e-5)
    _few(undecided, 0.01)
    assert (got[~undecided] >= least[~undecided] - 1e-8).all()
    assert (got[~undecided] <= most[~undecided] + 1e-8).all()
    hit = np.concatenate([ground.hit for ground in found])
    assert np.array_equal(hit, np.isfinite(got))
    coverage = np.concatenate([ground.coverage for ground in found])
    assert (coverage[~hit] == 0).all()
    assert (coverage >= 0).all()
    assert (coverage <= 1).all()


SHAPES = [
    Cylinder(0.3, 1.75),
    Cylinder(0.3, 1.75, 0.25),
    Cylinder(0.05, 0.2),
    Cylinder(1.5, 0.3, 0.1),
    Capsule(0.3, 1.75),
    Capsule(0.3, 1.75, 0.25),
    Capsule(0.4, 0.81),
]


@pytest.mark.parametrize("turn", range(3))
def test_overlaps(asked: Asked, turn: int) -> None:
    # Three shapes for each seed; every shape comes up several times.
    shape = SHAPES[(3 * asked.seed + turn) % len(SHAPES)]
    scene = asked.scene
    surely, maybe = _overlaps(scene, asked.points, shape)
    first = np.concatenate(asked.each("overlapping", asked.points, shape=shape))
    any_ = np.concatenate(asked.each("overlap", asked.points, shape=shape))
    assert np.array_equal(first >= 0, any_)
    undecided = (surely != maybe).any(axis=1)
    _few(undecided, 0.02)
    lowest = np.where(surely.any(axis=1), surely.argmax(axis=1), -1)
    wrong = ~undecided & (first != lowest)
    assert not wrong.any(), _told(asked, wrong, first, lowest)
    # Also at the edge of a decision no body is named that is not even near.
    named = undecided & (first >= 0)
    assert maybe[named, first[named]].all()


def _overlaps(scene: Scene, feet: Floats, shape: Cylinder) -> tuple[np.ndarray, np.ndarray]:
    """Which bodies surely overlap, and which may, for each question."""
    if isinstance(shape, Capsule):
        gap = scene.gap(feet, shape, EDGE)
        touching, near = scene.any_per_body(gap < -EDGE), scene.any_per_body(gap < EDGE)
    else:
        grown = Cylinder(shape.radius + EDGE, shape.height + EDGE, shape.step)
        shrunk = Cylinder(shape.radius - EDGE, shape.height - EDGE, shape.step)
        lift = np.array([0, 0, EDGE])
        touching = scene.any_per_body(scene.gap(feet + lift, shrunk, EDGE) < 0)
        near = scene.any_per_body(scene.gap(feet - lift, grown, EDGE) < 0)
    middle = feet + np.array([0, 0, (shape.step + shape.height) / 2])
    inside = scene.inside(middle) > 0.5
    return touching | (inside & ~near), near | inside


def _told(asked: Asked, wrong: np.ndarray, got: np.ndarray, expected: np.ndarray) -> str:
    i = int(np.flatnonzero(wrong)[0])
    world = asked.worlds[i // QUESTIONS]
    when = asked.times[i // QUESTIONS][i % QUESTIONS]
    return (
        f"{wrong.sum()} wrong; question {i} (world {i // QUESTIONS} of seed {asked.seed}): at "
        f"{asked.points[i].tolist()}, t = {when!r}: {got[i]}, expected {expected[i]}; "
        f"{[(body.name, len(body.mesh.faces), body.solid) for body in world]}"
    )
