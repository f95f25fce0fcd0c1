"""Animations: skeletal poses over time, from a plan."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

import numpy as np

from surefoot import arrays
from surefoot.animation.markers import Marker, contact_markers, segment_markers
from surefoot.arrays import Bools, Floats
from surefoot.character import Character
from surefoot.errors import FileError
from surefoot.files import as_path
from surefoot.math import rotations
from surefoot.motion import Motion
from surefoot.motion.footholds import Foothold
from surefoot.motion.quality import foot_slide
from surefoot.planning.plan import Plan
from surefoot.planning.segments import Footstep
from surefoot.world import Place, World

EXTENSIONS = (".glb", ".gltf", ".bvh")
"""What an animation can be saved as."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Animation:
    """A character's poses at `n` moments, in the world it moves through.

    Attributes:
        plan: what it does.
        world: where.
        character: who.
        motion: the poses of the canonical skeleton, and the feet's contacts.
        path: `(n, 3)` [m], the point between the feet as the body follows it, in the world.
        headings: `(n,)` [rad], which way the body faces, in the world.
        rate: [1/s] of the moments.
    """

    plan: Plan
    world: World
    character: Character
    motion: Motion
    path: Floats
    headings: Floats
    rate: float

    @property
    def times(self) -> Floats:
        """`(n,)` [s]."""
        return self.motion.times

    @property
    def root(self) -> Floats:
        """`(n, 3)` [m]: the pelvis, in the world."""
        return self.motion.root

    @property
    def rotations(self) -> Floats:
        """`(n, joints, 4)`: local rotations of the character's skeleton."""
        return self.motion.rotations

    @property
    def contacts(self) -> Bools:
        """`(n, 2, 2)`: whether left and right foot are on the ground with heel and toes."""
        return self.motion.contacts

    @property
    def start(self) -> float:
        """[s]."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """[s]."""
        return float(self.times[-1])

    @property
    def duration(self) -> float:
        """[s]."""
        return self.end - self.start

    @property
    def footsteps(self) -> tuple[Footstep, ...]:
        """Where the feet are on the ground, in order of contact."""
        return footsteps(self.motion.footholds)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """What happens when: the plan's segments and the feet's contacts."""
        contacts = contact_markers(self.footsteps, self.start, self.end)
        return (*segment_markers(self.plan), *contacts)

    def __repr__(self) -> str:
        when = f"{self.start:.2f} s to {self.end:.2f} s, {len(self.times)} frames"
        return f"Animation({self.character.name!r}, {when}, in {self.world!r})"

    def joint_positions(self) -> Floats:
        """`(n, joints, 3)` [m]: all joints, in the world."""
        positions, _ = self.character.skeleton.forward(self.root, self.rotations)
        return positions

    def pose(self, t: float) -> tuple[Floats, Floats]:
        """Pelvis `(3,)` [m] and local rotations `(joints, 4)` at `t` [s], between two moments.

        Before the start and after the end, the first and the last pose.
        """
        t = min(max(arrays.time(t, "t"), self.start), self.end)
        at = (t - self.start) * self.rate
        first = min(int(at), max(len(self.times) - 2, 0))
        second = min(first + 1, len(self.times) - 1)
        fraction = at - first
        root = (1 - fraction) * self.root[first] + fraction * self.root[second]
        share = np.full(self.rotations.shape[1], fraction)
        return root, rotations.slerp(self.rotations[first], self.rotations[second], share)

    def skin(self, t: float) -> tuple[Floats, Floats]:
        """Vertices [m] and unit normals `(v, 3)` of the character's surface at `t` [s]."""
        return self.character.posed(*self.pose(t))

    def foot_slide(self) -> Floats:
        """How fast feet slide `(n - 1, 2)` [m/s]: left and right, between moments; NaN in the air.

        The speed, relative to the supporting body, of the contact point (heel, then toes) while
        it is in contact.
        """
        character = self.character
        return foot_slide(self.motion, self.world, character.skeleton, character.measures)

    def save(
        self, path: str | PathLike[str], *, root_motion: bool = True, world: bool = True
    ) -> None:
        """Writes the animation, by the file's name: .glb or .gltf (all of it), .bvh (the skeleton).

        Args:
            path: the file.
            root_motion: whether the character goes where it goes; else it walks on the spot.
            world: whether a glTF file holds the world and its motion as well.
        """
        from surefoot.animation.bvh import save_bvh
        from surefoot.animation.gltf_export import save_gltf

        suffix = as_path(path).suffix.lower()
        if suffix == ".bvh":
            save_bvh(path, self, root_motion=root_motion)
        elif suffix in EXTENSIONS:
            save_gltf(path, self, root_motion=root_motion, world=world)
        else:
            raise FileError(
                f"{path}: an animation can be saved as {', '.join(EXTENSIONS)}, not {suffix!r}"
            )

    def local_poses(self, root_motion: bool) -> tuple[Floats, Floats]:
        """Pelvis `(n, 3)` and rotations, where they are or as on a treadmill at the start."""
        if root_motion:
            return self.root, self.rotations
        back = rotations.from_yaw(self.headings[0] - self.headings)
        root = rotations.rotate(back, self.root - self.path) + self.path[0]
        turned = self.rotations.copy()
        turned[:, 0] = rotations.multiply(back, turned[:, 0])
        return root, turned


def footsteps(footholds: tuple[Foothold, ...]) -> tuple[Footstep, ...]:
    """Footholds as a plan holds them."""
    return tuple(
        Footstep(
            foot=hold.foot,
            place=Place(hold.body, hold.position),
            heading=hold.heading,
            start=hold.start,
            end=hold.end,
        )
        for hold in footholds
    )
