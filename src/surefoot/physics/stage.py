"""The stage: one body's model with the gaits it may use, and many of that body moved at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from surefoot.arrays import Floats, Ints
from surefoot.errors import InputError, one_of
from surefoot.physics.body import TIMESTEP, Body
from surefoot.physics.extra import engine, native
from surefoot.physics.gait import Gait
from surefoot.physics.platforms import Platform, carried, contacts, seen_from
from surefoot.physics.states import Run, States
from surefoot.physics.tables import tables

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
        platforms: Sequence[Platform] = (),
        timestep: float = TIMESTEP,
    ) -> None:
        """Compiles the model.

        Args:
            body: who.
            gaits: that actions may name; all of the body's when not given.
            scenery: more MJCF for the worldbody, after the body.
            platforms: that move over the stage's clock, and carry who stands on them.
            timestep: [s] of a MuJoCo step.
        """
        engine()
        self.body = body
        self.platforms = tuple(platforms)
        self.model: Any = body.model(
            scenery=scenery + "".join(platform.mjcf() for platform in self.platforms),
            contacts=contacts(self.platforms),
            timestep=timestep,
        )
        self.gaits = tuple(body.gaits.values() if gaits is None else gaits)
        if not self.gaits:
            raise InputError(f"{body.name} has no gaits: give some")
        self._index = {gait.name: i for i, gait in enumerate(self.gaits)}
        compiled = [gait.compiled(body.anatomy) for gait in self.gaits]
        self._native = native().Stage(
            int(self.model._address),  # pyright: ignore[reportPrivateUsage]
            **tables(body.anatomy, self.model),
            numbers=np.ascontiguousarray([numbers for numbers, _ in compiled]),
            knots=np.ascontiguousarray([knots for _, knots in compiled]),
            decks=self._decks(),
            corners=np.array([(*p.low, *p.high) for p in self.platforms]).reshape(-1, 6),
        )
        self._known = 0
        self._know(0)

    @property
    def size(self) -> int:
        """Numbers in a row of positions."""
        return int(self.model.nq)

    def standing(self, count: int = 1) -> States:
        """Bodies that stand at the origin; other things of the model where it puts them."""
        positions = np.array(self.model.qpos0)
        own = self.body.standing()
        positions[: len(own)] = own
        states = States(
            positions=np.tile(positions, (count, 1)),
            velocities=np.zeros((count, int(self.model.nv))),
            beats=np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)),
        )
        self._place_platforms(states, 0.0)
        return states

    def aboard(self, states: States, platform: str, clocks: float | Floats = 0.0) -> States:
        """Bodies as seen from a platform, put on it; `seen_from` is the inverse.

        Args:
            states: such as `standing` and `starting` give, their origin being the platform's.
            platform: its name.
            clocks: [s] on the stage's clock, of all or each.
        """
        on = self._platform(platform)
        moved = carried(states, on.track(self._clocks(clocks, len(states))), on.top)
        self._place_platforms(moved, clocks)
        return moved

    def seen_from(self, states: States, platform: str, clocks: float | Floats = 0.0) -> States:
        """Bodies as seen from a platform: places above it, velocities and headings against it."""
        on = self._platform(platform)
        return seen_from(states, on.track(self._clocks(clocks, len(states))), on.top)

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
        clocks: float | Floats = 0.0,
        threads: int = 1,
        frames_per_second: float = 0.0,
    ) -> Run:
        """Each body until its next foot strike; the arguments are those of `advance`."""
        limit = np.full(len(states), STEP_LIMIT)
        every = self._every(frames_per_second)
        return self._advance(
            states, actions, limit, clocks, until_strike=True, every=every, threads=threads
        )

    def advance(
        self,
        states: States,
        actions: Action | Sequence[Action],
        seconds: float | Floats,
        *,
        clocks: float | Floats = 0.0,
        threads: int = 1,
        frames_per_second: float = 0.0,
    ) -> Run:
        """Each body for some time, step after step with the same action.

        Args:
            states: where they begin; left as they are.
            actions: one for all, or one for each.
            seconds: for all or each, >= 0.
            clocks: [s] of all or each at the beginning, >= 0, by which platforms move.
            threads: to use.
            frames_per_second: of positions to record; 0: none.
        """
        spans = np.broadcast_to(np.asarray(seconds, dtype=np.float64), len(states)).copy()
        if not (np.isfinite(spans).all() and (spans >= 0).all()):
            raise InputError("seconds must be finite and at least 0")
        every = self._every(frames_per_second)
        return self._advance(
            states, actions, spans, clocks, until_strike=False, every=every, threads=threads
        )

    def torques(
        self, states: States, action: Action, *, clock: float = 0.0, repeat: int = 1
    ) -> Floats:
        """`(nv,)` [Nm] that the controller gives the first of the states."""
        self._check(states)
        tick = round(float(self._clocks(clock, 1)[0]) / float(self.model.opt.timestep))
        self._know(clock)
        return self._native.torques(
            np.ascontiguousarray(states.positions[0], dtype=np.float64),
            np.ascontiguousarray(states.velocities[0], dtype=np.float64),
            np.ascontiguousarray(states.beats[0], dtype=np.float64),
            np.array(self._action(action)),
            tick,
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
        clocks: float | Floats,
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
        ticks = np.rint(self._clocks(clocks, len(states)) / float(self.model.opt.timestep))
        self._know(float((ticks * float(self.model.opt.timestep) + seconds).max(initial=0.0)))
        moved = states.copy()
        endings, measures, frames = self._native.advance(
            moved.positions,
            moved.velocities,
            moved.beats,
            chosen,
            seconds,
            ticks.astype(np.int32),
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

    def _decks(self) -> Ints:
        """The platforms' bodies and places in MuJoCo's positions and velocities."""
        rows = [
            (
                int(self.model.body(platform.name).id),
                int(self.model.joint(platform.name).qposadr[0]),
                int(self.model.joint(platform.name).dofadr[0]),
            )
            for platform in self.platforms
        ]
        return np.array(rows, dtype=np.int32).reshape(-1, 3)

    def _know(self, until: float) -> None:
        """Tells the native stage where platforms are at every step up to a time [s]."""
        rows = int(np.ceil(until / float(self.model.opt.timestep))) + 2
        if not self.platforms or rows <= self._known:
            return
        self._known = max(rows, 2 * self._known)
        times: Floats = np.arange(self._known, dtype=np.float64) * float(self.model.opt.timestep)
        for i, platform in enumerate(self.platforms):
            self._native.set_track(i, platform.track(times))

    def _clocks(self, clocks: float | Floats, count: int) -> Floats:
        each = np.broadcast_to(np.asarray(clocks, dtype=np.float64), count)
        if not (np.isfinite(each).all() and (each >= 0).all()):
            raise InputError("clocks must be finite and at least 0")
        return each

    def _place_platforms(self, states: States, clocks: float | Floats) -> None:
        for (_, at, dof), platform in zip(self._decks(), self.platforms, strict=True):
            track = platform.track(self._clocks(clocks, len(states)))
            states.positions[:, at : at + 7] = track[:, :7]
            states.velocities[:, dof : dof + 6] = track[:, 7:13]

    def _platform(self, name: str) -> Platform:
        for platform in self.platforms:
            if platform.name == name:
                return platform
        raise InputError(one_of("platform", name, [platform.name for platform in self.platforms]))

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
