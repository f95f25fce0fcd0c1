"""Worlds run by MuJoCo: things that fall, slide and pile up, and movers that carry them.

The engine moves rigid bodies; their poses are pushed into a live `World`, where whoever plans sees
them without knowing who moves them (lopez2012).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from surefoot import arrays
from surefoot.arrays import ArrayLike, Floats, number, vector
from surefoot.errors import WorldError, one_of
from surefoot.math import Pose
from surefoot.physics.extra import engine
from surefoot.physics.pieces import pieces_of
from surefoot.world import Body, Keyframed, Static, Trajectory, Watching, World
from surefoot.world.live import Feed, Pushed

PARKED = 50.0
"""[m] Below the lowest thing at rest: what falls deeper is gone."""

HEAVY = 1e5
"""[kg] Of movers: nothing that they carry slows them down."""

SKIN = 0.03
"""[m] By which what leans against somebody keeps clear of where it is."""


@dataclass
class _Presence:
    """Somebody who is in the way of things: where, how fast, and of what size."""

    body: int
    point: Floats
    velocity: Floats
    size: tuple[float, float, float]


@dataclass(frozen=True)
class _Row:
    """Where a body's state lies in the engine's arrays."""

    body: int
    position: int
    velocity: int


class MujocoWorld:
    """A live world whose bodies MuJoCo moves.

    Attributes:
        world: the live `World`: what is fixed is at rest there, all else is only watched.
        time: [s].
    """

    def __init__(
        self,
        fixed: Iterable[Body] = (),
        *,
        timestep: float = 1 / 240,
        friction: float = 0.8,
        watching: Watching | None = None,
        name: str = "",
    ) -> None:
        """Takes what never moves.

        Args:
            fixed: bodies at rest, of convex pieces.
            timestep: [s], > 0: of the simulation.
            friction: >= 0: of all surfaces.
            watching: how the world's bodies are watched.
            name: of the world.
        """
        self._mujoco: Any = engine()
        self.time = 0.0
        self._timestep = number(timestep, "timestep", above=0)
        self._friction = number(friction, "friction", at_least=0)
        self.world = World(name=name)
        self.feed = Feed(self.world, watching)
        self._movers: dict[str, Trajectory] = {}
        self._rows: dict[str, _Row] = {}
        self._people: dict[str, _Presence] = {}
        self._meshes = 0
        self._spec: Any = self._mujoco.MjSpec()
        option = self._spec.option
        option.timestep = self._timestep
        option.integrator = self._mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        # Heaps come to rest instead of creeping.
        option.cone = self._mujoco.mjtCone.mjCONE_ELLIPTIC
        option.impratio = 10.0
        option.noslip_iterations = 3
        # A world that diverges is to be noticed, not put back to its beginning.
        option.disableflags |= self._mujoco.mjtDisableBit.mjDSBL_AUTORESET
        self._lowest = 0.0
        for body in fixed:
            if body.trajectory.moving:
                raise WorldError(f"fixed body {body.name!r} moves; use drive()")
            self.world.add(body)
            self._geoms(self._spec.worldbody, body, body.trajectory.pose(0.0), 1000.0)
            low = body.trajectory.pose(0.0).apply(body.mesh.vertices)[:, 2].min()
            self._lowest = min(self._lowest, float(low))
        self._model: Any = self._spec.compile()
        self._data: Any = self._mujoco.MjData(self._model)
        self._recorded: dict[str, list[tuple[float, Floats, Floats]]] | None = None

    # --- bodies ----------------------------------------------------------------------------------

    def drop(
        self,
        *bodies: Body,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        spin: ArrayLike = (0.0, 0.0, 0.0),
        density: float = 300.0,
    ) -> None:
        """Lets bodies go, from where their trajectories are now: they fall, or fly.

        Args:
            bodies: of convex pieces.
            velocity: `(3,)` [m/s].
            spin: `(3,)` [rad/s].
            density: [kg/m^3], > 0.
        """
        number(density, "density", above=0)
        linear, angular = vector(velocity, "velocity"), vector(spin, "spin")
        for body in bodies:
            self._take(body, density, mover=False)
        self._recompile()
        for body in bodies:
            row = self._rows[body.name]
            self._data.qvel[row.velocity : row.velocity + 3] = linear
            # Spins of free bodies are in their own frame.
            turned = body.trajectory.pose(self.time)
            self._data.qvel[row.velocity + 3 : row.velocity + 6] = _back(turned, angular)

    def drive(self, *bodies: Body) -> None:
        """Bodies that follow their trajectories whatever happens, and carry what lies on them."""
        for body in bodies:
            self._take(body, 1000.0, mover=True)
            self._movers[body.name] = body.trajectory
        self._recompile()

    def remove(self, name: str) -> None:
        """Takes a body out."""
        if name not in self._rows:
            raise WorldError(one_of("moving body", name, self._rows))
        self.feed.remove(name)
        self._movers.pop(name, None)
        self._spec.delete(self._spec.body(name))
        del self._rows[name]
        self._recompile()

    def push(self, name: str, velocity: ArrayLike, spin: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Gives a free body another velocity [m/s] and spin [rad/s]."""
        if name not in self._rows or name in self._movers:
            free = [other for other in self._rows if other not in self._movers]
            raise WorldError(one_of("free body", name, free))
        row = self._rows[name]
        self._data.qvel[row.velocity : row.velocity + 3] = vector(velocity, "velocity")
        self._data.qvel[row.velocity + 3 : row.velocity + 6] = vector(spin, "spin")

    def stand_in(
        self, who: str, point: ArrayLike, velocity: ArrayLike, *, radius: float, low: float,
        high: float,
    ) -> None:  # fmt: skip
        """Somebody is here: things bounce off, lean on and lie on it, and do not move it.

        Nobody sees this body; it is only felt. It takes no part in what is below `low`: feet
        stand on things and do not push them.

        Args:
            who: a name for it; the same one moves it on.
            point: `(3,)` [m] of its feet.
            velocity: `(3,)` [m/s] at which it goes until the next time.
            radius: [m], > 0.
            low: [m] above the feet: where it begins.
            high: [m] above the feet: where it ends.
        """
        where, speed = arrays.position(point, "point"), vector(velocity, "velocity")
        arrays.length(radius, "radius", above=0)
        arrays.length(high, "high", above=arrays.length(low, "low", at_least=0))
        size = (radius + SKIN, low, high + SKIN)
        if who not in self._people:
            half = 0.5 * (size[2] - size[1])
            made = self._spec.worldbody.add_body(name=f"presence of {who}", pos=where.tolist())
            made.mocap = True
            kinds = self._mujoco.mjtGeom
            made.add_geom(
                type=kinds.mjGEOM_CYLINDER, size=[size[0], half, 0.0],
                pos=[0.0, 0.0, size[1] + half], friction=[self._friction, 0.005, 0.0001],
                # Firm: what strikes somebody does not sink in.
                solref=[2.5 * self._timestep, 1.0],
            )  # fmt: skip
            self._people[who] = _Presence(-1, where, speed, size)
            self._recompile()
        self._people[who] = _Presence(self._people[who].body, where, speed, size)

    @property
    def names(self) -> list[str]:
        """Of the bodies that the engine moves."""
        return list(self._rows)

    @property
    def contacts(self) -> int:
        """Points at which bodies touch now."""
        return int(self._data.ncon)

    def _take(self, body: Body, density: float, *, mover: bool) -> None:
        if body.name in self._rows:
            raise WorldError(f"a body named {body.name!r} is in the world already")
        pose = body.trajectory.pose(self.time)
        self.feed.add(body, pose, self.time)
        made = self._spec.worldbody.add_body(
            name=body.name, pos=pose.position.tolist(), quat=pose.rotation.tolist()
        )
        made.add_freejoint()
        if mover:
            # Nothing but its trajectory moves it.
            made.gravcomp = 1.0
            made.mass, made.inertia = HEAVY, [HEAVY, HEAVY, HEAVY]
            made.explicitinertial = True
        self._geoms(made, body, Pose(), density)
        self._rows[body.name] = _Row(-1, -1, -1)

    def _geoms(self, parent: Any, body: Body, at: Pose, density: float) -> None:
        kinds = self._mujoco.mjtGeom
        for piece in pieces_of(body.mesh):
            centre, turn = at.apply(piece.centre).tolist(), at.rotation.tolist()
            common = {"pos": centre, "quat": turn, "density": density,
                      "friction": [self._friction, 0.005, 0.0001]}  # fmt: skip
            if piece.half is not None:
                parent.add_geom(type=kinds.mjGEOM_BOX, size=piece.half.tolist(), **common)
                continue
            self._meshes += 1
            name = f"mesh {self._meshes}"
            self._spec.add_mesh(
                name=name,
                uservert=piece.vertices.reshape(-1).tolist(),
                userface=piece.faces.reshape(-1).tolist(),
            )
            parent.add_geom(type=kinds.mjGEOM_MESH, meshname=name, **common)

    def _recompile(self) -> None:
        """Takes changes of the bodies in; what is there goes on as it was."""
        self._model, self._data = self._spec.recompile(self._model, self._data)
        for name in self._rows:
            joint = self._model.body(name).jntadr[0]
            self._rows[name] = _Row(
                self._model.body(name).id,
                int(self._model.jnt_qposadr[joint]),
                int(self._model.jnt_dofadr[joint]),
            )
        for who, presence in self._people.items():
            presence.body = self._model.body(f"presence of {who}").id

    # --- time ------------------------------------------------------------------------------------

    def step(self, dt: float = 1 / 60) -> Pushed:
        """Goes on by `dt` [s] and pushes what is then seen into the world."""
        arrays.time(dt, "dt", above=0)
        count = max(1, round(dt / self._timestep))
        self._model.opt.timestep = dt / count
        for k in range(count):
            self._steer(self.time + dt * (k + 1) / count, dt / count)
            self._mujoco.mj_step(self._model, self._data)
        self.time += dt
        pushed = self._show()
        self._lose()
        return pushed

    def _steer(self, t: float, dt: float) -> None:
        """Movers on their way: where they are to be at `t` [s], at the speed that leads there."""
        data = self._data
        for name, way in self._movers.items():
            row = self._rows[name]
            before, after = way.pose(t - dt), way.pose(t)
            data.qpos[row.position : row.position + 3] = before.position
            data.qpos[row.position + 3 : row.position + 7] = before.rotation
            data.qvel[row.velocity : row.velocity + 3] = (after.position - before.position) / dt
            linear, angular = way.velocity(t - 0.5 * dt)
            del linear
            data.qvel[row.velocity + 3 : row.velocity + 6] = _back(before, angular)
        for presence in self._people.values():
            self._place(presence, t)

    def _place(self, presence: _Presence, t: float) -> None:
        """Somebody where it is at `t` [s], if it goes on as it did."""
        model, body = self._model, presence.body
        radius, low, high = presence.size
        half = 0.5 * (high - low)
        geom = model.body_geomadr[body]
        # It may have crouched since: bounds follow the size.
        model.geom_size[geom, :2] = radius, half
        model.geom_pos[geom, 2] = low + half
        model.geom_rbound[geom] = np.hypot(radius, half)
        model.geom_aabb[geom] = [0.0, 0.0, 0.0, radius, radius, half]
        spot = presence.point + presence.velocity * (t - self.time)
        self._data.mocap_pos[model.body_mocapid[body]] = spot

    def _show(self) -> Pushed:
        rows = list(self._rows.values())
        where = np.array([row.position for row in rows], dtype=np.int64)
        state = np.array(self._data.qpos)
        positions = state[where[:, None] + np.arange(3)] if rows else np.zeros((0, 3))
        turned = state[where[:, None] + np.arange(3, 7)] if rows else np.zeros((0, 4))
        for i, name in enumerate(self._rows):
            if name in self._movers:
                pose = self._movers[name].pose(self.time)
                positions[i], turned[i] = pose.position, pose.rotation
        if self._recorded is not None:
            for i, name in enumerate(self._rows):
                self._recorded.setdefault(name, []).append((self.time, positions[i], turned[i]))
        return self.feed.push(self.time, positions, turned, list(self._rows))

    def _lose(self) -> None:
        """What fell out of the world is gone."""
        depth = self._lowest - PARKED
        # Rows move when a body is taken out: look first.
        gone = [
            name
            for name, row in self._rows.items()
            if name not in self._movers and self._data.qpos[row.position + 2] < depth
        ]
        for name in gone:
            self.remove(name)

    # --- recordings ------------------------------------------------------------------------------

    def record(self) -> None:
        """Keeps where everything is from now on, for `recording`."""
        self._recorded = {}

    def recording(self) -> World:
        """The world as it happened since `record`, as keys: for planners that know the future."""
        if self._recorded is None:
            raise WorldError("nothing was recorded; call record() first")
        out = World(name=self.world.name)
        for body in self.world:
            keys = self._recorded.get(body.name)
            if keys is None:
                out.add(body if not body.trajectory.moving else body.moved(Static()))
                continue
            times = np.array([t for t, _, _ in keys])
            positions = np.array([p for _, p, _ in keys])
            turned = np.array([q for _, _, q in keys])
            out.add(body.moved(Keyframed(times, positions, turned)))
        return out


def _back(pose: Pose, direction: Floats) -> Floats:
    """A direction of the world in a pose's own frame."""
    return np.asarray(pose.unapply(direction + pose.position), dtype=np.float64)
