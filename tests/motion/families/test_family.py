"""What can be asked of a family, and what it says when it cannot."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.motion.families import BLENDING, Family
from surefoot.motion.playing.footage import Footage


def test_values_are_checked_and_the_rest_is_usual(families: dict[str, Family]) -> None:
    walk = families["walk"]
    values = walk.values(speed=1.0)
    assert values == {"speed": 1.0, "turn": 0.0, "direction": 0.0}
    with pytest.raises(InputError, match="walk: unknown parameter 'pace'; there are: direction"):
        walk.clip(pace=2.0)
    with pytest.raises(InputError, match=r"walk: speed \[m/s\] must be at most 1.99"):
        walk.clip(speed=9.0)
    with pytest.raises(InputError, match=r"at most 1.19 in direction 3.14 rad, got 1.6"):
        walk.clip(speed=1.6, direction=np.pi)
    with pytest.raises(InputError, match=r"at a rise of 0\.30 m"):
        families["standing jump"].clip(distance=1.4, rise=0.3)
    assert str(walk).startswith("walk (walk): speed 0.2")


def test_the_nearest_values_are_possible(families: dict[str, Family]) -> None:
    walk, jump = families["walk"], families["standing jump"]
    assert walk.nearest(speed=1.0) == walk.values(speed=1.0)
    assert walk.nearest(speed=9.0)["speed"] == walk.parameter("speed").high
    backward = walk.nearest(speed=1.6, direction=np.pi)
    assert backward["speed"] == pytest.approx(1.19, abs=0.01)
    assert jump.nearest(distance=0.0, rise=-0.6)["distance"] > 0.3
    assert jump.nearest(distance=9.0, rise=0.3)["rise"] == 0.3
    for values in (backward, jump.nearest(distance=0.0, rise=-0.6), jump.nearest(distance=9.0)):
        family = walk if "speed" in values else jump
        assert family.values(**values) == values
    with pytest.raises(InputError, match="unknown parameter 'pace'"):
        walk.nearest(pace=2.0)


def test_clips_begin_at_the_origin_and_end_with_their_blending_phase(
    families: dict[str, Family],
) -> None:
    made = families["walk"].made("stroll", speed=0.9, turn=0.5)
    assert made.clip.name == "stroll"
    assert made.path[0] == pytest.approx(np.zeros(3), abs=1e-9)
    assert made.headings[0] == 0.0
    assert made.headings[-1] == pytest.approx(0.5, abs=0.01)
    assert made.clip.duration == pytest.approx(made.blending + BLENDING, abs=1.5 / 60)
    assert families["walk"].clip(speed=0.9).name == "walk speed 0.90"
    # From left contact to left contact.
    lefts = [hold.start for hold in made.footholds if hold.foot == "left"]
    assert min(np.abs(lefts)) < 1e-6
    assert np.min(np.abs(np.array(lefts) - made.blending)) < 1e-6


def test_the_same_values_give_the_same_bits(families: dict[str, Family]) -> None:
    one, other = (families["step left"].made(distance=0.3) for _ in range(2))
    assert np.array_equal(one.clip.root, other.clip.root)
    assert np.array_equal(one.clip.rotations, other.clip.rotations)


def test_footage_knows_where_the_feet_are(families: dict[str, Family], adult) -> None:
    footage = Footage(adult.skeleton, adult.measures)
    made = families["turn left"].made(angle=0.8)
    take = made.add_to(footage)
    assert take.duration == made.clip.duration
    assert sum(len(own) for own in take.footfalls) == len(made.footholds)
    assert take.frame(take.duration)[1] == pytest.approx(0.8, abs=1e-3)
