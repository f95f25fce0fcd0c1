"""Small real files of every kind that surefoot reads, ways to damage them, and their readers.

Run as a program it reads damaged files in a process whose memory is limited, and prints a line
of JSON for each that gave anything but a `SurefootError`:

    PYTHONPATH=tests python -m references.damage FOLDER KIND SEED COUNT
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from references.known_steps import walk as walking
from surefoot.agents import CrowdSettings, Recording
from surefoot.agents.inputs import Added, BodyAdded, BodyMoved, BodyRemoved, BodySeen, Sent, Viewed
from surefoot.animation import animate
from surefoot.character import Character, people
from surefoot.character.rig.mapping import load_bones
from surefoot.errors import SurefootError
from surefoot.learning.tasks import Axis, TaskSpace
from surefoot.math import Pose
from surefoot.motion import build_library, load_library, save_library
from surefoot.motion.formats import read_clips, write_bvh
from surefoot.physics.body import load_body
from surefoot.physics.gait import load_gait
from surefoot.physics.policies.metric import Learned
from surefoot.physics.policies.policy import Policy
from surefoot.planning import (
    AllOf,
    AnyOf,
    Goal,
    Outcome,
    Plan,
    Problem,
    Region,
    Segment,
    Status,
    assume,
    costs,
)
from surefoot.planning.segments import Controller, Flight, Footstep, Steps
from surefoot.scenario import Scenario
from surefoot.scenario.crowds import load_crowd
from surefoot.world import Attached, Body, Keyframed, Observed, Place, Static, World, primitives
from surefoot.world.loaders import load_world

MEMORY = 512 * 2**20
"""[bytes] That reading a damaged file of some kB may take, over what the process has already."""

SCENARIO = """surefoot = "scenario"
version = 1
[world]
scene = "yard"
[planning]
planner = "grid"
horizon = 60.0
[planning.cost]
time = 1.0
effort = 0.5
[characters.anna]
character = "child"
height = 1.2
start = {position = [-9.0, -3.5, 0.5], heading = 0.0, time = 0.0}
goal = {any = [{place = "goal", arrive = [0.0, 50.0]}, {tag = "furniture"}]}
[output]
fps = 30
"""
BODY = """surefoot = "body"
version = 1
like = "humanoid"
name = "giant"
fall_height = 0.6
[[parts]]
name = "head"
parent = "torso"
at = [0.0, 0.0, 0.42]
joints = [{name = "neck", kind = "ball", stiffness = 40.0, damping = 4.0, limit = 60.0}]
shapes = [{mass = 5.0, start = [0.0, 0.0, 0.05], end = [0.0, 0.0, 0.2], radius = 0.12}]
"""
CASE = """<?xml version="1.0"?>
<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench">
  <header><version>1.0</version><name>two</name>
    <worldBounds><xmin>-20</xmin><xmax>20</xmax><ymin>0</ymin><ymax>0</ymax>
      <zmin>-20</zmin><zmax>20</zmax></worldBounds></header>
  <obstacle><xmin>-1</xmin><xmax>1</xmax><ymin>0</ymin><ymax>1</ymax>
    <zmin>1</zmin><zmax>3</zmax></obstacle>
  <circleObstacle><radius>0.5</radius><position><x>5</x><y>0</y><z>5</z></position>
  </circleObstacle>
  <orientedBoxObstacle><thetaY>30</thetaY><position><x>-5</x><y>0</y><z>-5</z></position>
    <size><x>1</x><y>1</y><z>2</z></size></orientedBoxObstacle>
  <polygonObstacle><point><x>7</x><y>0</y><z>7</z></point><point><x>9</x><y>0</y><z>7</z></point>
    <point><x>9</x><y>0</y><z>9</z></point></polygonObstacle>
  <agent><name>A</name>
    <initialConditions><radius>0.5</radius>
      <position><x>-3</x><y>0</y><z>-1</z></position>
      <direction><x>0</x><y>0</y><z>1</z></direction><speed>0</speed></initialConditions>
    <goalSequence>
      <seekStaticTarget><targetLocation><x>3</x><y>0</y><z>-1</z></targetLocation>
        <desiredSpeed>1.3</desiredSpeed><timeDuration>100</timeDuration></seekStaticTarget>
      <seekAxisAlignedBoxRegion><xmin>2</xmin><xmax>4</xmax><ymin>0</ymin><ymax>0</ymax>
        <zmin>2</zmin><zmax>4</zmax></seekAxisAlignedBoxRegion>
    </goalSequence></agent>
  <agentRegion><numAgents>3</numAgents>
    <regionBounds><xmin>-8</xmin><xmax>8</xmax><ymin>0</ymin><ymax>0</ymax>
      <zmin>5</zmin><zmax>9</zmax></regionBounds>
    <initialConditions><radius>0.5</radius><direction><random>true</random></direction>
      <speed>0</speed></initialConditions>
    <goalSequence><idle><desiredSpeed>1</desiredSpeed><timeDuration>9</timeDuration></idle>
    </goalSequence></agentRegion>
