"""The default library: everything a character can do without files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import redirect_stderr
from pathlib import Path

import numpy as np
import pytest

from surefoot import caches
from surefoot.character import Character
from surefoot.errors import InputError
from surefoot.motion import Library
from surefoot.motion.default import (
    default_clip,
    default_clips,
    default_families,
    default_footage,
    default_library,
)
from surefoot.motion.engine import Engine
from surefoot.motion.families import cache
from surefoot.motion.quality import assess
from surefoot.world import World


@pytest.fixture(scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache for these tests alone."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv(caches.VARIABLE, str(folder))
        yield folder


@pytest.fixture(scope="session")
def made(own_cache: Path, adult: Character) -> tuple[Library, str]:
    """The library, and what is said while its clips are made."""
    assert not list(own_cache.iterdir())
    said = io.StringIO()
    with redirect_stderr(said):
        return default_library(adult), said.getvalue()


@pytest.fixture(scope="session")
def library(made: tuple[Library, str]) -> Library:
    return made[0]


def test_making_it_is_said_in_one_line(
    made: tuple[Library, str], adult: Character, capsys: pytest.CaptureFixture[str]
) -> None:
    assert made[1] == "surefoot: making clips for 'adult' (about 15 s, kept for next time)\n"
    default_library(adult)
    assert capsys.readouterr().err == ""


def test_it_covers_every_mode(library: Library) -> None:
    assert len(library) >= 28
    assert library.left_out == ()
    modes = {step.mode for step in library.steps}
    assert {"walk", "run", "turn", "stand", "jump", "crouch", "step up", "step down"} <= modes
    names = " ".join(library.names)
    for word in ("idle", "walk back", "walk left", "run fast", "turn 180", "start", "stop",
                 "stairs up", "stairs down", "slope", "jump up", "leap far",
                 "crouched walk slow"):  # fmt: skip
        assert word in names


def test_its_steps_say_how_fast_they_are(library: Library) -> None:
    speeds = {step.clip: step.speed for step in library.steps if step.mode in ("walk", "run")}
    assert speeds["walk"] == pytest.approx(1.25, abs=0.03)
    assert speeds["run fast"] == pytest.approx(4.5, abs=0.1)
    turned = [step for step in library.steps if step.clip == "turn 180 left"]
    assert sum(step.rotation_angle for step in turned) == pytest.approx(np.pi, abs=0.1)


def test_who_keeps_low_takes_crouched_steps(library: Library) -> None:
    walks = [name for name in library.names if name.startswith("crouched walk")]
    assert len(walks) == 5
    for name in walks:
        assert [step.mode for step in library.steps if step.clip == name] == ["crouch"] * 4
    assert [step.mode for step in library.steps if step.clip == "crouch"] == ["crouch"]


@pytest.mark.usefixtures("own_cache")
def test_it_is_made_once_and_kept(adult: Character, library: Library) -> None:
    folder = caches.folder()
    assert folder is not None
    files = list(folder.glob("*.npz"))
    assert len(files) == 1
    first = default_clips(adult)
    assert np.array_equal(first[3].clip.root, library.clip("walk").root)
    # Damaged files are made anew, not believed.
    family = default_families(adult)["step back"]
    made = cache.kept("a step", adult.skeleton, lambda: [family.made()])
    damaged = next(file for file in folder.glob("*.npz") if file not in files)
    damaged.write_bytes(damaged.read_bytes()[:500])
    again = cache.kept("a step", adult.skeleton, lambda: [family.made()])
    assert np.array_equal(made[0].clip.root, again[0].clip.root)
    kept = cache.kept("a step", adult.skeleton, lambda: pytest.fail("it was kept"))
    assert kept[0].clip.name == made[0].clip.name
    assert np.array_equal(kept[0].clip.rotations, made[0].clip.rotations)
    assert [hold.end for hold in kept[0].footholds] == [hold.end for hold in made[0].footholds]


def test_nothing_is_kept_where_nothing_should_be(
    adult: Character, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(caches.VARIABLE, "")
    calls = []
    for _ in range(2):
        cache.kept("nothing", adult.skeleton, lambda: calls.append(1) or [])
    assert len(calls) == 2


@pytest.mark.usefixtures("own_cache")
def test_a_clip_by_its_name(adult: Character) -> None:
    assert default_clip(adult, "stairs up").clip.name == "stairs up"
    with pytest.raises(InputError, match="unknown clip 'moonwalk'; did you mean 'walk'"):
        default_clip(adult, "moonwalk")


@pytest.mark.usefixtures("own_cache")
def test_a_character_plays_it(adult: Character, floor: World) -> None:
    """A stand, a start, walks, a turn, a run, a stop: one after the other, on level ground."""
    footage = default_footage(adult)
    engine = Engine(footage, floor)
    made = {one.clip.name: one for one in default_clips(adult)}
    for name in ("idle", "start", "walk", "walk 45 left", "walk fast", "run slow", "walk",
                 "stop", "turn 90 right", "step left", "idle"):  # fmt: skip
        engine.append(name, end=made[name].blending)
    motion = engine.at(np.arange(0.0, engine.end, 1 / 60))
    quality = assess(motion, adult.measures, world=floor)
    assert quality.slide < 1e-3
    assert quality.penetration < 0.01
    assert quality.beyond_limits < np.radians(5)
    assert quality.knee_speed < 20.0
    assert np.abs(np.diff(motion.root, 2, axis=0)).max() * 3600 < 40.0
