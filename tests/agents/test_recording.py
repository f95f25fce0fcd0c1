"""Any live run can be recorded, and replayed to the same bits."""

from __future__ import annotations

import json
from typing import ClassVar

import numpy as np
import pytest

from agents.conftest import DT, run, wall
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Entrant, Recording
from surefoot.agents.inputs import BodyMoved, BodySeen
from surefoot.errors import FileError, ReplayError, VersionError
from surefoot.math import Pose
from surefoot.planning.footsteps import FootstepSettings, LiveFootsteps
from surefoot.world import Body, Static, primitives


@pytest.fixture
def eventful(floor, adult) -> Crowd:
    """A run in which everything happens that can come from outside."""
    floor.add(wall("wall", 0.0, 8.0))
    floor.add(wall("door", 6.0, 6.0))
    crowd = Crowd(
        floor,
        [
            Entrant(adult, (-3.0, 0.0, 0.0), goal=(4.0, 0.0, 0.0)),
            Entrant(adult, (3.0, 1.0, 0.0), heading=np.pi, goal=(-4.0, 1.0, 0.0)),
        ],
        planner=Discs,
        settings=CrowdSettings(nodes=40, least_nodes=20, horizon=5, milliseconds=3.0),
    )
    for frame in range(40):
        if frame == 5:
            crowd.add(adult, (0.0, -3.0, 0.0), goal=(0.0, 4.0, 0.0))
        if frame == 15:
            crowd.goal(0, (0.0, -4.0, 0.0))
            floor.move("door", Static(Pose.at(6.0, 0.0, 1.0)))
        if frame == 25:
            crowd.remove(1)
            floor.add(Body(name="box", mesh=primitives.box((0.4, 0.4, 0.4))))
        if 10 < frame < 35 and frame % 3 == 0:
            y = 8.0 - 0.2 * (frame - 10)
            floor.observe("wall", crowd.t, Pose.at(0.0, y, 1.0))
        if frame == 37:
            floor.remove("box")
        crowd.step(0.05 + 0.01 * (frame % 3))
    return crowd


@pytest.mark.parametrize("threads", [1, 2])
def test_a_recording_replays_to_the_same_bits(eventful, tmp_path, threads):
    path = tmp_path / "run.json"
    eventful.recording().save(path)
    recording = Recording.load(path)
    *_, again = recording.replay(Discs, threads=threads)
    assert again.digest == eventful.digest
    assert again.t == eventful.t
    assert again.agents == eventful.agents
    assert again.frames == eventful.frames
    for one, two in zip(again.plans().values(), eventful.plans().values(), strict=True):
        assert np.array_equal(one.times, two.times)
        assert np.array_equal(one.points, two.points)
    mine, theirs = again.poses(), eventful.poses()
    assert np.array_equal(mine.root, theirs.root)
    assert np.array_equal(mine.rotations, theirs.rotations)


def test_sights_of_a_live_body_are_recorded_as_sights(eventful):
    inputs = eventful.recording().inputs
    assert sum(isinstance(change, BodySeen) for change in inputs) >= 6
    # The first sight makes it a live body; the door was moved once.
    assert sum(isinstance(change, BodyMoved) for change in inputs) == 2


def test_a_replay_that_comes_out_differently_says_where(eventful, tmp_path):
    path = tmp_path / "run.json"
    eventful.recording().save(path)
    data = json.loads(path.read_text())
    data["digests"][17] = "0" * 16
    path.write_text(json.dumps(data))
    with pytest.raises(ReplayError, match="frame 17 of 40"):
        list(Recording.load(path).replay(Discs))


def test_a_changed_input_is_found(eventful, tmp_path):
    path = tmp_path / "run.json"
    eventful.recording().save(path)
    data = json.loads(path.read_text())
    sent = [change for change in data["inputs"] if change["type"] == "agent sent"]
    sent[-1]["goal"]["place"]["position"][0] += 2.0
    path.write_text(json.dumps(data))
    with pytest.raises(ReplayError, match="came out differently"):
        list(Recording.load(path).replay(Discs))


def test_recordings_of_other_versions_and_no_recordings_are_refused(crossing, tmp_path):
    crowd = crossing()
    run(crowd, 2 * DT)
    path = tmp_path / "run.json"
    crowd.recording().save(path)
    data = json.loads(path.read_text())
    path.write_text(json.dumps(data | {"version": 99}))
    with pytest.raises(VersionError, match="recording of version 99"):
        Recording.load(path)
    path.write_text(json.dumps(data | {"surefoot": "plan"}))
    with pytest.raises(FileError, match="expected a recording"):
        Recording.load(path)
    path.write_text(json.dumps(data | {"steps": [0.1]}))
    with pytest.raises(FileError, match="for each frame"):
        Recording.load(path)


def test_another_planner_is_refused(crossing):
    class Others(Discs):
        name = "others"

    crowd = crossing()
    run(crowd, DT)
    with pytest.raises(ReplayError, match="'discs', replayed with 'others'"):
        list(crowd.recording().replay(Others))


def test_other_settings_of_the_planner_are_refused(crossing):
    class Slower(Discs):
        identity: ClassVar = {"speed": "1.1"}

    crowd = crossing()
    run(crowd, DT)
    assert crowd.recording().identity == {"speed": "1.3"}
    with pytest.raises(ReplayError, match=r"recorded with speed = 1.3, replayed with 1.1"):
        list(crowd.recording().replay(Slower))


def test_footsteps_are_replayed_with_the_settings_and_steps_they_were_recorded_with(
    floor, adult, tmp_path
):
    wide = FootstepSettings(room=0.1)

    def planner(world):
        return LiveFootsteps(world, wide)

    crowd = Crowd(floor, [Entrant(adult, (0, 0, 0), goal=(2, 0, 0))], planner=planner)
    run(crowd, 3 * DT)
    path = tmp_path / "run.json"
    crowd.recording().save(path)
    *_, again = Recording.load(path).replay(planner)
    assert again.digest == crowd.digest
    usual = FootstepSettings().room
    with pytest.raises(ReplayError, match=rf"recorded with room = 0.1, replayed with {usual}"):
        list(Recording.load(path).replay())
    data = json.loads(path.read_text())
    steps = [name for name in data["identity"] if name.startswith("steps of 'adult'")]
    assert len(steps) == 1
    data["identity"][steps[0]] = "0" * 16
    path.write_text(json.dumps(data))
    with pytest.raises(ReplayError, match=r"steps of 'adult', 1.75 m = 0000000000000000"):
        list(Recording.load(path).replay(planner))
    data["identity"]["library"] = "another"
    path.write_text(json.dumps(data))
    with pytest.raises(ReplayError, match="library = another, replayed with each body's own"):
        list(Recording.load(path).replay(planner))
