from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from surefoot import console


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Makes the standard error a terminal so wide."""

    def make(columns: int) -> None:
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", str(columns))

    return make


def work(bar: console.Bar) -> None:
    bar.begin("learning to walk (about 40 s)")
    for share in (0.0, 0.25, 0.5, 1.0):
        bar.show(share)
        bar.begin("learning to walk (about 40 s)")


def test_one_line_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with console.Bar() as bar:
        work(bar)
    assert capsys.readouterr() == ("", "surefoot: learning to walk (about 40 s)\n")


def test_nothing_where_nothing_was_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with console.Bar():
        pass
    assert capsys.readouterr() == ("", "")


def test_one_line_is_drawn_again_on_a_terminal(
    capsys: pytest.CaptureFixture[str], terminal: Callable[[int], None]
) -> None:
    terminal(100)
    with console.Bar() as bar:
        work(bar)
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    lines = err.rstrip("\n").split("\r\x1b[K")
    assert lines[0] == ""
    assert lines[1] == f"surefoot: learning to walk (about 40 s) [{'.' * 30}]   0%"
    assert lines[-1] == f"surefoot: learning to walk (about 40 s) [{'#' * 30}] 100%"


@pytest.mark.parametrize("columns", [20, 50, 60, 70])
def test_no_line_is_wider_than_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], terminal: Callable[[int], None]
) -> None:
    terminal(columns)
    with console.Bar() as bar:
        work(bar)
    lines = capsys.readouterr().err.rstrip("\n").split("\r\x1b[K")
    assert max(map(len, lines)) < columns
    assert lines[-1].endswith("100%")


def test_other_lines_do_not_mix_with_it(
    capsys: pytest.CaptureFixture[str], terminal: Callable[[int], None]
) -> None:
    terminal(100)
    with console.Bar() as bar:
        bar.begin("learning")
        console.say("a file is damaged")
        bar.show(0.5)
    err = capsys.readouterr().err
    assert "\r\x1b[Ksurefoot: a file is damaged\n\r\x1b[Ksurefoot: learning [" in err
    console.say("later")
    assert capsys.readouterr().err == "\r\x1b[Ksurefoot: later\n", "the bar is gone"


def test_a_bar_that_an_error_ends_leaves_the_terminal_in_order(
    capsys: pytest.CaptureFixture[str], terminal: Callable[[int], None]
) -> None:
    terminal(100)

    def interrupted() -> None:
        with console.Bar() as bar:
            bar.begin("learning")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert capsys.readouterr().err.endswith("  0%\n")


def test_quiet_is_for_bars_and_not_for_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    with console.quiet():
        with console.Bar() as bar:
            work(bar)
        console.say("a file is damaged")
    assert capsys.readouterr().err == "surefoot: a file is damaged\n"


def test_who_shows_how_far_it_is_gets_the_line_alone(
    capsys: pytest.CaptureFixture[str], terminal: Callable[[int], None]
) -> None:
    terminal(100)
    with console.Bar() as bar:
        bar.begin("learning", bar=False)
        bar.show(0.5)
    assert capsys.readouterr().err == "\r\x1b[Ksurefoot: learning\n"
