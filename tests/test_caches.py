"""Caches heal themselves: whatever a file in the cache folder holds, nothing is raised."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from surefoot import caches
from surefoot.archives import Record, entries, packed, unpacked
from surefoot.character import people
from surefoot.control import keeping
from surefoot.control.task import Worth
from surefoot.errors import FileError
from surefoot.learning import Report
from surefoot.motion.clip import Clip
from surefoot.motion.families import cache
from surefoot.motion.families.family import Made
from surefoot.motion.footholds import Foothold
from surefoot.physics.policies.journal import Journal

ARRAYS: Record = {"numbers": np.arange(12.0).reshape(3, 4), "name": np.array("walk")}


def flipped(data: bytes, seed: int) -> bytes:
    """With one bit the other way."""
    place = int(np.random.default_rng(seed).integers(8 * len(data)))
    damaged = bytearray(data)
    damaged[place // 8] ^= 1 << place % 8
    return bytes(damaged)


def test_arrays_come_back_as_they_were() -> None:
    for small in (False, True):
        found = unpacked(packed(ARRAYS, small=small), "a")
        assert found.keys() == ARRAYS.keys()
        assert (found["numbers"] == ARRAYS["numbers"]).all()
        assert str(found["name"]) == "walk"
    assert unpacked(packed({"none": np.zeros((0, 3))}), "a")["none"].shape == (0, 3)
    columns = np.asfortranarray(ARRAYS["numbers"])
    assert (unpacked(packed({"x": columns}), "a")["x"] == columns).all()


def test_no_damage_gives_anything_but_a_file_error() -> None:
    whole = packed(ARRAYS)
    for seed in range(400):
        try:
            found = unpacked(flipped(whole, seed), "a.npz")
        except FileError:
            continue
        # Bits that no number depends on, such as dates and names.
        assert all((found[key] == ARRAYS[key]).all() for key in found if key in ARRAYS)
    for length in range(len(whole)):
        with pytest.raises(FileError, match=r"a\.npz: "):
            unpacked(whole[:length], "a.npz")


def archive(**contents: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in contents.items():
            written.writestr(f"{name}.npy", content)
    return data.getvalue()


@pytest.mark.parametrize("stated", [b"(1000000000000,)", b"(-1,)", b"(3, 9)"])
def test_sizes_that_arrays_state_are_checked(stated: bytes) -> None:
    plain = io.BytesIO()
    np.save(plain, np.zeros(3))
    head = plain.getvalue().replace(b"(3,)", stated)
    with pytest.raises(FileError, match="x is no array of numbers"):
        unpacked(archive(x=head), "a.npz")


def test_a_small_file_does_not_hold_a_large_one() -> None:
    bomb = archive(x=bytes(500_000_000))
    assert len(bomb) < 1_000_000
    with pytest.raises(FileError, match="holds more than"):
        entries(bomb, "bomb.zip")


BOMB = """
import io, resource, sys, zipfile
from surefoot.archives import entries
from surefoot.errors import FileError
data = bytearray(open(sys.argv[1], "rb").read())
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    entries(bytes(data), "bomb.zip")
except FileError as reason:
    print(reason)
