"""Bodies that walk: the same bits always, and every way to fail is told."""

from __future__ import annotations

import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from references.interrupts import interruptible
from surefoot.errors import CharacterError, InputError
from surefoot.physics import Anatomy, Blend, Body, Stage, States, load_body
from surefoot.physics.anatomy import Joint
from surefoot.physics.gait import changed
from surefoot.physics.states import ENDINGS
from surefoot.physics.tuning import disturbed

HUMANOID = load_body("humanoid")


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(HUMANOID)


@pytest.mark.parametrize(
    ("name", "mass", "freedom"), [("humanoid", 70.4, 34), ("bird", 64.1, 24), ("raptor", 77.8, 42)]
)
def test_bodies_weigh_and_bend_as_the_paper_says(name: str, mass: float, freedom: int) -> None:
    body = load_body(name)
    model = body.model()
    assert body.anatomy.mass == pytest.approx(mass)
    assert model.body_mass.sum() == pytest.approx(mass)
    assert (body.anatomy.freedom, model.nv) == (freedom, freedom)
    # Parts that are no neighbours collide.
    assert (model.geom_contype > 0).all()
    assert model.nexclude == 0


def test_same_bits_at_any_number_of_threads(stage: Stage) -> None:
    states = disturbed(stage.starting("walk", 6), kick=0.3, seed=1)
    one = stage.advance(states, "walk", 0.7, threads=1)
    two = stage.advance(states, "walk", 0.7, threads=3)
    again = Stage(HUMANOID).advance(states[::-1], "walk", 0.7)
    for a, b in ((one, two.states), (one, again.states[::-1])):
        np.testing.assert_array_equal(a.states.positions, b.positions)
        np.testing.assert_array_equal(a.states.velocities, b.velocities)
    assert len(np.unique(one.states.positions[:, 0])) == 6


def test_a_foot_that_carries_takes_over_from_one_that_hangs_in_the_air() -> None:
    gait = HUMANOID.gait("walk")
    for change in ("stance knee=1.5", "swing knee=0", "swing hip bend=0"):
        gait = changed(gait, change)
    stage = Stage(HUMANOID, gaits=[gait, replace(gait, name="taking", takeover=100.0)])
    states = stage.standing(3)
    # The left foot should stand, but its knee is bent.
    states.positions[:, int(stage.model.joint("left knee").qposadr[0])] = 1.5
    run = stage.step(states, ["walk", "taking", Blend("walk", "taking", 1.0)])
    assert run.states.beats[:, 0].tolist() == [1.0, 1.0, 1.0]
    usual, early, blended = run.of("duration") / gait.step_time
    assert usual > 0.35
    assert 0.2 < early == blended < 0.25


def test_steps_end_at_foot_strikes_and_add_up(stage: Stage) -> None:
    start = stage.starting("walk")
    states, seconds = start, 0.0
    for count in range(4):
        run = stage.step(states, "walk")
        assert ENDINGS[run.endings[0]] == "strike"
        assert run.states.beats[0, 0] == (count + 1) % 2
        assert run.states.beats[0, 1] == 0.0
        seconds += float(run.of("duration")[0])
        states = run.states
    # Four steps are the same as all their time at once, to the last bit.
    whole = stage.advance(start, "walk", seconds)
    assert whole.of("strikes")[0] == 4
    np.testing.assert_array_equal(whole.states.positions, states.positions)
    np.testing.assert_array_equal(whole.states.velocities, states.velocities)


def test_states_that_are_given_stay_as_they_are(stage: Stage) -> None:
    start = stage.starting("walk", 2)
    kept = start.copy()
    stage.step(start, "walk")
    np.testing.assert_array_equal(start.positions, kept.positions)
    np.testing.assert_array_equal(start.beats, kept.beats)


def test_a_blend_of_nothing_is_the_gait_itself(stage: Stage) -> None:
    start = stage.starting("walk")
    plain = stage.step(start, "walk")
    blend = stage.step(start, Blend("walk", "in place", 0.0))
    other = stage.step(start, Blend("walk", "in place", 0.5))
    np.testing.assert_array_equal(plain.states.positions, blend.states.positions)
    assert np.abs(plain.states.positions - other.states.positions).max() > 1e-3


def mirrored(stage: Stage, states: States) -> States:
    """Left and right swapped."""
    model, out = stage.model, states.copy()
    for row in range(len(states)):
        q, v = states.positions[row], states.velocities[row]
        out.positions[row, :3] = q[:3] * [1, -1, 1]
        out.positions[row, 3:7] = q[3:7] * [1, -1, 1, -1]
        out.velocities[row, :3] = v[:3] * [1, -1, 1]
        out.velocities[row, 3:6] = v[3:6] * [-1, 1, -1]
        for joint in stage.body.anatomy.joints:
            twin = joint.name
            if joint.side:
                twin = f"{'right' if joint.side == 'left' else 'left'} {joint.role}"
            here, there = model.joint(joint.name), model.joint(twin)
            a, b, d, e = (
                int(here.qposadr[0]), int(there.qposadr[0]),
                int(here.dofadr[0]), int(there.dofadr[0]),
            )  # fmt: skip
            if joint.kind == "ball":
                out.positions[row, b : b + 4] = q[a : a + 4] * [1, -1, 1, -1]
                out.velocities[row, e : e + 3] = v[d : d + 3] * [-1, 1, -1]
            else:
                sign = -1.0 if joint.axis[1] == 0 else 1.0
                out.positions[row, b], out.velocities[row, e] = sign * q[a], sign * v[d]
    out.beats[:, 0] = 1 - states.beats[:, 0]
    out.beats[:, 2] = -states.beats[:, 2]
    return out


