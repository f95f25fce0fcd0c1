"""Platforms that move: who stands on one goes with it, and balances against it."""

from __future__ import annotations

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

from physics.test_torques import random_gait, random_states  # noqa: E402
from references.step_controller import Ground, torques  # noqa: E402
from surefoot.errors import InputError  # noqa: E402
from surefoot.math import Pose, rotations  # noqa: E402
from surefoot.physics import Body, Platform, Stage, load_body  # noqa: E402
from surefoot.physics.tuning import disturbed  # noqa: E402
from surefoot.world import Body as Thing  # noqa: E402
from surefoot.world import Function, Keyframed, Static, Trajectory  # noqa: E402
from surefoot.world.primitives import ball, slab  # noqa: E402

HUMANOID = load_body("humanoid")


def deck(trajectory: Trajectory, half: float = 30.0) -> Platform:
    return Platform(
        name="deck", low=(-half, -half, -0.2), high=(half, half, 0.1), trajectory=trajectory
    )


def gliding(velocity: tuple[float, float, float]) -> Keyframed:
    keys = np.array([[0.0, 0.0, 0.5], np.array([0.0, 0.0, 0.5]) + 100 * np.array(velocity)])
    return Keyframed([0.0, 100.0], keys, np.tile([1.0, 0.0, 0.0, 0.0], (2, 1)))


def train(acceleration: float, most: float) -> Keyframed:
    """It starts after a second."""

    def pose(t: float) -> Pose:
        until = max(0.0, min(t - 1.0, most / acceleration))
        rest = max(0.0, t - 1.0 - most / acceleration)
        return Pose.at(acceleration * until**2 / 2 + most * rest, 0.0, 0.5)

    return Function(pose, horizon=60.0, max_speed=most).sampled(0.0, 20.0, 100.0)


def carousel(rate: float) -> Keyframed:
    times = np.arange(0.0, 20.0, 0.5)
    turns = rotations.from_yaw(rate * times)
    return Keyframed(times, np.tile([0.0, 0.0, 0.5], (len(times), 1)), turns)


def test_a_body_on_a_gliding_platform_walks_as_on_the_floor() -> None:
    still = Stage(HUMANOID, platforms=[deck(gliding((0.0, 0.0, 0.0)))])
    gliding_on = Stage(HUMANOID, platforms=[deck(gliding((4.0, -2.0, 0.3)))])
    ends = []
    for stage in (still, gliding_on):
        start = stage.aboard(stage.starting("walk", 1), "deck")
        run = stage.advance(start, "walk", 2.0)
        assert run.standing.all()
        ends.append(stage.seen_from(run.states, "deck", 2.0))
    # Galileo: all but rounding is the same.
    np.testing.assert_allclose(ends[0].positions[0, :41], ends[1].positions[0, :41], atol=1e-4)
    np.testing.assert_allclose(ends[0].velocities[0, :34], ends[1].velocities[0, :34], atol=1e-2)
    assert ends[0].places[0, 0] > 1.5


@pytest.mark.parametrize(
    ("moves", "gait"),
    [(train(0.5, 3.0), "walk"), (carousel(0.2), "walk"), (carousel(0.2), "in place")],
)
def test_who_rides_keeps_up_with_a_platform_that_starts_or_turns(
    moves: Keyframed, gait: str
) -> None:
    stage = Stage(HUMANOID, platforms=[deck(moves)])
    start = stage.aboard(disturbed(stage.starting(gait, 2), kick=0.05, seed=3), "deck")
    run = stage.advance(start, gait, 8.0)
    assert run.standing.all()
    seen = stage.seen_from(run.states, "deck", 8.0)
    # The heading is kept on the platform, not in the world.
    assert np.abs(seen.headings).max() < np.radians(25)
    assert np.linalg.norm(seen.velocities[:, :2], axis=1).max() < 1.6
    # Where the platform was said to be.
    row = stage.platforms[0].track(np.array([8.0]))[0]
    np.testing.assert_allclose(run.states.positions[0, -7:], row[:7], atol=1e-12)
    np.testing.assert_allclose(run.states.velocities[0, -6:], row[7:13], atol=1e-12)


def test_steps_on_a_platform_add_up_over_its_clock() -> None:
    stage = Stage(HUMANOID, platforms=[deck(train(1.0, 2.0))])
    states = stage.aboard(stage.starting("walk", 1), "deck")
    whole = stage.advance(states, "walk", 1.4)
    clock = 0.0
    while clock < 1.4:
        run = stage.step(states, "walk", clocks=clock)
        left = 1.4 - clock
        if run.of("duration")[0] > left:
            run = stage.advance(states, "walk", left, clocks=clock)
        states, clock = run.states, clock + float(run.of("duration")[0])
        if not run.standing[0] or left < 1e-9:
            break
    np.testing.assert_array_equal(whole.states.positions, states.positions)
    early = stage.advance(stage.aboard(stage.starting("walk", 1), "deck"), "walk", 1.4, clocks=5.0)
    assert np.abs(early.states.positions[0, :3] - whole.states.positions[0, :3]).max() > 0.1


