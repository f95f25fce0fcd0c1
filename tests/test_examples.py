"""Every example runs."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path

import pytest

from surefoot.errors import MissingExtraError

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("[0-9]*.py"))


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # Examples that write files take the folder to write to.
    writes = bool(inspect.signature(module.main).parameters)
    try:
        module.main(*([tmp_path] if writes else []))
    except MissingExtraError as reason:
        pytest.skip(str(reason))
    assert capsys.readouterr().out
    if writes:
        assert any(tmp_path.iterdir())
