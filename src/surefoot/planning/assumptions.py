"""What a plan took for granted about the bodies of its world, so that a change can be told."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from weakref import WeakKeyDictionary, ref

import numpy as np

from surefoot import arrays
from surefoot.arrays import Floats, floats, frozen, number
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.planning.segments import Segment
from surefoot.world import Body, Mesh, World

SPACING = 0.5
"""[s] between the moments at which a moving body's expected pose is kept."""

MOST_MOMENTS = 129
"""So many at most, however long the plan."""

TOLERANCE = 0.001
"""[m] A body is where it was expected while no point of it is farther off than this."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Assumption:
    """Where a plan took one body to be, as far as it is known.

    Attributes:
        body: its name.
        shape: a digest of its mesh.
        bounds: `(2, 3)` [m] lowest and highest coordinates of its mesh, in its own frame.
        times: `(n,)` [s] at which its pose was taken from the world; one for a body at rest.
        positions: `(n, 3)` [m] of its frame then.
        rotations: `(n, 4)` of its frame then.
        horizon: [s] until when its motion was known; inf for ever.
        confidence: 0..1, at the end of the plan.
    """

    body: str
    shape: str
    bounds: Floats
    times: Floats
    positions: Floats
    rotations: Floats
    horizon: float
    confidence: float

    def __post_init__(self) -> None:
        name = f"assumption about {self.body!r}"
        arrays.time(self.horizon, f"{name}: horizon", infinite=True)
        number(self.confidence, f"{name}: confidence", at_least=0.0, at_most=1.0)
        n = np.size(self.times)
        if n == 0:
            raise InputError(f"{name}: times must hold at least one moment")
        shapes = {"bounds": (2, 3), "times": (n,), "positions": (n, 3), "rotations": (n, 4)}
        for field, shape in shapes.items():
            array = floats(getattr(self, field), f"{name}: {field}")
            if array.shape != shape:
                raise InputError(f"{name}: {field} must have shape {shape}, got {array.shape}")
            object.__setattr__(self, field, frozen(array))

    @property
    def moves(self) -> bool:
        """Whether the body was expected to move."""
        return len(self.times) > 1

    def point(self, position: Floats, t: float) -> Floats:
        """`(3,)` [m]: a position in the body's frame, in the world at `t` [s].

        Exact at the moments that were taken, such as the ends of a plan's segments on this body;
        in between them interpolated, and as at the nearest of them before and after.
        """
        after = int(np.searchsorted(self.times, t))
        last = min(after, len(self.times) - 1)
        first = last if after == 0 or self.times[last] <= t else last - 1
        span = float(self.times[last] - self.times[first])
        share = (t - float(self.times[first])) / span if span > 0.0 else 0.0
        turn = rotations.slerp(self.rotations[first], self.rotations[last], share)
        origin = (1.0 - share) * self.positions[first] + share * self.positions[last]
        return rotations.rotate(turn, np.asarray(position, dtype=np.float64)) + origin

    def covers(self, point: Floats, t: float, margin: float) -> bool:
        """Whether the body was expected within `margin` [m] of a point `(3,)` at `t` [s]."""
        i = int(np.argmin(np.abs(self.times - t)))
        local = rotations.rotate(
            rotations.inverse(self.rotations[i]), np.asarray(point) - self.positions[i]
        )
        # Between two kept moments it moves on; widen the box by as much.
        near = slice(max(i - 1, 0), i + 2)
        margin += float(np.ptp(self.positions[near], axis=0).max())
        return bool(
            (local >= self.bounds[0] - margin).all() and (local <= self.bounds[1] + margin).all()
        )

    def change(self, world: World) -> str:
        """What is different in `world`, in words; empty when all is as expected."""
        if self.body not in world:
            return f"{self.body!r} is gone"
        body = world[self.body]
        if _shape(body.mesh)[0] != self.shape:
            return f"{self.body!r} has another shape"
        positions, turned = body.trajectory.poses(self.times)
        shift = np.linalg.norm(positions - self.positions, axis=1)
        turn = rotations.multiply(turned, rotations.inverse(self.rotations))
        angle = np.linalg.norm(rotations.to_rotation_vector(turn), axis=1)
        # The farthest point of the body swings by its radius times the turn.
        radius = float(np.linalg.norm(np.abs(self.bounds).max(axis=0)))
        off = shift + angle * radius
        worst = int(np.argmax(off))
        if off[worst] <= TOLERANCE:
            return ""
        by = f"{shift[worst]:.2f} m" if shift[worst] > TOLERANCE else f"{angle[worst]:.3f} rad"
        return f"{self.body!r} is {by} from where it was expected at {self.times[worst]:.2f} s"


def assume(
    world: World,
    start: float,
    end: float,
    bodies: Iterable[str] | None = None,
    *,
    segments: Iterable[Segment] = (),
) -> tuple[Assumption, ...]:
    """What a plan takes for granted about the bodies of its world.

    Args:
        world: where it was made.
        start: [s] of the plan.
        end: [s] of the plan.
        bodies: that were looked at, where a world is large; all when not given. One that a plan
            does not name counts as new to it.
        segments: of the plan. What carries the character is known exactly where they begin and
            end, so that a plan without its world still knows where in the world that was.
    """
    names = world.bodies if bodies is None else bodies
    moments = _moments(segments)
    return tuple(_assumption(world[name], start, end, moments.get(name, ())) for name in names)


def _moments(segments: Iterable[Segment]) -> dict[str, set[float]]:
    """[s] at which segments begin and end on each body."""
    moments: dict[str, set[float]] = {}
    for segment in segments:
        ends = [(segment.frame, segment.start), (segment.frame, segment.end)]
        ends += [(flight.take_off.body, flight.start) for flight in segment.flights]
        ends += [(flight.landing.body, flight.end) for flight in segment.flights]
        for body, t in ends:
            if body is not None:
                moments.setdefault(body, set()).add(t)
    return moments


# Plans come by the thousand and worlds stay: what never changes is worked out once.
_shapes: WeakKeyDictionary[Mesh, tuple[str, Floats]] = WeakKeyDictionary()
_resting: dict[int, tuple[ref[Body], Assumption]] = {}


def _assumption(body: Body, start: float, end: float, moments: Iterable[float]) -> Assumption:
    known = _resting.get(id(body))
    if known is not None and known[0]() is body:
        return known[1]
    if not body.trajectory.moving:
        assumption = _expected(body, np.zeros(1), 0.0)
        key = id(body)
        _resting[key] = (ref(body, lambda _: _resting.pop(key, None)), assumption)
        return assumption
    last = max(min(end, body.trajectory.horizon), start)
    count = min(ceil((last - start) / SPACING) + 1, MOST_MOMENTS)
    times = np.linspace(start, last, count) if last > start else np.array([start])
    within = [t for t in moments if times[0] <= t <= times[-1]]
    return _expected(body, np.unique(np.concatenate([times, within])), end)


def _expected(body: Body, times: Floats, end: float) -> Assumption:
    shape, bounds = _shape(body.mesh)
    positions, turned = body.trajectory.poses(times)
    return Assumption(
        body=body.name,
        shape=shape,
        bounds=bounds,
        times=times,
        positions=positions,
        rotations=turned,
        horizon=body.trajectory.horizon,
        confidence=body.trajectory.confidence(end),
    )


def _shape(mesh: Mesh) -> tuple[str, Floats]:
    if mesh not in _shapes:
        digest = hashlib.sha256(mesh.vertices.tobytes())
        digest.update(mesh.faces.tobytes())
        _shapes[mesh] = (digest.hexdigest()[:16], mesh.bounds)
    return _shapes[mesh]
