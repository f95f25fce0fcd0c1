"""Scenes of SteerSuite and Menge: real ones load, bad ones are refused by name."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from agents.conftest import DT
from references.discs import Discs
from surefoot.agents import CrowdSettings
from surefoot.agents.collisions import find_touches
from surefoot.agents.formats import read_crowd
from surefoot.agents.play import play
from surefoot.errors import FileError, SurefootError

CASE = """<!-- a comment first -->
<?xml version="1.0"?>
<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench">
  <header><version>1.0</version><name>two</name>
    <worldBounds><xmin>-20</xmin><xmax>20</xmax><ymin>0</ymin><ymax>0</ymax>
      <zmin>-20</zmin><zmax>20</zmax></worldBounds></header>
  <obstacle><xmin>-1</xmin><xmax>1</xmax><ymin>0</ymin><ymax>1</ymax>
    <zmin>1</zmin><zmax>3</zmax></obstacle>
  <circleObstacle><radius>0.5</radius><position><x>5</x><y>0</y><z>5</z></position>
  </circleObstacle>
  <agent><name>A</name>
    <initialConditions><radius>0.5</radius>
      <position><x>-3</x><y>0</y><z>-1</z></position>
      <direction><x>0</x><y>0</y><z>1</z></direction><speed>0</speed></initialConditions>
    <goalSequence>
      <seekStaticTarget><targetLocation><x>3</x><y>0</y><z>-1</z></targetLocation>
        <desiredSpeed>1.3</desiredSpeed><timeDuration>100</timeDuration></seekStaticTarget>
      <seekStaticTarget><targetLocation><x>3</x><y>0</y><z>2</z></targetLocation>
        <desiredSpeed>1.3</desiredSpeed><timeDuration>100</timeDuration></seekStaticTarget>
      <fleeDynamicTarget><targetName>B</targetName></fleeDynamicTarget>
    </goalSequence></agent>
  <agentRegion><numAgents>5</numAgents>
    <regionBounds><xmin>-8</xmin><xmax>8</xmax><ymin>0</ymin><ymax>0</ymax>
      <zmin>5</zmin><zmax>9</zmax></regionBounds>
    <initialConditions><radius>0.5</radius><direction><random>true</random></direction>
      <speed>0</speed></initialConditions>
    <goalSequence><idle><desiredSpeed>1</desiredSpeed><timeDuration>9</timeDuration></idle>
    </goalSequence></agentRegion>
