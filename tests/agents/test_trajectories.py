"""Trajectories as CSV: the crowd's own positions, to the last bit."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from agents.conftest import DT
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Entrant
from surefoot.agents.film import Film
from surefoot.cli import main

Rows = list[tuple[int, tuple[float, ...]]]


def read(path: Path) -> Rows:
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["agent", "t", "x", "y", "z", "heading"]
    return [(int(agent), tuple(map(float, numbers))) for agent, *numbers in rows]


def sighted(crowd: Crowd) -> Rows:
    positions, headings = crowd.spots()
    return [
        (agent, (crowd.t, *position.tolist(), float(heading)))
        for agent, position, heading in zip(crowd.agents, positions, headings, strict=True)
    ]


def in_order(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: (row[0], row[1][0]))


def test_rows_are_the_crowds_own_positions(floor, adult, tmp_path) -> None:
    crowd = Crowd(
        floor,
        [
            Entrant(adult, (-3.0, 0.0, 0.0), goal=(4.0, 0.5, 0.0)),
            Entrant(adult, (3.0, 1.0, 0.0), heading=np.pi, goal=(-4.0, 1.0, 0.0)),
        ],
        planner=Discs,
        settings=CrowdSettings(nodes=40, least_nodes=20, horizon=5),
    )
    film = Film(floor)
    film.shoot(crowd)
    rows = sighted(crowd)
    for frame in range(30):
        if frame == 4:
            crowd.add(adult, (0.0, -3.0, 0.0), goal=(0.0, 4.0, 0.0))
        if frame == 20:
            crowd.remove(1)
        crowd.step(DT)
        film.shoot(crowd)
        rows += sighted(crowd)
    film.save_trajectories(tmp_path / "film.csv")
    assert read(tmp_path / "film.csv") == in_order(rows)
    assert {agent for agent, _ in rows} == {0, 1, 2}
    crowd.recording().save_trajectories(tmp_path / "again.csv", Discs)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "film.csv").read_bytes()


def test_the_command_writes_them_and_writes_the_same_again(tmp_path, capsys) -> None:
    path, run, again = tmp_path / "a.csv", tmp_path / "run.json", tmp_path / "b.csv"
    main(
        ["crowd", "four crossing", "--duration", "1", "--rate", "20", "--quiet",
         "--trajectories", str(path), "--record", str(run)]
    )  # fmt: skip
    rows = read(path)
    assert rows == in_order(rows)
    assert {agent for agent, _ in rows} == {0, 1, 2, 3}
    times = [row[0] for agent, row in rows if agent == 0]
    assert times == pytest.approx(np.arange(len(times)) / 20, abs=1e-9)
    assert len(times) == 20
    assert main(["crowd", "--replay", str(run), "--quiet", "--trajectories", str(again)]) == 0
    # The last frame that was planned is only seen in the replay.
    assert [row for row in read(again) if row[1][0] < 0.99] == rows
    assert main(["crowd", "four crossing", "--trajectories", str(tmp_path / "a.txt")]) == 2
    assert "must end in .csv" in capsys.readouterr().err
