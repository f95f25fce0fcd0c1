from __future__ import annotations

from surefoot.planning import statistics
from surefoot.planning.statistics import Account


def test_an_account_adds_up_counts_and_times() -> None:
    account = Account()
    account.count("cells", 5)
    account.stage("ground", 0.4)
    account.count("cells", 7)
    account.stage("search", 0.8)
    account.stage("ground", 0.9)
    found = account.statistics
    assert list(found) == ["cells", "ground_ms", "search_ms", "total_ms"]
    assert found["cells"] == 12
    assert found["ground_ms"] + found["search_ms"] <= found["total_ms"] + 0.002
    assert account.statistics["total_ms"] >= found["total_ms"], "it goes on"


def test_progress_goes_on_from_where_a_stage_ended() -> None:
    seen: list[tuple[str, float]] = []
    account = Account(lambda stage, share: seen.append((stage, share)))
    assert account.is_followed
    account.report("training", 0.5)
    account.stage("training", 0.9)
    account.rest("search", 0.5)
    account.rest("search", 1.0)
    assert [(stage, round(share, 9)) for stage, share in seen] == [
        ("training", 0.5), ("training", 0.9), ("search", 0.95), ("search", 1.0),
    ]  # fmt: skip


def test_what_takes_long_once_is_said_beside_the_total() -> None:
    assert statistics.headline({"total_ms": 47.2}) == "planned in 47 ms"
    assert statistics.headline({"total_ms": 43_300.0, "training_ms": 43_100.0}) == (
        "planned in 43 s, 43 s of it training"
    )
    assert statistics.headline({"total_ms": 8_300.0, "loading_ms": 7_100.0}) == (
        "planned in 8.3 s, 7.1 s of it loading controllers"
    )
    assert statistics.headline({"total_ms": 22_700.0, "steps_ms": 18_400.0}) == (
        "planned in 23 s, 18 s of it gathering steps"
    )
    assert statistics.headline({"total_ms": 2_600.0, "steps_ms": 0.1}) == "planned in 2.6 s"
    assert statistics.headline({"nodes_expanded": 3}) == ""


def test_groups_join_counts_with_their_time() -> None:
    said = statistics.in_words({
        "total_ms": 50.0, "nodes_expanded": 1, "search_ms": 3.0, "cells": 13032, "ground_ms": 47.2,
        "steps_refused": 0, "jumps": 2, "falls": 0, "struck": 1, "nodes_culled": 9,
    })  # fmt: skip
    assert said == (
        "ground: 13,032 cells in 47 ms; search: 1 node expanded in 3.0 ms;"
        " on the way: 2 jumps, struck 1 time"
    )


def test_nothing_to_say() -> None:
    assert statistics.in_words({}) == ""
    assert statistics.in_words({"total_ms": 3.0}) == ""
