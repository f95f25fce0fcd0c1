from __future__ import annotations

import numpy as np
import pytest

from surefoot import control
from surefoot.character import people
from surefoot.control.repertoire import ALIKE
from surefoot.errors import InputError
from surefoot.motion import build_library
from surefoot.motion.default import default_clips
from surefoot.motion.engine import Engine
from surefoot.motion.transitions import transition_costs


def test_every_state_can_be_left_and_entered(repertoire: control.Repertoire) -> None:
    assert repertoire.viable.any(axis=1).all()
    assert set(repertoire.ends.tolist()) == set(range(len(repertoire.states)))


def test_states_are_ways_to_end(repertoire: control.Repertoire) -> None:
    exits = np.array([piece.exit for piece in repertoire.cuts])
    away = transition_costs(exits, repertoire.states)
    assert (away[np.arange(len(exits)), repertoire.ends] <= ALIKE).all()
    # What a turn was is forgotten in the blending phase: all turns of a walk end in the same way.
    turned = [repertoire.action(f"walk 1.25 turn {turn}") for turn in ("0.80", "-0.80")]
    assert len({int(repertoire.ends[repertoire.action_moves[action]]) for action in turned}) == 1


def test_nobody_stops_dead(repertoire: control.Repertoire) -> None:
    """Standing follows a walk or a run by a stop only."""
    stand = int(repertoire.ends[repertoire.action_moves[repertoire.standing]])
    for move, name in enumerate(str(move) for move in repertoire.moves):
        going = repertoire.moves[move].mode in ("walk", "run")
        if going and not name.removeprefix("mirrored ").startswith(("stop", "step")):
            assert repertoire.ends[move] != stand, name
    for state in range(len(repertoire.states)):
        if state != stand:
            to_stand = repertoire.costs[state][[m.still for m in repertoire.moves]]
            assert to_stand.min() > repertoire.farthest


def test_moves_begin_where_they_begin(repertoire: control.Repertoire) -> None:
    paths = repertoire.paths(7)
    np.testing.assert_allclose(paths[:, 0], 0.0, atol=1e-9)
    walk = paths[repertoire.action("walk 1.25")]
    assert walk[-1, 0] == pytest.approx(1.25 * repertoire.durations[repertoire.action("walk 1.25")],
                                        rel=0.03)  # fmt: skip
    jump = paths[repertoire.action("jump 1.15 0.15")]
    assert jump[-1, [0, 2]] == pytest.approx([1.15, 0.15], abs=0.02)


def test_a_mirror_turns_the_other_way(repertoire: control.Repertoire) -> None:
    left, right = (
        repertoire.paths(5)[repertoire.action("turn 0.9", mirrored=mirrored)]
        for mirrored in (False, True)
    )
    np.testing.assert_allclose(left * [1, -1, 1, -1], right, atol=1e-9)
    assert left[-1, 3] == pytest.approx(0.9, abs=0.02)


@pytest.mark.parametrize("turn", [0.0, 0.2, -0.4])
def test_paths_and_feet_are_what_the_step_engine_plays(
    repertoire: control.Repertoire, turn: float
) -> None:
    """The way that is planned with, turned or not, is the way that is played."""
    engine = Engine(repertoire.footage)
    actions = [repertoire.action("start 1.25"), repertoire.action("walk 1.25", turn=turn)]
    here, heading = np.zeros(2), 0.0
    for action in actions:
        move = repertoire.move(action)
        queued = engine.append(move, turn=float(repertoire.turns[action]))
        times = np.linspace(queued.start, queued.end, 9)
        c, s = np.cos(heading), np.sin(heading)
        expected = repertoire.paths(9)[action]
        for t, (x, y, _, turned) in zip(times, expected, strict=True):
            place, facing = engine.place(float(t))
            at = here + np.array([c * x - s * y, s * x + c * y])
            np.testing.assert_allclose(place.position[:2], at, atol=1e-3)
            assert facing == pytest.approx(heading + turned, abs=1e-3)
        feet = repertoire.native.feet(action)
        for foot in feet[feet[:, 1] > 0]:
            at = here + np.array([c * foot[3] - s * foot[4], s * foot[3] + c * foot[4]])
            holds = [hold.position[:2] for hold in engine.program.footholds()]
            assert min(np.hypot(*(hold - at)) for hold in holds) < 5e-3
        x, y, _, turned = expected[-1]
        here, heading = here + np.array([c * x - s * y, s * x + c * y]), heading + turned


def test_a_child_has_a_repertoire_of_its_own() -> None:
    child = control.repertoire(people.child())
    assert child.hash != control.repertoire(people.adult()).hash
    assert {"stand", "turn", "walk", "run", "jump"} <= set(child.modes)


def test_a_library_is_a_repertoire(adult) -> None:
    clips = [made.clip for made in default_clips(adult)]
    wanted = [
        clip for clip in clips if clip.name in ("walk", "walk 45 left", "idle", "start", "stop")
    ]
    library = build_library([(clip, adult.measures) for clip in wanted])
    found = control.repertoire(library)
    assert "walk" in found.modes
    assert found.viable.any(axis=1).all()
    trained = control.train(found, [control.Go()])
    walking = next(a for a in range(found.actions) if found.move(a).mode == "walk")
    start = control.Configuration.after(found, walking, (0.0, 0.0, 0.0))
    assert trained["walk"].rollout(start, (5.0, 1.0, 0.0), arrival=0.8)
    with pytest.raises(InputError, match="'jump' needs clips that jump; these clips only"):
        control.train(found, [control.Jump()])


def test_clips_that_do_not_connect() -> None:
    with pytest.raises(InputError, match="clips that connect"):
        control.connected(control.repertoire(people.adult()).footage, [])


def test_turning_round_takes_little_longer_than_a_second(repertoire: control.Repertoire) -> None:
    turn = repertoire.action("turn round 3.1")
    assert repertoire.paths(2)[turn, -1, 3] == pytest.approx(np.pi, abs=0.03)
    assert repertoire.durations[turn] < 1.5
    assert repertoire.durations[repertoire.action("turn 1.2")] <= 1.0


def test_what_only_leads_elsewhere_is_not_of_a_mode(repertoire: control.Repertoire) -> None:
    slower = repertoire.action("run to walk 3.3 1.7")
    assert not repertoire.of_modes(("stand", "turn", "run"))[slower]
    assert not repertoire.of_modes(("stand", "turn", "walk"))[slower]
    assert repertoire.of_modes(("stand", "turn", "walk", "run"))[slower]
