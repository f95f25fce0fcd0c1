"""Smooth steps, kernels and curves keep what they promise."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from surefoot.motion.curves import (
    covering,
    fourier,
    hermite,
    monotone,
    over,
    sampled,
    smoothed,
    wrapped,
)

numbers = st.lists(st.floats(-5, 5), min_size=30, max_size=60)


def test_a_straight_line_stays_straight_when_smoothed() -> None:
    line = np.linspace(0.0, 3.0, 50)
    assert np.allclose(smoothed(line, 6)[6:-6], line[6:-6], atol=1e-12)


@given(numbers, st.integers(1, 8))
def test_a_covering_curve_is_never_below(values: list[float], width: int) -> None:
    curve = np.array(values)
    assert (covering(curve, width) >= curve - 1e-9).all()


@given(st.lists(st.floats(0.01, 2.0), min_size=2, max_size=12))
def test_a_monotone_curve_never_goes_back(steps: list[float]) -> None:
    knots = np.arange(len(steps), dtype=np.float64)
    values = np.cumsum(steps)
    fine = monotone(np.linspace(-1, len(steps), 300), knots, values)
    assert (np.diff(fine) >= -1e-12).all()
    assert np.allclose(monotone(knots, knots, values), values)


def test_hermite_weights_meet_their_ends() -> None:
    start, start_slope, end, end_slope = hermite(np.array([0.0, 1.0]))
    assert np.array_equal(start, [1, 0])
    assert np.array_equal(end, [0, 1])
    assert np.array_equal(start_slope, [0, 0])
    assert np.array_equal(end_slope, [0, 0])


def test_odd_harmonics_change_sign_half_a_cycle_on() -> None:
    phase = np.linspace(0, 1, 17)
    one = [np.array(0.3), np.array(-0.1)]
    first = fourier(phase, (1, 3), one, one)
    assert np.allclose(first, -fourier(phase + 0.5, (1, 3), one, one))


def test_turns_are_wrapped_the_shorter_way() -> None:
    assert np.isclose(wrapped(3 * np.pi / 2), -np.pi / 2)


def test_over_lies_on_or_above_and_bends_gently() -> None:
    rng = np.random.default_rng(3)
    step = 1 / 120
    values = np.where(rng.random(800) < 0.02, rng.uniform(0.0, 0.2, 800), 0.0)
    values[300:400] = np.linspace(0.0, 0.15, 100)
    curve = over(values, step, peaks=12.0, valleys=8.0)
    bend = np.diff(curve, 2) / step**2
    assert (curve >= values).all()
    assert bend.min() > -12.0 - 1e-6
    assert bend.max() < 8.0 * 1.2  # samples, not a continuous curve
    # No higher than needed: it touches the highest value and leaves a quiet curve as it is.
    assert curve.max() == values.max()
    calm = 0.05 * np.sin(np.linspace(0.0, 6.0, 800))
    same = over(calm, step, peaks=12.0, valleys=8.0)
    assert np.allclose(same[5:-5], calm[5:-5], atol=1e-6)


def test_sampled_goes_through_its_values_without_kinks() -> None:
    values = np.sin(np.arange(50) * 0.2)
    times = np.linspace(1.0, 1.0 + 49 * 0.1, 2000)
    curve = sampled(times, 1.0, 0.1, values)
    assert np.allclose(sampled(1.0 + 0.1 * np.arange(50), 1.0, 0.1, values), values)
    inside = (times > 1.2) & (times < 5.7)
    assert np.allclose(curve[inside], np.sin((times[inside] - 1.0) * 2), atol=1e-3)
    assert sampled(np.array([0.0, 99.0]), 1.0, 0.1, values).tolist() == [values[0], values[-1]]
