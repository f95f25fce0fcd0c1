"""Libraries as files."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from surefoot.errors import FileError, VersionError
from surefoot.motion.library import Library, load_library, save_library
from surefoot.motion.steps.steps import COLUMNS


@pytest.fixture
def file(library: Library, tmp_path: Path) -> Path:
    return save_library(library, tmp_path / "some.library")


def test_there_and_back(library: Library, file: Path) -> None:
    back = load_library(file)
    assert back.names == library.names
    assert back.measures == library.measures
    assert back.hash == library.hash
    for old, new in zip(library, back, strict=True):
        assert new.rate == old.rate
        assert new.notes == old.notes
        places, _ = old.forward()
        found, _ = new.forward()
        assert np.abs(places - found).max() < 1e-6
    for old, new in zip(library.plants, back.plants, strict=True):
        assert np.array_equal(old.rows, new.rows)
    assert back.steps.clips == library.steps.clips
    for name in COLUMNS:
        assert np.array_equal(getattr(back.steps, name), getattr(library.steps, name))


def test_the_same_library_is_the_same_file(library: Library, file: Path, tmp_path: Path) -> None:
    again = save_library(load_library(file), tmp_path / "again.library")
    assert load_library(again).hash == library.hash
    assert save_library(library, tmp_path / "twin").read_bytes() == file.read_bytes()


def test_it_is_smaller_than_memory(library: Library, file: Path) -> None:
    assert file.stat().st_size < library.nbytes / 2


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_truncated(file: Path, share: float) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: int(share * len(data))])
    with pytest.raises(FileError, match=r"is empty|no library, or a damaged one"):
        load_library(file)


def test_flipped_bits_are_noticed(file: Path) -> None:
    data = bytearray(file.read_bytes())
    random = np.random.default_rng(0)
    noticed = 0
    for place in random.integers(0, len(data), 40).tolist():
        broken = data.copy()
        broken[place] ^= 0x10
        file.write_bytes(broken)
        try:
            load_library(file)
        except FileError:
            noticed += 1
    # What is flipped in fields that nobody reads, such as times of entries, is no harm.
    assert noticed >= 30


def changed(file: Path, name: str, change: dict[str, object] | None) -> None:
    """Rewrites one entry of the archive, or leaves it out."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(buffer, "w") as new:
        for entry in old.namelist():
            data = old.read(entry)
            if entry == name:
                if change is None:
                    continue
                data = json.dumps(json.loads(data) | change).encode()
            new.writestr(entry, data)
    file.write_bytes(buffer.getvalue())


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("library.json", {"surefoot": "plan"}, "this is a plan, expected a library"),
        ("library.json", {"steps": -1}, "bytes, expected"),
        ("library.json", {"clips": 7}, "clips"),
        ("library.json", None, "no library: it has no library.json"),
        ("clips/1/root", None, "broken library"),
        ("steps/root", None, "broken library"),
    ],
)
def test_broken(file: Path, name: str, change: dict[str, object] | None, said: str) -> None:
    changed(file, name, change)
    with pytest.raises(FileError, match=said):
        load_library(file)


def test_other_versions(file: Path) -> None:
    changed(file, "library.json", {"version": 99})
    with pytest.raises(VersionError, match="library of version 99; this surefoot reads version 1"):
        load_library(file)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no such file"):
        load_library(tmp_path / "nothing")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(FileError, match="no library, or a damaged one"):
        load_library(tmp_path / "text")
