"""The gait model beside motion capture: what a real person does above, what the model does below.

    python tools/gait_beside_real.py FOLDER out/beside [name ...]

FOLDER has the clips that `SHOWN` names (BVH, the CMU conversion); `SUREFOOT_DATA`/mocap/cmu when
it is not given. Every picture is a filmstrip of both at the same speed and phase, the model with
the measures of the actor. Numbers cannot tell whether motion looks like a person; these can.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import pi
from pathlib import Path

import numpy as np
import numpy.typing as npt

from surefoot.animation.pictures import Camera, Picture, filmstrip, person, render
from surefoot.character import Character, capability, humanoid
from surefoot.character.mannequin import mannequin
from surefoot.character.measures import Measures
from surefoot.motion import Clip, Plant, Stretch, Track, Walker, find_plants, place_footsteps
from surefoot.motion.curves import smoothed
from surefoot.motion.default import default_families
from surefoot.motion.flight import Flight
from surefoot.motion.formats.bvh import read_bvh
from surefoot.motion.gait.crouch import LOWER
from surefoot.motion.gait.pelvis import STANDING_HEIGHT
from surefoot.motion.retargeting import to_humanoid
from surefoot.world import Body, Place, World
from surefoot.world.primitives import slab

Array = npt.NDArray[np.float64]
PAUSE = 1.0  # [s] that the model stands before and after a stride
FRAMES = 12


@dataclass(frozen=True, eq=False)
class Real:
    """A recording on the canonical skeleton, and who was recorded."""

    clip: Clip
    actor: Character
    plants: list[Plant]

    @property
    def path(self) -> tuple[Array, Array]:
        """Points below the hips `(n, 3)` [m], at height 0, and headings `(n,)` [rad]."""
        return self.clip.root * [1.0, 1.0, 0.0], self.clip.headings()


@dataclass(frozen=True, eq=False)
class Beside:
    """Poses of the model, and the moments of a recording that they belong to."""

    world: World
    moments: Array
    root: Array
    rotations: Array
    headings: Array
    real_moments: Array


def posed(walker: Walker, moments: Array, real_moments: Array) -> Beside:
    """The model at `moments` of its way."""
    motion = walker.at(moments)
    _, headings = walker.path(moments)
    return Beside(
        walker.track.world, moments, motion.root, motion.rotations, headings, real_moments
    )


def recording(file: Path) -> Real:
    """A clip retargeted onto a mannequin of the actor's measures."""
    clip, measures = to_humanoid(read_bvh(file))
    return Real(clip, mannequin_of(measures), list(find_plants(clip)))


def mannequin_of(measures: Measures) -> Character:
    """Somebody of these measures."""
    skeleton = humanoid.skeleton(measures)
    skills = {skill.name: skill for skill in capability.human(measures)}
    skin = mannequin(skeleton, measures)
    return Character(
        name="actor", skeleton=skeleton, measures=measures, capabilities=skills, skin=skin
    )


def walked(world: World, actor: Character, stretch: Stretch) -> Walker:
    """The model on its way along a timed path."""
    track = Track(world, [stretch], linger=1.0)
    steps = place_footsteps(track, actor.measures, step_height=0.35)
    return Walker(track, steps, actor.skeleton, actor.measures)


def level() -> World:
    """Level ground."""
    return World([Body(name="ground", mesh=slab((80.0, 80.0, 0.2)))])


