"""What a name or a file is, and what is made of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import surefoot as sf
from surefoot.errors import FileError, InputError, ProblemError
from surefoot.planning import Goal
from surefoot.scenario import Scenario
from surefoot.scenario.crowds import load_crowd
from surefoot.scenario.inputs import (
    PHYSICS_SCENES,
    Input,
    InputKind,
    find_input,
    load_scenario,
)
from surefoot.world import Body, Keyframed, Place, World, scenes
from surefoot.world.primitives import slab

WALK = """
surefoot = "scenario"
version = 1
[world]
scene = "yard"
[characters.anna]
start = "start"
goal = "goal"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with a scenario, a world and other files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "walk.toml").write_text(WALK)
    (tmp_path / "room.obj").write_text("v 0 0 0\nv 9 0 0\nv 0 0 -9\nf 1 2 3\n")
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "levels").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("yard", InputKind.SCENE),
        ("train yard 1", InputKind.SCENE),
        ("walk.toml", InputKind.SCENARIO),
        ("room.obj", InputKind.WORLD),
        ("bottleneck", InputKind.CROWD),
        ("physics 2", InputKind.PHYSICS),
    ],
)
def test_a_name_is_one_kind(name: str, kind: InputKind) -> None:
    assert find_input(name, takes=tuple(InputKind)) == Input(name, kind)


def test_a_built_in_name_wins_over_a_file(folder: Path) -> None:
    (folder / "yard").write_text("")
    assert find_input("yard").kind is InputKind.SCENE


def test_a_path_is_taken_as_well(folder: Path) -> None:
    assert find_input(folder / "walk.toml").kind is InputKind.SCENARIO


def test_extensions_in_capitals(folder: Path) -> None:
    (folder / "ROOM.OBJ").write_bytes((folder / "room.obj").read_bytes())
    assert find_input("ROOM.OBJ").kind is InputKind.WORLD


def test_no_name_is_of_two_kinds() -> None:
    from surefoot.agents import scenes as crowds

    names = [*scenes.names(), *crowds.names(), *PHYSICS_SCENES]
    assert len(names) == len(set(names))


SCENES = f"here are: {', '.join(scenes.names())}; files end in .*"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("Yard", "'Yard' is neither a file nor a scene; did you mean 'yard'? T" + SCENES),
        ("moon", "'moon' is neither a file nor a scene; t" + SCENES),
        ("", "'' is neither a file nor a scene; t" + SCENES),
        ("train yard", "'train yard' is .*; did you mean 'train yard 1' or 'train yard 2'? .*"),
        ("trainyard1", "'trainyard1' is .*; did you mean 'train yard 1'? .*"),
        ("walk", "'walk' is neither a file nor a scene; did you mean 'walk.toml'? .*"),
        ("walk.tmol", "'walk.tmol' is neither a file nor a scene; did you mean 'walk.toml'? .*"),
        ("wlak.toml", "wlak.toml: there is no such file; did you mean 'walk.toml'?"),
        ("Room.obj", "Room.obj: there is no such file; did you mean 'room.obj'?"),
        ("none.glb", "none.glb: there is no such file"),
        ("levels/none.glb", "levels/none.glb: there is no such file"),
        ("nowhere/none.glb", "nowhere/none.glb: there is no such file"),
        ("level.blend", "'level.blend' is neither a file nor a scene; there are: .*"),
        ("notes.txt", "notes.txt: unknown extension '.txt'; there are: .glb, .*, .toml"),
        ("a" * 5000, "'a*' is neither a file nor a scene; t" + SCENES),
        ("a" * 5000 + ".glb", "a*.glb: there is no such file"),
        ("no\0thing", r"'no\\x00thing' is neither a file nor a scene; t" + SCENES),
        ("levels", "levels: is no file, but a folder"),
        ("bottleneck", "'bottleneck' is a crowd; tests takes a scene, a world file (.*) or a .*"),
        ("a.xml", "'a.xml' is a SteerSuite or Menge file; tests takes a scene, a world file .*"),
    ],
)
def test_what_is_no_input_is_answered_in_one_sentence(given: str, message: str) -> None:
    if given == "Room.obj" and Path("ROOM.OBJ").exists():
        pytest.skip("names of files are the same in capitals here")
    pattern = message.replace("?", r"\?").replace("(", r"\(").replace(")", r"\)")
    with pytest.raises((InputError, FileError), match=f"^{pattern}$") as said:
        find_input(given, user="tests")
    assert "\n" not in str(said.value)


class TestWorlds:
    def test_of_a_scene(self) -> None:
        assert sf.load_world("yard") == scenes.load("yard").world

    def test_of_a_scenario(self) -> None:
        assert sf.load_world("walk.toml") == scenes.load("yard").world

    def test_of_a_file(self) -> None:
        half = sf.load_world("room.obj", scale=0.5)
        assert half.names == ["room"]
        assert half["room"].mesh.bounds[1].tolist() == [4.5, 4.5, 0.0]
        assert half == sf.load_world(Path("room.obj"), scale=0.5, up="y", repeat="once")

    @pytest.mark.parametrize("given", ["yard", "walk.toml"])
    def test_options_for_files_are_refused_elsewhere(self, given: str) -> None:
        with pytest.raises(
            InputError, match=f"^up, scale: only for a world file; '{given}' is a s"
        ):
            sf.load_world(given, scale=2.0, up="z")

    def test_as_it_was_saved(self) -> None:
        world = scenes.load("yard").world
        world.save("mine.json")
        assert sf.load_world("mine.json") == world
        with pytest.raises(InputError, match=r"did you mean 'mine.json'"):
            sf.load_world("mine")


