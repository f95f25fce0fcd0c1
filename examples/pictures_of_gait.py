"""Gaits, to look at: filmstrips of one character in every mode of locomotion.

    python examples/pictures_of_gait.py out/gait [adult, child or tall_adult]

Numbers cannot tell whether motion looks like a person; these pictures can.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from math import pi, radians, sqrt, tan
from pathlib import Path

import numpy as np
import numpy.typing as npt

from surefoot.animation.pictures import Camera, Picture, filmstrip, person, render
from surefoot.character import Character, people
from surefoot.motion import Stretch, Track, Walker, place_footsteps
from surefoot.motion.default import default_families
from surefoot.motion.families import Made
from surefoot.world import Body, World
from surefoot.world.primitives import placed, ramp, slab, stairs

Points = Sequence[tuple[float, float]]
PAUSE = 1.0  # [s] to stand before and after


def on_foot(world: World, stretch: Stretch, character: Character) -> Walker:
    """The character on its way along a timed path."""
    track = Track(world, [stretch], linger=1.0)
    steps = character.capability("walk").step_height
    footholds = place_footsteps(track, character.measures, step_height=steps)
    return Walker(track, footholds, character.skeleton, character.measures)


def along(world: World, points: Points, speed: float) -> Stretch:
    """A stand, a walk through points on the ground at an even speed, and a stand."""
    corners = np.array(points, dtype=np.float64)
    lengths = np.linalg.norm(np.diff(corners, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(lengths)])
    fine = np.unique(np.concatenate([np.arange(0.0, at[-1], 0.1), at]))
    flat = np.column_stack([np.interp(fine, at, corners[:, axis]) for axis in (0, 1)])
    heights = world.support(np.column_stack([flat, np.full(len(flat), 50.0)]), down=100.0).height
    path = np.column_stack([flat, heights])
    which = np.clip(np.searchsorted(at, fine, side="right") - 1, 0, len(lengths) - 1)
    ahead = np.diff(corners, axis=0)[which]
    heading = np.arctan2(ahead[:, 1], ahead[:, 0])
    times = PAUSE + fine / speed
    return Stretch(
        times=np.concatenate([[0.0], times, [times[-1] + PAUSE]]),
        positions=np.concatenate([path[:1], path, path[-1:]]),
        headings=np.concatenate([heading[:1], heading, heading[-1:]]),
    )


def turning(angle: float, rate: float = 1.6) -> Stretch:
    """A turn on the spot."""
    done = PAUSE + abs(angle) / rate
    return Stretch(
        times=np.array([0.0, PAUSE, done, done + PAUSE]),
        positions=np.zeros((4, 3)),
        headings=np.array([0.0, 0.0, angle, angle]),
    )


def strip(
    walker: Walker,
    character: Character,
    times: npt.ArrayLike,
    *,
    azimuth: float = -pi / 2,
    following: bool = True,
    quality: str = "draft",
) -> Picture:
    """Moments in a row, seen from a side of the character (or of the world)."""
    moments = np.asarray(times, dtype=np.float64)
    motion = walker.at(moments)
    path, headings = walker.path(moments)
    pictures: list[Picture] = []
    for i, t in enumerate(moments):
        angle = azimuth + (headings[i] if following else 0.0)
        away = np.array([np.cos(angle), np.sin(angle), 0.08])
        target = path[i] + [0.0, 0.0, 0.52 * character.measures.height]
        camera = Camera(
            target + 8 * away, target, size=(150, 250), view_height=1.2 * character.measures.height
        )
        figure = person(character, motion.root[i], motion.rotations[i])
        pictures.append(
            render(walker.track.world, float(t), camera, extras=[figure], quality=quality)
        )
    return filmstrip(pictures, gap=2)


def one_stride(walker: Walker, count: int = 11) -> npt.NDArray[np.float64]:
    """Moments of a stride in the middle of a walk, from left contact to left contact."""
    contacts = [hold.start for hold in walker.footholds if hold.foot == "left"]
    middle = len(contacts) // 2
    return np.linspace(contacts[middle], contacts[middle + 1], count)


def flat() -> World:
    """Level ground."""
    return World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])


def flight(rise: float = 0.17, going: float = 0.28, steps: int = 9) -> World:
    """A flight of stairs along +x from x = 2."""
    top = slab((12.0, 3.0, 0.2), (2.0 + steps * going + 6.0, 0.0, steps * rise))
    return World(
        [
            Body(name="ground", mesh=slab((20.0, 20.0, 0.2))),
            Body(name="stairs", mesh=placed(stairs(steps, 3.0, rise, going), 2.0)),
            Body(name="landing", mesh=top),
        ]
    )


def hill(slope: float) -> World:
    """A slope [rad] along +x from x = 2 to x = 8."""
    height = 6.0 * tan(slope)
    return World(
        [
            Body(name="ground", mesh=slab((20.0, 20.0, 0.2))),
            Body(name="slope", mesh=placed(ramp(6.0, 4.0, height), 2.0)),
            Body(name="top", mesh=slab((8.0, 4.0, 0.2), (12.0, 0.0, height))),
        ]
    )


def speeds(character: Character) -> dict[str, Picture]:
    """A stride at several speeds, from the side and from the front."""
    pictures: dict[str, Picture] = {}
    for speed in (0.5, 0.9, 1.3, 1.9):
        world = flat()
        walker = on_foot(world, along(world, [(0, 0), (8, 0)], speed), character)
        moments = one_stride(walker)
        pictures[f"walk {speed:.1f} side"] = strip(walker, character, moments)
        pictures[f"walk {speed:.1f} front"] = strip(walker, character, moments, azimuth=0.25)
    return pictures


def starts_and_stops(character: Character) -> dict[str, Picture]:
    """From a stand into a walk, and back."""
    world = flat()
    walker = on_foot(world, along(world, [(0, 0), (4, 0)], 1.3), character)
    end = walker.track.end - PAUSE
    return {
        "start": strip(walker, character, np.linspace(PAUSE - 0.4, PAUSE + 1.4, 12)),
        "stop": strip(walker, character, np.linspace(end - 1.2, end + 1.3, 12)),
        "stand": strip(walker, character, np.linspace(0.0, 0.5, 4), azimuth=0.3),
    }


def turns(character: Character) -> dict[str, Picture]:
    """On the spot, and round a corner."""
    world = flat()
    corner = on_foot(world, along(world, [(0, 0), (3, 0), (3, 3)], 1.1), character)
    around = PAUSE + 3.0 / 1.1
    pictures = {
        "corner": strip(
            corner, character, np.linspace(around - 0.9, around + 0.9, 12), azimuth=-0.8,
            following=False,
        )
    }  # fmt: skip
    for degrees in (90, 180):
        walker = on_foot(world, turning(radians(degrees)), character)
        moments = np.linspace(PAUSE - 0.2, walker.track.end - PAUSE + 0.9, 12)
        pictures[f"turn {degrees}"] = strip(
            walker, character, moments, azimuth=-0.5, following=False
        )
    return pictures


def ups_and_downs(character: Character) -> dict[str, Picture]:
    """Stairs and slopes, both ways."""
    pictures: dict[str, Picture] = {}
    for name, world, speed in (
        ("stairs", flight(), 0.5),
        ("slope", hill(radians(12)), 1.1),
    ):
        for way, points in (("up", [(0, 0), (8, 0)]), ("down", [(8, 0), (0, 0)])):
            walker = on_foot(world, along(world, points, speed), character)
            middle = PAUSE + 4.0 / speed
            pictures[f"{name} {way}"] = strip(
                walker, character, middle + np.linspace(-0.7, 0.7, 12)
            )
    return pictures


FROM_THE_LIBRARY: dict[str, tuple[str, dict[str, float], float]] = {
    "run slow": ("run", {"speed": 2.5}, -pi / 2),
    "run": ("run", {"speed": 3.5}, -pi / 2),
    "run fast": ("run", {"speed": 5.0}, -pi / 2),
    "run front": ("run", {"speed": 3.5}, 0.25),
    "start running": ("start running", {}, -pi / 2),
    "stop running": ("stop running", {}, -pi / 2),
    "walk back": ("walk", {"speed": 0.8, "direction": pi}, -pi / 2),
    "walk left": ("walk", {"speed": 0.6, "direction": pi / 2}, 0.25),
    "crouched walk": ("crouched walk", {}, -pi / 2),
    "crouched walk deep": ("crouched walk", {"depth": 1.0}, -pi / 2),
    "duck": ("duck", {}, -pi / 2),
    "jump across": ("standing jump", {"distance": 1.2}, -pi / 2),
    "jump up": ("standing jump", {"distance": 0.5, "rise": 0.3}, -pi / 2),
    "jump down": ("standing jump", {"distance": 0.7, "rise": -0.8}, -pi / 2),
    "leap": ("running jump", {"distance": 2.0}, -pi / 2),
    "leap up": ("running jump", {"distance": 1.4, "rise": 0.3}, -pi / 2),
    "leap down": ("running jump", {"distance": 1.8, "rise": -0.8}, -pi / 2),
    "stairs up steep": ("stairs up", {"riser": 0.199}, -pi / 2),
    "stairs down steep": ("stairs down", {"riser": 0.199}, -pi / 2),
    "idle": ("idle", {"duration": 12.0}, 0.3),
}
"""What is shown of a family: its parameters, an adult's, and from where it is seen."""


