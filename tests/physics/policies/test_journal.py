"""Journals: what two write who do the same work counts once."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from surefoot.physics.policies.journal import Journal


def test_two_at_the_same_work_do_no_harm(tmp_path: Path) -> None:
    path, told = tmp_path / "a.journal", list[str]()
    one = Journal(path, "key", told.append)
    other = Journal(path, "key", told.append)
    for k in range(3):
        one.add({"k": np.array(k)})
        if k < 2:
            other.add({"k": np.array(k)})
    again = Journal(path, "key", told.append)
    assert [int(record["k"]) for record in again.records] == [0, 1, 2]
    other.add({"k": np.array(2)})
    again.add({"k": np.array(3)})
    last = Journal(path, "key", told.append)
    assert [int(record["k"]) for record in last.records] == [0, 1, 2, 3]
    assert not told
