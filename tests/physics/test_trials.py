"""Every gait walks on, from its limit cycle and disturbed; balls fall people as physics says."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot.errors import InputError
from surefoot.physics import Blend, Stage, load_body
from surefoot.physics.states import ENDINGS
from surefoot.physics.trials import (
    Throws,
    limit_cycle,
    long_walks,
    strewn_before,
    throw_balls,
    transitions,
)

GAITS = [(name, gait) for name in ("humanoid", "bird", "raptor") for gait in load_body(name).gaits]


@pytest.mark.parametrize(("name", "gait"), GAITS)
def test_every_gait_keeps_going(name: str, gait: str) -> None:
    stage = Stage(load_body(name))
    run = stage.advance(limit_cycle(stage, gait, settle=4.0), gait, 4.0)
    assert ENDINGS[run.endings[0]] == "time"
    assert run.of("peak")[0] < 60.0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "gait"), GAITS)
def test_every_gait_walks_a_minute_from_twenty_starts(name: str, gait: str) -> None:
    run = long_walks(Stage(load_body(name)), gait, seconds=60.0, starts=20, threads=2)
    assert [ENDINGS[e] for e in run.endings] == ["time"] * 20
    assert run.of("duration") == pytest.approx(60.0)


def test_gaits_go_where_they_say() -> None:
    stage = Stage(load_body("humanoid"))
    speeds = {"walk": (0.8, 1.3), "walk backward": (-1.0, -0.4), "in place": (-0.15, 0.15)}
    for gait, (least, most) in speeds.items():
        cycle = limit_cycle(stage, gait, settle=6.0)
        run = stage.advance(cycle, gait, 4.0)
        moved = run.states.places[0] - cycle.places[0]
        heading = cycle.headings[0]
        speed = (np.cos(heading) * moved[0] + np.sin(heading) * moved[1]) / 4.0
        assert least < speed < most, f"{gait}: {speed:.2f} m/s"
        # Nobody walks with legs apart, or in flight.
        assert run.of("width")[0] / run.of("strikes")[0] < 0.26
        assert run.of("flight")[0] < 0.05


def test_blends_lie_between_their_gaits() -> None:
    stage = Stage(load_body("humanoid"))
    run = stage.advance(stage.starting("walk"), Blend("walk", "in place", 0.5), 8.0)
    assert run.standing[0]
    assert 0.5 < run.states.places[0, 0] < 8.0


def test_transitions_tell_the_share_that_stays_up() -> None:
    stage = Stage(load_body("humanoid"))
    table = transitions(stage, ["walk", "in place"], seconds=2.0, phases=1)
    assert table.shape == (2, 2)
    assert table[0, 0] == table[1, 1] == 1.0


def test_light_balls_are_nothing_and_heavy_ones_are_not() -> None:
    body = load_body("humanoid")
    light = throw_balls(body, "walk", mass=0.1, speed=3.0, throws=6, seconds=1.5)
    heavy = throw_balls(body, "walk", mass=40.0, speed=12.0, throws=6, seconds=1.5)
    assert light.rate == 0.0
    assert heavy.rate > 0.8
    assert heavy.hit.mean() > 0.8


def test_confidence_intervals_are_wilson_s() -> None:
    thrown = Throws(fell=np.arange(200) < 60, hit=np.ones(200, dtype=np.bool_))
    assert thrown.interval() == pytest.approx((0.2407, 0.3668), abs=1e-3)
    none = Throws(fell=np.zeros(200, dtype=np.bool_), hit=np.ones(200, dtype=np.bool_))
    assert none.interval() == pytest.approx((0.0, 0.0188), abs=1e-3)


def test_trials_refuse_what_makes_no_sense() -> None:
    with pytest.raises(InputError, match="above 0"):
        throw_balls(load_body("humanoid"), "walk", mass=0.0, speed=1.0)


def test_intermediate_actions_lead_where_no_change_does() -> None:
    # Nobody stops from a fast walk at once, or runs from it; through blends and a jog they do.
    stage = Stage(load_body("humanoid"))
    fast = limit_cycle(stage, "walk fast")
    at_once = stage.advance(fast.repeated(2), ["in place", "run"], 6.0)
    assert not at_once.standing.any()
    slower = stage.advance(fast, Blend("walk fast", "in place", 0.5), 3.0)
    stopped = stage.advance(stage.step(slower.states, "in place").states, "in place", 4.0)
    assert stopped.standing[0]
    states = stage.step(stage.advance(fast, "jog", 3.0).states, "jog").states
    for _ in range(10):
        states = stage.step(states, Blend("jog", "run", 0.5)).states
    running = stage.advance(states, "run", 4.0)
    assert running.standing[0]
    assert running.of("flight")[0] > 0.4


def test_planks_lie_in_the_way_and_are_walked_over() -> None:
    body = load_body("humanoid")
    stage, states = strewn_before(body, "stroll", height=0.01, walks=2, planks=3, seed=1)
    own = int(Stage(body).model.nq)
    lying = states.positions[:, own:].reshape(2, 3, 7)
    away = np.hypot(*(lying[..., :2] - states.places[:, None, :2]).transpose(2, 0, 1))
    assert (away > 0.4).all()
    assert (away < 4.1).all()
    run = stage.advance(states, "stroll", 1.0)
    after = run.states.positions[:, own:].reshape(2, 3, 7)
    # They have come to lie on the floor, or on each other.
    assert (after[..., 2] < 0.04).all()
    assert run.standing.all()
    with pytest.raises(InputError, match="height, walks and planks"):
        strewn_before(body, "stroll", height=0.0, walks=1)
