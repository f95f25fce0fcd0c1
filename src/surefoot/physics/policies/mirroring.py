"""Left and right: every step of the right foot is the mirror image of one of the left.

Bodies are built alike on both sides, so what was learned about a state holds for its mirror image.
States are therefore kept standing on the left foot, at the origin, facing along x: half as many to
explore, to sweep and to keep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.physics.body import Body
from surefoot.physics.gait import Gait
from surefoot.physics.stage import Action, Blend, Stage
from surefoot.physics.states import States


class Mirror:
    """The mirror images of one body's states.

    Attributes:
        positions, velocities: for each number of a mirror image, where it comes from and its sign.
    """

    def __init__(self, stage: Stage) -> None:
        """Of the body that is on a stage; other things there are left as they are."""
        model, anatomy = stage.model, stage.body.anatomy
        places, speeds = np.arange(int(model.nq)), np.arange(int(model.nv))
        place_signs, speed_signs = np.ones(int(model.nq)), np.ones(int(model.nv))
        place_signs[:7] = (1, -1, 1, 1, -1, 1, -1)
        speed_signs[:6] = (1, -1, 1, -1, 1, -1)
        for joint in anatomy.joints:
            twin = joint.name
            if joint.side:
                twin = f"{'right' if joint.side == 'left' else 'left'} {joint.role}"
            here, there = model.joint(joint.name), model.joint(twin)
            q, v, size = int(here.qposadr[0]), int(here.dofadr[0]), joint.channels
            q_size = 4 if joint.kind == "ball" else 1
            places[q : q + q_size] = int(there.qposadr[0]) + np.arange(q_size)
            speeds[v : v + size] = int(there.dofadr[0]) + np.arange(size)
            if joint.kind == "ball":
                place_signs[q : q + 4] = (1, -1, 1, -1)
                speed_signs[v : v + 3] = (-1, 1, -1)
            elif joint.axis[1] == 0.0:
                place_signs[q] = speed_signs[v] = -1.0
        self.positions, self.velocities = (places, place_signs), (speeds, speed_signs)

    def mirrored(self, states: States) -> States:
        """Left and right swapped."""
        beats = states.beats.copy()
        beats[:, 0] = 1 - beats[:, 0]
        beats[:, 2] = -beats[:, 2]
        (places, place_signs), (speeds, speed_signs) = self.positions, self.velocities
        return States(
            positions=states.positions[:, places] * place_signs,
            velocities=states.velocities[:, speeds] * speed_signs,
            beats=beats,
        )

    def canonical(self, states: States) -> tuple[States, Bools]:
        """The same states on the left foot, at the origin, facing along x.

        Returns:
            them, and which had to be mirrored for it.
        """
        right = states.beats[:, 0] != 0
        mirrored = self.mirrored(states)
        out = States(
            positions=np.where(right[:, None], mirrored.positions, states.positions),
            velocities=np.where(right[:, None], mirrored.velocities, states.velocities),
            beats=np.tile([0.0, 0.0, 0.0, 1.0], (len(states), 1)),
        )
        return turned_back(out), right


def turned_back(states: States) -> States:
    """At the origin of the floor, the root facing along x."""
    angles = -states.headings
    positions, velocities = states.positions.copy(), states.velocities.copy()
    positions[:, :2] = 0.0
    turn = np.zeros((len(states), 4))
    turn[:, 0], turn[:, 3] = np.cos(angles / 2), np.sin(angles / 2)
    positions[:, 3:7] = rotations.multiply(turn, positions[:, 3:7])
    velocities[:, :2] = turned(velocities[:, :2], angles)
    return States(positions=positions, velocities=velocities, beats=states.beats)


def turned(vectors: Floats, angles: Floats) -> Floats:
    """`(n, 2)` turned to the left."""
    c, s = np.cos(angles), np.sin(angles)
    x, y = vectors[:, 0], vectors[:, 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=1)


def displacement(before: States, after: States) -> Floats:
    """`(n, 3)`: how far each went ahead and to the left [m], and turned [rad], as it saw it."""
    moved = turned((after.places - before.places)[:, :2], -before.headings)
    turn = after.headings - before.headings
    turn = np.remainder(turn + np.pi, 2 * np.pi) - np.pi
    return np.concatenate([moved, turn[:, None]], axis=1)


def twins(body: Body, actions: Sequence[Action]) -> tuple[int, ...]:
    """Of each action, the one that is its mirror image; often itself."""
    gaits = {gait.name: gait for gait in body.gaits.values()}

    def twin(name: str) -> str:
        mirrored = gaits[name].mirrored(name)
        # Itself, if it can be; then whichever gait is the mirror image.
        for other in (name, *gaits):
            if _same(gaits[other], mirrored):
                return other
        raise InputError(
            f"{body.name} has no gait that is the mirror image of {name!r}: policies need both"
        )

    found: list[int] = []
    for action in actions:
        if isinstance(action, Blend):
            wanted: Action = Blend(twin(action.first), twin(action.second), action.share)
        else:
            wanted = twin(action)
        if wanted not in actions:
            raise InputError(
                f"{body.name}: the actions have {action!s} but not its mirror image, {wanted!s}"
            )
        found.append(list(actions).index(wanted))
    return tuple(found)


def _same(a: Gait, b: Gait) -> bool:
    return replace(a, name="") == replace(b, name="")
