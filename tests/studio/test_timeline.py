from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.errors import InputError
from surefoot.studio.timeline import Timeline


def test_it_begins_at_the_start_and_rests() -> None:
    timeline = Timeline(2.0, 5.0)
    assert (timeline.time, timeline.playing) == (2.0, False)
    assert timeline.advance(1.0) == 2.0


@pytest.mark.parametrize(("asked", "shown"), [(1.0, 2.0), (3.5, 3.5), (9.0, 5.0), (math.inf, 5.0)])
def test_moments_outside_are_brought_to_the_nearer_end(asked: float, shown: float) -> None:
    timeline = Timeline(2.0, 5.0)
    assert timeline.seek(asked) == shown
    assert timeline.time == shown
    assert Timeline(2.0, 5.0, time=asked).time == shown


def test_playing_moves_on_at_its_speed() -> None:
    timeline = Timeline(0.0, 10.0, speed=2.0)
    timeline.play()
    assert timeline.advance(1.5) == 3.0
    timeline.set_speed(0.5)
    assert timeline.advance(1.0) == 3.5
    timeline.pause()
    assert timeline.advance(1.0) == 3.5


def test_at_the_end_it_starts_over_or_stops() -> None:
    timeline = Timeline(1.0, 3.0)
    timeline.play()
    assert timeline.advance(2.5) == 1.5
    timeline.loop = False
    assert timeline.advance(9.0) == 3.0
    assert not timeline.playing


def test_playing_at_the_end_begins_again() -> None:
    timeline = Timeline(1.0, 3.0, time=3.0)
    timeline.play()
    assert (timeline.time, timeline.playing) == (1.0, True)


def test_where_nothing_moves_nothing_plays() -> None:
    timeline = Timeline(4.0, 4.0)
    timeline.play()
    assert not timeline.playing
    assert timeline.advance(1.0) == 4.0


@given(steps=st.lists(st.floats(0.0, 5.0), min_size=1, max_size=20), start=st.floats(-5.0, 5.0))
def test_small_steps_come_to_where_one_large_step_does(steps: list[float], start: float) -> None:
    many, one = Timeline(start, start + 7.0), Timeline(start, start + 7.0)
    many.play()
    one.play()
    for step in steps:
        assert start <= many.advance(step) <= start + 7.0
    apart = abs(many.time - one.advance(sum(steps)))
    # The start and the end are one moment when it loops.
    assert min(apart, 7.0 - apart) < 1e-9


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="timeline end must be at least 2"):
        Timeline(2.0, 1.0)
    with pytest.raises(InputError, match="speed must be greater than 0"):
        Timeline(0.0, 1.0, speed=0.0)
    with pytest.raises(InputError, match="speed must be greater than 0"):
        Timeline(0.0, 1.0).set_speed(-1.0)
    with pytest.raises(InputError, match="time must be a number"):
        Timeline(0.0, 1.0).seek(math.nan)
