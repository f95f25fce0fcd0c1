"""Plants of people: beside force plates, and beside what one sees in plots of motion capture."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from surefoot.motion.formats import read_bvh
from surefoot.motion.plants import FootPaths, Plants, PlantSettings, find_plants, foot_paths
from surefoot.motion.retargeting import to_humanoid

RECORDINGS = ("btk_pig_motion", "gaitalytics_treadmill", "opensim_walk3d")
LABELS = tomllib.loads((Path(__file__).parent / "labels.toml").read_text())


def recording(data: Path, name: str) -> Any:
    return np.genfromtxt(data / "footgt" / f"{name}.csv", delimiter=",", names=True)


def paths(table: Any, *parts: str) -> FootPaths:
    """Feet with Z up; the files have Y up."""

    def path(point: str) -> np.ndarray:
        return np.stack([table[f"{point}_{axis}"] for axis in "zxy"], axis=1)

    return FootPaths(
        rate=1 / float(np.median(np.diff(table["t"]))),
        left={part: path(f"L_{part}") for part in parts},
        right={part: path(f"R_{part}") for part in parts},
        pelvis=path("pelvis"),
    )


def errors(table: Any, found: Plants) -> list[float]:
    """[s] between each known change of contact and the nearest found; unknown ones do not count."""
    result: list[float] = []
    times = table["t"] - table["t"][0]
    for side, name in (("L", "left"), ("R", "right")):
        contact = table[f"{side}_contact"].astype(int)
        plants = found.of(name)  # pyright: ignore[reportArgumentType]
        for i in np.flatnonzero(np.diff(contact)):
            if -1 in (contact[i], contact[i + 1]):
                continue
            between = (times[i] + times[i + 1]) / 2
            lands = contact[i + 1] == 1
            candidates = [plant.start if lands else plant.end for plant in plants]
            result.append(min((at - between for at in candidates), key=abs, default=np.inf))
    return result


def test_beside_force_plates(data: Path) -> None:
    apart: list[float] = []
    for name in RECORDINGS:
        table = recording(data, name)
        found = find_plants(paths(table, "heel", "toe"))
        assert (found.floor_velocity is not None) == ("treadmill" in name)
        apart += errors(table, found)
    assert len(apart) == 53
    assert np.mean(np.abs(apart) <= 0.04) >= 0.95
    assert np.max(np.abs(apart)) < 0.06


def test_shares_chosen_on_two_recordings_hold_on_the_third(data: Path) -> None:
    """The number that force plates had a say in, chosen without the recording it is tried on."""
    shares = (0.11, 0.13, 0.15, 0.17, 0.20)
    tables = {name: recording(data, name) for name in RECORDINGS}
    apart = {
        (name, share): np.abs(
            errors(table, find_plants(paths(table, "heel", "toe"), PlantSettings(lifting=share)))
        )
        for name, table in tables.items()
        for share in shares
    }
    unseen: list[float] = []
    for name in RECORDINGS:
        others = [other for other in RECORDINGS if other != name]
        chosen = min(shares, key=lambda s: sum(apart[other, s].mean() for other in others))
        unseen += apart[name, chosen].tolist()
    assert np.mean(np.array(unseen) <= 0.04) >= 0.95
    assert max(unseen) < 0.08


def test_moments_beside_force_plates(data: Path) -> None:
    for name in RECORDINGS:
        table = recording(data, name)
        down = find_plants(paths(table, "heel", "toe")).down()
        truth = np.stack([table["L_contact"], table["R_contact"]], axis=1)
        known = truth >= 0
        assert (down[known] == (truth[known] == 1)).mean() > 0.955


def test_ankles_alone_beside_force_plates(data: Path) -> None:
    apart: list[float] = []
    for name in RECORDINGS:
        table = recording(data, name)
        apart += errors(table, find_plants(paths(table, "ankle")))
    assert np.max(np.abs(apart)) < 0.08


Event = tuple[str, str, float]


def events(plants: dict[str, list[list[Any]]], unsure: list[list[float]]) -> list[Event]:
    """Feet that land and lift, in order, without those of unsure moments."""
    result: list[Event] = []
    for side in ("left", "right"):
        for span in plants[side]:
            for what, at in zip(("lands", "lifts"), span, strict=True):
                if at in ("start", "end") or any(a <= at <= b for a, b in unsure):
                    continue
                result.append((side, what, at))
    return result


@pytest.mark.parametrize("canonical", [False, True])
@pytest.mark.parametrize("name", LABELS)
def test_beside_plots_of_motion_capture(data: Path, name: str, canonical: bool) -> None:
    label = LABELS[name]
    clip = read_bvh(data / "mocap" / "cmu" / f"{name}.bvh")
    feet = foot_paths(*to_humanoid(clip)) if canonical else foot_paths(clip)
    found = find_plants(feet)
    unsure = label.get("unsure", [])
    seen = events(label, unsure)
    got = events(
        {
            side: [
                [
                    "start" if plant.starts_before else plant.start,
                    "end" if plant.ends_after else plant.end,
                ]
                for plant in found.of(side)  # pyright: ignore[reportArgumentType]
            ]
            for side in ("left", "right")
        },
        unsure,
    )
    assert [event[:2] for event in got] == [event[:2] for event in seen]
    apart = [abs(a[2] - b[2]) for a, b in zip(got, seen, strict=True)]
    assert max(apart) < 0.2
    assert np.mean(apart) < 0.08
