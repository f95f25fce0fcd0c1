"""Key times in single precision: increasing, and jumps stay jumps."""

from __future__ import annotations

from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from surefoot.gltf import Channel, GltfBuilder, read_gltf
from surefoot.gltf.encoding import single_times

gaps = st.sampled_from([1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 1 / 24, 0.5, 7.0])


@given(st.sampled_from([0.0, 1 / 24, 3.3, 1e3, 3600.0, 1e6]), st.lists(gaps, max_size=40))
def test_times_increase_and_are_one_number_off_at_most(start: float, steps: list[float]) -> None:
    times = np.unique(start + np.cumsum([0.0, *steps]))
    kept, stored = single_times(times)
    assert stored.dtype == np.float32
    assert (np.diff(stored) > 0).all()
    assert stored[0] >= 0
    assert kept[-1] == len(times) - 1
    step = np.spacing(times.astype(np.float32)).astype(np.float64)
    assert (np.abs(stored - times[kept]) <= 1.5 * step[kept]).all()
    # What was left out is within a number of a key that is there.
    nearest = np.abs(stored[None] - times[:, None]).min(axis=1)
    assert (nearest <= step).all()


@given(st.lists(st.integers(0, 2**20), min_size=1, max_size=30, unique=True))
def test_times_that_single_precision_tells_apart_are_kept(numbers: list[int]) -> None:
    times = np.sort(numbers) / 64
    kept, stored = single_times(times)
    assert np.array_equal(kept, np.arange(len(times)))
    assert np.array_equal(stored, times)


@pytest.mark.parametrize("at", [0.0, 2.0, 3600.0, 36000.0])
def test_a_jump_takes_one_number(at: float, tmp_path: Path) -> None:
    builder = GltfBuilder()
    node = builder.add_node("lamp")
    low, high = [0.0, 0.0, 0.0], [0.0, 9.0, 0.0]
    times = [at, at + 1.0, at + 1.0 + 1e-9, at + 2.0]
    channel = Channel(
        node=node,
        path="translation",
        times=np.array(times),
        values=np.array([low, low, high, high]),
        interpolation="linear",
    )
    builder.add_animation([channel])
    builder.save(tmp_path / "lamp.glb")
    again = read_gltf(tmp_path / "lamp.glb").animations[0].channels[0]
    assert np.array_equal(again.values, channel.values)
    step = float(np.spacing(np.float32(at + 1.0)))
    np.testing.assert_allclose(again.times, times, rtol=0, atol=step)
