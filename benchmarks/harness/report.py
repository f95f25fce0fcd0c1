"""What a benchmark leaves behind: a table, a JSON file, a picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness.figures import Claim, Row, short
from benchmarks.harness.machine import Machine
from surefoot import schema
from surefoot.errors import FileError, MissingExtraError

VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that one run of a benchmark found.

    Attributes:
        name: of the benchmark.
        description: its first line.
        machine: where it ran.
        rows: what was measured.
        claims: what follows.
        commit: that was measured, with a "+" where files differed from it.
    """

    name: str
    description: str
    machine: Machine
    rows: tuple[Row, ...]
    claims: tuple[Claim, ...]
    commit: str = ""

    def save(self, path: Path) -> None:
        """Writes JSON, with a schema version; makes the folder when there is none."""
        _make_folder(path)
        schema.write(path, self, kind="bench", version=VERSION)

    @classmethod
    def load(cls, path: Path) -> Report:
        """Reads what `save` wrote."""
        return schema.read(path, cls, kind="bench", version=VERSION)

    def plot(self, path: Path) -> None:
        """Draws bars for each title, and lines for curves."""
        try:
            from benchmarks.harness import picture
        except ModuleNotFoundError as reason:
            raise MissingExtraError(
                f"pictures need {reason.name}, which `make bench-setup` installs in .venv-bench"
            ) from reason
        _make_folder(path)
        try:
            picture.draw(self.name, self.rows, path)
        except (OSError, ValueError) as reason:  # ValueError: a format matplotlib does not know
            raise FileError(f"{path}: cannot be drawn: {reason}") from reason


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise FileError(f"{path.parent}: cannot be made: {reason.strerror}") from reason


class Teller:
    """Prints rows under their titles, as they come."""

    def __init__(self) -> None:
        self._title: str | None = None

    def __call__(self, row: Row) -> None:
        """Prints one row: subject, median, quartiles, how many times how often."""
        if row.title != self._title:
            print(f"\n{row.title}", flush=True)
            self._title = row.title
        at = f" ({row.x_name} {row.x:,.0f})" if row.x is not None else ""
        line = f"  {row.subject + at:<48} {short(row.value):>10} {row.unit:<12}"
        if row.clock != "none":
            line += f" {short(row.low)} to {short(row.high)}".ljust(28)
        print(f"{line} {f'{row.count:,} x {row.repeats}':>13}", flush=True)


def told(claims: tuple[Claim, ...]) -> str:
    """The claims in words, those that do not hold last."""
    ordered = sorted(claims, key=lambda claim: not claim.holds)
    return "\n".join(claim.sentence() for claim in ordered)
