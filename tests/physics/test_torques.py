"""The native step controller agrees with the readable one, alone and in closed loop."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

from references.step_controller import torques  # noqa: E402
from surefoot.physics import Blend, Body, Gait, Stage, States, load_body  # noqa: E402
from surefoot.physics.anatomy import Anatomy  # noqa: E402
from surefoot.physics.gait import target_names  # noqa: E402


def random_gait(anatomy: Anatomy, rng: np.random.Generator, name: str) -> Gait:
    """Targets for everything, the two sides different."""
    curves = [
        {key: tuple(rng.normal(0.0, 0.4, 5)) for key in target_names(anatomy)} for _ in range(3)
    ]
    base = Gait(name=name, step_time=0.4, turn=0.3, hold=0.4)
    return replace(
        base,
        ahead=replace(base.ahead, place=0.4, wanted=0.7),
        sideways=replace(base.sideways, speed=0.3, wanted=-0.2),
        targets=curves[0],
        left=dict(list(curves[1].items())[::2]),
        right=dict(list(curves[2].items())[1::2]),
    )


def random_states(stage: Stage, rng: np.random.Generator, count: int) -> States:
    """Bodies anywhere, in any pose, in any part of a step."""
    states = stage.standing(count)
    data = mujoco.MjData(stage.model)
    for row in range(count):
        data.qpos[:] = states.positions[row]
        shift = rng.normal(0.0, 0.5, stage.model.nv)
        mujoco.mj_integratePos(stage.model, data.qpos, shift, 1.0)
        states.positions[row] = data.qpos
    states.velocities[:] = rng.normal(0.0, 1.5, states.velocities.shape)
    states.beats[:, 0] = rng.integers(0, 2, count)
    states.beats[:, 1] = rng.uniform(0.0, 0.5, count)
    states.beats[:, 2] = rng.uniform(-np.pi, np.pi, count)
    states.beats[:, 3] = rng.uniform(0.0, 1.0, count)
    return states


@pytest.mark.parametrize("name", ["humanoid", "bird", "raptor"])
def test_native_torques_are_the_reference_s(name: str) -> None:
    rng = np.random.default_rng(3)
    body = Body(anatomy=load_body(name).anatomy)
    gaits = [random_gait(body.anatomy, rng, f"{i}") for i in range(2)]
    stage = Stage(body, gaits=gaits)
    data = mujoco.MjData(stage.model)
    states = random_states(stage, rng, 12)
    for row in range(12):
        one = states[row : row + 1]
        data.qpos[:], data.qvel[:] = one.positions[0], one.velocities[0]
        mujoco.mj_forward(stage.model, data)
        both = [torques(body, stage.model, data, gait, one.beats[0]) for gait in gaits]
        for share in (0.0, 0.3, 1.0):
            found = stage.torques(one, Blend("0", "1", share))
            expected = (1 - share) * both[0] + share * both[1]
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-8)
            assert np.abs(found).max() > 10.0


def test_the_closed_loop_is_the_reference_s() -> None:
    stage = Stage(load_body("humanoid"))
    gait = stage.body.gait("walk")
    start = stage.starting("walk")
    run = stage.advance(start, "walk", 0.25)
    data = mujoco.MjData(stage.model)
    data.qpos[:], data.qvel[:] = start.positions[0], start.velocities[0]
    beat = start.beats[0].copy()
    for _ in range(250):
        mujoco.mj_step1(stage.model, data)
        data.qfrc_applied[:] = torques(stage.body, stage.model, data, gait, beat)
        mujoco.mj_step2(stage.model, data)
        beat[1] += stage.model.opt.timestep
    np.testing.assert_allclose(run.states.positions[0], data.qpos, atol=1e-6)
    np.testing.assert_allclose(run.states.velocities[0], data.qvel, atol=1e-4)
