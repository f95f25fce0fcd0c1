"""`surefoot bench` with a small repository of its own; the harness is the real one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.cli import bench
from surefoot.errors import FileError

HARNESS = Path(__file__).parents[2] / "benchmarks" / "harness"

GOOD = '''"""Adds numbers.

More about it.
"""

PEERS = ("math",)


def run(bench):
    from benchmarks.harness import Work

    rates = bench.measure("sums", {"surefoot": Work(lambda: sum(range(100)), 100)}, repeats=3)
    share = bench.record("same sums", "math", 1.0, "share", 100)
    bench.claim("any speed", rates["surefoot"], at_least=1e-9, unit="sums/s")
    bench.claim("sums agree", share, at_least=1)
'''
BROKEN = GOOD.replace('"sums agree", share, at_least=1', '"sums differ", share, at_most=0.5')
LONELY = GOOD.replace('PEERS = ("math",)', 'import no_such_peer\n\nPEERS = ("no_such_peer",)')


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder like surefoot's repository, with two benchmarks that hold."""
    folder = tmp_path / "benchmarks"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    shutil.copytree(HARNESS, folder / "harness")
    (folder / "peers.txt").write_text("# nothing\nnumpy  # to have one\n")
    (folder / "first.py").write_text(GOOD)
    (folder / "second.py").write_text(GOOD.replace("Adds", "Adds more"))
    return tmp_path


def surefoot(where: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, since it imports the folder as `benchmarks`."""
    return subprocess.run(
        [sys.executable, "-m", "surefoot.cli", "bench", *arguments],
        cwd=where,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_claims_that_hold_exit_zero(repository: Path):
    done = surefoot(repository, "first", "--json", "out/first.json")
    assert done.returncode == 0, done.stderr
    for told in ("first: Adds numbers.", "sums", "holds: any speed", "holds: sums agree"):
        assert told in done.stdout
    written = json.loads((repository / "out/first.json").read_text())
    assert (written["surefoot"], written["version"]) == ("bench", 1)
    assert written["description"] == "Adds numbers."
    assert written["machine"]["packages"].keys() == {"surefoot", "numpy"}
    assert written["machine"]["cores"] >= 1
    speed, share = written["rows"]
    assert (speed["title"], speed["subject"], speed["count"]) == ("sums", "surefoot", 100)
    assert speed["low"] <= speed["value"] <= speed["high"]
    assert share["value"] == 1
    first, second = written["claims"]
    assert first["measured"] == speed["value"]
    assert first["rows"] == [0]
    assert second == {
        "claim": "sums agree", "sense": "at least", "target": 1, "measured": 1, "unit": "",
        "holds": True, "rows": [1],
    }  # fmt: skip


def test_a_claim_that_does_not_hold_exits_one_and_is_told(repository: Path):
    (repository / "benchmarks/first.py").write_text(BROKEN)
    done = surefoot(repository, "first", "--json", "first.json")
    assert done.returncode == 1, done.stderr
    assert "DOES NOT HOLD: sums differ: 1, target at most 0.5" in done.stdout
    written = json.loads((repository / "first.json").read_text())
    assert [claim["holds"] for claim in written["claims"]] == [True, False]


def test_all_writes_one_file_each_and_tells_what_broke(repository: Path):
    (repository / "benchmarks/second.py").write_text(BROKEN)
    done = surefoot(repository, "--all", "--json", "out/bench")
    assert done.returncode == 1, done.stderr
    written = sorted(path.name for path in (repository / "out/bench").iterdir())
    assert written == ["first.json", "second.json"]
    assert done.stdout.splitlines()[-1].startswith("second: DOES NOT HOLD: sums differ")


def test_list_does_not_run_or_import_them(repository: Path):
    (repository / "benchmarks/second.py").write_text('"""Fails."""\nraise RuntimeError\n')
    done = surefoot(repository, "--list")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["first: Adds numbers.", "second: Fails."]


def test_missing_peers_say_how_to_get_them(repository: Path):
    (repository / "benchmarks/first.py").write_text(LONELY)
    done = surefoot(repository, "first")
    assert done.returncode == 2
    assert "no_such_peer cannot be imported" in done.stderr
    assert "`make bench-setup`" in done.stderr
    assert ".venv-bench/bin/surefoot bench first" in done.stderr
    assert done.stderr.count("\n") == 1


def test_unknown_benchmark_lists_the_valid_ones(repository: Path):
    done = surefoot(repository, "third")
    assert done.returncode == 2
    assert done.stderr == "surefoot: unknown benchmark 'third'; there are: first, second\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [("def run(:\n", "line 1: "), ('"""Nothing."""\n', "needs a function run(bench)")],
)
def test_files_that_are_no_benchmark(repository: Path, text: str, told: str):
    (repository / "benchmarks/first.py").write_text(text)
    done = surefoot(repository, "first")
    assert done.returncode == 2
    assert told in done.stderr
    assert "first.py" in done.stderr


def test_a_file_that_cannot_be_written_is_one_line(repository: Path):
    done = surefoot(repository, "first", "--json", "benchmarks/first.py/x.json")
    assert done.returncode == 2
    assert done.stderr.startswith("surefoot: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [(), ("first", "--all"), ("--all", "--list"), ("first", "--list")]
)
def test_one_of_name_all_list(repository: Path, arguments: tuple[str, ...]):
    done = surefoot(repository, *arguments)
    assert done.returncode == 2
    assert "NAME, --all or --list" in done.stderr


def test_the_folder_around_is_found_and_the_first_place_wins(repository: Path, tmp_path_factory):
    deep = repository / "a" / "b"
    deep.mkdir(parents=True)
    assert bench.find_folder([deep, Path("/")]) == repository / "benchmarks"
    elsewhere = tmp_path_factory.mktemp("empty")
    assert bench.find_folder([elsewhere, repository]) == repository / "benchmarks"


def test_without_the_repository_it_says_where_to_get_it(tmp_path: Path):
    with pytest.raises(FileError, match=r"clone it, run `make bench-setup`"):
        bench.find_folder([tmp_path])
