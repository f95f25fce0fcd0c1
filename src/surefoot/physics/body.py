"""Bodies: an anatomy in MuJoCo, with the gaits that it knows."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from surefoot.arrays import Floats
from surefoot.errors import CharacterError, InputError, one_of
from surefoot.physics import anatomies
from surefoot.physics.anatomy import SIDES, Anatomy
from surefoot.physics.extra import engine
from surefoot.physics.gait import Gait, load_gait

TIMESTEP = 0.001
"""[s] of a MuJoCo step."""

_SUNK = 0.01
"""[m] that other parts may be under the soles of one who stands."""

_OFF = 0.05
"""[m] that the centre of mass may be off the soles: knees and hips can shift it."""

_GAITS = Path(__file__).parent / "gaits"

_WORLD = """<mujoco model="{name}">
<compiler angle="radian" autolimits="false"/>
<option timestep="{timestep:g}" integrator="implicitfast" solver="Newton" iterations="20"
 cone="pyramidal"><flag autoreset="disable"/></option>
<default>
<joint armature="{armature:g}"/>
<geom friction="0.9 0.005 0.0001" solref="0.01 1" condim="3"/>
</default>
<worldbody>
<geom name="floor" type="plane" size="0 0 1"/>
{body}
{scenery}
</worldbody>
<contact>{contacts}</contact>
</mujoco>
"""


@dataclass(frozen=True, kw_only=True)
class Body:
    """A simulated character.

    Attributes:
        anatomy: its parts.
        gaits: what it can do, by name.
    """

    anatomy: Anatomy
    gaits: Mapping[str, Gait] = field(default_factory=dict[str, Gait])

    def __post_init__(self) -> None:
        for gait in self.gaits.values():
            gait.compiled(self.anatomy)
        self._check_standing()

    @property
    def name(self) -> str:
        """Of its anatomy."""
        return self.anatomy.name

    def gait(self, name: str) -> Gait:
        """One of its gaits."""
        if name not in self.gaits:
            raise InputError(f"{self.name}: {one_of('gait', name, self.gaits)}")
        return self.gaits[name]

    def mjcf(self, *, scenery: str = "", contacts: str = "", timestep: float = TIMESTEP) -> str:
        """The model's text: this body on a floor, and more for MuJoCo's worldbody after it."""
        return _WORLD.format(
            name=html.escape(self.name),
            timestep=timestep,
            armature=self.anatomy.armature,
            body=self.anatomy.mjcf(),
            scenery=scenery,
            contacts=contacts,
        )

    def model(self, *, scenery: str = "", contacts: str = "", timestep: float = TIMESTEP) -> Any:
        """MuJoCo's model of it."""
        mujoco = engine()
        text = self.mjcf(scenery=scenery, contacts=contacts, timestep=timestep)
        try:
            return mujoco.MjModel.from_xml_string(text)
        except ValueError as reason:
            raise CharacterError(f"{self.name}: MuJoCo refuses this body: {reason}") from reason

    def standing(self, *, bent: float = 0.1) -> Floats:
        """`(nq,)`: on both feet at the origin, facing along x, knees a little bent [rad]."""
        mujoco = engine()
        model = self.model()
        data = mujoco.MjData(model)
        mujoco.mj_resetData(model, data)
        for side in SIDES:
            hip = model.joint(f"{side} hip").qposadr[0]
            data.qpos[hip : hip + 4] = [np.cos(bent / 4), 0.0, -np.sin(bent / 4), 0.0]
            data.qpos[model.joint(f"{side} knee").qposadr[0]] = bent
            data.qpos[model.joint(f"{side} ankle").qposadr[0]] = bent / 2
        data.qpos[:3] = 0.0
        mujoco.mj_kinematics(model, data)
        lowest = min(
            data.geom_xpos[g][2] - _reach_down(model, data, g) for g in self.sole_geoms(model)
        )
        data.qpos[2] = -lowest
        return np.array(data.qpos)

    def _check_standing(self) -> None:
        """It must be high enough on straight legs, on its soles, and balanced over them."""
        mujoco = engine()
        model = self.model()
        data = mujoco.MjData(model)
        data.qpos[:] = self.standing()
        mujoco.mj_forward(model, data)
        height = float(data.qpos[2])
        if height < self.anatomy.fall_height:
            raise CharacterError(
                f"{self.name} cannot stand: its root is {height:.2f} m high when its legs are "
                f"straight, and it counts as fallen under {self.anatomy.fall_height:g} m"
            )
        soles = self.sole_geoms(model)
        for geom in range(int(model.ngeom)):
            part = str(model.body(int(model.geom_bodyid[geom])).name)
            depth = _reach_down(model, data, geom) - float(data.geom_xpos[geom][2])
            if part != "world" and geom not in soles and depth > _SUNK:
                raise CharacterError(
                    f"{self.name} cannot stand: its {part} is {depth:.2f} m under its soles"
                )
        centre = data.subtree_com[int(model.body(self.anatomy.root.name).id)]
        for axis, side in ((0, "ahead of"), (1, "beside")):
            reach = [
                float(np.abs(data.geom_xmat[g].reshape(3, 3)[axis]) @ _box(model, g)) for g in soles
            ]
            places = [float(data.geom_xpos[g][axis]) for g in soles]
            low = min(p - r for p, r in zip(places, reach, strict=True)) - _OFF
            high = max(p + r for p, r in zip(places, reach, strict=True)) + _OFF
            if not low <= centre[axis] <= high:
                raise CharacterError(
                    f"{self.name} cannot stand: its centre of mass is {centre[axis]:.2f} m {side} "
                    f"its origin, its soles reach from {low + _OFF:.2f} to {high - _OFF:.2f} m"
                )

    def sole_geoms(self, model: Any) -> list[int]:
        """Geoms that can strike the ground."""
        return [
            int(model.geom(f"{part.name} {i}").id)
            for side in SIDES
            for part in self.anatomy.leg(side)
            for i, shape in enumerate(part.shapes)
            if shape.sole
        ]