</SteerBenchTestCase>"""


@pytest.fixture
def case(tmp_path):
    path = tmp_path / "two.xml"
    path.write_text(CASE)
    return path


def test_a_test_case_is_read_in_its_own_words(case):
    scene = read_crowd(case, seed=1)
    assert scene.name == "two"
    assert len(scene.walkers) == 6
    first = scene.walkers[0]
    # z of the file points down the page: y = -z.
    assert first.place.position.tolist() == [-3.0, 1.0, 0.0]
    assert first.heading == pytest.approx(-np.pi / 2)
    goals = [goal.place.position.tolist() for goal in first.goals]
    assert goals == [[3.0, 1.0, 0.0], [3.0, -2.0, 0.0]]
    assert all(goal.tolerance == 0.5 for goal in first.goals)
    assert scene.notes == ("goals of kind fleeDynamicTarget are left out: such an agent stays",)
    # The box is where it was drawn, the round one too.
    assert bool(scene.world.overlap([0.0, -2.0, 0.0], shape=_post()))
    assert not bool(scene.world.overlap([0.0, 2.0, 0.0], shape=_post()))
    assert bool(scene.world.overlap([5.2, -5.2, 0.0], shape=_post()))
    for walker in scene.walkers[1:]:
        x, y, _ = walker.place.position
        assert -8 <= x <= 8
        assert -9 <= y <= -5
        assert walker.goals == ()


def test_chance_has_a_seed(case):
    one, two, other = (read_crowd(case, seed=seed) for seed in (1, 1, 2))
    assert [w.place for w in one.walkers] == [w.place for w in two.walkers]
    assert [w.place for w in one.walkers] != [w.place for w in other.walkers]


def test_a_read_scene_is_played_and_those_who_arrive_leave(case):
    quick = CrowdSettings(nodes=40, least_nodes=20, frame_nodes=200, horizon=5)
    played = play(read_crowd(case), planner=Discs, settings=quick, dt=DT, duration=40.0)
    assert played.arrived == 6
    assert 0 not in played.crowd.agents
    assert find_touches(played.film).contacts == ()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("<radius>0.5</radius>", "<radius>wide</radius>"), "radius must be a number, got 'wide'"),
        (("<header>", "<heading>"), "no valid XML"),
        (("<goalSequence>", "<goalSequences>"), "no valid XML"),
        (("<xmin>-1</xmin>", "<xmin>7</xmin>"), "minimum is above its maximum"),
        (("<numAgents>5", "<numAgents>5000000"), "numAgents must be a whole number up to"),
        (("<numAgents>5", "<numAgents>inf"), "numAgents must be a number"),
        (("<x>5</x>", "<x>1e308</x>"), "<position>: x must be within 10,000,000 of zero, got 1e"),
        (("<zmax>3</zmax>", "<zmax>1e200</zmax>"), "zmax must be within 10,000,000 of zero"),
        (("Obstacle><radius>0.5", "Obstacle><radius>-1"), "cylinder radius must be greater than 0"),
        (('steerbench">', 'steerbench"><!DOCTYPE x>'), "no valid XML|entities"),
    ],
)
def test_bad_files_are_refused_by_name(case, change, message):
    case.write_text(CASE.replace(*change))
    with pytest.raises(FileError, match=message) as caught:
        read_crowd(case)
    assert str(case) in str(caught.value)


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "page.xml"
    path.write_text("<html/>")
    with pytest.raises(FileError, match="it holds a 'html'; there are: SteerBenchTestCase"):
        read_crowd(path)
    path.write_bytes(b"\x00\xff garbage")
    with pytest.raises(FileError, match="no valid XML"):
        read_crowd(path)


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(some.integers(0, len(CASE)), some.text(alphabet="<>/&ax1-.\"'", max_size=5))
def test_no_file_ends_in_anything_but_a_scene_or_an_error_of_ours(case, at, junk):
    case.write_text(CASE[:at] + junk + CASE[at + len(junk) :])
    with contextlib.suppress(SurefootError):
        assert read_crowd(case).walkers


def test_real_scenes_load(data):
    folder = data / "steering"
    files = [
        *sorted(folder.glob("release/*.xml")),
        *sorted(folder.glob("menge_apache2/*.xml")),
        *sorted(folder.glob("menge_apache2/steerbench/*.xml")),
        *(folder / f"menge_apache2/{name}/{name}S.xml" for name in ("cross", "headon", "swap")),
    ]
    assert len(files) > 30
    for file in files:
        scene = read_crowd(file)
        assert len(scene.walkers) > 0, file
        assert scene.density > 0.0
        assert any(walker.goals for walker in scene.walkers), file


def test_a_real_menge_scene_holds_what_it_says(data):
    scene = read_crowd(data / "steering/menge_apache2/4square.xml")
    assert len(scene.walkers) == 100
    # Everybody to the opposite corner, around four blocks.
    walker = scene.walkers[0]
    assert np.allclose(walker.goals[0].place.position[:2], -walker.place.position[:2], atol=0.3)
    assert bool(scene.world.overlap([5.333, 3.0, 0.0], shape=_post()))
    assert not bool(scene.world.overlap([0.0, 3.0, 0.0], shape=_post()))


def _post():
    from surefoot.world import Cylinder

    return Cylinder(0.2, 1.0, 0.1)