def from_the_library(character: Character) -> dict[str, Picture]:
    """Clips of the default library's families."""
    families = default_families(character)
    size = character.measures.leg_length / people.adult().measures.leg_length
    scales = {"speed": sqrt(size), "distance": size, "rise": size, "riser": size}
    return {
        name: clip_strip(
            families[family].made(**{k: v * scales.get(k, 1.0) for k, v in values.items()}),
            character,
            azimuth,
        )
        for name, (family, values, azimuth) in FROM_THE_LIBRARY.items()
    }


def clip_strip(made: Made, character: Character, azimuth: float, count: int = 14) -> Picture:
    """Moments of a clip in a row, from its start to its blending phase."""
    clip, tall = made.clip, character.measures.height
    moments = np.linspace(0.0, made.blending, count)
    poses = clip.at(moments)
    headings = np.interp(moments, clip.times, made.headings)
    level = all(abs(hold.position[2]) < 0.01 for hold in made.footholds)
    # Where it goes up or down, a block is under every foothold.
    blocks = [(0.3, 0.5, 0.08)] * len(made.footholds)
    world = flat() if level else World(
        [
            Body(name=f"block {index}", mesh=slab(size, tuple(hold.position)))
            for index, (size, hold) in enumerate(zip(blocks, made.footholds, strict=True))
        ]
    )  # fmt: skip
    pictures: list[Picture] = []
    for i, t in enumerate(moments):
        angle = azimuth + headings[i]
        target = poses.root[i] * [1.0, 1.0, 0.0 if level else 1.0]
        target[2] += 0.52 * tall if level else 0.0
        away = np.array([np.cos(angle), np.sin(angle), 0.08])
        camera = Camera(target + 8 * away, target, size=(150, 250), view_height=1.3 * tall)
        figure = person(character, poses.root[i], poses.rotations[i])
        pictures.append(render(world, float(t), camera, extras=[figure], quality="draft"))
    return filmstrip(pictures, gap=2)


SHOWN: tuple[Callable[[Character], dict[str, Picture]], ...] = (
    speeds,
    starts_and_stops,
    turns,
    ups_and_downs,
    from_the_library,
)


def main(folder: Path, who: str = "adult") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    character: Character = getattr(people, who)()
    for show in SHOWN:
        for name, picture in show(character).items():
            picture.save(folder / f"{name.replace(' ', '_')}.png")
            print(folder / f"{name.replace(' ', '_')}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/gait"), *sys.argv[2:3])