</SteerBenchTestCase>"""
MENGE = """<?xml version="1.0"?>
<Experiment version="2.0">
  <AgentGroup><ProfileSelector type="const" name="group1"/>
    <StateSelector type="const" name="Walk"/>
    <Generator type="rect_grid" anchor_x="1.0" anchor_y="-2.0" offset_x="1.5" offset_y="-1.5"
      count_x="2" count_y="2" rotation="10" displace_dist="u" dist_min="0" dist_max="0.2"/>
  </AgentGroup>
  <AgentGroup><ProfileSelector type="const" name="group1"/>
    <StateSelector type="const" name="Walk"/>
    <Generator type="explicit"><Agent p_x="5" p_y="5"/></Generator></AgentGroup>
  <ObstacleSet type="explicit" class="1"><Obstacle closed="1"><Vertex p_x="-3" p_y="0"/>
    <Vertex p_x="-3" p_y="4"/><Vertex p_x="-4" p_y="4"/></Obstacle></ObstacleSet>
</Experiment>"""
BEHAVIOUR = """<?xml version="1.0"?>
<BFSM>
  <GoalSet id="0"><Goal type="AABB" id="0" min_x="-9" max_x="-7" min_y="-9" max_y="-7"/>
    <Goal type="circle" id="1" x="-6" y="-6" radius="1"/></GoalSet>
  <State name="Walk" final="0"><GoalSelector type="explicit" goal_set="0" goal="0"/></State>
  <State name="Stop" final="1"><GoalSelector type="identity"/></State>
  <Transition from="Walk" to="Stop"><Condition type="goal_reached" distance="0.5"/></Transition>
</BFSM>"""
OBJ = "o a\nv 0 0 0\nv 4 0 0 1 0.5 0\nv 4 0 4\nv 0 0 4\nf 1 2 3 4\ng b\nv 0 2 0\nf 1/1 2/2 -1\n"
STL = """solid a
facet normal 0 0 1
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 1.5e0 0
 endloop
