from __future__ import annotations

from math import pi
from pathlib import Path

import numpy as np
import pytest

from surefoot.character import people
from surefoot.errors import FileError, ProblemError, ScenarioError, VersionError
from surefoot.gltf import GltfBuilder, Primitive
from surefoot.planning import AllOf, AnyOf, Goal, Limits, Region, costs
from surefoot.planning.automatic import Automatic
from surefoot.planning.grid import Grid, GridSettings
from surefoot.scenario import Output, Scenario
from surefoot.world import Place, scenes
from surefoot.world.primitives import box

HEAD = 'surefoot = "scenario"\nversion = 1\n'
YARD = HEAD + '[world]\nscene = "yard"\n'


def read(text: str) -> Scenario:
    return Scenario.from_text(YARD + text)


def role(lines: str) -> str:
    """A character with a start, a goal and what else is given."""
    given = "\n".join(
        line
        for line in ('start = "start"', 'goal = "goal"')
        if not any(other.startswith(line.split(" =")[0] + " =") for other in lines.splitlines())
    )
    return f"[characters.anna]\n{given}\n{lines}\n"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A file with a floor of 10 m by 10 m and a pillar of 1 m in its middle; y is up."""
    builder = GltfBuilder("room")
    parts = {
        "floor": box((10.0, 0.2, 10.0), (0.0, -0.1, 0.0)),
        "pillar": box((1.0, 3.0, 1.0), (0.0, 1.5, 0.0)),
    }
    for name, mesh in parts.items():
        surface = builder.add_mesh([Primitive(positions=mesh.vertices, triangles=mesh.faces)], name)
        builder.add_node(name, mesh=surface)
    path = tmp_path / "levels" / "room.glb"
    path.parent.mkdir()
    builder.save(path)
    return path


class TestWhatAFileSays:
    def test_the_least_that_is_needed(self) -> None:
        scenario = read(role(""))
        yard = scenes.load("yard")
        ((name, problem, planner),) = scenario.problems()
        assert name == problem.character.name == "anna"
        assert problem.character.measures.height == people.adult().measures.height
        assert problem.start == yard.start
        assert problem.goal == Goal(yard.goal)
        assert (problem.start_time, problem.horizon, problem.limits) == (0.0, 60.0, Limits())
        assert problem.cost == costs.time()
        assert planner == Automatic()
        assert scenario.output == Output(fps=30.0, root_motion=True)

    def test_everything_at_once(self) -> None:
        scenario = read(
            """
            tags."crate ?" = { forbidden = true, weight = 3 }
            tags."west ground" = { road = 2.5 }

            [planning]
            horizon = 90
            cost = { time = 1, effort = 0.2, avoid = { road = 3 }, prefer = { walk = 0.5 } }
            settings = { cell = 0.5 }
            limits = { nodes = 5000 }

            [characters."tall bob"]
            character = "tall adult"
            height = 2.0
            start = { position = [-9, -3.5, 0.5], heading = 0.5, time = 2 }
            goal = { position = [8, 3.5, 0.5], tolerance = 0.5, arrive = [3, inf] }
            capabilities = ["walk", "run"]

            [characters.cleo]
            character = "child"
            start = "start"
            goal = { any = ["goal", [7, 2.5, 0.5], { tag = "furniture", low = [-1, -1, 0.5] }] }
            cost = "effort"
            horizon = 30
            settings = { layers = 3 }

            [output]
            fps = 24
            root_motion = false
            """
        )
        assert scenario.output == Output(fps=24.0, root_motion=False)
        assert dict(scenario.world["crate 3"].tags) == {
            "furniture": True,
            "forbidden": True,
            "weight": 3,
        }
        assert "forbidden" not in scenario.world["bench"].tags
        (bob, problem, planner), (cleo, other, second) = scenario.problems()
        assert (bob, cleo) == ("tall bob", "cleo")
        assert problem.character.measures.height == 2.0
        assert problem.start_time == 2.0
        assert problem.start_heading == pytest.approx(0.5)
        assert problem.start == problem.world.place((-9.0, -3.5, 0.5))
        goal = problem.goal
        assert isinstance(goal, Goal)
        assert (goal.tolerance, goal.arrive) == (0.5, (3.0, float("inf")))
        assert problem.capabilities == ("walk", "run")
        assert problem.horizon == 90.0
        assert problem.limits == Limits(nodes=5000)
        shared = costs.time() + 0.2 * costs.effort() + 3 * costs.avoid("road")
        assert problem.cost == shared + 0.5 * costs.prefer("walk")
        assert planner == Automatic(GridSettings(cell=0.5))
        assert other.cost == costs.effort()
        assert other.horizon == 30.0
        assert second == Automatic(GridSettings(layers=3))
        assert isinstance(other.goal, AnyOf)
        place, point, region = other.goal.goals
        assert place == Goal(scenes.load("yard").goal)
        assert isinstance(point, Goal)
        assert isinstance(region, Region)
        assert region.tag == "furniture"
        assert region.low.tolist() == [-1.0, -1.0, 0.5]

    def test_all_of_several_in_order(self) -> None:
        (_, problem, _), *_ = read(
            role('goal = { all = ["plank side", "goal"], ordered = true }')
        ).problems()
        assert isinstance(problem.goal, AllOf)
        assert problem.goal.ordered
        assert len(problem.goal.goals) == 2

    def test_a_position_is_dropped_onto_what_is_below(self) -> None:
        (_, problem, _), *_ = read(role("start = [4.0, -5.0, 1.5]")).problems()
        assert problem.start.body == "east ground"
        np.testing.assert_allclose(problem.world.position(problem.start, 0.0), [4.0, -5.0, 0.0])

    def test_a_position_on_a_body_rides_with_it(self) -> None:
        scenario = read(role('goal = { body = "lift", position = [0.5, 0, 0.3], heading = 1 }'))
        goal = scenario.roles[0].problem.goal
        assert isinstance(goal, Goal)
        assert goal.place.body == "lift"
        np.testing.assert_allclose(goal.place.position, [0.5, 0.0, 0.0], atol=1e-9)
        assert goal.heading == 1.0

    def test_a_scene_of_a_file_with_its_axis_and_scale(self, room: Path) -> None:
        text = HEAD + (
            '[world]\nfile = "levels/room.glb"\nup = "z"\nscale = 2.0\nrepeat = "once"\n'
            "[characters.anna]\nstart = [8, 8, 0.5]\ngoal = [-8, 8, 0.5]\n"
        )
        with pytest.raises(ScenarioError, match="mid-air"):
            Scenario.from_text(text, folder=room.parent.parent)
        upright = text.replace('up = "z"\n', "")
        scenario = Scenario.from_text(upright, folder=room.parent.parent)
        np.testing.assert_allclose(scenario.world["floor"].mesh.bounds[1], [10.0, 10.0, 0.0])

    def test_files_are_found_beside_the_scenario(self, room: Path) -> None:
        path = room.parent.parent / "walk.toml"
        path.write_text(
            HEAD + '[world]\nfile = "levels/room.glb"\n'
            "[characters.anna]\nstart = [4, 4, 0.5]\ngoal = [-4, -4, 0.5]\n"
        )
        scenario = Scenario.load(path)
        assert scenario.name == "walk"
        assert set(scenario.world.bodies) == {"floor", "pillar"}

    def test_a_planner_for_all(self) -> None:
        scenario = read(role("settings = { cell = 0.5 }"))
        assert scenario.with_planner("grid").roles[0].planner == Grid(GridSettings(cell=0.5))
        with pytest.raises(
            ProblemError, match="unknown planner 'maze'; there are: automatic, footsteps"
        ):
            scenario.with_planner("maze")


class TestPlans:
    def test_one_after_the_other_around_each_other(self, room: Path) -> None:
        # Both want through the same gap of the floor at the same time, from opposite sides.
        text = HEAD + (
            f'[world]\nfile = "{room.name}"\n'
            "[characters.anna]\nstart = [4, 2, 0.5]\ngoal = [-4, 2, 0.5]\n"
            "[characters.ben]\nstart = [4, 3.5, 0.5]\ngoal = [4, -3.5, 0.5]\n"
        )
        told: list[tuple[str, str, float]] = []
        scenario = Scenario.from_text(text, folder=room.parent)
        anna, ben = scenario.plans(progress=lambda *what: told.append(what))
        assert anna.plan
        assert ben.plan
        assert "character anna" in ben.role.problem.world
        assert "character anna" not in anna.role.problem.world
        assert "character anna" not in scenario.world
        assert ben.plan.check(ben.role.problem.world)
        assert {who for who, _, _ in told} == {"anna", "ben"}

    def test_a_start_taken_by_another_is_refused(self, room: Path) -> None:
        text = HEAD + (
            f'[world]\nfile = "{room.name}"\n'
            "[characters.anna]\nstart = [4, 2, 0.5]\ngoal = [-4, 2, 0.5]\n"
            "[characters.ben]\nstart = [4.1, 2, 0.5]\ngoal = [4, -3.5, 0.5]\n"
        )
        with pytest.raises(ProblemError, match=r"ben: start .* inside 'character anna'"):
            list(Scenario.from_text(text, folder=room.parent).plans())

    def test_bodies_of_characters_get_names_of_their_own(self) -> None:
        (planned,) = read(role("goal = [-8, -3.5, 0.5]")).plans()
        assert planned.plan
        assert planned.plan.character == "anna"


class TestOtherFiles:
    @pytest.mark.parametrize(
        ("text", "error", "message"),
        [
            ("a = = 1", ScenarioError, r"x.toml: no valid TOML: .*line 1, column 5"),
            ("\n\n[world", ScenarioError, r"x.toml: no valid TOML: .*"),
            ("a = 1\na = 2\nb = 3", ScenarioError, r"x.toml: no valid TOML: .*line 2"),
            ("a = " + "[" * 3000, ScenarioError, "x.toml: no valid TOML: nested too deeply"),
            ("a = " + "9" * 5000, ScenarioError, "x.toml: no valid TOML: "),
            ('surefoot = "plan"\nversion = 1', FileError, 'expected "scenario", got "plan"'),
            ("surefoot = 1\nversion = 1", FileError, 'expected "scenario", got 1'),
            (
                'surefoot = "scenario"\nversion = 2\nwolrd = 3',
                VersionError,
                "x.toml: scenario of version 2; this surefoot reads version 1",
            ),
            ("version = true", FileError, "version: expected a whole number, got true"),
            ("version = 0x" + "f" * 5000, VersionError, "version a whole number of more than"),
        ],
    )
    def test_are_refused(self, text: str, error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            Scenario.from_text(text, name="x.toml")

    def test_missing(self, tmp_path: Path) -> None:
        with pytest.raises(FileError, match=r"no.toml: there is no such file"):
            Scenario.load(tmp_path / "no.toml")

    def test_empty(self, tmp_path: Path) -> None:
        (tmp_path / "empty.toml").touch()
        with pytest.raises(FileError, match=r"empty.toml: is empty"):
            Scenario.load(tmp_path / "empty.toml")

    def test_no_text(self, tmp_path: Path) -> None:
        (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
        with pytest.raises(FileError, match=r"binary.toml: no text in UTF-8: byte 0"):
            Scenario.load(tmp_path / "binary.toml")

    def test_windows_text_is_fine(self, tmp_path: Path) -> None:
        text = "\ufeff" + (YARD + role("")).replace("\n", "\r\n")
        (tmp_path / "notepad.toml").write_bytes(text.encode())
        assert Scenario.load(tmp_path / "notepad.toml").roles[0].name == "anna"


def test_a_turned_body_gives_headings_in_its_own_frame(tmp_path: Path) -> None:
    builder = GltfBuilder()
    mesh = box((10.0, 0.2, 10.0), (0.0, -0.1, 0.0))
    surface = builder.add_mesh([Primitive(positions=mesh.vertices, triangles=mesh.faces)])
    # A quarter turn about the file's up axis.
    builder.add_node("floor", mesh=surface, rotation=[np.cos(pi / 4), 0.0, np.sin(pi / 4), 0.0])
    builder.save(tmp_path / "turned.glb")
    text = HEAD + (
        '[world]\nfile = "turned.glb"\n[characters.anna]\n'
        "start = { position = [2, 0, 0.5], heading = 0.3 }\n"
        'goal = { position = [2, 0, 0.5], body = "floor", heading = 0.3 }\n'
    )
    problem = Scenario.from_text(text, folder=tmp_path).roles[0].problem
    assert problem.start_heading == pytest.approx(0.3 - pi / 2)
    goal = problem.goal
    assert isinstance(goal, Goal)
    assert goal.heading == 0.3
    assert goal.place == Place("floor", np.array([2.0, 0.0, goal.place.position[2]]))