"""


def test_what_a_file_states_about_its_size_is_not_believed(tmp_path: Path) -> None:
    """A stated size of 9 bytes, and half a million times as many compressed in it."""
    bomb = archive(x=bytes(4_000_000_000 // 4))
    truth = (1_000_000_000).to_bytes(4, "little")
    assert bomb.count(truth) == 2
    (tmp_path / "bomb").write_bytes(bomb.replace(truth, (9).to_bytes(4, "little")))
    done = subprocess.run(
        [sys.executable, "-c", BOMB, tmp_path / "bomb"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "bomb.zip: no archive, or a damaged one" in done.stdout


# ------------------------------------------------------------------------------- the caches


def made(name: str) -> Made:
    """Three frames of standing still."""
    skeleton = people.adult().skeleton
    still = np.zeros((3, len(skeleton), 4))
    still[..., 0] = 1.0
    return Made(
        clip=Clip(name=name, skeleton=skeleton, rate=60.0, root=np.zeros((3, 3)), rotations=still),
        footholds=(
            Foothold(
                foot="left",
                body=None,
                position=np.zeros(3),
                rotation=np.array([1.0, 0, 0, 0]),
                start=0.0,
                end=1.0,
            ),
        ),
        contacts=np.zeros((3, 4), dtype=np.bool_),
        path=np.zeros((3, 3)),
        headings=np.zeros(3),
        blending=0.5,
    )


DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "truncated": lambda whole: whole[: len(whole) // 2],
    "its end cut off": lambda whole: whole[:-1],
    "a bit flipped": lambda whole: whole[:300] + bytes([whole[300] ^ 4]) + whole[301:],
    "empty": lambda _: b"",
    "garbage": lambda _: b"garbage" * 100,
    "another archive": lambda _: packed({"something": np.zeros(3)}),
    "a folder": lambda _: None,
}


def damage(path: Path, how: Callable[[bytes], bytes | None]) -> None:
    content = how(path.read_bytes())
    if content is None:
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(content)


@pytest.mark.parametrize("how", DAMAGES)
def test_clips_are_made_anew(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(caches.VARIABLE, str(tmp_path))
    skeleton = people.adult().skeleton
    cache.kept("a stand", skeleton, lambda: [made("stand")])
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    damage(path, DAMAGES[how])
    capsys.readouterr()
    (again,) = cache.kept("a stand", skeleton, lambda: [made("stand")])
    assert again.clip.name == "stand"
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("surefoot: ")
    assert str(path) in said
    assert "made anew" in said
    assert path.read_bytes() == whole
    cache.kept("a stand", skeleton, lambda: pytest.fail("it was not replaced"))
    assert not capsys.readouterr().err


WORTH = Worth(
    reward=np.arange(6, dtype=np.float32).reshape(2, 3), ends=np.eye(2, 3, dtype=np.bool_)
)


@pytest.mark.parametrize("how", DAMAGES)
def test_what_was_learned_is_learned_anew(how: str, tmp_path: Path) -> None:
    path = tmp_path / "controller.npz"
    arrays = keeping.encoded(
        np.zeros((4, 3), dtype=np.float32), Report((1.0, 0.0), True, 0.1), WORTH
    )
    caches.write(path, arrays)
    said: list[str] = []
    kept = keeping.read(path, said.append)
    assert kept is not None
    assert not said
    assert (kept.worth.reward == WORTH.reward).all()
    assert kept.worth.ends is not None
    assert (kept.worth.ends == WORTH.ends).all()
    assert kept.worth.columns is None
    damage(path, DAMAGES[how])
    assert keeping.read(path, said.append) is None
    assert len(said) == 1
    assert str(path) in said[0]
    assert "trained anew" in said[0]
    caches.write(path, arrays)
    assert keeping.read(path, said.append) is not None


@pytest.mark.parametrize("how", DAMAGES)
def test_a_journal_is_begun_anew_or_goes_on(how: str, tmp_path: Path) -> None:
    path, said = tmp_path / "work.journal", list[str]()
    work = Journal(path, "key", said.append)
    for k in range(3):
        work.add({"k": np.array(k)})
    damage(path, DAMAGES[how])
    again = Journal(path, "key", said.append)
    assert len(said) == 1
    assert str(path) in said[0]
    count = len(again.records)
    assert [int(record["k"]) for record in again.records] == list(range(count))
    assert count < 3
    for k in range(count, 3):
        again.add({"k": np.array(k)})
    assert len(Journal(path, "key", said.append).records) == 3
    assert len(said) == 1


def test_a_folder_that_cannot_be_written_costs_time_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(caches.VARIABLE, str(tmp_path / "file" / "cache"))
    skeleton = people.adult().skeleton
    for _ in range(2):
        (one,) = cache.kept("a stand", skeleton, lambda: [made("stand")])
        assert one.clip.name == "stand"
    assert capsys.readouterr().err.count("nothing is kept in") == 1
    said: list[str] = []
    journal = Journal(tmp_path / "file" / "work.journal", "key", said.append)
    journal.add({"k": np.array(0)})
    assert len(said) == 1
    assert "nothing is kept in" in said[0]


def test_a_folder_full_of_something_is_left_alone(tmp_path: Path) -> None:
    path, said = tmp_path / "kept.npz", list[str]()
    path.mkdir()
    (path / "mine.txt").write_text("mine")
    caches.write(path, ARRAYS, say=said.append)
    assert "nothing is kept in" in said[0]
    assert (path / "mine.txt").read_text() == "mine"
