"""One report for any motion: `assess(motion, measures)`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import degrees, isnan, nan

import numpy as np

from surefoot.arrays import Bools, Floats
from surefoot.character.humanoid import JOINTS, skeleton
from surefoot.character.measures import Measures
from surefoot.character.skeleton import Skeleton
from surefoot.errors import InputError
from surefoot.motion.clip import Clip
from surefoot.motion.gait.walker import Motion
from surefoot.motion.quality.slide import contact_speed, foot_slide, penetration, sole_points
from surefoot.motion.quality.smoothness import (
    accelerations,
    jerks,
    knee_bend,
    knee_bounds,
    speeds,
)
from surefoot.world import World

SLIDE = 1e-3
"""[m/s] that feet may slide: what is made by the gait model does not."""

PENETRATION = 0.01
"""[m] that soles may be under the ground: as soft as shoes."""

LIMIT = np.radians(1.0)
"""[rad] that joints may be beyond their limits, which are rounded."""


@dataclass(frozen=True, kw_only=True)
class Quality:
    """What is good and bad about a motion, in figures; NaN where it was not known.

    Attributes:
        slide: [m/s] the fastest that a contact point moves against what carries it.
        mean_slide: [m/s] likewise, over all moments of contact.
        penetration: [m] the deepest that a heel, ball or toe tip is inside the world.
        beyond_limits: [rad] the farthest that a joint is beyond its limits.
        limit_joint: which joint that is; empty when none is.
        root_jerk: [m/s^3] of the pelvis, root mean square.
        head_jerk: likewise, of the head.
        hand_jerk: likewise, of the jerkier hand.
        foot_jerk: likewise, of the jerkier ankle.
        knee_speed: [rad/s] the fastest.
        knee_acceleration: [rad/s^2] the sharpest.
        knee_pops: how often a knee is faster or sharper than in any real motion of a body of this
            size; see `knee_bounds`.
    """

    slide: float
    mean_slide: float
    penetration: float
    beyond_limits: float
    limit_joint: str
    root_jerk: float
    head_jerk: float
    hand_jerk: float
    foot_jerk: float
    knee_speed: float
    knee_acceleration: float
    knee_pops: int

    def figures(self) -> dict[str, float]:
        """The numbers by name."""
        names = [field.name for field in fields(self) if field.name != "limit_joint"]
        return {name: float(getattr(self, name)) for name in names}

    @property
    def problems(self) -> tuple[str, ...]:
        """What is worse than it should be, in sentences; none of a motion that is in order."""
        found: list[str] = []
        if self.slide > SLIDE:
            found.append(f"feet slide at up to {1e3 * self.slide:.1f} mm/s")
        if self.penetration > PENETRATION:
            found.append(f"soles are up to {1e3 * self.penetration:.0f} mm inside the ground")
        if self.beyond_limits > LIMIT:
            found.append(f"{self.limit_joint} is {degrees(self.beyond_limits):.1f} deg too far")
        if self.knee_pops:
            found.append(f"knees pop {self.knee_pops} times")
        return tuple(found)

    def __str__(self) -> str:
        slide = _told(
            f"{1e3 * self.slide:.2f} mm/s at most, {1e3 * self.mean_slide:.2f} on average",
            self.slide,
        )
        limits = (
            f"{self.limit_joint} {degrees(self.beyond_limits):.1f} deg beyond"
            if self.limit_joint
            else "respected"
        )
        pops = f"{self.knee_pops} pops" if self.knee_pops else "no pops"
        return "\n".join(
            [
                f"foot slide    {slide}",
                f"penetration   {_told(f'{1e3 * self.penetration:.1f} mm', self.penetration)}",
                f"joint limits  {limits}",
                f"knees         {degrees(self.knee_speed):.0f} deg/s,"
                f" {self.knee_acceleration:.0f} rad/s^2, {pops}",
                f"jerk          root {self.root_jerk:.0f}, head {self.head_jerk:.0f}, hands"
                f" {self.hand_jerk:.0f}, feet {self.foot_jerk:.0f} m/s^3 (rms)",
            ]
        )


def assess(
    moved: Motion | Clip,
    measures: Measures,
    *,
    world: World | None = None,
    contacts: Bools | None = None,
) -> Quality:
    """How good a motion is.

    Args:
        moved: poses of a canonical skeleton over time.
        measures: of the body; how quick its knees may be goes with its leg length.
        world: where it moves; without one, penetration is not known, and feet that slide are seen
            only for what does not move.
        contacts: of a clip, `(n, 2, 2)`: left and right foot; heel and toes (or `(n, 2)`, when
            both are meant); a `Motion` brings its own.
    """
    if isinstance(moved, Clip):
        bones = moved.skeleton
        if bones.joints != JOINTS:
            raise InputError(
                f"clip {moved.name!r} must be on the canonical skeleton to be assessed; bring it"
                f" there with `to_humanoid` first"
            )
    else:
        bones = skeleton(measures)
    points = sole_points(bones, measures, moved.root, moved.rotations)
    slide = _slide(moved, points, measures, bones, world, contacts)
    held = slide[np.isfinite(slide)]
    depth = nan if world is None else float(penetration(world, moved.times, points).max())
    beyond = bones.beyond_limits(moved.rotations).max(axis=(0, 2))
    worst = int(np.argmax(beyond))
    bend = knee_bend(bones, moved.rotations)
    speed = np.abs(speeds(moved.times, bend))
    sharp = np.abs(accelerations(moved.times, bend))
    fastest, sharpest = knee_bounds(measures.leg_length)
    jerk = _jerk(moved, bones)
    return Quality(
        slide=float(held.max()) if len(held) else nan,
        mean_slide=float(held.mean()) if len(held) else nan,
        penetration=depth,
        beyond_limits=float(beyond[worst]),
        limit_joint=bones.joints[worst] if beyond[worst] > 0 else "",
        root_jerk=jerk["pelvis"],
        head_jerk=jerk["head"],
        hand_jerk=max(jerk["left_hand"], jerk["right_hand"]),
        foot_jerk=max(jerk["left_foot"], jerk["right_foot"]),
        knee_speed=float(speed.max(initial=0.0)),
        knee_acceleration=float(sharp.max(initial=0.0)),
        knee_pops=int((speed > fastest).sum() + (sharp > sharpest).sum()),
    )


def _slide(
    moved: Motion | Clip, points: Floats, measures: Measures, bones: Skeleton,
    world: World | None, contacts: Bools | None,
) -> Floats:  # fmt: skip
    if isinstance(moved, Motion) and contacts is None:
        if world is not None:
            return foot_slide(moved, world, bones, measures)
        if all(hold.body is None for hold in moved.footholds):
            same = moved.holds[1:] == moved.holds[:-1]
            return contact_speed(moved.times, points, moved.contacts, same)
        raise InputError("feet stand on bodies of a world; give it to know whether they slide")
    if contacts is None:
        return np.full((max(len(points) - 1, 0), 2), np.nan)
    held = np.asarray(contacts, dtype=np.bool_)
    if held.ndim == 2:
        held = np.stack([held, held], axis=-1)
    if held.shape != (len(points), 2, 2):
        raise InputError(
            f"contacts must have shape ({len(points)}, 2, 2), or ({len(points)}, 2), got"
            f" {np.shape(contacts)}"
        )
    return contact_speed(moved.times, points, held)


def _jerk(moved: Motion | Clip, bones: Skeleton) -> dict[str, float]:
    names = ("pelvis", "head", "left_hand", "right_hand", "left_foot", "right_foot")
    positions, _ = bones.forward(moved.root, moved.rotations)
    jerk = jerks(moved.times, positions[:, bones.indices(list(names))])
    if len(jerk) == 0:
        return dict.fromkeys(names, 0.0)
    return {
        name: float(value)
        for name, value in zip(names, np.sqrt((jerk**2).mean(axis=0)), strict=True)
    }


def _told(text: str, value: float) -> str:
    return "not known" if isnan(value) else text
