from __future__ import annotations

import io
import os
import sys
from argparse import ArgumentParser, Namespace
from types import SimpleNamespace

import pytest

from surefoot import cli
from surefoot.errors import WorldError
from surefoot.world import scenes


def command(run):
    return SimpleNamespace(NAME="fake", HELP="does it", add_arguments=lambda _: None, run=run)


@pytest.fixture
def fake(monkeypatch):
    """Puts one command in place of all, that does what it is given."""

    def install(run):
        monkeypatch.setattr(cli, "COMMANDS", (command(run),))

    return install


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("surefoot ")


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())  # whatever the lines were broken at
    for each in cli.COMMANDS:
        assert each.NAME in shown
        assert each.HELP in shown


def test_no_command_shows_help_and_fails(capsys):
    assert cli.main([]) == 2
    assert "usage: surefoot" in capsys.readouterr().out


def test_unknown_command_lists_the_valid_ones(capsys):
    assert cli.main(["dance"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("surefoot: unknown command 'dance'; there are: ")
    for each in cli.COMMANDS:
        assert each.NAME in told


@pytest.mark.parametrize("arguments", [["scenes", "--wrong"], ["--wrong"], ["bench", "--json"]])
def test_wrong_options_are_one_line(capsys, arguments):
    assert cli.main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("surefoot: ")
    assert told.err.count("\n") == 1


def test_an_error_is_one_line(capsys, fake):
    def run(_: Namespace) -> int:
        raise WorldError("no such thing")

    fake(run)
    assert cli.main(["fake"]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "surefoot: no such thing\n")


def test_the_answer_no_is_one(fake):
    fake(lambda _: 1)
    assert cli.main(["fake"]) == 1


def test_other_errors_are_not_hidden(fake):
    def run(_: Namespace) -> int:
        raise ZeroDivisionError

    fake(run)
    with pytest.raises(ZeroDivisionError):
        cli.main(["fake"])


def test_interrupt_is_one_line(capsys, fake):
    def run(_: Namespace) -> int:
        raise KeyboardInterrupt

    fake(run)
    assert cli.main(["fake"]) == 130
    assert capsys.readouterr().err == "surefoot: stopped\n"


def test_every_command_is_complete():
    names = [each.NAME for each in cli.COMMANDS]
    assert len(set(names)) == len(names)
    for each in cli.COMMANDS:
        each.add_arguments(ArgumentParser())
        assert each.HELP
        assert "\n" not in each.HELP


def test_scenes_lists_all_with_descriptions(capsys):
    assert cli.main(["scenes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(scenes.names())
    for line, name in zip(lines, scenes.names(), strict=True):
        assert line.startswith(name)
        assert line.endswith(scenes.describe(name))


@pytest.mark.parametrize("name", scenes.names())
def test_scenes_tells_what_one_holds(capsys, name):
    assert cli.main(["scenes", name]) == 0
    shown = capsys.readouterr().out
    scene = scenes.load(name)
    for body in scene.world:
        assert f"body {body.name}: {len(body.mesh.faces)} triangles" in shown
    assert "start, goal" in shown


def test_unknown_scene_lists_the_valid_ones(capsys):
    assert cli.main(["scenes", "moon"]) == 2
    told = capsys.readouterr().err
    for name in scenes.names():
        assert name in told


def test_a_reader_that_has_gone_is_no_traceback(fake, monkeypatch):
    with open(os.devnull, "w") as nowhere:

        class Gone(io.StringIO):
            def flush(self) -> None:
                raise BrokenPipeError

            def fileno(self) -> int:
                return nowhere.fileno()

        fake(lambda _: 0)
        monkeypatch.setattr(sys, "stdout", Gone())
        assert cli.main(["fake"]) == 1
