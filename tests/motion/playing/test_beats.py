"""The native core against its readable twin, and what holds for every pose it makes."""

from __future__ import annotations

import numpy as np
import pytest

from references import playing as reference
from surefoot.errors import InputError
from surefoot.math import rotations
from surefoot.motion.playing.beats import carriers, perform
from surefoot.motion.playing.footage import Footage
from surefoot.motion.playing.program import Manner
from surefoot.world import World


def close(one: np.ndarray, other: np.ndarray) -> float:
    """The largest turn [rad] between two sets of rotations."""
    between = rotations.multiply(one, rotations.inverse(other))
    return float(np.linalg.norm(rotations.to_rotation_vector(between), axis=-1).max())


@pytest.mark.parametrize("where", ["floor", "carousel", "nowhere"])
@pytest.mark.parametrize("seed", range(3))
def test_native_poses_are_those_of_the_reference(
    footage: Footage, play, floor: World, carousel: World, where: str, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    world = {"floor": floor, "carousel": carousel, "nowhere": None}[where]
    body = "platform" if where == "carousel" else None
    # Steps in no sensible order, so that feet must be let go of and caught in crossfades.
    steps = rng.integers(1, 6, 6).tolist()
    program = play(
        world,
        steps,
        body=body,
        speed=float(rng.uniform(0.7, 1.4)),
        blend=float(rng.uniform(0.1, 0.5)),
        manner=Manner(slack=float(rng.uniform(0.0, 0.06)), follow=float(rng.uniform(0.0, 1.0))),
        turns=rng.uniform(-0.4, 0.4, 6).tolist(),
    )
    times = np.sort(rng.uniform(program.begin, program.end + 0.6, 60))
    which = np.clip(np.searchsorted(program.beats["start"], times, side="right") - 1, 0, None)
    beats = program.beats[which]
    made = perform(footage, beats, times, world)
    around = carriers(beats, times, world)
    for i, t in enumerate(times):
        root, local, contacts, offsets = reference.pose(footage, beats[i], float(t), around[i])
        assert np.abs(made.root[i] - root).max() < 1e-7
        assert close(made.rotations[i], local) < 1e-6
        assert np.array_equal(made.contacts[i], contacts)
        assert np.abs(made.offsets[i] - offsets).max() < 1e-6


def test_poses_have_the_same_bits_in_any_order_and_number_of_threads(
    footage: Footage, play, floor: World
) -> None:
    program = play(floor, [1, 2, 3, 4])
    times = np.linspace(program.begin, program.end, 400)
    which = np.clip(np.searchsorted(program.beats["start"], times, side="right") - 1, 0, None)
    beats = program.beats[which]
    forward = perform(footage, beats, times, floor)
    backward = perform(footage, beats[::-1], times[::-1], floor, threads=3)
    assert np.array_equal(forward.root, backward.root[::-1])
    assert np.array_equal(forward.rotations, backward.rotations[::-1])
    one = perform(footage, beats[17:18], times[17:18], floor)
    assert np.array_equal(one.rotations[0], forward.rotations[17])


def test_beats_that_the_footage_does_not_have_are_refused(footage: Footage, play) -> None:
    beats = play(None, [1]).beats.copy()
    beats["in"]["first"] = 1e6
    with pytest.raises(ValueError, match="the footage has"):
        perform(footage, beats[:1], np.array([1.0]), None)
    with pytest.raises(InputError, match="threads"):
        perform(footage, play(None, [1]).beats[:1], np.array([1.0]), None, threads=0)
