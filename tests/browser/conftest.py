"""A browser without a window, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Drawn in software; nothing is fetched from anywhere.
ARGUMENTS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, driven by playwright."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: no browser here"
    )
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        pytest.skip(f"no browser here: none of {', '.join(NAMES)} is installed")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        yield started
        started.close()
