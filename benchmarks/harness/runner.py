"""Finds benchmark files and runs them."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from benchmarks.harness import results
from benchmarks.harness.bench import Bench
from benchmarks.harness.machine import Machine
from benchmarks.harness.report import Report, Teller, told
from surefoot.errors import FileError, InputError, MissingExtraError, one_of


def names(folder: Path) -> list[str]:
    """The benchmarks in a folder."""
    return sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))


def describe(folder: Path, name: str) -> str:
    """The first line of a benchmark's docstring, without running it."""
    return (ast.get_docstring(_parse(folder, name)) or "").partition("\n")[0]


def run(
    folder: Path,
    name: str,
    *,
    json: Path | None = None,
    plot: Path | None = None,
    keep: bool = False,
) -> Report:
    """Runs one benchmark, prints its table and claims, and writes what was asked for.

    Args:
        folder: of the benchmarks.
        name: which.
        json: where to write the report.
        plot: where to draw it.
        keep: whether it becomes the result that the next run is compared with.
    """
    _check_peers(name, _needed(_parse(folder, name)))
    module = _load(folder, name)
    machine = Machine.this(["surefoot", "numpy", *peers(folder)])
    description = describe(folder, name)
    print(f"{name}: {description}\n{machine.sentence()}", flush=True)
    bench = Bench(Teller())
    module.run(bench)
    report = Report(
        name=name,
        description=description,
        machine=machine,
        rows=tuple(bench.rows),
        claims=tuple(bench.claims),
        commit=results.commit(folder),
    )
    print(f"\n{told(report.claims)}", flush=True)
    committed = results.path_of(folder, name)
    if committed.exists():
        print(f"\n{results.compare(report, Report.load(committed))}", flush=True)
    if keep:
        report.save(committed)
    if json:
        report.save(json)
    if plot:
        report.plot(plot)
    return report


def peers(folder: Path) -> list[str]:
    """The packages in peers.txt."""
    listing = folder / "peers.txt"
    if not listing.exists():
        return []
    lines = (line.partition("#")[0].strip() for line in listing.read_text().splitlines())
    return [line for line in lines if line]


def _find(folder: Path, name: str) -> Path:
    if name not in names(folder):
        raise InputError(one_of("benchmark", name, names(folder)))
    return folder / f"{name}.py"


def _parse(folder: Path, name: str) -> ast.Module:
    path = _find(folder, name)
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as reason:
        raise FileError(f"{path}: line {reason.lineno}: {reason.msg}") from reason


def _needed(tree: ast.Module) -> Sequence[str]:
    """The value of PEERS, read before the file is run: it may import them at its top."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PEERS":
            return ast.literal_eval(node.value)
    return ()


def _load(folder: Path, name: str) -> ModuleType:
    path = _find(folder, name)
    spec = importlib.util.spec_from_file_location(f"benchmarks.{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not callable(getattr(module, "run", None)):
        raise FileError(f"{path}: a benchmark needs a function run(bench)")
    return module


def _check_peers(name: str, needed: Sequence[str]) -> None:
    missing = [peer for peer in needed if importlib.util.find_spec(peer) is None]
    if missing:
        raise MissingExtraError(
            f"{name} measures beside {', '.join(needed)}, and {', '.join(missing)} cannot be "
            f"imported here; run `make bench-setup`, then `.venv-bench/bin/surefoot bench {name}`"
        )
