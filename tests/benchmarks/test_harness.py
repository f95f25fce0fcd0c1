from __future__ import annotations

import importlib.util
import itertools
import json
from pathlib import Path

import pytest
from benchmarks.harness import Bench, Claim, Measured, Row, Work, results, runner
from benchmarks.harness import bench as harness
from benchmarks.harness.machine import Machine
from benchmarks.harness.report import Report

from surefoot.errors import FileError, InputError, VersionError


@pytest.fixture
def clock(monkeypatch):
    """A clock that tells what work costs: `clock.spend(seconds)`."""

    class Clock:
        now = 0.0

        def spend(self, seconds: float) -> None:
            self.now += seconds

        def __call__(self) -> float:
            return self.now

    made = Clock()
    monkeypatch.setattr(harness, "_CLOCKS", {"core": made, "wall": made})
    return made


def test_rates_are_medians_and_quartiles(clock):
    # The first run is not timed.
    costs = iter([100.0, 1.0, 2.0, 4.0, 5.0, 10.0])
    bench = Bench()
    rates = bench.measure("t", {"a": Work(lambda: clock.spend(next(costs)), 20)}, repeats=5)
    (row,) = bench.rows
    assert (row.value, row.low, row.high) == (5.0, 4.0, 10.0)
    assert (row.count, row.repeats, row.unit, row.clock) == (20, 5, "queries/s", "core")
    assert rates["a"] == Measured(5.0, (0,))


def test_times_are_for_one_question_in_their_unit(clock):
    bench = Bench()
    bench.measure("t", {"a": Work(lambda: clock.spend(0.5), 1000)}, unit="µs", repeats=3, x=7)
    assert bench.rows[0].value == pytest.approx(500)
    assert bench.rows[0].x == 7


def test_contenders_take_turns_and_answer_once(clock):
    log: list[str] = []
    answers = itertools.count()

    def work(name):
        def run():
            log.append(name)
            clock.spend(1.0)
            return next(answers)

        return Work(run, 1)

    found = Bench().measure("t", {"a": work("a"), "b": work("b")}, repeats=3)
    assert log == ["a", "b"] * 4
    assert dict(found.answers) == {"a": 0, "b": 1}
    assert list(found) == ["a", "b"]


def test_claims_come_from_rows(clock):
    bench = Bench()
    rates = bench.measure(
        "t",
        {"ours": Work(lambda: clock.spend(1.0), 300), "theirs": Work(lambda: clock.spend(1.0), 10)},
        repeats=1,
    )
    ratio = rates["ours"] / rates["theirs"]
    assert bench.claim("fast", ratio, at_least=30).holds
    assert not bench.claim("faster", ratio, at_least=30.1).holds
    assert bench.claim("slow", rates["theirs"] / rates["ours"], at_most=0.04).holds
    assert not bench.holds
    assert bench.claims[0] == Claim(
        claim="fast", sense="at least", target=30, measured=30, unit="", holds=True, rows=(0, 1)
    )


def test_numbers_that_were_not_measured_are_refused():
    with pytest.raises(InputError, match="only what rows measured"):
        Bench().claim("typed in", 30.0, at_least=20)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("bounds", [{}, {"at_least": 1, "at_most": 2}])
def test_a_claim_needs_one_bound(bounds):
    with pytest.raises(InputError, match="at_least or at_most"):
        Bench().claim("vague", Measured(1.0, (0,)), **bounds)


def test_not_a_number_never_holds():
    nan = Measured(float("nan"), (0,))
    assert not Claim.judge("nothing", nan, at_least=0).holds
    assert not Claim.judge("nothing", nan, at_most=0).holds


@pytest.mark.parametrize("work", [{}, {"a": Work(int, 0)}])
def test_work_without_work_is_refused(work):
    with pytest.raises(InputError, match="at least 1"):
        Bench().measure("t", work)


def test_rows_are_told_as_they_come():
    told: list[Row] = []
    bench = Bench(told.append)
    bench.record("share", "peer", 0.5, "share", 10)
    assert told == bench.rows


@pytest.fixture
def report() -> Report:
    bench = Bench()
    for count in (1, 10):
        bench.measure("curve", {"surefoot": Work(int, 5)}, repeats=2, x=count, x_name="bodies")
    bench.measure("bars", {"surefoot": Work(int, 5), "peer": Work(int, 5)}, repeats=2)
    share = bench.record("share", "peer", 1.0, "share", 10)
    bench.claim("agrees", share, at_least=1)
    return Report(
        name="fake",
        description="Fakes.",
        machine=Machine.this(["numpy", "no-such-package"]),
        rows=tuple(bench.rows),
        claims=tuple(bench.claims),
    )


def test_reports_round_trip(report: Report, tmp_path: Path):
    path = tmp_path / "new" / "report.json"
    report.save(path)
    assert Report.load(path) == report


def test_reports_of_another_version_are_refused(report: Report, tmp_path: Path):
    path = tmp_path / "report.json"
    report.save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), "version": 99}))
    with pytest.raises(VersionError, match="99"):
        Report.load(path)


def test_the_machine_is_described(report: Report):
    assert report.machine.packages.keys() == {"numpy"}
    assert report.machine.cpu
    assert "numpy" in report.machine.sentence()


@pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib is in the bench environment"
)
def test_pictures_are_drawn(report: Report, tmp_path: Path):
    path = tmp_path / "new" / "report.png"
    report.plot(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(FileError, match="cannot be drawn"):
        report.plot(tmp_path / "report.nonsense")


def test_a_kept_result_is_what_the_next_run_is_compared_with(tmp_path, capsys):
    (tmp_path / "b.py").write_text(
        '''"""Counts."""

from pathlib import Path


def run(bench):
    bench.record("t", "a", float(Path(__file__).with_name("n").read_text()), "nodes", 1)
    bench.record("t", "b", 2, "nodes", 1)
'''
    )
    (tmp_path / "n").write_text("5")
    runner.run(tmp_path, "b")
    assert "beside commit" not in capsys.readouterr().out
    kept = runner.run(tmp_path, "b", keep=True)
    assert Report.load(results.path_of(tmp_path, "b")) == kept
    runner.run(tmp_path, "b")
    assert capsys.readouterr().out.rstrip().endswith("2 rows equal")
    (tmp_path / "n").write_text("6")
    runner.run(tmp_path, "b")
    out = capsys.readouterr().out
    assert "1 rows equal, 1 differ\n  t: a: 5 before, 6 nodes now, 1.2 times" in out


def test_times_within_the_noise_are_equal():
    def report(*values):
        rows = [
            Row(title="t", subject=f"{i}", value=value, low=value, high=value, unit="ms", count=1,
                repeats=1, clock="core")
            for i, value in enumerate(values)
        ]  # fmt: skip
        return Report(name="b", description="", machine=Machine.this([]), rows=tuple(rows),
                      claims=(), commit="abc")  # fmt: skip

    text = results.compare(report(1.1, 0.8, 1.0), report(1.0, 1.0))
    assert "beside commit abc" in text
    assert text.endswith("1 rows equal, 1 differ, 1 new\n  t: 1: 1 before, 0.8 ms now, 0.8 times")
