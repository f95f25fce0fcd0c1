"""Feet of our own gait model, whose contacts are known, clean or with what capture does to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import pi, tan

import numpy as np
import numpy.typing as npt

from surefoot.character import Character, people
from surefoot.character.measures import Measures
from surefoot.math import rotations
from surefoot.motion import Clip, Stretch, Track, Walker, place_footsteps
from surefoot.motion.plants import FootPaths
from surefoot.world import Body, World
from surefoot.world.primitives import placed, ramp, slab, stairs

Array = npt.NDArray[np.float64]
PAUSE = 1.0


@dataclass(frozen=True, eq=False)
class KnownSteps:
    """Feet and the truth about them: `left`, `right`: part to `(n, 3)`; `down` `(n, 2)`."""

    rate: float
    left: dict[str, Array]
    right: dict[str, Array]
    pelvis: Array
    down: npt.NDArray[np.bool_]
    leg_length: float
    clip: Clip
    """The whole body, clean."""
    measures: Measures

    def paths(self, *parts: str) -> FootPaths:
        """What a detector is given: some parts of the feet."""
        return FootPaths(
            rate=self.rate,
            left={part: self.left[part] for part in parts},
            right={part: self.right[part] for part in parts},
            leg_length=self.leg_length,
        )

    def changed(self, change: Callable[[Array], Array]) -> KnownSteps:
        """The same steps with every path `(n, 3)` changed."""
        return replace(
            self,
            left={part: change(path) for part, path in self.left.items()},
            right={part: change(path) for part, path in self.right.items()},
            pelvis=change(self.pelvis),
        )

    def captured(self, seed: int, noise: float = 0.005, skate: float = 0.05) -> KnownSteps:
        """With noise [m] on every number, and feet that skate [m/s] any way while down."""
        random = np.random.default_rng(seed)
        sides = [
            captured_parts(parts, self.down[:, foot], self.rate, random, noise, skate)
            for foot, parts in enumerate((self.left, self.right))
        ]
        return replace(self, left=sides[0], right=sides[1])

    def every(self, step: int) -> KnownSteps:
        """Only every so-manyeth moment."""
        kept = self.changed(lambda path: path[::step])
        return replace(kept, rate=self.rate / step, down=self.down[::step])

    def plants(self) -> int:
        """How many plants there are."""
        down = np.pad(self.down.astype(int), ((1, 1), (0, 0)))
        return int((np.diff(down, axis=0) > 0).sum())


def captured_parts(
    parts: dict[str, Array],
    down: npt.NDArray[np.bool_],
    rate: float,
    random: np.random.Generator,
    noise: float,
    skate: float,
) -> dict[str, Array]:
    """A foot with noise [m] on every number, that skates [m/s] any way while down."""
    begins = down & ~np.concatenate([[False], down[:-1]])
    angles = random.uniform(0.0, 2 * pi, begins.sum() + 1)[np.cumsum(begins)]
    slide = skate * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    moved = np.cumsum(slide * down[:, None], axis=0) / rate
    return {
        part: path + moved + random.normal(0.0, noise, path.shape) for part, path in parts.items()
    }


def right_share(found: npt.NDArray[np.bool_], truth: npt.NDArray[np.bool_]) -> float:
    """The share of moments and feet for which the answer is right."""
    return float((found == truth).mean())


def sampled(walker: Walker, character: Character, rate: float = 120.0) -> KnownSteps:
    """Feet of a walker, and its contacts."""
    track, skeleton, measures = walker.track, character.skeleton, character.measures
    times = np.arange(track.start, track.until, 1 / rate)
    motion = walker.at(times)
    positions, turned = skeleton.forward(motion.root, motion.rotations)
    sides: list[dict[str, Array]] = []
    for side in ("left", "right"):
        foot, toe = skeleton.indices([f"{side}_foot", f"{side}_toe"])
        sides.append(
            {
                "ankle": positions[:, foot],
                "heel": positions[:, foot] + rotations.rotate(turned[:, foot], measures.heel),
                "toe": positions[:, toe],
                "tip": skeleton.tip_position(f"{side}_toe_tip", positions, turned),
            }
        )
    down = motion.contacts.any(axis=2)
    clip = Clip(
        name="known", skeleton=skeleton, rate=rate, root=motion.root, rotations=motion.rotations
    )
    return KnownSteps(
        rate, sides[0], sides[1], motion.root, down, measures.leg_length, clip, measures
    )


def walk(
    speed: float,
    *,
    direction: float = 0.0,
    turning: float = 0.0,
    length: float = 4.0,
    world: World | None = None,
    character: Character | None = None,
) -> KnownSteps:
    """A stand, a walk and a stand: `direction` [rad] from the heading, `turning` [rad/s]."""
    ground = world or flat()
    travelled = np.linspace(0.0, length, max(3, round(length / 0.05)))
    headings = turning * travelled / speed
    middle = (headings[1:] + headings[:-1]) / 2 + direction
    steps = np.diff(travelled)[:, None] * np.stack([np.cos(middle), np.sin(middle)], axis=1)
    path = np.concatenate([[[0.0, 0.0]], np.cumsum(steps, axis=0)])
    return _along(ground, path, headings, travelled / speed, character)


def turn(angle: float, rate: float) -> KnownSteps:
    """A turn on the spot by `angle` [rad] at `rate` [rad/s]."""
    headings = np.linspace(0.0, angle, 20)
    path = np.zeros((20, 2))
    return _along(flat(), path, headings, np.abs(headings) / rate, None)


def stand() -> KnownSteps:
    """Nothing happens for two and a half seconds."""
    return _along(flat(), np.zeros((2, 2)), np.zeros(2), np.array([0.0, 0.5]), None)


def climb(speed: float, *, down: bool) -> KnownSteps:
    """Up or down nine stairs."""
    path = np.stack([np.linspace(0.0, 7.0, 141), np.zeros(141)], axis=1)
    if down:
        path = path[::-1]
    headings = np.full(141, pi if down else 0.0)
    times = np.linspace(0.0, 7.0, 141) / speed
    return _along(_stairs(), path, headings, times, None)


def _along(
    world: World, path: Array, headings: Array, times: Array, character: Character | None
) -> KnownSteps:
    who = character or people.adult()
    above = np.column_stack([path, np.full(len(path), 50.0)])
    heights = world.support(above, down=100.0).height
    points = np.column_stack([path, heights])
    stretch = Stretch(
        times=np.concatenate([[0.0], PAUSE + times, [2 * PAUSE + times[-1]]]),
        positions=np.concatenate([points[:1], points, points[-1:]]),
        headings=np.concatenate([headings[:1], headings, headings[-1:]]),
    )
    track = Track(world, [stretch], linger=0.5)
    steps = who.capability("walk").step_height
    footholds = place_footsteps(track, who.measures, step_height=steps)
    return sampled(Walker(track, footholds, who.skeleton, who.measures), who)


@cache
def flat() -> World:
    """Level ground."""
    return World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])


@cache
def _stairs() -> World:
    rise, going, count = 0.17, 0.28, 9
    top = slab((12.0, 3.0, 0.2), (2.0 + count * going + 6.0, 0.0, count * rise))
    return World(
        [
            Body(name="ground", mesh=slab((20.0, 20.0, 0.2))),
            Body(name="stairs", mesh=placed(stairs(count, 3.0, rise, going), 2.0)),
            Body(name="landing", mesh=top),
        ]
    )


def hill(slope: float) -> World:
    """A slope [rad] along +x from x = 1 to x = 4, and a plateau."""
    height = 3.0 * tan(slope)
    return World(
        [
            Body(name="ground", mesh=slab((20.0, 20.0, 0.2))),
            Body(name="ramp", mesh=placed(ramp(3.0, 3.0, height), 1.0)),
            Body(name="top", mesh=slab((12.0, 3.0, 0.2), (10.0, 0.0, height))),
        ]
    )


@cache
def everything() -> dict[str, KnownSteps]:
    """Walks of many kinds."""
    return {
        **{f"walk at {v} m/s": walk(v, length=max(3.0, 4 * v)) for v in (0.3, 0.6, 1.0, 1.4, 2.0)},
        **{f"backward at {v} m/s": walk(v, direction=pi) for v in (0.4, 0.9)},
        **{f"sideways at {v} m/s": walk(v, direction=pi / 2) for v in (0.3, 0.6)},
        **{f"run at {v} m/s": walk(v, length=3.5 * v) for v in (2.6, 3.4, 4.2)},
        "arc to the left": walk(1.2, turning=0.8, length=5.0),
        "tight arc to the right": walk(0.7, turning=-1.2, length=5.0),
        "turn on the spot": turn(pi / 2, 1.6),
        "slow turn on the spot": turn(-pi, 1.0),
        "up stairs": climb(0.6, down=False),
        "down stairs": climb(0.6, down=True),
        "up a slope": walk(1.0, world=hill(0.2), length=6.0),
        "a child": walk(0.9, character=people.child()),
    }
