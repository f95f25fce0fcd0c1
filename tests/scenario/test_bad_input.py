"""Every mistake gets its own line with its key, and all of them are told at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from surefoot.errors import ScenarioError
from surefoot.gltf import GltfBuilder
from surefoot.scenario import Scenario

GOOD = {
    "": 'surefoot = "scenario"\nversion = 1',
    "world": 'scene = "yard"',
    "characters.anna": 'start = "start"\ngoal = "goal"',
}
"""A scenario, section by section."""


def problems(sections: dict[str, str], folder: Path = Path()) -> tuple[str, ...]:
    """What is wrong with the good scenario when these sections take the place of its own."""
    parts = [
        f"[{name}]\n{lines}" if name else lines
        for name, lines in (GOOD | sections).items()
        if lines != "-"
    ]
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_text("\n".join(parts), folder=folder, name="x.toml")
    found = caught.value.problems
    count = f"{len(found)} problem{'s' * (len(found) > 1)}"
    assert str(caught.value).splitlines()[0] == f"x.toml: {count}:"
    return found


ANNA = "characters.anna"
A = r"characters\.anna\."
GO = 'goal = "goal"\n'
FROM = 'start = "start"\n'

BAD = [
    # The file.
    ({"": "version = 1"}, r"a scenario begins with the lines 'surefoot = \"scenario\"'"),
    ({"": 'surefoot = "scenario"'}, r"a scenario begins with the lines .* 'version = 1'"),
    ({"world": "-"}, r"world: missing"),
    ({ANNA: "-"}, r"characters: missing"),
    ({ANNA: "-", "characters": ""}, r"characters: there are none; "),
    ({ANNA: "-", "characters": "anna = 3"}, r"characters\.anna: expected a table, got 3"),
    ({"wolrd": "a = 1"}, r"wolrd: unknown key 'wolrd'; did you mean 'world'\? There are: char"),
    # The world.
    ({"world": ""}, r"world: expected a file or a scene, got neither"),
    ({"world": 'file = "a.glb"\nscene = "yard"'}, r"world: expected a file or a scene, got both"),
    ({"world": 'scene = "yrad"'}, r"world\.scene: .*'yrad'; did you mean 'yard'\? There are: .*"),
    ({"world": "scene = 3"}, r"world\.scene: expected one of: .*, got 3"),
    ({"world": 'scene = "yard"\nscale = 2.0'}, r"world\.scale: is only for a world file.*"),
    ({"world": 'file = "no.glb"'}, r"world\.file: no\.glb: there is no such file"),
    ({"world": 'file = "no.blend"'}, r"world\.file: .*unknown extension '\.blend'; .*\.glb.*"),
    ({"world": 'file = "a\\u0000b.glb"'}, r"world\.file: expected the name of a file, got .*"),
    ({"world": 'file = ""'}, r'world\.file: expected the name of a file, got ""'),
    ({"world": 'file = "no.glb"\nup = "x"'}, r"world\.up: unknown up axis 'x'; there are: y, z"),
    ({"world": 'file = "no.glb"\nscale = 0'}, r"world\.scale: expected a number > 0, got 0"),
    ({"world": 'file = "no.glb"\nrepeat = "yes"'}, r"world\.repeat: unknown repeat 'yes'.*"),
    ({"world": 'scene = "yard"\ntags = 1'}, r"world\.tags: expected a table, got 1"),
    (
        {"world": 'scene = "yard"\ntags."cart *" = { forbidden = true }'},
        r"world\.tags\.\"cart \*\": unknown body, or pattern of bodies, 'cart \*'; .*crate 1.*",
    ),
    (
        {"world": 'scene = "yard"\ntags.bench = { soft = [1] }'},
        r"world\.tags\.bench\.soft: expected true or false, a number or text, got \[1\]",
    ),
    ({"world": 'scene = "yard"\ntags.bench.soft = nan'}, r"world\.tags\.bench\.soft: .*, got nan"),
    # Who.
    (
        {ANNA: FROM + GO + 'character = "chlid"'},
        A + r"character: unknown character 'chlid'; did you mean 'child'\? There"
        r" are: adult, child, little, tall adult",
    ),
    ({ANNA: FROM + GO + "height = 1.7e1"}, A + r"height: .* <= 3, got 17\.0"),
    ({ANNA: FROM + GO + 'height = "tall"'}, A + r'height: .*, got "tall"'),
    ({ANNA: FROM + GO + 'rig = "no.glb"'}, A + r"rig: no\.glb: there is no such .*"),
    ({ANNA: FROM + GO + 'mapping = "a.toml"'}, A + r"mapping: is only for a rig.*"),
    (
        {ANNA: FROM + GO + 'rig = "a.glb"\ncharacter = "adult"'},
        A + r"rig: expected a rig or a built-in character, got both",
    ),
    (
        {ANNA: FROM + GO + 'height = 1.0\ncharacter = "little"'},
        A + r"height: does not go with 'little', which is 0.5 m tall",
    ),
    ({ANNA: FROM + GO + 'hieght = 1'}, A + r"hieght: .* did you mean 'height'\? .*"),
    # Starts.
    ({ANNA: GO}, A + r"start: missing"),
    ({ANNA: GO + "start = 3"}, A + r"start: expected a table, got 3"),
    ({ANNA: GO + "start = {}"}, A + r"start: expected a place or a position.*neither"),
    (
        {ANNA: GO + 'start = { place = "start", position = [0, 0, 0] }'},
        A + r"start: expected a place or a position, got both",
    ),
    (
        {ANNA: GO + "start = { position = [1, 2] }"},
        A + r"start\.position: expected three numbers within 10,000,000 m of zero, got \[1, 2\]",
    ),
    ({ANNA: GO + 'start = [1, 2, "3"]'}, A + r"start\.position: .*got \[1, 2, \"3\"\]"),
    ({ANNA: GO + "start = [1, 2, true]"}, A + r"start\.position: .*got \[1, 2, true\]"),
    ({ANNA: GO + "start = [1, 2, nan]"}, A + r"start\.position: .*got \[1, 2, nan\]"),
    ({ANNA: GO + "start = [1, 2, inf]"}, A + r"start\.position: .*got \[1, 2, inf\]"),
    ({ANNA: GO + "start = [-9, -3.5, 50]"}, A + r"start\.position: .* in mid-air .*"),
    ({ANNA: GO + "start = [-6, -1, 0.1]"}, A + r"start: start .* inside 'crate 1'.*"),
    (
        {ANNA: GO + 'start = "strat"'},
        A + r"start\.place: unknown place or body 'strat'; did you mean 'start'\? .*deck, .*",
    ),
    (
        {ANNA: GO + 'start = { position = [0, 0, 0], body = "lfit" }'},
        A + r"start\.body: unknown body 'lfit'; did you mean 'lift'\? There are: .*",
    ),
    (
        {ANNA: GO + 'start = { position = [9, 0, 0], body = "lift" }'},
        A + r"start\.position: \(9, 0, 0\) has no surface of 'lift' within 2 m below",
    ),
    (
        {ANNA: GO + 'start = { place = "start", body = "lift" }'},
        A + r"start\.body: goes with a position, not with a named place",
    ),
    ({ANNA: GO + 'start = { place = "start", time = "now" }'}, r".*\.start\.time: .*, got \"now\""),
    # Goals.
    ({ANNA: FROM}, A + r"goal: missing"),
    ({ANNA: FROM + "goal = true"}, A + r"goal: expected a table, got true"),
    ({ANNA: FROM + "goal = {}"}, A + r"goal: expected one of the keys: any, all, .*"),
    ({ANNA: FROM + "goal = { any = [] }"}, A + r"goal\.any: expected a list of goals.*"),
    (
        {ANNA: FROM + 'goal = { any = ["goal", "gaol"] }'},
        A + r"goal\.any\[1\]\.place: unknown place or body 'gaol'; did you mean 'goal'\? .*",
    ),
    (
        {ANNA: FROM + 'goal = { place = "goal", tag = "furniture" }'},
        A + r"goal\.tag: does not go with 'place'; with it go: place, tolerance, .*",
    ),
    (
        {ANNA: FROM + 'goal = { tag = "furnitur" }'},
        A + r"goal: goal: unknown tag 'furnitur'; did you mean 'furniture'\? .*",
    ),
    ({ANNA: FROM + 'goal = { body = "bnch" }'}, A + r"goal: .*unknown body 'bnch'; .*"),
    ({ANNA: FROM + "goal = { low = [1, 1, 1], high = [0, 2, 2] }"}, r".*goal: region low must .*"),
    ({ANNA: FROM + "goal = { low = [0, 1], high = [0, 2, 2] }"}, r".*goal\.low: .* got \[0, 1\]"),
    (
        {ANNA: FROM + 'goal = { place = "goal", arrive = [5, 1] }'},
        A + r"goal\.arrive: expected \[earliest, latest\], got \[5, 1\]",
    ),
    (
        {ANNA: FROM + 'goal = { place = "goal", arrive = [100, 200] }'},
        A + r"goal: goal .* between 100 s and 200 s, outside the plan's 0 s to 60 s",
    ),
    ({ANNA: FROM + 'goal = { place = "goal", tolerance = 0 }'}, A + r"goal\.tolerance: .* got 0"),
    (
        {ANNA: FROM + "goal = " + "{ any = [" * 10 + '"goal"' + "] }" * 10},
        A + r"goal(\.any\[0\])+: goals inside goals are read 8 deep",
    ),
    # How.
    (
        {"planning": 'planner = "gird"'},
        r"planning\.planner: unknown planner 'gird'; did you mean 'grid'\? There are: .*grid",
    ),
    (
        {"planning": "settings = { sell = 1 }"},
        r"planning\.settings\.sell: unknown key 'sell'; did you mean 'cell'\? There are: act.*",
    ),
    ({"planning": "settings.cell = 0"}, r"planning\.settings\.cell: .* greater than 0, got 0"),
    ({"planning": 'settings.cell = "a"'}, r"planning\.settings\.cell: expected a number, got 'a'"),
    (
        {"planning": 'settings.capability = "fly"'},
        r"planning\.settings\.capability: unknown capability 'fly'; there are: crouch, .*",
    ),
    ({"planning": "horizon = 0"}, r"planning\.horizon: expected a number > 0 and <= .*, got 0"),
    ({"planning": "limits.nodes = 1.5"}, r"planning\.limits\.nodes: .*whole number, got 1\.5"),
    ({"planning": "limits.node = 1"}, r"planning\.limits\.node: .* did you mean 'nodes'\? .*"),
    (
        {ANNA: FROM + GO + 'capabilities = ["walk", "wlak"]'},
        A + r"capabilities: entry 2: unknown capability 'wlak'; did you mean 'walk.*",
    ),
    ({ANNA: FROM + GO + "capabilities = []"}, r".*capabilities: expected a list of cap.* got \[\]"),
    ({"planning": 'cost = "tiem"'}, r"planning\.cost: unknown cost 'tiem'; did you mean 'time'.*"),
    ({"planning": "cost.tiem = 1"}, r"planning\.cost\.tiem: .* did you mean 'time'\? .*"),
    ({"planning": "cost.time = -1"}, r"planning\.cost\.time: expected a number >= 0 .*, got -1"),
    ({"planning": "cost.time = 0"}, r"planning\.cost: expected at least one weight > 0"),
    ({"planning": "cost = 3"}, r"planning\.cost: expected a table, got 3"),
    (
        {"planning": "cost = { time = 1, avoid = { road = 3 } }"},
        r"planning\.cost\.avoid\.road: unknown tag 'road'; there are: furniture",
    ),
    (
        {"planning": "cost = { time = 1, prefer = { wlak = 3 } }"},
        r"planning\.cost\.prefer\.wlak: unknown capability 'wlak'; did you mean 'walk'\? .*",
    ),
    (
        {
            "world": 'scene = "yard"\ntags.bench.soft = "very"',
            "planning": "cost.avoid.soft = 1",
        },
        r"planning\.cost: cost: tag 'soft' must be true, false or a number >= 0, got 'very'",
    ),
    # The output.
    ({"output": "fps = 0"}, r"output\.fps: expected a number >= 1 and <= 240, got 0"),
    ({"output": 'root_motion = "yes"'}, r'output\.root_motion: expected true or false, got "yes"'),
    ({"output": "fsp = 30"}, r"output\.fsp: unknown key 'fsp'; did you mean 'fps'\? .*"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sections", "message"), BAD, ids=[re.sub(r"\\|\W+", " ", message)[:60] for _, message in BAD]
)
def test_a_mistake_is_told_with_its_key(sections: dict[str, str], message: str) -> None:
    found = problems(sections)
    assert any(re.match(message, line) for line in found), found


def test_every_mistake_is_told_at_once() -> None:
    found = problems(
        {
            "world": 'scene = "yard"\ntags.bnch = { soft = true }',
            "planning": "horizon = -1\ncost.avoid.raod = 1",
            ANNA: 'start = [-6, -1, 0.1]\ngoal = { any = ["goal", [0, 0, 50]] }\nhieght = 2',
            "characters.ben": 'start = "strat"\ngoal = { place = "goal", arrive = [90, 99] }',
            "output": "fps = true",
        }
    )
    keys = [line.split(": ")[0] for line in found]
    assert sorted(keys) == [
        "characters.anna.goal.any[1].position",
        "characters.anna.hieght",
        "characters.anna.start",
        "characters.ben.goal",
        "characters.ben.start.place",
        "output.fps",
        "planning.cost.avoid.raod",
        "planning.horizon",
        "world.tags.bnch",
    ]


def test_a_mistake_shared_by_all_is_told_once() -> None:
    found = problems({"planning": "horizon = -1", "characters.ben": GOOD[ANNA]})
    assert len(found) == 1


def test_names_of_places_come_from_the_world(tmp_path: Path) -> None:
    builder = GltfBuilder()
    builder.add_node("nothing")
    builder.save(tmp_path / "empty.glb")
    found = problems({"world": 'file = "empty.glb"'}, tmp_path)
    assert any("unknown place or body 'start'; there are: nothing" in line for line in found), found


def test_long_values_are_cut() -> None:
    found = problems({"output": f'fps = "{"long " * 100}"'})
    assert len(found[0]) < 140


def test_keys_are_quoted_as_in_toml() -> None:
    found = problems({'characters."anna b"': GO})
    assert found == ('characters."anna b".start: missing',)