endfacet
endsolid a
"""
PLY = """ply
format ascii 1.0
element vertex 3
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
3 0 1 2
"""


# ------------------------------------------------------------------------------------- files


def write_files(folder: Path) -> None:
    """One good file of each kind; its name begins with the kind."""
    adult = people.adult()
    lift = Keyframed(
        [0.0, 4.0, 8.0], [[6, 0, 0], [6, 0, 2], [6, 0, 0]],
        [[1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]], repeat="loop",
    )  # fmt: skip
    curve = Keyframed(
        [0.0, 1.0], [[0, 0, 2], [1, 0, 2]], interpolation="cubic",
        tangents=(np.zeros((2, 3)), np.ones((2, 3))),
    )  # fmt: skip
    seen = Observed.first(0.0, Pose.at(9, 9, 1)).then(0.5, Pose.at(9, 8, 1))
    world = World(
        [
            Body(name="floor", mesh=primitives.slab((20.0, 20.0, 0.2)), tags={"soft": 0.5}),
            Body(name="lift", mesh=primitives.slab((2.0, 2.0, 0.1)), trajectory=lift),
            Body(name="ball", mesh=primitives.ball(0.3), trajectory=Attached(lift, curve)),
            Body(
                name="box", mesh=primitives.box((1, 1, 1)), trajectory=Static(Pose.at(-5, 5, 0.5))
            ),
            Body(name="cart", mesh=primitives.box((1, 1, 1)), trajectory=seen),
        ]
    )
    world.save(folder / "world.json")
    inside = Region(tag="soft", low=(-1, -1, -1))
    both = AllOf((inside, Goal(Place(None, (2, 0, 0)))), ordered=True)
    goal = AnyOf((both, Goal(Place("floor", (3, 0, 0)), 0.0, 0.3, (0, 50))))
    problem = Problem(
        world=world, character=adult, start=Place("floor", (0, 0, 0)), goal=goal,
        cost=costs.time() + costs.avoid("soft"), capabilities=("walk",), start_heading=0.0,
    )  # fmt: skip
    problem.save(folder / "problem.json")
    plan = straight(adult, world)
    walk = plan.segments[0]
    flight = Flight(
        take_off=walk.place(1.0), landing=walk.place(1.4), start=1.0, end=1.4,
    )  # fmt: skip
    full = replace(
        plan, goal=goal, assumes=assume(world, 0.0, 3.0),
        segments=(
            replace(walk, flights=(flight,), execution=Steps(("left", "right"), (1.0, 0.9))),
            Segment(kind="wait", capability="walk", times=[3.0, 4.0], positions=[[3, 0, 0]] * 2,
                    headings=[0, 0], execution=Controller("wait", {"speed": 0.0})),
        ),
        footsteps=(Footstep(foot="left", place=walk.place(0), heading=0.1, start=0.0, end=1.0),),
    )  # fmt: skip
    full.save(folder / "plan.json")
    Recording(
        planner="discs", identity={"a": "b"}, settings=CrowdSettings(), start=0.0, world=world,
        characters=(adult,),
        inputs=(
            Added(frame=0, agent=0, character=0, place=Place(None, (1, 1, 0)), heading=0.0),
            Sent(frame=0, agent=0, goal=Goal(Place(None, (2, 1, 0)))),
            Viewed(frame=0, viewers=np.zeros((1, 3))),
            BodyAdded(frame=1, body=Body(name="new", mesh=primitives.box((1, 1, 1)))),
            BodySeen(frame=1, name="cart", t=1.0, pose=Pose(), velocity=np.zeros(3),
                     turn_rate=np.zeros(3)),
            BodyMoved(frame=1, name="box", trajectory=Static()),
            BodyRemoved(frame=1, name="new"),
        ),
        steps=np.full(2, 0.1), nodes=np.full(2, 40), digests=("a", "b"),
    ).save(folder / "recording.json")  # fmt: skip
    for name, text in {
        "scenario.toml": SCENARIO,
        "crowd.toml": SCENARIO.replace("{any = [{", "{all = [{").replace(
            ', {tag = "furniture"}]', "], ordered = true"
        ) + "[crowd]\nseed = 1\nduration = 5.0\nnodes = 400\n",
        "body.toml": BODY,
        "case.xml": CASE,
        "mengeS.xml": MENGE,
        "mengeB.xml": BEHAVIOUR,
        "mesh.obj": OBJ,
        "mesh.stl": STL,
        "mesh.ply": PLY,
        "bones.toml": "\n".join(f'{joint} = "{joint}"' for joint in ("pelvis", "left_thigh")),
    }.items():  # fmt: skip
        (folder / name).write_text(text)
    gaits = Path(sys.modules[load_gait.__module__].__file__ or "").parent / "gaits" / "humanoid"
    shutil.copy(gaits / "walk.toml", folder / "gait.toml")
    (folder / "mesh.stlb").write_bytes(
        bytes(80) + b"\1\0\0\0" + np.arange(12, dtype="<f4").tobytes() + b"\0\0"
    )
    animation = animate(plan, world, adult, rate=10.0)
    animation.save(folder / "film.glb")
    known = walking(1.2)
    short = known.clip.at(np.arange(20) / known.clip.rate)
    write_bvh(folder / "clip.bvh", short)
    save_library(build_library([(known.clip, known.measures)]), folder / "clips.library")
    Policy(
        body=load_body("humanoid"), task="walk", actions=("stroll", "brace"),
        space=TaskSpace(axes=(Axis(name="nothing", points=np.zeros(1)),)), sided=(),
        steady="stroll", weights=Learned(matrix=np.eye(4, 75)),
        features=np.zeros((1, 4), dtype=np.float32), best=np.zeros((1, 1), dtype=np.int8),
    ).save(folder / "walk.policy")  # fmt: skip


def straight(adult: Character, world: World) -> Plan:
    """Three metres ahead, in three seconds."""
    walk = Segment(
        kind="walk", capability="walk", times=np.linspace(0, 3, 4),
        positions=np.linspace((0, 0, 0), (3, 0, 0), 4), headings=np.zeros(4), frame="floor",
    )  # fmt: skip
    return Plan(
        character=adult.name, capabilities=dict(adult.capabilities),
        origin=Place("floor", (0, 0, 0)), start=0.0, goal=Goal(Place("floor", (3, 0, 0))),
        segments=(walk,), status=Status(Outcome.REACHED, "there"), cost=3.0,
        statistics={"nodes": 12}, assumes=assume(world, 0.0, 3.0), planner="by hand",
    )  # fmt: skip


# ----------------------------------------------------------------------------------- readers


def read_world(path: Path) -> None:
    use(World.load(path))


def use(world: World) -> None:
    world.support([[0.0, 0.0, 1.0]], 0.5, down=3.0)
    for body in world:
        body.trajectory.pose(0.25)


def read_problem(path: Path) -> None:
    problem = Problem.load(path)
    str(problem.goal)


def read_plan(path: Path) -> None:
    plan = Plan.load(path)
    plan.explain()
    str(plan)
    world = World.load(path.with_name("world.json"))
    plan.check(world)
    plan.as_body(people.adult(), world)


def read_recording(path: Path) -> None:
    use(Recording.load(path).world)


def read_rig(path: Path) -> None:
    Character.from_gltf(path)


def read_motion(path: Path) -> None:
    for clip in read_clips(path):
        clip.forward()


def read_policy(path: Path) -> None:
    Policy.load(path)


Reader = Callable[[Path], Any]

READERS: dict[str, tuple[str, Reader]] = {
    "world": ("world.json", read_world),
    "problem": ("problem.json", read_problem),
    "plan": ("plan.json", read_plan),
    "recording": ("recording.json", read_recording),
    "scenario": ("scenario.toml", Scenario.load),
    "crowd": ("crowd.toml", lambda path: load_crowd(str(path))),
    "body": ("body.toml", lambda path: load_body(str(path))),
    "gait": ("gait.toml", lambda path: load_gait(path).compiled(load_body("humanoid").anatomy)),
    "bones": ("bones.toml", load_bones),
    "case": ("case.xml", lambda path: load_crowd(str(path))),
    "menge": ("mengeS.xml", lambda path: load_crowd(str(path))),
    "behaviour": ("mengeB.xml", lambda path: load_crowd(str(path.with_name("mengeS.xml")))),
    "obj": ("mesh.obj", lambda path: use(load_world(path))),
    "stl": ("mesh.stl", lambda path: use(load_world(path))),
    "binary stl": (
        "mesh.stlb",
        lambda path: use(load_world(path.rename(path.with_suffix(".stl")))),
    ),
    "ply": ("mesh.ply", lambda path: use(load_world(path))),
    "glb": ("film.glb", lambda path: use(load_world(path))),
    "rig": ("film.glb", read_rig),
    "glb clip": ("film.glb", read_motion),
    "bvh": ("clip.bvh", read_motion),
    "library": ("clips.library", load_library),
    "policy": ("walk.policy", read_policy),
}
"""By kind: the good file, and what reads one."""


# ----------------------------------------------------------------------------------- damages

EXTREMES = ["9e6", "9e8", "1e-9", "1e308", "-1e308", "1e200", "1e12", "-1", "0", str(2**63), "0.5"]
WORDS = [*EXTREMES, "nan", "inf", "-inf", '"inf"', "null", "[]", "{}", "[[[[1]]]]", '"x"', ""]
VALUES: list[Any] = [
    *(9e6, 9e8, 1e-9, 1e308, -1e308, 1e200, 1e12, -1, 0, 2**63, 10**30, 0.5),
    *(None, True, "inf", "-inf", "x", ""),
    *([], {}, [[[[1]]]], ["x"], [1e308], [1e7, 1e7, 1e7], {"type": "x"}),
]
_NUMBER = re.compile(rb"-?\d+(\.\d+)?([eE][-+]?\d+)?")


def deep(levels: int) -> Any:
    """Lists in lists."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def damaged(data: bytes, kind: str, random: np.random.Generator) -> bytes:
    """The file with one to three things wrong with it."""
    for _ in range(int(random.integers(1, 4))):
        data = _damaged_once(data, kind, random)
    return data