def _reach_down(model: Any, data: Any, geom: int) -> float:
    """[m] from a geom's centre to its lowest point."""
    size, turn = model.geom_size[geom], data.geom_xmat[geom].reshape(3, 3)
    kind = int(model.geom_type[geom])
    if kind == int(engine().mjtGeom.mjGEOM_BOX):
        return float(np.abs(turn[2]) @ size)
    if kind == int(engine().mjtGeom.mjGEOM_CAPSULE):
        return float(size[0] + abs(turn[2, 2]) * size[1])
    return float(size[0])


def _box(model: Any, geom: int) -> Floats:
    """[m] half sizes of the box around a geom, in its own frame."""
    size = np.array(model.geom_size[geom])
    kind = int(model.geom_type[geom])
    if kind == int(engine().mjtGeom.mjGEOM_BOX):
        return size
    along = size[1] if kind == int(engine().mjtGeom.mjGEOM_CAPSULE) else 0.0
    return np.array([size[0], size[0], size[0] + along])


def names() -> tuple[str, ...]:
    """The built-in bodies."""
    return tuple(anatomies.__all__)


def load_body(name: str) -> Body:
    """A built-in body with all of its gaits, or the one of a TOML file (`body_files`)."""
    if name.endswith(".toml"):
        from surefoot.physics.body_files import read_body

        return read_body(name)
    if name not in names():
        raise InputError(one_of("body", name, names()))
    return _built_in(name)


@cache
def _built_in(name: str) -> Body:
    return Body(anatomy=getattr(anatomies, name)(), gaits=load_gaits(_GAITS / name))


def load_gaits(folder: str | os.PathLike[str]) -> dict[str, Gait]:
    """All gaits of a folder of TOML files, by name."""
    paths = sorted(Path(folder).glob("*.toml"))
    return {gait.name: gait for gait in map(load_gait, paths)}
