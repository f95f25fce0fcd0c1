"""What the package imports, it declares: in its dependencies, or in the extra that guards it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import surefoot

ROOT = Path(surefoot.__file__).parent
PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

GUARDED = {"studio": "studio", "physics": "physics"}
"""By the first folder of a module that may import it: the extra."""
ANYWHERE = {"joblib": "cluster"}
"""Imported by name where a user asks for it: the extra."""


def declared(requirements: list[str]) -> set[str]:
    """Names of distributions, normalised."""
    return {plain(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in requirements}


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(file: Path) -> set[str]:
    """The top modules that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module":
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.add(first.value.split(".")[0])
    return found - set(sys.stdlib_module_names) - {"surefoot", "__future__"}


def test_every_import_is_declared() -> None:
    providers = packages_distributions()
    extras = {name: declared(texts) for name, texts in PROJECT["optional-dependencies"].items()}
    always = declared(PROJECT["dependencies"])
    seen: set[str] = set()
    for file in sorted(ROOT.rglob("*.py")):
        folder = file.relative_to(ROOT).parts[0]
        for module in imported(file):
            names = {plain(name) for name in providers.get(module, [module])}
            allowed = always | extras.get(GUARDED.get(folder, ""), set())
            if module in ANYWHERE:
                allowed = allowed | extras[ANYWHERE[module]]
            assert names & allowed, f"{file}: imports {module}, which nothing declares for it"
            seen |= names & allowed
    unused = always.union(*extras.values()) - seen
    assert not unused, f"declared and never imported: {unused}"


WITHOUT = """
import sys
sys.modules["msgspec"] = None  # as where it is not installed
from surefoot.physics import load_body
print(load_body(sys.argv[1]).name)
"""


def test_body_files_are_read_with_the_physics_extra_alone(tmp_path: Path) -> None:
    path = tmp_path / "giant.toml"
    path.write_text('surefoot = "body"\nversion = 1\nlike = "humanoid"\nname = "giant"\n')
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, path], capture_output=True, text=True, check=False
    )
    assert done.stdout == "giant\n", done.stderr
