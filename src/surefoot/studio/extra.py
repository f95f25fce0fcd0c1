"""The optional dependency of the studio."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from surefoot.errors import MissingExtraError


def viser() -> ModuleType:
    """The viser package, imported when a page is first wanted; it takes a while."""
    try:
        return import_module("viser")
    except ModuleNotFoundError as reason:
        # A broken installation is another matter than a missing one.
        if reason.name != "viser":
            raise
        raise MissingExtraError(
            "the studio needs viser: pip install 'surefoot[studio]', or '.[studio]' in a checkout"
        ) from None
