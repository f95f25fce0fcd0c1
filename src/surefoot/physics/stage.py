"""The stage: one body's model with the gaits it may use, and many of that body moved at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import InputError, one_of
from surefoot.physics.anatomy import SIDES, Anatomy
from surefoot.physics.body import TIMESTEP, Body
from surefoot.physics.extra import engine, native
from surefoot.physics.gait import Gait
from surefoot.physics.states import Run, States

STEP_LIMIT = 3.0
"""[s] after which a step without a foot strike is given up."""


@dataclass(frozen=True)
class Blend:
    """An intermediate action: the torques of two gaits, interpolated (coros2009 section 3).

    Attributes:
        first, second: names of gaits.
        share: of the second, 0 to 1.
    """

    first: str
    second: str
    share: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.share <= 1.0:
            raise InputError(f"share of a blend must be 0 to 1, got {self.share:g}")

    def __str__(self) -> str:
        return f"{self.first} {1 - self.share:.0%}, {self.second} {self.share:.0%}"


Action = str | Blend
"""A gait's name, or a blend of two."""


class Stage:
    """A body in a world, ready to be simulated in batches.

    Every call is a function of its arguments: same states, actions and model, same bits, at any
    number of threads. Nothing in the loop is Python.
    """

    def __init__(
        self,
        body: Body,
        *,
        gaits: Sequence[Gait] | None = None,
        scenery: str = "",
        timestep: float = TIMESTEP,
    ) -> None:
        """Compiles the model.

        Args:
            body: who.
            gaits: that actions may name; all of the body's when not given.
            scenery: more MJCF for the worldbody, after the body.
            timestep: [s] of a MuJoCo step.
        """
        engine()
        self.body = body
        self.model: Any = body.model(scenery=scenery, timestep=timestep)
        self.gaits = tuple(body.gaits.values() if gaits is None else gaits)
        if not self.gaits:
            raise InputError(f"{body.name} has no gaits: give some")
        self._index = {gait.name: i for i, gait in enumerate(self.gaits)}
        compiled = [gait.compiled(body.anatomy) for gait in self.gaits]
        self._native = native().Stage(
            int(self.model._address),  # pyright: ignore[reportPrivateUsage]
            **_tables(body.anatomy, self.model),
            numbers=np.ascontiguousarray([numbers for numbers, _ in compiled]),
            knots=np.ascontiguousarray([knots for _, knots in compiled]),
        )

    @property
    def size(self) -> int:
        """Numbers in a row of positions."""
        return int(self.model.nq)

    def standing(self, count: int = 1) -> States:
        """Bodies that stand at the origin; other things of the model where it puts them."""
        positions = np.array(self.model.qpos0)
        own = self.body.standing()
        positions[: len(own)] = own
        return States(
            positions=np.tile(positions, (count, 1)),
            velocities=np.zeros((count, int(self.model.nv))),
            beats=np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)),
        )

    def starting(self, action: Action, count: int = 1) -> States:
        """Bodies that stand, but move as if they walked.

        They have the speed that the gait wants, and move over to the left foot, which is the first
        to carry them.
        """
        states = self.standing(count)
        first, second, share = self._action(action)
        a, b = self.gaits[int(first)], self.gaits[int(second)]
        for axis, plane in enumerate(("ahead", "sideways")):
            speed = getattr(a, plane).wanted * (1 - share) + getattr(b, plane).wanted * share
            states.velocities[:, axis] = speed
        # Sideways a walker is a pendulum on its foot that comes back after a step's time.
        step_time = a.step_time * (1 - share) + b.step_time * share
        apart = abs(self.body.anatomy.turned_by("left hip").at[1])
        swing = np.sqrt(9.81 / states.positions[0, 2])
        states.velocities[:, 1] += swing * apart * np.tanh(0.5 * swing * step_time)
        return states

    def step(
        self,
        states: States,
        actions: Action | Sequence[Action],
        *,
        threads: int = 1,
        frames_per_second: float = 0.0,
    ) -> Run:
        """Each body until its next foot strike; the arguments are those of `advance`."""
        limit = np.full(len(states), STEP_LIMIT)
        every = self._every(frames_per_second)
        return self._advance(
            states, actions, limit, until_strike=True, every=every, threads=threads
        )

    def advance(
        self,
        states: States,
        actions: Action | Sequence[Action],
        seconds: float | Floats,
        *,
        threads: int = 1,
        frames_per_second: float = 0.0,
    ) -> Run:
        """Each body for some time, step after step with the same action.

        Args:
            states: where they begin; left as they are.
            actions: one for all, or one for each.
            seconds: for all or each, >= 0.
            threads: to use.
            frames_per_second: of positions to record; 0: none.
        """
        spans = np.broadcast_to(np.asarray(seconds, dtype=np.float64), len(states)).copy()
        if not (np.isfinite(spans).all() and (spans >= 0).all()):
            raise InputError("seconds must be finite and at least 0")
        every = self._every(frames_per_second)
        return self._advance(
            states, actions, spans, until_strike=False, every=every, threads=threads
        )

    def torques(self, states: States, action: Action, *, repeat: int = 1) -> Floats:
        """`(nv,)` [Nm] that the controller gives the first of the states."""
        self._check(states)
        return self._native.torques(
            np.ascontiguousarray(states.positions[0], dtype=np.float64),
            np.ascontiguousarray(states.velocities[0], dtype=np.float64),
            np.ascontiguousarray(states.beats[0], dtype=np.float64),
            np.array(self._action(action)),
            repeat,
        )

    def _every(self, frames_per_second: float) -> int:
        """MuJoCo steps between recorded frames; 0: none are."""
        if frames_per_second <= 0:
            return 0
        return max(1, round(1.0 / (frames_per_second * float(self.model.opt.timestep))))

    def joint_of(self, dof: int) -> str:
        """The name of the joint that a degree of freedom belongs to."""
        return str(self.model.joint(int(self.model.dof_jntid[dof])).name)

    def _advance(
        self,
        states: States,
        actions: Action | Sequence[Action],
        seconds: Floats,
        *,
        until_strike: bool,
        every: int,
        threads: int,
    ) -> Run:
        self._check(states)
        if threads < 1:
            raise InputError(f"threads must be at least 1, got {threads}")
        if isinstance(actions, str | Blend):
            actions = [actions] * len(states)
        if len(actions) != len(states):
            raise InputError(f"{len(states)} states but {len(actions)} actions")
        chosen = np.array([self._action(action) for action in actions]).reshape(-1, 3)
        moved = states.copy()
        endings, measures, frames = self._native.advance(
            moved.positions,
            moved.velocities,
            moved.beats,
            chosen,
            seconds,
            until_strike,
            every,
            threads,
        )
        return Run(
            states=moved,
            endings=endings[:, 0],
            culprits=endings[:, 1],
            measures=measures,
            frames=frames,
        )

    def _action(self, action: Action) -> tuple[float, float, float]:
        blend = Blend(action, action, 0.0) if isinstance(action, str) else action
        for name in (blend.first, blend.second):
            if name not in self._index:
                raise InputError(f"{self.body.name}: {one_of('gait', name, self._index)}")
        return float(self._index[blend.first]), float(self._index[blend.second]), blend.share

    def _check(self, states: States) -> None:
        wanted = (len(states), int(self.model.nq)), (len(states), int(self.model.nv))
        if (states.positions.shape, states.velocities.shape) != wanted:
            raise InputError(
                f"{self.body.name} has {self.model.nq} positions and {self.model.nv} velocities, "
                f"got {states.positions.shape} and {states.velocities.shape}"
            )
        if not (np.isfinite(states.positions).all() and np.isfinite(states.velocities).all()):
            raise InputError("positions and velocities must be finite")