class TestWalks:
    def test_through_a_scene(self) -> None:
        scenario = load_scenario(find_input("highway"))
        scene = scenes.load("highway")
        ((name, problem, planner),) = scenario.problems()
        assert (name, problem.character.name, planner.name) == ("walker", "walker", "automatic")
        assert (problem.start, problem.goal) == (scene.start, Goal(scene.goal))
        assert problem.horizon == scene.horizon

    def test_the_horizon_is_the_scenes(self) -> None:
        scene = next(s for s in map(scenes.load, scenes.names()) if s.horizon != 60.0)
        text = WALK.replace("yard", scene.name)
        for scenario in (load_scenario(find_input(scene.name)), Scenario.from_text(text)):
            assert scenario.roles[0].problem.horizon == scene.horizon

    def test_from_and_to_what_is_given(self) -> None:
        scenario = load_scenario(
            find_input("yard"), start=(-3, -2, 0.5), goal="lift", character="child",
            planner="footsteps",
        )  # fmt: skip
        ((name, problem, planner),) = scenario.problems()
        assert (name, planner.name) == ("child", "footsteps")
        assert problem.character.measures == sf.people.child().measures
        assert problem.start == problem.world.place((-3, -2, 0.5))
        assert isinstance(problem.goal, Goal)
        assert problem.goal.place.body == "lift"

    def test_a_scenario_goes_elsewhere(self) -> None:
        scenario = load_scenario(find_input("walk.toml"), goal="deck")
        ((name, problem, _),) = scenario.problems()
        assert name == "anna"
        assert problem.start == problem.world.places["start"]
        assert problem.goal == Goal(problem.world.places["deck"])

    def test_several_characters_do_not(self, folder: Path) -> None:
        ben = '[characters.ben]\nstart = "lift side"\ngoal = "goal"\n'
        (folder / "two.toml").write_text(WALK + ben)
        with pytest.raises(InputError, match=r"goal: 'two.toml' has 2 characters, each with a st"):
            load_scenario(find_input("two.toml"), goal="deck")

    def test_a_file_needs_a_start_and_a_goal(self) -> None:
        found = find_input("room.obj")
        with pytest.raises(InputError, match="'room' needs --start and --goal: a point, or the n"):
            load_scenario(found)
        with pytest.raises(InputError, match=r"'room' needs --goal: .* no place called 'goal'$"):
            load_scenario(found, start=(1, 1, 0))

    def test_places_of_a_world_called_start_and_goal(self) -> None:
        from surefoot.scenario.inputs import Ground, walk_through

        places = {"start": Place("floor", [0, 0, 0]), "goal": Place("floor", [2, 0, 0])}  # type: ignore[arg-type]
        world = World([Body(name="floor", mesh=slab((9.0, 9.0, 0.2)))], places=places)
        problem = walk_through(Ground("mine", world)).roles[0].problem
        assert problem.start == places["start"]
        assert problem.goal == Goal(places["goal"])

    @pytest.mark.parametrize(
        ("options", "error", "message"),
        [
            ({"planner": "spacetime"}, ProblemError, "planner 'spacetime'; did you mean 'space-t"),
            ({"character": "chlid"}, InputError, "character 'chlid'; did you mean 'child'?"),
            ({"start": "lfit"}, ProblemError, "start: unknown place or body 'lfit'; did you me"),
            ({"goal": (0, 0, 99)}, ProblemError, r"goal: \(0, 0, 99\) is in mid-air"),
            ({"scale": 2.0}, InputError, "scale: only for a world file; 'yard' is a scene"),
        ],
    )
    def test_mistakes(self, options: Any, error: type[Exception], message: str) -> None:
        with pytest.raises(error, match=message):
            load_scenario(find_input("yard"), **options)


def test_a_walk_is_a_crowd_of_one() -> None:
    crowd = load_crowd("yard")
    (walker,) = crowd.walkers
    assert walker.place == scenes.load("yard").start
    assert crowd.name == "yard"
    with pytest.raises(
        InputError, match="agents: a walk has one, got 3; 'yard' is a scene, and no"
    ):
        load_crowd("yard", agents=3)
    with pytest.raises(InputError, match="'physics 1' is a scene run by physics; load_crowd takes"):
        load_crowd("physics 1")


def test_a_horizon_for_everybody() -> None:
    for name in ("yard", "walk.toml"):
        (role,) = load_scenario(find_input(name), horizon=17.5).roles
        assert role.problem.horizon == 17.5
    (role,) = load_scenario(find_input("walk.toml")).roles
    assert role.problem.horizon == scenes.load("yard").horizon


def test_what_follows_an_animation_is_for_world_files() -> None:
    lift = Keyframed([0.0, 1.0], [[0, 0, 0], [0, 0, 2.0]], repeat="loop")
    world = World([Body(name="floor", mesh=slab((8, 8, 0.2)))])
    world.add(Body(name="lift", mesh=slab((2, 2, 0.2)), trajectory=lift))
    world.save("room.glb")
    for repeat in ("once", "loop"):
        (role,) = load_scenario(
            find_input("room.glb"), start=(-3, -3, 0.5), goal=(3, 3, 0.5), repeat=repeat
        ).roles
        assert (
            role.problem.world["lift"].trajectory
            == sf.load_world("room.glb", repeat=repeat)["lift"].trajectory
        )
    with pytest.raises(InputError, match="repeat: not for a scenario"):
        load_scenario(find_input("walk.toml"), repeat="once")


@pytest.mark.parametrize("name", ["level.fbx", "level.blend"])
def test_levels_of_other_programs_are_to_be_exported(name: str) -> None:
    with pytest.raises(InputError, match=r"export the level as glTF \(.glb\)"):
        find_input(name)
    Path(name).write_text("something")
    with pytest.raises(FileError, match=r"export the level as glTF \(.glb\)"):
        find_input(name)
