"""Every public name exists, says what it is, and is listed once."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

import pytest

import surefoot
from surefoot.errors import MissingExtraError


def _modules() -> list[str]:
    found = pkgutil.walk_packages(surefoot.__path__, "surefoot.", onerror=lambda name: None)  # noqa: ARG005
    return ["surefoot", *(info.name for info in found if not info.name.endswith("__main__"))]


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except MissingExtraError as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("name", _modules())
def test_modules_import_and_have_docstrings(name: str) -> None:
    module = _imported(name)
    if name.endswith(("._native", "._physics")):
        return
    assert module.__doc__, f"{name} has no docstring"
    assert module.__doc__.strip()


@pytest.mark.parametrize("name", _modules())
def test_public_names_exist_and_have_docstrings(name: str) -> None:
    module = _imported(name)
    listed = getattr(module, "__all__", [])
    assert len(listed) == len(set(listed)), f"{name}: a name is listed twice"
    for item in listed:
        assert hasattr(module, item), f"{name}.__all__ lists {item!r}, which is not there"
        value = getattr(module, item)
        if isinstance(value, ModuleType) or callable(value):
            assert (value.__doc__ or "").strip(), f"{name}.{item} has no docstring"


def test_packages_list_their_public_names() -> None:
    # The stages of the flow; the command line is no stage and has one entry point.
    packages = [
        name
        for name in _modules()
        if hasattr(_imported(name), "__path__") and name.count(".") < 2 and name != "surefoot.cli"
    ]
    silent = [name for name in packages if not getattr(_imported(name), "__all__", None)]
    assert not silent, f"packages without __all__: {', '.join(silent)}"


def test_the_first_name_of_the_docstring_is_not_a_copy() -> None:
    # A dataclass without a docstring gets its signature as one.
    for name in _modules():
        module = _imported(name)
        for item in getattr(module, "__all__", []):
            value = getattr(module, item)
            if isinstance(value, type) and hasattr(value, "__dataclass_fields__"):
                assert not (value.__doc__ or "").startswith(f"{value.__name__}("), f"{name}.{item}"