def stride(real: Real, gait: str = "auto", *, crouch: bool = False) -> Beside:
    """A stride in the middle of a recording, and one of the model at the same speed."""
    path, headings = real.path
    times = real.clip.times
    pairs = sorted(
        (one.start, two.start, one.foot)
        for foot in ("left", "right")
        for one, two in pairwise([plant for plant in real.plants if plant.foot == foot])
        if not one.starts_before and 0.4 < two.start - one.start < 2.2
    )
    start, end, foot = pairs[len(pairs) // 2]
    first, last = (
        np.array([np.interp(t, times, path[:, k]) for k in range(2)]) for t in (start, end)
    )
    velocity = (last - first) / (end - start)
    facing = float(np.mean(headings[(times >= start) & (times <= end)]))
    ahead = np.array([np.cos(facing), np.sin(facing)])
    local = np.array([velocity @ ahead, velocity @ [-ahead[1], ahead[0]]])
    length = max(8.0, 5 * float(np.linalg.norm(local)))
    ramp = max(float(np.linalg.norm(local)) / 2.0, 0.3)
    moving = length / float(np.linalg.norm(local))
    inner = np.linspace(0.0, moving + ramp, 80)
    gone = np.where(inner < ramp, inner**2 / (2 * ramp), inner - ramp / 2)
    points = np.column_stack([gone[:, None] * local, np.zeros(len(inner))])
    stretch = Stretch(
        times=np.concatenate([[0.0], PAUSE + inner, [2 * PAUSE + inner[-1]]]),
        positions=np.concatenate([points[:1], points, points[-1:]]),
        headings=np.zeros(len(inner) + 2),
        gait=gait,  # type: ignore[arg-type]
        **({"crouch": np.full(len(inner) + 2, 0.8)} if crouch else {}),
    )
    walker = walked(level(), real.actor, stretch)
    contacts = [hold.start for hold in walker.footholds if hold.foot == foot]
    middle = len(contacts) // 2
    print(f"    {np.linalg.norm(local):.2f} m/s, stride {end - start:.3f} s and"
          f" {contacts[middle + 1] - contacts[middle]:.3f} s in the model")  # fmt: skip
    return posed(
        walker,
        np.linspace(contacts[middle], contacts[middle + 1], FRAMES),
        np.linspace(start, end, FRAMES),
    )


def longest_flight(real: Real) -> tuple[float, float, float]:
    """When the longest flight of a recording begins and ends [s], and how far the feet go [m]."""
    starts = sorted({0.0, *(plant.start for plant in real.plants)})
    best = (0.0, 0.0)
    for start in starts:
        before = [plant.end for plant in real.plants if plant.start < start]
        if before and start - max(before) > best[1] - best[0]:
            best = (max(before), start)
    near = [
        [plant.position for plant in real.plants if abs(t - (plant.end, plant.start)[end]) < 0.12]
        for end, t in enumerate(best)
    ]
    way = np.linalg.norm((np.mean(near[1], axis=0) - np.mean(near[0], axis=0))[:2])
    return *best, float(way)


def jump(real: Real) -> Beside:
    """The longest flight of a recording, and the model's over the same way in the same time."""
    take_off, landing, way = longest_flight(real)
    headings = real.clip.headings()
    turn = float(np.interp(landing + 0.6, real.clip.times, headings)
                 - np.interp(take_off - 0.6, real.clip.times, headings))  # fmt: skip
    begin, air = 1.5, landing - take_off
    print(f"    {way:.2f} m in {air:.3f} s, {np.degrees(turn):.0f} degrees")
    flight = Flight(
        take_off=Place(None, np.zeros(3)), landing=Place(None, np.array([way, 0.0, 0.0])),
        start=begin, end=begin + air,
    )  # fmt: skip
    stretch = Stretch(
        times=np.array([0.0, begin, begin + air, begin + air + 1.5]),
        positions=np.array([[0.0, 0, 0], [0, 0, 0], [way, 0, 0], [way, 0, 0]]),
        headings=np.array([0.0, 0.0, turn, turn]),
        flights=(flight,),
    )
    moments = np.concatenate(
        [[-0.62, -0.46, -0.31, -0.2, -0.1, 0.0], np.linspace(0.0, air, 6)[1:],
         air + np.array([0.1, 0.25, 0.6])]
    )  # fmt: skip
    return posed(walked(level(), real.actor, stretch), begin + moments, take_off + moments)


def leap(real: Real) -> Beside:
    """Likewise off one foot and on: what the family of running jumps makes as far as that."""
    take_off, landing, way = longest_flight(real)
    air = landing - take_off
    family = default_families(real.actor)["running jump"]
    distance = max(way, family.parameter("distance").low)
    made = family.made(distance=distance)
    ends = sorted(hold.end for hold in made.footholds)
    starts = sorted(hold.start for hold in made.footholds)
    flights = [
        (end, next(start for start in starts if start > end))
        for end in ends
        if end < starts[-1] and not any(h.start < end + 1e-6 < h.end for h in made.footholds)
    ]
    begin, end = max(flights, key=lambda flight: flight[1] - flight[0])
    print(f"    {way:.2f} m in {air:.3f} s, {distance:.2f} m in {end - begin:.3f} s in the model")
    before, after = np.linspace(-0.32, 0.0, 5), np.array([0.07, 0.15, 0.25])
    own, theirs = (
        np.concatenate([first + before, np.linspace(first, last, 6)[1:], last + after])
        for first, last in ((begin, end), (take_off, landing))
    )
    poses = made.clip.at(own)
    return Beside(level(), own, poses.root, poses.rotations, np.interp(own, made.clip.times,
                  made.headings), theirs)  # fmt: skip


def way(
    real: Real, start: float, end: float, *, up: bool = False, gait: str = "auto",
    crouch: bool = False,
) -> Beside:  # fmt: skip
    """From `start` to `end` [s], the model on the way that the recorded body took.

    With `crouch`, as low as its hips were.
    """
    path, headings = real.path
    width = round(0.35 * real.clip.rate)
    path, headings = smoothed(path, width), smoothed(headings, width)
    times = np.arange(max(start - 1.5, 0.0), min(end + 1.0, real.clip.duration), 0.05)
    points = np.column_stack([np.interp(times, real.clip.times, path[:, k]) for k in range(3)])
    world = treads(real, up) if up else level()
    if up:
        above = points + np.array([0.0, 0.0, 3.0])
        points[:, 2] = smoothed(world.support(above, down=6.0).height, 6)
    facing = np.interp(times, real.clip.times, headings)
    known, low = times, np.zeros(len(times))
    if crouch:
        floor = float(np.median([plant.position[2] for plant in real.plants]))
        hips = np.interp(times, real.clip.times, real.clip.root[:, 2] - floor)
        standing = STANDING_HEIGHT * real.actor.measures.leg_length
        low = np.clip((standing - hips) / (LOWER * real.actor.measures.leg_length) - 0.1, 0.0, 1.0)
    for end_of in (0, -1):
        times, points, facing = begun(times, points, facing, end_of)
    stretch = Stretch(
        times=times, positions=points, headings=facing, gait=gait,  # type: ignore[arg-type]
        crouch=np.interp(times, known, low),
    )  # fmt: skip
    moments = np.linspace(start, end, FRAMES)
    return posed(walked(world, real.actor, stretch), moments, moments)


def begun(times: Array, points: Array, facing: Array, end: int) -> tuple[Array, Array, Array]:
    """A path that begins (or, with -1, ends) in motion, with a run-up out of a stand before it."""
    way = 1 if end == 0 else -1
    velocity = (points[end + way] - points[end]) / (times[end + way] - times[end])
    ramp = float(np.linalg.norm(velocity)) / 2.5
    if ramp < 0.15:
        return times, points, facing
    since = np.arange(0.05, ramp + 0.3, 0.05)
    gone = np.where(since < 0.3, since, 0.3 + (since - 0.3) - (since - 0.3) ** 2 / (2 * ramp))
    more = points[end] - way * gone[:, None] * velocity
    still = [times[end] - way * (since[-1] + 0.8)], more[[-1]], facing[[end]]
    parts = [np.append(times[end] - way * since, still[0]), np.concatenate([more, still[1]]),
             np.full(len(since) + 1, facing[end])]  # fmt: skip
    joined = [
        np.concatenate([part[::-1], own] if way > 0 else [own, part])
        for part, own in zip(parts, (times, points, facing), strict=True)
    ]
    return joined[0], joined[1], joined[2]


def treads(real: Real, _up: bool) -> World:
    """Level ground, and a tread under every foot that was higher."""
    bodies = [Body(name="ground", mesh=slab((80.0, 80.0, 0.2)))]
    for index, plant in enumerate(real.plants):
        if plant.position[2] > 0.06:
            size, place = (0.35, 1.2, plant.position[2]), plant.position * [1, 1, 1]
            bodies.append(Body(name=f"tread {index}", mesh=slab(size, tuple(place))))
    return World(bodies)


@dataclass(frozen=True)
class Shown:
    """What is shown: a clip, what the model does beside it, and from where it is seen."""

    file: str
    beside: Callable[[Real], Beside]
    azimuths: tuple[float, ...] = (-pi / 2,)


AROUND = (-pi / 2, -pi / 5)
"""From the side, and more from the front."""

SHOWN: dict[str, Shown] = {
    "walk": Shown("02_01", stride),
    "slow walk": Shown("07_04", stride),
    "fast walk": Shown("07_12", stride),
    "fast walk front": Shown("07_12", stride, (0.3,)),
    "jog": Shown("16_35", lambda real: stride(real, "run")),
    "jog front": Shown("16_35", lambda real: stride(real, "run"), (0.3,)),
    "run": Shown("09_01", stride),
    "run front": Shown("09_01", stride, (0.3,)),
    "jump across": Shown("13_11", jump, AROUND),
    "jump far": Shown("83_42", jump, AROUND),
    "jump up": Shown("02_04", jump, AROUND),
    "jump high": Shown("16_03", jump, AROUND),
    "leap": Shown("127_21", leap, AROUND),
    "leap high": Shown("127_26", leap, AROUND),
    "jump turn": Shown("91_48", jump, (-0.8,)),
    "start run": Shown("104_53", lambda real: way(real, 0.9, 2.2)),
    "stop run": Shown("104_56", lambda real: way(real, 0.3, 1.9)),
    "jog turn": Shown("16_41", lambda real: way(real, 0.2, 1.15, gait="run")),
    "turn": Shown("16_17", lambda real: way(real, 1.4, 3.4), (-0.8,)),
    "turn in place": Shown("69_16", lambda real: way(real, 1.5, 4.0), (-0.5,)),
    "backward": Shown("113_01", stride),
    "sideways": Shown("83_19", lambda real: way(real, 1.2, 3.2), (0.0,)),
    "stairs": Shown("83_30", lambda real: way(real, 2.5, 5.5, up=True)),
    "duck": Shown("131_05", lambda real: way(real, 0.8, real.clip.duration - 0.8, crouch=True)),
    "crouch": Shown("136_09", lambda real: stride(real, crouch=True)),
}  # fmt: skip


def strip(world: World, actor: Character, root: Array, rotations: Array, azimuth: float,
          headings: Array, times: Array) -> Picture:  # fmt: skip
    """Moments in a row, seen from a side of the body."""
    pictures: list[Picture] = []
    tall = actor.measures.height
    for index in range(len(root)):
        angle = azimuth + headings[index]
        away = np.array([np.cos(angle), np.sin(angle), 0.08])
        target = root[index] * [1.0, 1.0, 0.0] + [0.0, 0.0, 0.56 * tall]
        camera = Camera(target + 8 * away, target, size=(130, 240), view_height=1.5 * tall)
        figure = person(actor, root[index], rotations[index])
        pictures.append(
            render(world, float(times[index]), camera, extras=[figure], quality="draft")
        )
    return filmstrip(pictures, gap=2)


def show(shown: Shown, folder: Path) -> list[Picture]:
    """The filmstrips of a recording and of the model, for each view."""
    real = recording(folder / f"{shown.file}.bvh")
    beside = shown.beside(real)
    poses = real.clip.at(beside.real_moments)
    # Recorded floors are not always at height 0.
    held = [plant.position[2] for plant in real.plants]
    shift = np.array([0.0, 0.0, -np.median(held) if held else 0.0])
    facing = np.interp(beside.real_moments, real.clip.times, real.clip.headings())
    strips: list[Picture] = []
    for azimuth in shown.azimuths:
        strips.append(strip(level(), real.actor, poses.root + shift, poses.rotations, azimuth,
                            facing, np.zeros(len(facing))))  # fmt: skip
        strips.append(strip(beside.world, real.actor, beside.root, beside.rotations, azimuth,
                            beside.headings, beside.moments))  # fmt: skip
    return strips


def main(folder: Path, out: Path, names: list[str]) -> None:
    """Makes the pictures; all, or those with these names."""
    out.mkdir(parents=True, exist_ok=True)
    for name, shown in SHOWN.items():
        if names and name not in names:
            continue
        if not (folder / f"{shown.file}.bvh").is_file():
            print(f"{name}: {shown.file}.bvh is not in {folder}")
            continue
        print(name, shown.file)
        filmstrip(show(shown, folder), gap=2, columns=1).save(out / f"{name.replace(' ', '_')}.png")


if __name__ == "__main__":
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SUREFOOT_DATA", "") + "/mocap/cmu"
    main(Path(given), Path(sys.argv[2] if len(sys.argv) > 2 else "out/beside"), sys.argv[3:])
