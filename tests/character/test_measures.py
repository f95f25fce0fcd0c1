from __future__ import annotations

import dataclasses

import pytest

from surefoot.character import ADULT, CHILD, Measures
from surefoot.errors import CharacterError


def test_an_adult_has_the_proportions_of_the_tables():
    measures = Measures.from_height(1.8)
    assert measures.leg_length == pytest.approx(0.53 * 1.8)
    assert measures.foot_length == pytest.approx(0.152 * 1.8)
    assert 65 < measures.mass < 85


def test_a_child_has_shorter_legs_and_a_larger_head_than_an_adult_of_its_height():
    child = Measures.from_height(1.2, proportions=CHILD)
    small = Measures.from_height(1.2, proportions=ADULT)
    assert child.leg_length < 0.95 * small.leg_length
    assert child.height - child.chin_height > 1.15 * (small.height - small.chin_height)
    assert 18 < child.mass < 30


def test_contact_points_lie_on_the_sole_heel_behind_ball_ahead():
    measures = Measures.from_height(1.75)
    for point in (measures.heel, measures.ball, measures.toe_tip):
        assert point[2] == -measures.ankle_height
    assert measures.heel[0] < 0 < measures.ball[0] < measures.toe_tip[0]
    assert measures.toe_tip[0] - measures.heel[0] == pytest.approx(measures.foot_length)


def test_lengths_grow_with_the_height_and_mass_can_be_given():
    small, large = Measures.from_height(1.5), Measures.from_height(1.8, mass=100.0)
    for field in dataclasses.fields(Measures):
        assert getattr(small, field.name) < getattr(large, field.name)
    assert large.mass == 100.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"thigh": 0.0}, "measure thigh must be greater than 0, got 0"),
        ({"mass": float("nan")}, "measure mass must be finite"),
        ({"shin": 2.0}, "shoulder_height = .* must be greater than leg_length"),
        ({"foot_length": 0.1}, "foot_length = 0.100 m leaves no toes"),
    ],
)
def test_measures_that_cannot_be_are_refused_by_name(changes, message):
    with pytest.raises(CharacterError, match=message):
        dataclasses.replace(Measures.from_height(1.75), **changes)


def test_a_height_of_nobody_is_refused():
    with pytest.raises(CharacterError, match="height must be at most 3, got 175"):
        Measures.from_height(175.0)
