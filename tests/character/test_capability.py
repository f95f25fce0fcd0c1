from __future__ import annotations

import dataclasses
import json
from itertools import pairwise

import pytest

from surefoot.character import Capability, adult, child, tall_adult
from surefoot.errors import CharacterError

WALK = {
    "name": "walk",
    "radius": 0.25,
    "height": 1.75,
    "step_height": 0.35,
    "max_slope": 0.6,
    "speed": 1.3,
    "max_speed": 2.0,
}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("radius", 0.0, "capability 'walk': radius must be greater than 0, got 0"),
        ("radius", -1.0, "capability 'walk': radius must be at least 0, got -1"),
        ("height", float("inf"), "capability 'walk': height must be finite"),
        ("step_height", 2.0, "capability 'walk': step_height must be less than height = 1.75"),
        ("max_slope", 35.0, "capability 'walk': max_slope .* degrees"),
        ("max_speed", 1.0, "capability 'walk': max_speed must be at least speed = 1.3"),
        ("turn_rate", 0.0, "capability 'walk': turn_rate must be greater than 0"),
        ("max_drop", "deep", "capability 'walk': max_drop must be a number, got 'deep'"),
        ("name", "", "name must be text"),
    ],
)
def test_wrong_values_are_refused_with_capability_and_field(field, value, message):
    with pytest.raises(CharacterError, match=message):
        Capability(**{**WALK, field: value})


def test_a_capability_goes_through_json_unchanged():
    for capability in adult().capabilities.values():
        text = json.dumps(capability.to_dict())
        assert Capability.from_dict(json.loads(text)) == capability


def test_unknown_and_missing_fields_are_named():
    with pytest.raises(
        CharacterError,
        match=r"'walk': unknown field 'sped'; did you mean 'speed'\? There are: .*speed",
    ):
        Capability.from_dict({**WALK, "sped": 1.0})
    short = {key: value for key, value in WALK.items() if key not in ("radius", "speed")}
    with pytest.raises(CharacterError, match="'walk': missing radius, speed"):
        Capability.from_dict(short)


def test_people_walk_run_crouch_and_jump_in_sensible_ways():
    for someone in (adult(), child(), tall_adult()):
        walk, run, crouch, jump = (
            someone.capability(name) for name in ("walk", "run", "crouch", "jump")
        )
        assert walk.speed < walk.max_speed < run.speed < run.max_speed
        assert crouch.height < 0.8 * walk.height
        assert crouch.speed < walk.speed
        assert jump.jumps
        assert not walk.jumps
    assert adult().capability("walk").speed == pytest.approx(1.33, abs=0.05)


def test_larger_people_are_faster_and_jump_farther():
    people = [child(), adult(), tall_adult()]
    for name in ("walk", "run", "crouch", "jump"):
        for small, large in pairwise(people):
            for field in ("speed", "max_speed", "radius", "height", "step_height"):
                a, b = small.capability(name), large.capability(name)
                assert getattr(a, field) < getattr(b, field)
    lengths = [person.capability("jump").max_jump_length for person in people]
    assert lengths == sorted(lengths)
    assert len(set(lengths)) == 3


def test_a_capability_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        adult().capability("walk").speed = 3.0  # type: ignore[misc]
