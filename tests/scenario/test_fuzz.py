"""Whatever a file holds, it ends in a scenario or in a named error."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from surefoot.errors import SurefootError
from surefoot.planning import planners
from surefoot.planning.grid import GridSettings
from surefoot.scenario import Scenario

KEYS = [
    *("surefoot", "version", "world", "characters", "planning", "output", "file", "scene", "up"),
    *("scale", "repeat", "animation", "tags", "character", "height", "rig", "mapping", "start"),
    *("goal", "planner", "settings", "cost", "horizon", "limits", "capabilities", "place"),
    *("position", "body", "heading", "time", "any", "all", "ordered", "tolerance", "arrive"),
    *("heading_tolerance", "tag", "low", "high", "effort", "least_motion", "avoid", "prefer"),
    *("fps", "root_motion", "cell", "capability", "speed", "layers", "nodes", "anna"),
]
WORDS = [
    *("scenario", "yard", "grid", "adult", "child", "tall adult", "time", "effort", "walk"),
    *("start", "goal", "deck", "lift", "plank", "bench", "furniture", "y", "z", "loop", "once"),
    *("no.glb", "."),
]

numbers = st.one_of(
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.just(10**400),
    st.sampled_from([0.5, 1.0, -9.0, 1e308, 1e-308]),
)
leaves = st.one_of(
    numbers,
    st.booleans(),
    st.sampled_from(WORDS),
    st.text(max_size=8),
    st.dates(),
    st.lists(numbers, max_size=4),
)
names = st.one_of(st.sampled_from(KEYS), st.text(max_size=6))
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4)
)

BASE: dict[str, Any] = {
    "surefoot": "scenario",
    "version": 1,
    "world": {"scene": "yard", "tags": {"bench": {"soft": True}}},
    "planning": {
        "planner": "grid",
        "settings": {"cell": 0.3, "capability": "walk"},
        "cost": {"time": 1.0, "avoid": {"soft": 1.0}, "prefer": {"walk": 1.0}},
        "limits": {"nodes": 1000},
    },
    "characters": {
        "anna": {
            "character": "child",
            "height": 1.2,
            "start": {"position": [-9.0, -3.5, 0.5], "heading": 0.0, "time": 0.0},
            "goal": {"any": [{"place": "goal", "arrive": [0.0, 50.0]}, {"tag": "furniture"}]},
        }
    },
    "output": {"fps": 30},
}


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    """The good scenario with one to three entries replaced, added or removed."""

    def copy(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: copy(inner) for key, inner in value.items()}
        return [copy(inner) for inner in value] if isinstance(value, list) else value

    data = copy(BASE)
    for _ in range(draw(st.integers(1, 3))):
        at: Any = data
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            deeper = isinstance(at[key], dict | list) and at[key] and draw(st.booleans())
            if not deeper:
                break
            at = at[key]
        if keys and draw(st.integers(0, 3)) == 0:
            del at[key]
        elif keys and draw(st.booleans()):
            at[key] = draw(values)
        elif isinstance(at, dict):
            at[draw(names)] = draw(values)
    return data


@settings(max_examples=60)
@given(damaged())
def test_damaged_scenarios(data: dict[str, Any]) -> None:
    with suppress(SurefootError):
        Scenario.from_data(data)


@settings(max_examples=100)
@given(st.dictionaries(names, values, max_size=6))
def test_any_tables(data: dict[str, Any]) -> None:
    with suppress(SurefootError):
        Scenario.from_data({"surefoot": "scenario", "version": 1} | data)


@settings(max_examples=200)
@given(st.text(alphabet='surefoot="scenario"version1[world].\n#{},\'\\0x_-+e:T', max_size=80))
def test_any_text(text: str) -> None:
    with suppress(SurefootError):
        Scenario.from_text(text)


GOOD = """surefoot = "scenario"
version = 1
[world]
scene = "yard"
tags."crate *" = { forbidden = true }
[characters.anna]
start = { position = [-9.0, -3.5, 0.5], heading = 0.5 }
goal = { any = ["goal", { tag = "furniture" }] }
"""


@settings(max_examples=60)
@given(st.integers(0, len(GOOD)), st.integers(0, 12), st.text(max_size=6))
def test_damaged_text(at: int, removed: int, added: str) -> None:
    with suppress(SurefootError):
        Scenario.from_text(GOOD[:at] + added + GOOD[at + removed :])


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(["cell", "speed", "layers", "capability", "x"]), leaves))
def test_any_settings(given_settings: dict[str, Any]) -> None:
    wrong = planners.wrong_fields(GridSettings, given_settings)
    assert set(wrong) <= set(given_settings)
    GridSettings(**{key: value for key, value in given_settings.items() if key not in wrong})
