"""Tables of scenes in the files of others."""

from __future__ import annotations

import pytest

from surefoot.agents import CrowdSettings
from surefoot.agents.collisions import find_touches
from surefoot.agents.formats import read_crowd
from surefoot.agents.play import play
from surefoot.agents.tournament import HEADER, played, scene_files
from surefoot.cli import main
from surefoot.planning import standing

CASE = """<SteerBenchTestCase xmlns="http://www.magix.ucla.edu/steerbench"><header>
<version>1.0</version><name>two</name><worldBounds><xmin>-20</xmin><xmax>20</xmax><ymin>0</ymin>
<ymax>0</ymax><zmin>-20</zmin><zmax>20</zmax></worldBounds></header>
<agent><initialConditions><radius>0.5</radius><position><x>{x}</x><y>0</y><z>0</z></position>
<direction><x>1</x><y>0</y><z>0</z></direction><speed>0</speed></initialConditions>
<goalSequence><seekStaticTarget><targetLocation><x>3</x><y>0</y><z>0</z></targetLocation>
<desiredSpeed>1.3</desiredSpeed><timeDuration>1000</timeDuration></seekStaticTarget></goalSequence>
</agent></SteerBenchTestCase>"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "walk.xml").write_text(CASE.format(x=0))
    (tmp_path / "deep" / "far.xml").write_text(CASE.format(x="nowhere"))
    (tmp_path / "other.xml").write_text("<Behaviour/>")
    (tmp_path / "broken.xml").write_text("<SteerBench")
    return tmp_path


def test_scenes_are_found_and_other_files_are_not(folder):
    assert [path.stem for path in scene_files(folder)] == ["far", "walk"]


def test_every_scene_is_a_row_and_bad_ones_say_why(folder):
    far, walk = played(scene_files(folder), duration=8.0, settings=CrowdSettings(nodes=400))
    assert far.wrong
    assert "deep/far" in far.line()
    cells = dict(zip(HEADER, (walk.name, *walk.cells), strict=True))
    assert cells["scene"] == "deep/walk"
    assert (cells["agents"], cells["arrived"], cells["contacts"]) == ("1", "1", "0")
    assert 2.0 < float(cells["distance"]) < 4.0
    assert float(cells["effort"]) > 0.0


def test_scenes_with_too_many_people_are_left_out_by_name(folder):
    files = [path for path in scene_files(folder) if path.stem == "walk"]
    (one,) = played(files, duration=1.0, most=0)
    assert one.line() == "| deep/walk | not played: 1 people |"
    assert not one.wrong


def test_nobody_who_starts_anywhere_touches_what_stands_there(data):
    """Feet of who stands reach farther than what it needs to walk."""
    scene = read_crowd(data / "steering" / "release" / "EXAMPLE.xml")
    done = play(scene, dt=1 / 20, duration=0.1)
    assert find_touches(done.film).contacts == ()


def test_the_command_prints_the_table(folder, capsys):
    assert main(["crowd", "--table", str(folder), "--duration", "1", "--rate", "20"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| scene | agents | seconds")
    assert len(lines) == 4
    assert main(["crowd", "--table", str(folder / "none")]) == 2


def test_every_real_scene_is_read(data):
    files = scene_files(data / "steering")
    assert len(files) == 34
    # A project's scene is not counted twice.
    assert "4square" in {path.stem for path in files}
    assert "4squareS" not in {path.stem for path in files}
    counts = {path.stem: len(read_crowd(path).walkers) for path in files}
    assert counts["bottleneck-squeeze"] == 1000
    assert counts["forest"] == 500


def test_starts_left_to_chance_have_room_for_anybody(data):
    """Also in a forest of five hundred, half of them obstacles."""
    scene = read_crowd(data / "steering" / "release" / "forest.xml")
    for walker in scene.walkers:
        skill = walker.character.capability("walk")
        assert not standing.why_not(scene.world, walker.place.position, 0.0, skill)


@pytest.mark.slow
def test_every_real_scene_is_played(data):
    results = list(played(scene_files(data / "steering"), duration=2.0))
    assert [result for result in results if result.wrong] == []
    for result in results:
        cells = dict(zip(HEADER, (result.name, *result.cells), strict=True))
        assert int(cells["agents"]) > 0
        assert cells["contacts"] == "0"
