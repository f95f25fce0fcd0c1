from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from surefoot import character
from surefoot.character import Capability, adult, child, person
from surefoot.errors import CharacterError


def test_an_unknown_capability_lists_those_there_are():
    with pytest.raises(
        CharacterError,
        match="'adult': unknown capability 'fly'; there are: crouch, jump, run, walk",
    ):
        adult().capability("fly")


def test_effort_is_that_of_standing_plus_the_square_of_the_speed():
    someone = adult()
    mass = someone.measures.mass
    assert someone.power([0.0, 0.0, 0.0]) == pytest.approx(2.23 * mass)
    assert someone.power([0.0, 2.0, 0.0]) == pytest.approx((2.23 + 1.26 * 4.0) * mass)
    assert someone.power(np.ones((5, 3))).shape == (5,)


def test_capabilities_can_be_added_and_not_changed_in_place():
    crawl = Capability(
        name="crawl", radius=0.4, height=0.6, step_height=0.1, max_slope=0.5, speed=0.4,
        max_speed=0.6,
    )  # fmt: skip
    someone = adult().with_capabilities(crawl)
    assert list(someone.capabilities) == ["walk", "run", "crouch", "jump", "crawl"]
    with pytest.raises(TypeError):
        someone.capabilities["fly"] = crawl  # type: ignore[index]


def test_characters_that_cannot_be_are_refused():
    with pytest.raises(CharacterError, match="needs at least one capability"):
        replace(adult(), capabilities={})
    with pytest.raises(CharacterError, match="'walk' is listed as 'run'"):
        replace(adult(), capabilities={"run": adult().capability("walk")})
    with pytest.raises(CharacterError, match="'adult': moving_energy must be at least 0"):
        replace(adult(), moving_energy=-1.0)


def test_a_character_can_be_sent_to_another_process():
    someone = child()
    again = pickle.loads(pickle.dumps(someone))
    assert dict(again.capabilities) == dict(someone.capabilities)
    np.testing.assert_array_equal(again.skin.vertices, someone.skin.vertices)
    with pytest.raises(TypeError):
        again.capabilities["fly"] = None


def test_colours_can_be_changed_by_part():
    red = adult().recolored(torso=(1.0, 0.0, 0.0))
    colors = {part.name: part.color for part in red.skin.parts}
    assert colors["torso"] == (1.0, 0.0, 0.0)
    assert colors["shell"] == {part.name: part.color for part in adult().skin.parts}["shell"]
    with pytest.raises(CharacterError, match="unknown skin part 'hat'; there are: joints"):
        adult().recolored(hat=(0.0, 0.0, 0.0))
    with pytest.raises(CharacterError, match="'torso' must be three numbers"):
        adult().recolored(torso=(2.0, 0.0, 0.0))


def test_a_person_of_any_height_is_that_tall():
    giant = person("giant", 2.5)
    assert giant.skin.vertices[:, 2].max() == pytest.approx(2.5, abs=0.02)
    assert giant.capability("walk").height == 2.5


def test_every_exported_name_is_there():
    for name in character.__all__:
        assert getattr(character, name) is not None