def _tables(anatomy: Anatomy, model: Any) -> dict[str, Any]:
    """What the native controller knows of the body, by MuJoCo's indices."""
    rows: list[tuple[int, ...]] = []
    for part in anatomy.parts:
        body = int(model.body(part.name).id)
        for joint in part.joints:
            found = model.joint(joint.name)
            rows.append(
                (
                    body,
                    int(model.body_parentid[body]),
                    int(found.qposadr[0]),
                    int(found.dofadr[0]),
                    joint.channels,
                    int(joint.held == "heading"),
                )
            )
    names = anatomy.joint_names
    legs: list[tuple[int, ...]] = []
    feet = np.zeros(int(model.ngeom), dtype=np.int32)
    for number, side in enumerate(SIDES, start=1):
        roll = f"{side} ankle roll"
        legs.append(
            (
                names.index(f"{side} hip"),
                names.index(f"{side} ankle"),
                names.index(roll) if roll in names else -1,
                int(model.body(anatomy.turned_by(f"{side} knee").name).id),
                int(model.body(anatomy.turned_by(f"{side} ankle").name).id),
            )
        )
        for part in anatomy.leg(side):
            for i, shape in enumerate(part.shapes):
                if shape.sole:
                    feet[int(model.geom(f"{part.name} {i}").id)] = number
    gains = (
        *anatomy.root_gains,
        anatomy.hip_damping,
        anatomy.twist_share,
        anatomy.stance_twist_limit,
        anatomy.fall_height,
    )
    return {
        "joints": np.array(rows, dtype=np.int32),
        "stiffness": np.array([joint.stiffness for joint in anatomy.joints]),
        "limits": np.array([joint.limit for joint in anatomy.joints]),
        "legs": np.array(legs, dtype=np.int32),
        "feet": feet,
        "gains": np.array(gains),
        "root": int(model.body(anatomy.root.name).id),
        "bodies": len(anatomy.parts),
    }
