"""How different two states of a body are (coros2009 4.1, Table 1)."""

from __future__ import annotations

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
    """The distance between states of one body: a sum over velocities and joint angles.

    States are compared as they are seen on the left foot; see `mirroring`. The root's place and
    orientation do not count.
    """

    def __init__(self, stage: Stage, weights: Weights | None = None) -> None:
        """For the body on a stage; the weights are those of Table 1 when not given."""
        name = stage.body.name
        if weights is None:
            if name not in TABLE_1:
                raise InputError(
                    f"{one_of('body with weights', name, TABLE_1)}; give weights for this one"
                )
            weights = TABLE_1[name]
        self.weights, self.mirror = weights, Mirror(stage)
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
        (q, q_signs), (v, v_signs) = self.mirror.positions, self.mirror.velocities
        # Straight from velocities and positions, on the left and on the right foot.
        self._sources = [
            np.concatenate([v_from[self._speeds], len(v) + q_from[self._places]])
            for v_from, q_from in ((np.arange(len(v)), np.arange(len(q))), (v, q))
        ]
        self._signs = [
            np.ones(self.width),
            np.concatenate([v_signs[self._speeds], q_signs[self._places]]),
        ]

    def samples(self) -> _native.Neighbours:
        """An empty set of states under this metric."""
        return _native.Neighbours(self.terms, self.width)

    def of_canonical(self, states: States) -> Floats:
        """`(n, width)`: what counts of canonical states."""
        columns = states.velocities[:, self._speeds], states.positions[:, self._places]
        return np.ascontiguousarray(np.concatenate(columns, axis=1))

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
            out *= self._signs[1]
            heading = -heading
        c, s, ahead, left = cos(heading), sin(heading), float(out[0]), float(out[1])
        out[0], out[1] = c * ahead + s * left, c * left - s * ahead
        return out[None], right

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
