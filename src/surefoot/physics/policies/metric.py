"""How different two states of a body are (coros2009 4.1, Table 1), or learned from what they do."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import atan2, cos, sin

import numpy as np

from surefoot import _native
from surefoot.arrays import Bools, Floats
from surefoot.errors import InputError, one_of
from surefoot.physics.policies.mirroring import Mirror
from surefoot.physics.stage import Stage
from surefoot.physics.states import States


@dataclass(frozen=True, kw_only=True)
class Weights:
    """What counts how much.

    Attributes:
        speed: of the root's velocity [m/s]; the paper does not print it.
        spin: of the root's angular velocity [rad/s]; not printed either.
        joints: by name without side: of angular velocities [rad/s], and of angles [rad]. Others do
            not count.
    """

    speed: float = 1.0
    spin: float = 0.5
    joints: Mapping[str, tuple[float, float]] = field(
        default_factory=dict[str, tuple[float, float]]
    )

    @property
    def key(self) -> bytes:
        """Everything that distances depend on."""
        return repr(self).encode()


@dataclass(frozen=True, kw_only=True, eq=False)
class Learned:
    """A metric that was learned: states are near that the same actions lead to the same places.

    Attributes:
        matrix: `(width, numbers)`: of a canonical state's velocities, then its positions without
            the place on the floor, what counts: metres that it will be apart.
    """

    matrix: Floats

    @property
    def key(self) -> bytes:
        """Everything that distances depend on."""
        return hashlib.sha256(np.ascontiguousarray(self.matrix).tobytes()).digest()


TABLE_1 = {
    "humanoid": Weights(
        joints={"waist": (1.0, 1.5), "hip": (0.5, 1.5), "knee": (0.2, 1.0)},
    ),
    "bird": Weights(
        joints={"neck": (1.0, 1.5), "hip": (0.1, 1.5), "knee": (0.05, 1.0), "head": (0.05, 1.5)},
    ),
    "raptor": Weights(
        joints={
            "neck": (1.0, 1.5), "hip": (0.1, 1.5), "knee": (0.05, 1.0), "head": (0.05, 1.5),
            "tail 1": (0.05, 1.0),
        },
    ),
}  # fmt: skip
"""The paper's weights; joints that it does not name do not count."""


