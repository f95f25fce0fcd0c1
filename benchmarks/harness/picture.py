"""Pictures of rows: a panel of bars for each title, lines where rows lie on a curve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

import matplotlib

matplotlib.use("Agg")  # no window, wherever this runs

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from benchmarks.harness.figures import Row, short

_COLUMNS = 3


def draw(name: str, rows: Sequence[Row], path: Path) -> None:
    """One panel for each title that was timed; the file's ending says its format."""
    rows = [row for row in rows if row.clock != "none"]
    titles = list(dict.fromkeys(row.title for row in rows))
    lines = -(-len(titles) // _COLUMNS) or 1
    figure, panels = plt.subplots(
        lines, _COLUMNS, figsize=(7.0 * _COLUMNS, 3.0 * lines), squeeze=False, layout="constrained"
    )
    figure.suptitle(f"surefoot bench {name}")
    for panel, title in zip(panels.flat, titles, strict=False):
        chosen = [row for row in rows if row.title == title]
        panel.set_title(fill(title, 60), fontsize=10)
        (_curve if any(row.x is not None for row in chosen) else _bars)(panel, chosen)
    for panel in panels.flat[len(titles) :]:
        panel.axis("off")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _bars(panel: Axes, rows: Sequence[Row]) -> None:
    values = [row.value for row in rows]
    spread = [[row.value - row.low for row in rows], [row.high - row.value for row in rows]]
    colors = ["tab:green" if row.subject.startswith("surefoot") else "tab:gray" for row in rows]
    bars = panel.barh([row.subject for row in rows], values, xerr=spread, color=colors)
    panel.tick_params(axis="y", labelsize=8)
    panel.bar_label(bars, [short(value) for value in values], padding=4, fontsize=8)
    if max(values) > 20 * min(values):
        panel.set_xscale("log")
    panel.margins(x=0.25)
    panel.invert_yaxis()
    panel.set_xlabel(rows[0].unit)


def _curve(panel: Axes, rows: Sequence[Row]) -> None:
    for subject in dict.fromkeys(row.subject for row in rows):
        line = sorted((r for r in rows if r.subject == subject), key=lambda r: r.x or 0)
        spread = [[r.value - r.low for r in line], [r.high - r.value for r in line]]
        panel.errorbar(
            [r.x or 0 for r in line], [r.value for r in line], spread, marker="o", label=subject
        )
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel(rows[0].x_name)
    panel.set_ylabel(rows[0].unit)
    panel.margins(y=0.3)
    panel.legend(fontsize=7)
