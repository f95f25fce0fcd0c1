"""Property tests try the same cases in every run of `make test`."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st


def test_the_same_cases_are_drawn_again() -> None:
    drawn: list[int] = []

    @given(st.integers())
    def draw(number: int) -> None:
        drawn.append(number)

    draw()
    first = drawn.copy()
    drawn.clear()
    draw()
    assert drawn == first
    assert len(set(first)) > 20