def _damaged_once(data: bytes, kind: str, random: np.random.Generator) -> bytes:
    choice = random.random()
    if choice < 0.08:
        return data[: int(random.integers(len(data) + 1))]
    binary = b"\0" in data
    if choice < 0.16 or (binary and choice < 0.6):
        return _flipped(data, random)
    if READERS[kind][0].endswith(".json"):
        return _changed_json(data, random)
    if data.startswith(b"glTF"):
        return _changed_glb(data, random)
    places = list(_NUMBER.finditer(data))
    if not places:
        return _flipped(data, random)
    place = places[int(random.integers(len(places)))]
    word = WORDS[int(random.integers(len(WORDS)))].encode()
    if choice > 0.97:
        word = b"[" * 3000 + b"]" * 3000
    return data[: place.start()] + word + data[place.end() :]


def _flipped(data: bytes, random: np.random.Generator) -> bytes:
    if not data:
        return data
    place = int(random.integers(8 * len(data)))
    # What lies at the ends says what all the rest is.
    if random.random() < 0.5:
        place = int(random.integers(8 * min(len(data), 64)))
        place = place if random.random() < 0.5 else 8 * len(data) - 1 - place
    changed = bytearray(data)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)


def _changed_json(data: bytes, random: np.random.Generator) -> bytes:
    try:
        document = json.loads(data)
    except ValueError:
        return data
    places = list(_places(document))
    if not places:
        return data
    # Most leaves are numbers of a few arrays: first which kind of thing, then which.
    keys = sorted({str(key) for _, key in places if isinstance(key, str)})
    key = keys[int(random.integers(len(keys)))] if keys else ""
    own = [place for place in places if place[1] == key] or places
    if random.random() < 0.3:
        own = places
    container, at = own[int(random.integers(len(own)))]
    value = VALUES[int(random.integers(len(VALUES)))]
    roll = random.random()
    if roll < 0.03:
        value = deep(400)
    elif roll < 0.15:
        other, key = places[int(random.integers(len(places)))]
        value = json.loads(json.dumps(other[key]))
    elif roll < 0.25 and isinstance(container, dict):
        del container[at]
        return json.dumps(document).encode()
    container[at] = value
    return json.dumps(document).encode()


