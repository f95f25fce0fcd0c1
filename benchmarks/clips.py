"""Motion files, forward kinematics and the gait, beside upc-pymotion and bvhio.

Files are a minute of our own walk, and, when SUREFOOT_DATA says where it is, motion capture of
others. Ours are read with everything: channels as quaternions, axes, unit, rate, bones and stray
frames found. upc-pymotion stops at angles in degrees, bvhio at poses of joints. Times are of one
core.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.harness import Bench, Work
from benchmarks.peers import bvh_readers as peers
from surefoot.arrays import Floats
from surefoot.character import Character, people
from surefoot.gltf import axes
from surefoot.motion import Clip, Stretch, Track, Walker, build_library, place_footsteps
from surefoot.motion.formats import read_bvh, write_bvh
from surefoot.world import Body, World
from surefoot.world.primitives import slab

PEERS = ("pymotion", "bvhio")

OURS, PYMOTION, BVHIO = "surefoot", "upc-pymotion", "bvhio"
FRAMES = 2_000
"""Of our own walk, 21 joints, a third of a minute at 100 a second."""
PEOPLE = 1_000
CAPTURED = ("02_01", "09_01", "16_17", "69_16", "83_30")
"""Some of the shared motion capture: bvhio needs most of a second for each."""


def run(bench: Bench) -> None:
    who = people.adult()
    walker = walk(who)
    clip = played(walker, who)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "walk.bvh"
        write_bvh(file, clip, decimals=6)
        reading(bench, f"BVH, 21 joints, {FRAMES:,} frames", [file])
    captured = shared()
    if captured:
        reading(bench, "BVH, 31 joints, motion capture", captured)
        pipeline(bench, captured[0].parent)
    forward_kinematics(bench, clip)
    gait(bench, walker)


# --- our own walk --------------------------------------------------------------------------------


def walk(who: Character) -> Walker:
    """An adult walks to and fro."""
    world = World([Body(name="ground", mesh=slab((60.0, 60.0, 0.2)))])
    turns = np.arange(7)
    stretch = Stretch(
        times=4.0 * turns,
        positions=np.column_stack([4.5 * (turns % 2), 0.0 * turns, 0.0 * turns]),
        headings=np.pi * turns,
    )
    track = Track(world, [stretch], linger=0.5)
    steps = who.capability("walk").step_height
    holds = place_footsteps(track, who.measures, step_height=steps)
    return Walker(track, holds, who.skeleton, who.measures)


def played(walker: Walker, who: Character) -> Clip:
    """The walk as a clip."""
    motion = walker.at(np.arange(FRAMES) / 100.0)
    return Clip(
        name="walk", skeleton=who.skeleton, rate=100.0, root=motion.root,
        rotations=motion.rotations,
    )  # fmt: skip


def shared() -> list[Path]:
    """Some of the shared motion capture; none where it is not."""
    folder = os.environ.get("SUREFOOT_DATA")
    if not folder:
        print("motion capture is not measured: SUREFOOT_DATA is not set", flush=True)
        return []
    return [Path(folder) / "mocap" / "cmu" / f"{name}.bvh" for name in CAPTURED]


# --- files ---------------------------------------------------------------------------------------


def reading(bench: Bench, title: str, files: list[Path]) -> None:
    frames = sum(len(read_bvh(file, skip=0)) for file in files)
    rates = bench.measure(
        title,
        {
            OURS: Work(lambda: [read_bvh(file) for file in files], frames),
            PYMOTION: Work(lambda: [peers.pymotion_file(file) for file in files], frames),
            BVHIO: Work(lambda: [peers.bvhio_file(file) for file in files], frames),
        },
        unit="frames/s",
        repeats=5,
    )
    for peer in (PYMOTION, BVHIO):
        bench.claim(f"{title}, times {peer}", rates[OURS] / rates[peer], at_least=3)
    agreement(bench, title, files, rates.answers)


def agreement(bench: Bench, title: str, files: list[Path], answers: dict[str, list]) -> None:
    """Share of joints that all readers have in the same place, to 0.01 of the file's unit."""
    same: list[bool] = []
    for file, bvh, poses in zip(files, answers[PYMOTION], answers[BVHIO], strict=True):
        clip = read_bvh(file, scale=1.0, up="y", skip=0)
        ours = axes.y_up(clip.forward()[0])
        some = np.linspace(0, len(ours) - 1, 12).astype(int)
        same += (np.abs(ours - peers.pymotion_positions(bvh)).max(axis=-1) < 0.01).ravel().tolist()
        theirs = peers.bvhio_positions(poses, some.tolist())
        same += (np.abs(ours[some] - theirs).max(axis=-1) < 0.01).ravel().tolist()
    share = bench.record(f"{title}: same places", OURS, float(np.mean(same)), "share", len(same))
    bench.claim(f"{title}: places that are the peers' too", share, at_least=0.999)


# --- poses ---------------------------------------------------------------------------------------


def forward_kinematics(bench: Bench, clip: Clip) -> None:
    """A crowd, each in a pose of its own."""
    local = np.ascontiguousarray(clip.rotations[:PEOPLE])
    root: Floats = np.ascontiguousarray(clip.root[:PEOPLE])
    skeleton = clip.skeleton
    rates = bench.measure(
        f"forward kinematics of {PEOPLE:,} characters, 21 joints",
        {
            OURS: Work(lambda: skeleton.forward(root, local), 1),
            PYMOTION: Work(
                lambda: peers.pymotion_forward(local, root, skeleton.offsets, skeleton.parents), 1
            ),
        },
        unit="ms",
    )
    title = f"forward kinematics of {PEOPLE:,} characters on one core"
    bench.claim(title, rates[OURS], at_most=2.0, unit="ms")
    apart = np.abs(rates.answers[OURS][0] - rates.answers[PYMOTION]).max()
    bench.claim(
        "forward kinematics, largest distance from upc-pymotion's",
        bench.record("forward kinematics: apart", OURS, float(apart), "m", PEOPLE),
        at_most=1e-6,
        unit="m",
    )


def gait(bench: Bench, walker: Walker) -> None:
    """Poses of the gait model, many at a time."""
    times = np.arange(FRAMES) / 100.0
    rates = bench.measure(
        "a pose from the gait model, batched",
        {OURS: Work(lambda: walker.at(times), FRAMES)},
        unit="µs",
    )
    bench.claim("a pose from the gait model", rates[OURS], at_most=20.0, unit="µs")


# --- the whole pipeline, from a folder to annotated steps ----------------------------------------


def pipeline(bench: Bench, folder: Path) -> None:
    """Reading, the canonical skeleton, foot plants and steps of all shared motion capture."""
    library = build_library(folder)
    seconds = library.duration
    title = f"a folder of {len(library)} clips as a library, {seconds:.0f} s of motion"
    # On the wall: files are read and annotated by as many threads as there are cores.
    work = {OURS: Work(lambda: build_library(folder), round(seconds))}
    rates = bench.measure(title, work, unit="s/s", repeats=9, clock="wall")
    bench.claim("from a folder to annotated steps, times real time", rates[OURS], at_least=1_000)
    counts = Counter(step.mode for step in library.steps)
    bench.record("steps found", OURS, len(library.steps), "steps", len(library))
    print(", ".join(f"{count} {mode}" for mode, count in counts.most_common()), flush=True)
