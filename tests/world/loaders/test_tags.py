from __future__ import annotations

import pytest

from surefoot.errors import FileError
from surefoot.world.loaders.tags import tags_of

FLAT = {"road": True, "n": 3, "cost": 2.5, "who": "me"}


@pytest.mark.parametrize(
    ("extras", "tags"),
    [
        (None, {}),
        ({}, {}),
        (FLAT, FLAT),
        (
            {"door": {"width": [1, 2], "open": False}},
            {"door.width.0": 1, "door.width.1": 2, "door.open": False},
        ),
        ({"a": None, "b": {"c": None}}, {}),
        ([1, "x"], {"0": 1, "1": "x"}),
        (5, {"extras": 5}),
        (False, {"extras": False}),
    ],
)
def test_extras_become_flat_tags(extras, tags):
    result = tags_of(extras, "here")
    assert result == tags
    assert list(result) == list(tags)
    assert [type(value) for value in result.values()] == [type(value) for value in tags.values()]


def test_deeply_nested_extras():
    extras: object = 1
    for _ in range(5000):
        extras = {"a": extras}
    assert tags_of(extras, "here") == {".".join(["a"] * 5000): 1}


def test_infinite_tags_are_refused():
    with pytest.raises(FileError, match=r"nodes\[1\]\.extras: cost must be finite"):
        tags_of({"cost": float("inf")}, "nodes[1].extras")