class Metric:
    """The distance between states of one body.

    After Table 1 it is a sum over velocities and joint angles; the root's place and orientation do
    not count. A learned one is the length of the difference after a linear map. States are compared
    as they are seen on the left foot; see `mirroring`.
    """

    def __init__(self, stage: Stage, weights: Weights | Learned | None = None) -> None:
        """For the body on a stage; the weights are those of Table 1 when not given."""
        name = stage.body.name
        if weights is None:
            if name not in TABLE_1:
                raise InputError(
                    f"{one_of('body with weights', name, TABLE_1)}; give weights for this one"
                )
            weights = TABLE_1[name]
        self.weights, self.mirror = weights, Mirror(stage)
        nq, nv = int(stage.model.nq), int(stage.model.nv)
        if isinstance(weights, Learned):
            self._places, self._speeds = np.arange(2, nq), np.arange(nv)
            if weights.matrix.shape[1:] != (nq - 2 + nv,):
                raise InputError(f"a learned metric of {name} needs {nq - 2 + nv} numbers a row")
            self._map: Floats | None = np.ascontiguousarray(weights.matrix)
            self.width = len(weights.matrix)
            self.terms = [(0, self.width, False, 1.0)]
        else:
            self._map = None
            self._weigh(stage, weights)
        (q, q_signs), (v, v_signs) = self.mirror.positions, self.mirror.velocities
        # Straight from velocities and positions, on the left and on the right foot.
        self._sources = [
            np.concatenate([v_from[self._speeds], len(v) + q_from[self._places]])
            for v_from, q_from in ((np.arange(len(v)), np.arange(len(q))), (v, q))
        ]
        self._signs = np.concatenate([v_signs[self._speeds], q_signs[self._places]])
        # Where the root's orientation lies in that, if it counts at all.
        self._root = len(self._speeds) + 1 if self._map is not None else -1

    def _weigh(self, stage: Stage, weights: Weights) -> None:
        """After Table 1."""
        model, anatomy = stage.model, stage.body.anatomy
        roles = {joint.role for joint in anatomy.joints}
        for role in weights.joints:
            if role not in roles:
                raise InputError(f"weights: {one_of('joint', role, roles)}")
        places: list[int] = []
        speeds = [0, 1, 2, 3, 4, 5]
        self.terms = [(0, 3, False, weights.speed), (3, 3, False, weights.spin)]
        turns: list[tuple[int, bool, float]] = []
        for joint in anatomy.joints:
            spin, angle = weights.joints.get(joint.role, (0.0, 0.0))
            q, v = (int(n[0]) for n in (model.joint(joint.name).qposadr,
                                        model.joint(joint.name).dofadr))  # fmt: skip
            if spin > 0:
                self.terms.append((len(speeds), joint.channels, False, spin))
                speeds += range(v, v + joint.channels)
            if angle > 0:
                size = 4 if joint.kind == "ball" else 1
                turns.append((size, joint.kind == "ball", angle))
                places += range(q, q + size)
        at = len(speeds)
        for size, ball, angle in turns:
            self.terms.append((at, size, ball, angle))
            at += size
        self.width = at
        self._places, self._speeds = np.array(places, dtype=np.intp), np.array(speeds)

    def samples(self) -> _native.Neighbours:
        """An empty set of states under this metric."""
        return _native.Neighbours(self.terms, self.width)

    def of_canonical(self, states: States) -> Floats:
        """`(n, width)`: what counts of canonical states."""
        columns = states.velocities[:, self._speeds], states.positions[:, self._places]
        rows = np.concatenate(columns, axis=1)
        if self._map is None:
            return np.ascontiguousarray(rows)
        return np.ascontiguousarray(numbers_of(states) @ self._map.T)

    def features(self, states: States) -> tuple[Floats, Bools]:
        """`(n, width)`: what counts of any states, and which were mirrored for it."""
        canonical, mirrored = self.mirror.canonical(states)
        return self.of_canonical(canonical), mirrored

    def feature(self, states: States) -> tuple[Floats, bool]:
        """`(1, width)`: the same of the first state alone, in a few microseconds."""
        right = bool(states.beats[0, 0])
        row = np.concatenate([states.velocities[0], states.positions[0]])
        w, x, y, z = states.positions[0, 3:7].tolist()
        heading = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        out = row[self._sources[right]]
        if right:
            out *= self._signs
            heading, x, z = -heading, -x, -z
        c, s, ahead, left = cos(heading), sin(heading), float(out[0]), float(out[1])
        out[0], out[1] = c * ahead + s * left, c * left - s * ahead
        if self._map is None:
            return out[None], right
        c, s = cos(heading / 2), -sin(heading / 2)
        turned = c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w
        sign = 1.0 if turned[0] >= 0 else -1.0
        out[self._root : self._root + 4] = [sign * number for number in turned]
        return (self._map @ out)[None], right

    def distances(self, a: Floats, b: Floats) -> Floats:
        """`(n,)` between rows of features: a readable twin of the native one."""
        total = np.zeros(len(a))
        for first, size, rotation, weight in self.terms:
            x, y = a[:, first : first + size], b[:, first : first + size]
            if rotation:
                dots = np.clip(np.abs((x * y).sum(axis=1)), 0.0, 1.0)
                total += weight * 2.0 * np.arccos(dots)
            else:
                total += weight * np.sqrt(((x - y) ** 2).sum(axis=1))
        return total


def numbers_of(states: States) -> Floats:
    """`(n, numbers)` of canonical states: velocities, then positions but for the place."""
    positions = states.positions[:, 2:].copy()
    # A rotation has two quaternions: the one that turns less.
    positions[:, 1:5] *= np.where(positions[:, 1:2] < 0, -1.0, 1.0)
    return np.concatenate([states.velocities, positions], axis=1)
