"""Crowds by name, from scenario files, and from the files of others."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import InputError, ScenarioError
from surefoot.scenario.crowds import load_crowd

HEAD = 'surefoot = "scenario"\nversion = 1\n'
YARD = """
[world]
scene = "yard"
[characters.anna]
start = "start"
goal = "goal"
[characters.bob]
start = { place = "goal", heading = 1.0 }
goal = "start"
"""


def written(tmp_path, text):
    path = tmp_path / "walk.toml"
    path.write_text(HEAD + text)
    return path


def test_a_scenario_is_a_crowd(tmp_path):
    scene = load_crowd(written(tmp_path, YARD + "[crowd]\nhorizon = 5\nduration = 12.5\n"))
    assert [walker.character.name for walker in scene.walkers] == ["anna", "bob"]
    anna, bob = scene.walkers
    assert np.allclose(
        scene.world.position(anna.goals[0].place, 0), scene.world.position(bob.place, 0)
    )
    assert bob.heading == 1.0
    assert scene.settings.horizon == 5
    assert scene.duration == 12.5
    assert scene.density > 0.0


def test_a_scenario_can_name_a_crowd_scene(tmp_path):
    path = written(tmp_path, '[crowd]\nscene = "corridor"\nagents = 20\nseed = 3\nnodes = 500\n')
    scene = load_crowd(path)
    assert (scene.name, len(scene.walkers), scene.settings.nodes) == ("corridor", 20, 500)
    same = load_crowd("corridor", seed=3, agents=20)
    assert [w.place for w in scene.walkers] == [w.place for w in same.walkers]
    assert len(load_crowd(path, agents=8).walkers) == 8


def test_files_of_others_are_crowds(data, tmp_path):
    file = data / "steering/release/fan-in.xml"
    assert len(load_crowd(file).walkers) == 6
    assert len(load_crowd(file, agents=2).walkers) == 2
    scene = load_crowd(written(tmp_path, f'[crowd]\nfile = "{file}"\nseed = 1\n'))
    assert len(scene.walkers) == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[crowd]\nscene = "forum"', "unknown crowd scene 'forum'"),
        ('[crowd]\nscene = "door"\nfile = "a.xml"', "either a scene or a file"),
        ('[crowd]\nscene = "door"\nnodes = 0', "crowd.nodes: .*whole number > 0"),
        ('[crowd]\nscene = "door"\nnods = 5', "crowd.nods: unknown key"),
        ('[crowd]\nscene = "door"\nagents = "many"', "crowd.agents: expected a whole number"),
        ('[crowd]\nscene = "door"\nduration = -1', "crowd.duration: expected a number > 0"),
        ('[crowd]\nfile = "none.xml"', "there is no such file"),
        (YARD.replace('goal = "goal"', 'goal = { tag = "road" }'), "goal"),
        ("[crowd]\nnodes = 5\nleast_nodes = 9\n" + YARD, "least_nodes"),
        ("[crowd", "no valid TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_key(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        load_crowd(written(tmp_path, text))


def test_all_problems_are_listed(tmp_path):
    with pytest.raises(ScenarioError) as caught:
        load_crowd(written(tmp_path, '[crowd]\nscene = "forum"\nnodes = 0\nagents = 0\n'))
    assert len(caught.value.problems) == 3


def test_other_names_are_refused():
    with pytest.raises(InputError, match="'forum' is neither a file nor a scene or crowd; there"):
        load_crowd("forum")
