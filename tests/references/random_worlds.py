"""Small random worlds of every kind of mesh and motion, the same for the same seed."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import TrajectoryError
from surefoot.math import Pose
from surefoot.math import rotations as turns
from surefoot.world import (
    Attached,
    Body,
    Function,
    Keyframed,
    Mesh,
    Observed,
    Static,
    Trajectory,
    World,
    along,
    merge,
)
from surefoot.world.primitives import box, cylinder, ground, ramp, stairs

Random = np.random.Generator

EXACT_TURNS = [[1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 0, 1], [1, 1, 0, 0], [1, 0, -1, 0], [1, 1, 1, 1]]


def rotation(rng: Random) -> Floats:
    """Any rotation; often an upright or a right-angled one."""
    kind = rng.integers(4)
    if kind == 0:
        return turns.normalize(np.array(EXACT_TURNS[rng.integers(len(EXACT_TURNS))]))
    if kind == 1:
        return turns.from_yaw(rng.uniform(-np.pi, np.pi))
    return turns.normalize(rng.normal(size=4))


def pose(rng: Random, reach: float = 2.5) -> Pose:
    """A pose whose position has exact decimals in binary."""
    return Pose(np.round(rng.uniform(-reach, reach, 3) * 16) / 16, rotation(rng))


# --- meshes --------------------------------------------------------------------------------------


def inside_out(mesh: Mesh) -> Mesh:
    """The same surface, facing the other way."""
    return Mesh(mesh.vertices, mesh.faces[:, ::-1])


def _sizes(rng: Random) -> Floats:
    return np.round(rng.uniform(0.25, 2.5, 3) * 8) / 8 + 0.125


def _box(rng: Random) -> Mesh:
    return box(_sizes(rng))


def _plate(rng: Random) -> Mesh:
    sizes = _sizes(rng)
    sizes[rng.integers(3)] = 10.0 ** rng.uniform(-5, -1)
    return box(sizes)


def _sheet(rng: Random) -> Mesh:
    return ground(*_sizes(rng)[:2] * 2)


def _tetrahedron(rng: Random) -> Mesh:
    corners = rng.normal(size=(4, 3))
    a, b, c = corners[1:] - corners[0]
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], dtype=np.int32)
    return Mesh(corners, faces if np.dot(a, np.cross(b, c)) > 0 else faces[:, ::-1])


def _open_box(rng: Random) -> Mesh:
    whole = box(_sizes(rng))
    kept = rng.permutation(12)[: rng.integers(4, 12)]
    return Mesh(whole.vertices, whole.faces[np.sort(kept)])


def _room(rng: Random) -> Mesh:
    walls = inside_out(box(_sizes(rng) + 2))
    return walls if rng.random() < 0.5 else merge([walls, box(_sizes(rng) / 3)])


def _nested(rng: Random) -> Mesh:
    sizes = _sizes(rng) + 0.5
    parts = [box(sizes), inside_out(box(sizes * 0.8))]
    if rng.random() < 0.5:
        parts.append(box(sizes * 0.4))
    if rng.random() < 0.3:
        parts = [parts[0], *[box(sizes * 0.5)]]
    order = rng.permutation(len(parts))
    return merge([parts[i] for i in order])


def _touching(rng: Random) -> Mesh:
    """Two boxes with a face, or only an edge, in common."""
    sizes = _sizes(rng)
    shift = np.zeros(3)
    shift[rng.permutation(3)[: rng.integers(1, 3)]] = 1
    return merge([box(sizes), box(sizes, sizes * shift)])


def _soup(rng: Random) -> Mesh:
    count = rng.integers(1, 9)
    corners = rng.normal(size=(count, 1, 3)) + 0.6 * rng.normal(size=(count, 3, 3))
    return Mesh(corners.reshape(-1, 3), np.arange(3 * count, dtype=np.int32).reshape(-1, 3))


def _fan(rng: Random) -> Mesh:
    """Many sheets around one common edge."""
    count = int(rng.integers(3, 7))
    angle = rng.uniform(0, 2 * np.pi, count)
    rim = np.stack([np.cos(angle), np.sin(angle), rng.uniform(-1, 1, count)], axis=1)
    corners = np.concatenate([[[0, 0, -1], [0, 0, 1]], rim])
    return Mesh(corners, np.array([[0, 1, 2 + i] for i in range(count)], dtype=np.int32))


MESHES: dict[str, Callable[[Random], Mesh]] = {
    "box": _box,
    "plate": _plate,
    "sheet": _sheet,
    "tetrahedron": _tetrahedron,
    "open box": _open_box,
    "room": _room,
    "nested": _nested,
    "touching": _touching,
    "soup": _soup,
    "fan": _fan,
    "ramp": lambda rng: ramp(*_sizes(rng)),
    "stairs": lambda rng: stairs(2, 1.0, 0.25, 0.5 * float(rng.integers(1, 3))),
    "prism": lambda rng: cylinder(0.75, 1.5, int(rng.integers(3, 7))),
}


def mesh(rng: Random) -> Mesh:
    """A mesh of any kind, sometimes with a pose or a mirror image baked in."""
    kinds = list(MESHES)
    made = MESHES[kinds[rng.integers(len(kinds))]](rng)
    if rng.random() < 0.3:
        scale = [1.0, 1.0, -1.0] if rng.random() < 0.3 else 1.0
        made = made.transformed(pose(rng, 1.0), scale)
    return made


# --- motions -------------------------------------------------------------------------------------


def _times(rng: Random, count: int) -> Floats:
    return np.cumsum(rng.integers(1, 12, count)) / 8 - 1


def keyframed(rng: Random, interpolation: str | None = None) -> Keyframed:
    """Keys with any interpolation and repetition."""
    kinds = ["linear", "step", "cubic"]
    positions = interpolation or kinds[rng.integers(3)]
    rotations = kinds[rng.integers(3)] if rng.random() < 0.5 else None
    count = int(rng.integers(1, 6))
    times = _times(rng, count)
    more: dict[str, object] = {}
    turn_times = times
    if rng.random() < 0.3:
        turn_times = _times(rng, int(rng.integers(1, 5)))
        more["rotation_times"] = turn_times
    if positions == "cubic":
        more["tangents"] = (rng.normal(size=(count, 3)), rng.normal(size=(count, 3)))
    keys = None
    if rng.random() < 0.7:
        keys = np.array([rotation(rng) for _ in turn_times])
        if (rotations or positions) == "cubic":
            keys = _near(rng, len(turn_times))
            tangents = tuple(0.3 * rng.normal(size=keys.shape) for _ in range(2))
            more["rotation_tangents"] = tangents
        more["rotation_interpolation"] = rotations
    else:
        more.pop("rotation_times", None)
    if rng.random() < 0.2:
        first = float(times[0]) - float(rng.integers(3)) / 4
        more["span"] = (first, float(times[-1]) + float(rng.integers(3)) / 4)
    places = np.round(rng.uniform(-2.5, 2.5, (count, 3)) * 8) / 8
    if rng.random() < 0.3 and count > 1:
        places[-1] = places[0]
    repeat = ["once", "loop", "ping-pong"][rng.integers(3)]
    return Keyframed(times, places, keys, interpolation=positions, repeat=repeat, **more)  # pyright: ignore


def _near(rng: Random, count: int) -> Floats:
    """Rotations within reach of each other, as cubic keys need."""
    step = turns.from_rotation_vector(0.4 * rng.normal(size=(count, 3)))
    out = [rotation(rng)]
    for turn in step[1:]:
        out.append(turns.multiply(turn, out[-1]))
    return np.array(out) * rng.uniform(0.8, 1.2)


@cache
def _swinging(seed: int) -> Function:
    """A body that swings and turns about a tilted axis."""
    rng = np.random.default_rng(seed)
    centre, swing = rng.uniform(-2, 2, 3), rng.uniform(-1, 1, 3)
    rate, turn = rng.uniform(0.2, 2), float(rng.uniform(-1.5, 1.5))
    axis = turns.normalize(rng.normal(size=3))

    @cache
    def at(t: float) -> Pose:
        half = turn * math.sin(rate * t) / 2
        return Pose(
            centre + swing * math.sin(rate * t), np.array([math.cos(half), *math.sin(half) * axis])
        )

    return Function(
        at,
        start=float(rng.integers(-1, 2)),
        horizon=float(rng.integers(3, 9)),
        max_speed=float(np.linalg.norm(swing) * rate * 1.01),
        max_turn_rate=abs(turn) * rate * 1.01,
    )


def function(rng: Random) -> Function:
    """One of a few functions: they are slow to make."""
    return _swinging(int(rng.integers(24)))


def observed(rng: Random) -> Observed:
    """A body seen a few times, with or without a guess of its own."""
    seen = Observed.first(
        float(_times(rng, 1)[0]), pose(rng), ahead=float(rng.choice([0.5, 2.0, np.inf]))
    )
    for _ in range(rng.integers(4)):
        seen = seen.then(seen.now + float(rng.integers(1, 8)) / 8, pose(rng))
    if rng.random() < 0.6:
        future = keyframed(rng) if rng.random() < 0.4 else None
        seen = seen.then(
            seen.now + 0.5,
            pose(rng),
            velocity=rng.normal(size=3),
            turn_rate=rng.normal(size=3),
            future=future,
        )
    return seen


def path(rng: Random) -> Keyframed:
    """A smooth path at constant speed."""
    closed = bool(rng.random() < 0.5)
    return along(
        rng.uniform(-2.5, 2.5, (int(rng.integers(3, 5)), 3)) * [1, 1, 0.2],
        float(rng.uniform(0.3, 3)),
        closed=closed,
        facing=bool(rng.random() < 0.7),
        repeat="loop" if closed else "ping-pong",
    )


MOTIONS: dict[str, Callable[[Random], Trajectory]] = {
    "static": lambda rng: Static(pose(rng)),
    "linear": lambda rng: keyframed(rng, "linear"),
    "step": lambda rng: keyframed(rng, "step"),
    "cubic": lambda rng: keyframed(rng, "cubic"),
    "along": path,
    "function": function,
    "observed": observed,
    "attached": lambda rng: Attached(motion(rng), motion(rng)),
}


def motion(rng: Random, kinds: list[str] | None = None) -> Trajectory:
    """A motion of any (or one of the named) kinds."""
    kinds = kinds or list(MOTIONS)
    for _ in range(20):
        try:
            return MOTIONS[kinds[rng.integers(len(kinds))]](rng)
        except TrajectoryError as reason:
            # Random cubic rotations may pass too near zero; those are refused.
            assert "zero quaternion" in str(reason)  # noqa: PT017
    raise AssertionError("no motion in twenty tries")


def world(rng: Random, most: int = 5, kinds: list[str] | None = None) -> World:
    """One to `most` bodies of any kind."""
    return World(
        Body(
            name=f"body {i}",
            mesh=mesh(rng),
            trajectory=motion(rng, kinds),
            solid=bool(rng.random() < 0.85),
        )
        for i in range(rng.integers(1, most + 1))
    )


def moments(rng: Random, count: int) -> Floats:
    """Times, some of them on keys and borders of blocks of time."""
    times = rng.uniform(-3, 12, count)
    exact = rng.random(count) < 0.3
    return np.where(exact, np.round(times * 8) / 8, times)
