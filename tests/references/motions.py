"""Where a trajectory is, worked out anew: classical slerp, de Casteljau, Rodrigues, matrices.

Only the public fields of trajectories are read; the native twin is never asked.
"""

from __future__ import annotations

import itertools

import numpy as np

from surefoot.arrays import Floats
from surefoot.world import Attached, Function, Keyframed, Observed, Static, Trajectory


def poses(trajectory: Trajectory, times: Floats) -> tuple[Floats, Floats]:
    """Positions `(n, 3)` and rotation matrices `(n, 3, 3)` at `times` `(n,)`."""
    times = np.asarray(times, dtype=np.float64)
    if isinstance(trajectory, Static):
        turn = matrices(trajectory.at.rotation[None])
        return (
            np.tile(trajectory.at.position, (len(times), 1)),
            np.tile(turn[0], (len(times), 1, 1)),
        )
    if isinstance(trajectory, Keyframed):
        return _keyframed(trajectory, times)
    if isinstance(trajectory, Attached):
        outer_position, outer_turn = poses(trajectory.parent, times)
        inner_position, inner_turn = poses(trajectory.child, times)
        shifted = np.einsum("nij,nj->ni", outer_turn, inner_position)
        return outer_position + shifted, outer_turn @ inner_turn
    if isinstance(trajectory, Observed):
        return _observed(trajectory, times)
    assert isinstance(trajectory, Function)
    inside = np.clip(times, trajectory.start, trajectory.horizon)
    found = [trajectory.function(float(t)) for t in inside]
    rotations = np.array([pose.rotation for pose in found]).reshape(-1, 4)
    return np.array([pose.position for pose in found]).reshape(-1, 3), matrices(rotations)


def matrices(quaternions: Floats) -> Floats:
    """Rotation matrices as the product of left and right quaternion multiplication."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    left = np.stack([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
    right = np.stack([[w, x, y, z], [-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]])
    product = np.moveaxis(left, -1, 0) @ np.moveaxis(right, -1, 0)
    return product[:, 1:, 1:]


def rotation_vectors_to_matrices(vectors: Floats) -> Floats:
    """Rodrigues' formula."""
    angle = np.linalg.norm(vectors, axis=-1)
    unit = vectors / np.where(angle > 0, angle, 1.0)[:, None]
    x, y, z = unit.T
    zero = np.zeros_like(x)
    cross = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), -1, 0)
    sine, versine = np.sin(angle)[:, None, None], (1 - np.cos(angle))[:, None, None]
    return np.eye(3) + sine * cross + versine * (cross @ cross)


def fold(trajectory: Keyframed, times: Floats) -> tuple[Floats, np.ndarray]:
    """The moment inside the span that holds at each time, and whether it is walked backward."""
    start, end = trajectory.start, trajectory.end
    span = end - start
    if span <= 0:
        return np.full(times.shape, start), np.zeros(times.shape, dtype=bool)
    if trajectory.repeat == "once":
        return np.clip(times, start, end), np.zeros(times.shape, dtype=bool)
    period = span if trajectory.repeat == "loop" else 2 * span
    phase = np.mod(times - start, period)
    if trajectory.repeat == "loop":
        return start + phase, np.zeros(times.shape, dtype=bool)
    back = phase >= span
    return np.where(back, end - (phase - span), start + phase), back


def _keyframed(trajectory: Keyframed, times: Floats) -> tuple[Floats, Floats]:
    inside, back = fold(trajectory, times)
    positions = _channel(
        trajectory.times,
        trajectory.positions,
        trajectory.tangents,
        trajectory.interpolation,
        inside,
        back,
    )
    if trajectory.rotations is None:
        return positions, np.tile(np.eye(3), (len(times), 1, 1))
    keys = trajectory.times if trajectory.rotation_times is None else trajectory.rotation_times
    quaternions = _channel(
        keys,
        trajectory.rotations,
        trajectory.rotation_tangents,
        trajectory.turn_interpolation,
        inside,
        back,
    )
    quaternions = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    return positions, matrices(quaternions)


def _channel(
    keys: Floats,
    values: Floats,
    tangents: tuple[Floats, Floats] | None,
    interpolation: str,
    at: Floats,
    back: np.ndarray,
) -> Floats:
    if len(keys) == 1:
        return np.tile(values[0], (len(at), 1))
    if interpolation == "step":
        # The key at or before the moment; walked backward, a key's own moment is over already.
        first = np.searchsorted(keys, at, side="right") - 1
        if back.any():
            first = np.where(back, np.searchsorted(keys, at, side="left") - 1, first)
        return values[np.clip(first, 0, len(keys) - 1)]
    at = np.clip(at, keys[0], keys[-1])
    first = np.clip(np.searchsorted(keys, at, side="right") - 1, 0, len(keys) - 2)
    duration = (keys[first + 1] - keys[first])[:, None]
    share = (at[:, None] - keys[first][:, None]) / duration
    before, after = values[first], values[first + 1]
    if interpolation == "cubic":
        assert tangents is not None
        arriving, leaving = tangents
        # De Casteljau on the Bezier form of the Hermite segment.
        points = [
            before,
            before + leaving[first] * duration / 3,
            after - arriving[first + 1] * duration / 3,
            after,
        ]
        while len(points) > 1:
            points = [p + (q - p) * share for p, q in itertools.pairwise(points)]
        return points[0]
    if values.shape[1] == 3:
        return before * (1 - share) + after * share
    return _slerp(before, after, share)


def _slerp(before: Floats, after: Floats, share: Floats) -> Floats:
    cosine = (before * after).sum(axis=1, keepdims=True)
    after = np.where(cosine < 0, -after, after)
    # The angle from both sum and difference is exact for small and large turns alike.
    gap = np.linalg.norm(after - before, axis=1, keepdims=True)
    angle = 2 * np.arctan2(gap, np.linalg.norm(after + before, axis=1, keepdims=True))
    sine = np.sin(angle)
    near = angle < 1e-9
    safe = np.where(near, 1.0, sine)
    weights = (
        np.where(near, 1 - share, np.sin((1 - share) * angle) / safe),
        np.where(near, share, np.sin(share * angle) / safe),
    )
    return before * weights[0] + after * weights[1]


def _observed(trajectory: Observed, times: Floats) -> tuple[Floats, Floats]:
    now, horizon = trajectory.now, trajectory.horizon
    past_position, past_turn = poses(trajectory.seen, times)
    ahead = np.minimum(times, horizon)
    if trajectory.future is not None:
        position, turn = poses(trajectory.future, ahead)
    else:
        last_position, last_turn = poses(trajectory.seen, np.array([now]))
        elapsed = (ahead - now)[:, None]
        position = last_position + trajectory.linear * elapsed
        turn = rotation_vectors_to_matrices(trajectory.angular * elapsed) @ last_turn
    past = times < now
    return (
        np.where(past[:, None], past_position, position),
        np.where(past[:, None, None], past_turn, turn),
    )
