"""Nearest samples under a metric: the native answer is the one of a loop over all."""

from __future__ import annotations

import numpy as np
import pytest

from surefoot import _native

TERMS = [(0, 3, False, 1.0), (3, 1, False, 0.2), (4, 4, True, 1.5)]


def rows(rng: np.random.Generator, count: int) -> np.ndarray:
    out = rng.normal(size=(count, 8))
    out[:, 4:] /= np.linalg.norm(out[:, 4:], axis=1, keepdims=True)
    return out


def distance(a: np.ndarray, b: np.ndarray) -> float:
    total = 0.0
    for first, size, rotation, weight in TERMS:
        x, y = a[first : first + size], b[first : first + size]
        angle = 2 * np.arccos(min(1.0, abs(float(x @ y)))) if rotation else np.linalg.norm(x - y)
        total += weight * float(angle)
    return total


@pytest.mark.parametrize("seed", range(5))
def test_nearest_equals_a_loop_over_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    samples, queries = rows(rng, 150), rows(rng, 20)
    found = _native.Neighbours(TERMS, 8)
    found.add(samples)
    who, away = found.nearest(queries, 6, 2)
    for i, query in enumerate(queries):
        all_of_them = np.array([distance(query, sample) for sample in samples])
        np.testing.assert_array_equal(who[i], np.argsort(all_of_them, kind="stable")[:6])
        np.testing.assert_allclose(away[i], np.sort(all_of_them)[:6], atol=1e-7)


def test_ties_go_to_the_earlier_sample_and_quaternions_have_two_signs() -> None:
    rng = np.random.default_rng(0)
    samples = np.repeat(rows(rng, 10), 3, axis=0)
    samples[2::3, 4:] *= -1
    found = _native.Neighbours(TERMS, 8)
    found.add(samples)
    who, away = found.nearest(np.ascontiguousarray(samples[::3]), 2)
    np.testing.assert_array_equal(who, np.arange(0, 30, 3)[:, None] + [0, 1])
    np.testing.assert_array_equal(away, 0.0)


def test_novel_rows_are_those_far_from_all_before_them() -> None:
    rng = np.random.default_rng(3)
    candidates = rows(rng, 200)
    found = _native.Neighbours(TERMS, 8)
    novel = found.novel(candidates, 3.0)
    kept: list[np.ndarray] = []
    for row, new in zip(candidates, novel, strict=True):
        assert new == all(distance(row, other) > 3.0 for other in kept)
        if new:
            kept.append(row)
    assert 1 < len(kept) == len(found) < 200


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="a rotation has 4 numbers"):
        _native.Neighbours([(0, 3, True, 1.0)], 8)
    found = _native.Neighbours(TERMS, 8)
    with pytest.raises(ValueError, match="another width"):
        found.add(np.zeros((1, 7)))
    with pytest.raises(ValueError, match="k must be"):
        found.nearest(np.zeros((1, 8)), 1)
