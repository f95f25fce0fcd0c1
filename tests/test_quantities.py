from __future__ import annotations

from math import inf, nan

import hypothesis.strategies as st
import pytest
from hypothesis import given

from surefoot import quantities


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 ms"),
        (0.000004, "0.0040 ms"),
        (0.00019, "0.19 ms"),
        (0.0472, "47 ms"),
        (0.00996, "10 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.0 s"),
        (1.77, "1.8 s"),
        (9.96, "10 s"),
        (43.4, "43 s"),
        (59.6, "1 min"),
        (141.0, "2 min 21 s"),
        (3599.7, "1 h"),
        (3900.0, "1 h 5 min"),
        (-1.77, "-1.8 s"),
        (inf, "infinite"),
    ],
)
def test_durations_are_in_the_unit_that_suits_them(seconds: float, text: str) -> None:
    assert quantities.duration(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (13032, "13,032"),
        (1770.4, "1,770"),
        (1e20, "100,000,000,000,000,000,000"),
        (47.2, "47.2"),
        (24.0, "24"),
        (0.1901, "0.19"),
        (9.999, "10"),
        (-3.14159, "-3.14"),
        (inf, "infinite"),
        (nan, "nan"),
    ],
)
def test_numbers_have_three_digits_and_no_exponent(value: float, text: str) -> None:
    assert quantities.number(value) == text


@given(st.floats(-1e30, 1e30))
def test_no_number_has_an_exponent(value: float) -> None:
    for text in (quantities.number(value), quantities.duration(value)):
        assert "e" not in text.replace("e ", "")
    assert float(quantities.number(value).replace(",", "")) == pytest.approx(value, rel=0.0051)


def test_counts_have_a_noun_in_its_number() -> None:
    assert quantities.count(13032, "cell") == "13,032 cells"
    assert quantities.count(1, "cell") == "1 cell"
    assert quantities.count(0, "box", "boxes") == "0 boxes"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "about 5 s"), (38.0, "about 40 s"), (57.4, "about 55 s"), (58.0, "about 1 min"),
     (200.0, "about 3 min")],
)  # fmt: skip
def test_estimates_claim_no_more_than_they_know(seconds: float, text: str) -> None:
    assert quantities.estimate(seconds) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (120, "120 bytes"), (68400, "68 kB"), (999_600, "1.0 MB"), (2e9, "2.0 GB")],
)
def test_memory_is_in_decimal_units(size: float, text: str) -> None:
    assert quantities.memory(size) == text