def test_native_torques_on_a_platform_are_the_reference_s() -> None:
    rng = np.random.default_rng(5)
    body = Body(anatomy=HUMANOID.anatomy)
    gait = random_gait(body.anatomy, rng, "0")

    def sway(t: float) -> Pose:
        return Pose(np.array([np.sin(2 * t), 1.5 * t * t, 0.0]), rotations.from_yaw(0.7 * t))

    moves = Function(sway, horizon=5.0, max_speed=20.0, max_turn_rate=1.0)
    raft = Platform(
        name="deck", low=(-20, -20, -0.3), high=(20, 20, 0.0), trajectory=moves.sampled(0, 4, 50.0)
    )
    stage = Stage(body, gaits=[gait], platforms=[raft])
    data = mujoco.MjData(stage.model)
    differs = 0.0
    for _ in range(8):
        clock = round(float(rng.uniform(0.2, 2.0)), 3)
        one = random_states(stage, rng, 1)
        track = stage.platforms[0].track(np.array([clock]))[0]
        one.positions[:, 2] = rng.uniform(0.6, 0.9)
        one.positions[:, -7:], one.velocities[:, -6:] = track[:7], track[7:13]
        data.qpos[:], data.qvel[:] = one.positions[0], one.velocities[0]
        mujoco.mj_forward(stage.model, data)
        ground = Ground(track[:3], track[7:10], np.array([0.0, 0.0, 0.7]), track[13:])
        expected = torques(body, stage.model, data, gait, one.beats[0], ground)
        still = torques(body, stage.model, data, gait, one.beats[0])
        found = stage.torques(one, "0", clock=clock)
        stance = ("left", "right")[int(one.beats[0, 0])]
        ankle = data.xpos[stage.model.body(f"{stance} foot").id][2]
        above = -0.3 < ankle < 0.6
        np.testing.assert_allclose(found, expected if above else still, rtol=1e-7, atol=1e-6)
        differs += above * float(np.abs(expected - still).max())
    assert differs > 50.0


def test_the_highest_platform_under_a_foot_carries() -> None:
    moving, resting = gliding((1.0, 0.0, 0.0)), Static(Pose.at(0.0, 0.0, 0.2))
    low = Platform(name="low", low=(-5, -5, -0.1), high=(5, 5, 0.0), trajectory=resting)
    high = Platform(name="high", low=(-5, -5, -0.1), high=(5, 5, 0.0), trajectory=moving)
    for order in ((low, high), (high, low)):
        stage = Stage(HUMANOID, platforms=order)
        run = stage.advance(stage.aboard(stage.starting("in place", 1), "high"), "in place", 3.0)
        assert run.standing.all()
        assert run.states.places[0, 0] == pytest.approx(3.0, abs=0.5)


def test_seen_from_undoes_aboard() -> None:
    stage = Stage(HUMANOID, platforms=[deck(carousel(0.7))])
    states = disturbed(stage.starting("walk", 3), kick=0.3, seed=1)
    clocks = np.array([0.0, 1.0, 7.5])
    back = stage.seen_from(stage.aboard(states, "deck", clocks), "deck", clocks)
    own, moving = slice(0, 41), slice(0, 34)
    sign = np.sign((back.positions[:, 3:7] * states.positions[:, 3:7]).sum(axis=1))
    back.positions[:, 3:7] *= sign[:, None]
    np.testing.assert_allclose(back.positions[:, own], states.positions[:, own], atol=1e-12)
    np.testing.assert_allclose(back.velocities[:, moving], states.velocities[:, moving], atol=1e-9)


def test_boxes_of_a_world_become_platforms_and_other_things_do_not() -> None:
    lift = Thing(name="lift", mesh=slab((3, 2, 0.2)), trajectory=gliding((0.0, 0.0, 1.0)))
    platform = Platform.of(lift)
    assert platform.high[0] - platform.low[0] == pytest.approx(3.0)
    assert platform.high[2] - platform.low[2] == pytest.approx(0.2)
    with pytest.raises(InputError, match="'balloon' is no box"):
        Platform.of(Thing(name="balloon", mesh=ball(1.0)))
    with pytest.raises(InputError, match="low must be under high"):
        Platform(name="x", low=(0, 0, 0), high=(1, 1, 0), trajectory=lift.trajectory)
    stage = Stage(HUMANOID, platforms=[platform])
    with pytest.raises(InputError, match="unknown platform 'raft'; there are: lift"):
        stage.aboard(stage.standing(), "raft")
    with pytest.raises(InputError, match="clocks must be finite"):
        stage.step(stage.standing(), "walk", clocks=-1.0)
