"""Options that mean the same on every command: their bounds, and what INPUT may be."""

from __future__ import annotations

import pytest

from surefoot.cli import COMMANDS, main, options
from surefoot.scenario.inputs import InputKind

WHOLE = "must be a whole number from"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("crowd door --seed -1", f"argument --seed: {WHOLE} 0"),
        ("pursue --seed -1", f"argument --seed: {WHOLE} 0"),
        ("travel --seed 1.5", f"argument --seed: {WHOLE} 0"),
        ("train gait --body bird --like x --seed -1", f"argument --seed: {WHOLE} 0"),
        ("crowd door --agents 0", f"argument --agents: {WHOLE} 1 to 100,000, got 0"),
        ("crowd door --agents 99999999999", f"argument --agents: {WHOLE} 1"),
        ("crowd door --threads 0", f"argument --threads: {WHOLE} 1"),
        ("crowd door --serve 99999", f"argument --serve: {WHOLE} 0 to 65,535"),
        ("crowd door --fps 0", "argument --fps: must be at least 1, got 0"),
        ("crowd door --fps -5", "argument --fps: must be at least 1, got -5"),
        ("crowd door --fps 1000", "argument --fps: must be at most 240, got 1000"),
        ("crowd door --rate nan", "argument --rate: must be finite, got nan"),
        ("crowd door --rate 0", "argument --rate: must be at least 1, got 0"),
        ("crowd door --duration nan", "argument --duration: must be finite"),
        ("crowd door --duration 0", "argument --duration: must be greater than 0, got 0"),
        ("pursue --duration -2", "argument --duration: must be greater than 0, got -2"),
        ("travel --seconds nan", "argument --seconds: must be finite, got nan"),
        ("travel --watch -1", "argument --watch: must be at least 0, got -1"),
        ("play body bird --seconds inf", "argument --seconds: must be finite"),
        ("plan yard --horizon nan", "argument --horizon: must be finite"),
        ("plan yard --scale 0", "argument --scale: must be greater than 0"),
        ("clips inspect --rate -1", "argument --rate: must be greater than 0"),
        ("follow --time nan", "argument --time: must be finite"),
        ("crowd door --fps fast", "argument --fps: must be a number, got 'fast'"),
    ],
)
def test_a_number_out_of_bounds_is_refused_by_the_options_name(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"surefoot: {message}")
    assert (out, err.count("\n")) == ("", 1)


def test_every_kind_of_input_has_words_for_help() -> None:
    assert set(options._KINDS) == {kind.value for kind in InputKind}


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("pursue", "a scene or a world file;"),
        ("follow", "a scene or a world file;"),
        ("plan", "a scene, a world file or a scenario (.toml)"),
        ("travel", "a scenario (.toml) or a scene run by physics (physics 1, physics 2);"),
    ],
)
def test_help_says_what_the_command_takes(
    command: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command in {each.NAME for each in COMMANDS}
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert words in " ".join(capsys.readouterr().out.split())
