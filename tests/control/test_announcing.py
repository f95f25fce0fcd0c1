"""Training is said in one line, however many controllers it is for."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from surefoot import control
from surefoot.control.announcing import Announcement, seconds

TASKS = (control.Go(), control.Corner())


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path))
    return tmp_path


def test_it_is_said_once_and_not_again(
    repertoire: control.Repertoire, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = control.load(repertoire, TASKS)
    assert capsys.readouterr() == (
        "", "surefoot: learning to move (about 5 s, kept for next time)\n"
    )  # fmt: skip
    assert found.learned == ("walk", "corner")
    assert len(list(cache.iterdir())) == 2
    again = control.load(repertoire, TASKS)
    assert capsys.readouterr() == ("", "")
    assert again.learned == ()


def test_a_terminal_gets_one_line_with_a_bar(
    repertoire: control.Repertoire, cache: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    del cache
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    control.load(repertoire, TASKS)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    first, *_, last = err.strip().split("\r\x1b[K")
    assert first.endswith("  0%")
    assert last.endswith("#] 100%")
    control.load(repertoire, TASKS)
    assert capsys.readouterr().err == ""


def test_progress_is_that_of_all_controllers(
    repertoire: control.Repertoire, cache: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    del cache
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    seen: list[tuple[str, float]] = []
    control.load(repertoire, TASKS, progress=lambda stage, share: seen.append((stage, share)))
    assert {stage for stage, _ in seen} == {"training"}
    shares = [share for _, share in seen]
    assert shares[0] == 0.0
    assert shares[-1] == pytest.approx(1.0)
    assert all(one <= other for one, other in pairwise(shares))
    assert len(set(shares)) > 10
    err = capsys.readouterr().err
    assert err == "\r\x1b[Ksurefoot: learning to move (about 5 s, kept for next time)\n", "no bar"
    seen.clear()
    control.load(repertoire, TASKS, progress=lambda stage, share: seen.append((stage, share)))
    assert not seen


def test_only_what_is_left_is_announced(
    repertoire: control.Repertoire, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del cache
    control.load(repertoire, TASKS[:1])
    capsys.readouterr()
    found = control.load(repertoire, TASKS)
    assert found.learned == ("corner",)
    assert capsys.readouterr().err.count("\n") == 1


def test_nothing_is_promised_for_next_time_without_a_cache(
    repertoire: control.Repertoire, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("SUREFOOT_CACHE", "")
    control.load(repertoire, TASKS[:1])
    assert capsys.readouterr().err == "surefoot: learning to move (about 5 s)\n"


def test_a_folder_that_cannot_be_written_is_said_once(
    repertoire: control.Repertoire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "file" / "cache"))
    messages: list[str] = []
    found = control.load(repertoire, TASKS, told=messages.append)
    assert set(found) == {"walk", "corner"}
    assert len(messages) == 1
    assert str(tmp_path / "file") in messages[0]


def test_training_ends_between_controllers(repertoire: control.Repertoire, cache: Path) -> None:
    def cancel() -> bool:
        return len(list(cache.iterdir())) > 0

    found = control.load(repertoire, TASKS, cancel=cancel)
    assert not found.complete
    assert list(found) == ["walk"]
    # What was trained is kept for another time.
    assert control.load(repertoire, TASKS).learned == ("corner",)


def test_clips_count_and_the_character_is_named(
    repertoire: control.Repertoire, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del cache
    shares: list[float] = []
    tasks = control.built_in_tasks()
    with Announcement("tall adult", tasks, lambda _, share: shares.append(share)) as announcement:
        announcement.clips(0, 89)
        announcement.clips(88, 89)
        announcement.untrained(repertoire)
        for task in tasks:
            announcement.controller(task.name, 1.0)
    assert capsys.readouterr().err == (
        "surefoot: learning to move as 'tall adult' (about 40 s, kept for next time)\n"
    )
    assert shares[0] == 0.0
    assert 0.3 < shares[1] < 0.6
    assert shares[-1] == pytest.approx(1.0)


def test_no_share_goes_back_when_more_is_known(repertoire: control.Repertoire, cache: Path) -> None:
    del cache
    shares: list[float] = []
    # More than the average of what is expected before clips are there.
    tasks = [control.Jump()]
    with Announcement("adult", tasks, lambda _, share: shares.append(share)) as announcement:
        announcement.clips(88, 89)
        announcement.untrained(repertoire)
        announcement.controller("jump", 0.0)
        announcement.controller("jump", 1.0)
    assert all(one <= other for one, other in pairwise(shares))
    assert shares[-1] == pytest.approx(1.0)


def test_what_is_promised_grows_with_the_table(repertoire: control.Repertoire) -> None:
    walk, jump = seconds(control.Go(), repertoire), seconds(control.Jump(), repertoire)
    assert jump > 5 * walk
    assert seconds(control.Jump()) == pytest.approx(jump, rel=1.0), "before clips are known"
