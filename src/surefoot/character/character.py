"""Characters: who moves. A skeleton, its measures, what it can do, and how it looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from types import MappingProxyType
from typing import Any

import numpy as np

from surefoot.arrays import ArrayLike, Floats, number
from surefoot.character import humanoid, kinematics
from surefoot.character.capability import Capability, human
from surefoot.character.measures import Measures
from surefoot.character.rig.mapping import BoneMapping
from surefoot.character.rig.reading import read_rig
from surefoot.character.rig.retarget import retarget
from surefoot.character.rig.rig import Rig
from surefoot.character.skeleton import Skeleton
from surefoot.character.skin import Skin
from surefoot.errors import CharacterError, one_of
from surefoot.files import as_path


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Character:
    """Someone who can be planned for and animated.

    Attributes:
        name: for messages and files.
        skeleton: with the canonical joints of `humanoid.JOINTS`.
        measures: lengths and mass.
        capabilities: ways of moving by name, at least one.
        standing_energy: e_s [J/kg/s], >= 0: what standing costs (beacco2013).
        moving_energy: e_w [J s/kg/m^2], >= 0: what speed adds, times its square (beacco2013).
        skin: the surface to show, bound to the skeleton, or to the rig where there is one.
        rig: the user's own skeleton and its file; None for built-in people.
    """

    name: str
    skeleton: Skeleton
    measures: Measures
    capabilities: Mapping[str, Capability]
    standing_energy: float = 2.23
    moving_energy: float = 1.26
    skin: Skin
    rig: Rig | None = None

    def __post_init__(self) -> None:
        if not self.capabilities:
            raise CharacterError(f"character {self.name!r} needs at least one capability")
        for key, capability in self.capabilities.items():
            if key != capability.name:
                raise CharacterError(
                    f"character {self.name!r}: capability {capability.name!r} is listed as {key!r}"
                )
        for field in ("standing_energy", "moving_energy"):
            title = f"character {self.name!r}: {field}"
            value = number(getattr(self, field), title, at_least=0.0, error=CharacterError)
            object.__setattr__(self, field, value)
        object.__setattr__(self, "capabilities", MappingProxyType(dict(self.capabilities)))

    @classmethod
    def from_gltf(
        cls,
        path: str | PathLike[str],
        mapping: BoneMapping | Mapping[str, str] | str | PathLike[str] | None = None,
        *,
        height: float | None = None,
        name: str | None = None,
    ) -> Character:
        """The character of a skinned humanoid in a glTF file.

        Args:
            path: a .glb or .gltf file.
            mapping: bones that the automatic mapping should not decide: canonical joint names to
                node names, as a mapping or a TOML file of such lines (`BoneMapping.save`).
            height: [m], > 0; from the file when not given, whether in metres or centimetres.
            name: of the character; the file's name when not given.

        Raises:
            CharacterError: the bones are not those of a person; lists what is missing and what
                is there.
        """
        file = as_path(path)
        rig, measures = read_rig(file, mapping, height=height)
        return cls(
            name=name or file.stem,
            skeleton=humanoid.skeleton(measures),
            measures=measures,
            capabilities={skill.name: skill for skill in human(measures)},
            skin=rig.skin,
            rig=rig,
        )

    def capability(self, name: str) -> Capability:
        """The way of moving called `name`."""
        try:
            return self.capabilities[name]
        except KeyError:
            raise CharacterError(
                f"character {self.name!r}: {one_of('capability', name, self.capabilities)}"
            ) from None

    def with_capabilities(self, *capabilities: Capability) -> Character:
        """The same character with these added, or put in place of those of the same name."""
        added = {capability.name: capability for capability in capabilities}
        return replace(self, capabilities={**self.capabilities, **added})

    def recolored(self, **colors: Sequence[float]) -> Character:
        """The same character with other colours (linear, 0 to 1) for some parts of its skin."""
        return replace(self, skin=self.skin.recolored(colors))

    def power(self, velocity: ArrayLike) -> Floats:
        """The effort [W] of moving, `(...)`: mass (e_s + e_w v^2) of beacco2013.

        Args:
            velocity: `(..., 3)` [m/s], relative to the supporting body: riding is free.
        """
        squared = (np.asarray(velocity, dtype=np.float64) ** 2).sum(axis=-1)
        return self.measures.mass * (self.standing_energy + self.moving_energy * squared)

    def posed(self, root: ArrayLike, local_rotations: ArrayLike) -> tuple[Floats, Floats]:
        """The skin in a pose of the skeleton: vertices and unit normals `(..., v, 3)`.

        Args:
            root: `(..., 3)` [m], the pelvis in the world.
            local_rotations: `(..., n, 4)` of the canonical joints.
        """
        start, local = np.asarray(root, dtype=np.float64), np.asarray(local_rotations)
        if self.rig is None:
            return self.skin.posed(kinematics.matrices(*self.skeleton.forward(start, local)))
        pose = retarget(self.rig, self.skeleton, self.measures, start, local)
        return self.skin.posed(self.rig.matrices(pose.rotations, pose.translations))

    def __repr__(self) -> str:
        height, joints = self.measures.height, len(self.skeleton.joints)
        return f"Character({self.name!r}, {height:.2f} m, {joints} joints)"

    def __getstate__(self) -> dict[str, Any]:
        # A read-only view of a mapping cannot be sent to another process; the mapping can.
        return {**self.__dict__, "capabilities": dict(self.capabilities)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        object.__setattr__(self, "capabilities", MappingProxyType(dict(state["capabilities"])))
