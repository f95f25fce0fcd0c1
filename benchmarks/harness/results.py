"""Results that documents quote: kept as benchmarks/results/NAME.json, compared by the next run."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchmarks.harness.figures import Row, short
from benchmarks.harness.report import Report

NOISE = 0.15
"""Times that differ by a smaller share count as equal: repeated runs on one machine differ by that.
Half of it reports most rows of every run; twice as much hides a loss of a quarter."""


def path_of(folder: Path, name: str) -> Path:
    """Where the committed result of a benchmark is."""
    return folder / "results" / f"{name}.json"


def commit(folder: Path) -> str:
    """The commit that is measured, with a "+" where files differ from it; "" outside of git."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--abbrev=12", "--exclude=*"],
            cwd=folder, capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def compare(now: Report, before: Report) -> str:
    """What differs from an earlier report, a line for each row, under a line that counts them."""
    old = {_key(row): row for row in before.rows}
    both = [(row, old[_key(row)]) for row in now.rows if _key(row) in old]
    lines = [_change(row, was) for row, was in both if _differs(row, was)]
    same = len(both) - len(lines)
    new, gone = len(now.rows) - len(both), len(old) - len(both)
    head = f"beside commit {before.commit or 'unknown'} on {before.machine.cpu}: {same} rows equal"
    head += f", {len(lines)} differ" if lines else ""
    head += f", {new} new" if new else ""
    head += f", {gone} gone" if gone else ""
    return "\n".join([head, *lines])


def _key(row: Row) -> tuple[str, str, str, float | None]:
    return row.title, row.subject, row.unit, row.x


def _differs(row: Row, was: Row) -> bool:
    if row.clock == "none":
        return row.value != was.value
    return abs(row.value - was.value) > NOISE * abs(was.value)


def _change(row: Row, was: Row) -> str:
    ratio = f", {short(row.value / was.value)} times" if was.value else ""
    values = f"{short(was.value)} before, {short(row.value)} {row.unit} now"
    return f"  {row.title}: {row.subject}: {values}{ratio}"