def test_the_mirror_image_of_a_step_is_the_mirrored_gait_s_step() -> None:
    turn = replace(HUMANOID.gait("walk"), name="turn", turn=0.2)
    both = Stage(HUMANOID, gaits=[turn, turn.mirrored("mirrored")])
    start = disturbed(both.starting("turn"), kick=0.2, seed=4)
    run = both.step(start, "turn")
    twin = both.step(mirrored(both, start), "mirrored")
    assert run.of("duration")[0] == pytest.approx(twin.of("duration")[0])
    expected = mirrored(both, run.states)
    np.testing.assert_allclose(twin.states.positions, expected.positions, atol=1e-6)
    np.testing.assert_allclose(twin.states.velocities, expected.velocities, atol=1e-4)


def test_falls_are_told(stage: Stage) -> None:
    states = stage.starting("walk")
    states.velocities[0, 3:6] = (0.0, 9.0, 0.0)
    run = stage.advance(states, "walk", 5.0)
    assert ENDINGS[run.endings[0]] == "fell"
    assert run.of("duration")[0] < 3.0
    assert not run.standing[0]


def test_what_explodes_is_trapped_and_named(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # MuJoCo would put such a body back on its feet, and it would seem to survive.
    states = stage.starting("walk", 2)
    dof = int(stage.model.joint("left elbow").dofadr[0])
    states.velocities[1, dof] = 1e9
    run = stage.advance(states, "walk", 1.0)
    assert [ENDINGS[e] for e in run.endings] == ["time", "exploded"]
    assert not run.standing[1]
    assert run.of("duration")[1] < 0.01
    assert stage.joint_of(int(run.culprits[1])) == "left elbow"
    # MuJoCo writes a log beside you when it is left to itself.
    assert not list(tmp_path.iterdir())


def test_a_gait_that_explodes_never_survives() -> None:
    wild = dict.fromkeys(("swing hip bend", "stance knee"), (0.0, 3.0, -3.0, 3.0, -3.0))
    gait = replace(HUMANOID.gait("walk"), name="wild", step_time=0.06, targets=wild)
    stage = Stage(HUMANOID, gaits=[gait])
    run = stage.advance(stage.starting("wild"), "wild", 20.0)
    assert ENDINGS[run.endings[0]] in ("fell", "exploded", "stuck")


def test_bodies_that_cannot_walk_are_refused() -> None:
    anatomy = HUMANOID.anatomy
    with pytest.raises(CharacterError, match="cannot stand"):
        Body(anatomy=replace(anatomy, fall_height=1.2))
    legless = tuple(part for part in anatomy.parts if not part.name.startswith("left"))
    with pytest.raises(CharacterError, match=r"no joint 'left hip'.*it has: waist"):
        replace(anatomy, parts=legless)
    tail = tuple(
        replace(anatomy.parts[1], name=f"tail {i}", joints=(Joint(name=f"tail {i}", kind="ball"),))
        for i in range(40)
    )
    with pytest.raises(CharacterError, match=r"1\d\d degrees of freedom; .* at most 128"):
        replace(anatomy, parts=(*anatomy.parts, *tail))
    orphan = replace(anatomy.parts[1], parent="pelvsi")
    with pytest.raises(CharacterError, match="unknown part 'pelvsi'; did you mean 'pelvis'"):
        Anatomy(
            name="x", parts=(anatomy.parts[0], orphan), root_gains=(1, 1, 1), hip_damping=1,
            fall_height=0.1,
        )  # fmt: skip


def test_wrong_input_is_named(stage: Stage) -> None:
    start = stage.starting("walk", 2)
    with pytest.raises(InputError, match=r"unknown gait 'hop'; there are: .*walk"):
        stage.step(start, "hop")
    with pytest.raises(InputError, match="2 states but 1 actions"):
        stage.step(start, ["walk"])
    with pytest.raises(InputError, match="share of a blend must be 0 to 1"):
        Blend("walk", "walk", 1.5)
    with pytest.raises(InputError, match="threads"):
        stage.step(start, "walk", threads=0)
    with pytest.raises(InputError, match="41 positions and 34 velocities"):
        stage.step(Stage(load_body("bird")).starting("walk"), "walk")
    broken = start.copy()
    broken.positions[0, 3] = np.nan
    with pytest.raises(InputError, match="finite"):
        stage.step(broken, "walk")
    with pytest.raises(InputError, match="unknown body 'horse'; there are: bird, humanoid"):
        load_body("horse")


def test_ctrl_c_stops_a_long_walk() -> None:
    code = """
from surefoot.physics import Stage, load_body
stage = Stage(load_body("humanoid"))
print("walking", flush=True)
stage.advance(stage.starting("walk"), "walk", 36000.0)
"""
    with interruptible([sys.executable, "-c", code]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "walking\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in error