def _changed_glb(data: bytes, random: np.random.Generator) -> bytes:
    size = int.from_bytes(data[12:16], "little")
    text = _changed_json(data[20 : 20 + size], random)
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    total = (20 + len(text) + len(rest)).to_bytes(4, "little")
    return data[:8] + total + len(text).to_bytes(4, "little") + data[16:20] + text + rest


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) below a JSON value."""
    keys: Any = ()
    if isinstance(value, dict):
        keys = list(value)
    elif isinstance(value, list):
        keys = range(len(value))
    for key in keys:
        yield value, key
        yield from _places(value[key])


# ----------------------------------------------------------------------------------- running


def read_damaged(folder: Path, kind: str, seed: int) -> str:
    """What went wrong with one damaged file; nothing when it was read or refused as it should."""
    name, reader = READERS[kind]
    random = np.random.default_rng([seed, sorted(READERS).index(kind)])
    with tempfile.TemporaryDirectory() as place:
        for file in folder.iterdir():
            if file.suffix in (".xml", ".json"):
                os.symlink(file, Path(place, file.name))
        path = Path(place, name)
        path.unlink(missing_ok=True)
        path.write_bytes(damaged((folder / name).read_bytes(), kind, random))
        try:
            reader(path)
        except SurefootError as reason:
            return "" if str(reason).strip() else "an error without a message"
        except BaseException as reason:  # noqa: BLE001 - what this looks for
            where = traceback.extract_tb(reason.__traceback__)
            own = [frame for frame in where if "surefoot" in frame.filename][-1:]
            at = f"{own[0].filename.split('surefoot/')[-1]}:{own[0].lineno}" if own else ""
            return f"{type(reason).__name__} at {at}: {str(reason)[:200]}"
    return ""


def limit_memory() -> None:
    """From now on, the process may take `MEMORY` more."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))


def main() -> None:
    folder, kinds, seed, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    warnings.simplefilter("ignore")
    chosen = list(READERS) if kinds == "all" else kinds.split(",")
    for kind in chosen:  # what is made once is made before memory is counted
        name, reader = READERS[kind]
        with tempfile.TemporaryDirectory() as place:
            for file in folder.iterdir():
                shutil.copy(file, place)
            reader(Path(place, name))
    limit_memory()
    for kind in chosen:
        for each in range(seed, seed + count):
            print(json.dumps({"kind": kind, "seed": each}), flush=True)
            wrong = read_damaged(folder, kind, each)
            if wrong:
                print(json.dumps({"kind": kind, "seed": each, "wrong": wrong}), flush=True)


if __name__ == "__main__":
    main()
