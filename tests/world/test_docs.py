"""What docs/world.md shows is what comes out."""

from __future__ import annotations

from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "world.md").read_text(encoding="utf-8")


def test_the_queries_print_what_is_beside_them(capsys: pytest.CaptureFixture[str]) -> None:
    example = PAGE.split("## Queries\n")[1].split("```python\n")[1].split("```")[0]
    beside = [line.split("  # ")[1] for line in example.splitlines() if "  # " in line]
    exec(compile(example, "docs/world.md", "exec"), {})
    assert len(beside) == 5
    assert capsys.readouterr().out.splitlines() == beside
