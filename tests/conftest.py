"""Fixtures shared by all tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Speed is measured in benchmarks, never in a test.
settings.register_profile("surefoot", deadline=None)
settings.load_profile("surefoot")

VALIDATOR = "gltf-validator@2.0.0-dev.3.10"
VALIDATE = """
const fs = require('fs');
const validator = require('gltf-validator');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])), {maxIssues: 0})
  .then(report => console.log(JSON.stringify(report.issues)))
  .catch(error => { console.error(String(error)); process.exit(1); });
"""


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data made by others; tests that need it are skipped without it."""
    folder = os.environ.get("SUREFOOT_DATA")
    if not folder:
        pytest.skip("SUREFOOT_DATA is not set: no real data here")
    return Path(folder)


@pytest.fixture(scope="session")
def validate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], dict[str, Any]]:
    """Runs the Khronos glTF validator on a file and returns its issues."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("npm and node are not installed: the Khronos validator cannot run")
    folder = tmp_path_factory.mktemp("validator")
    (folder / "package.json").write_text('{"private": true}')
    (folder / "validate.js").write_text(VALIDATE)
    try:
        install = subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--fetch-retries=0", VALIDATOR],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not answer within two minutes: the Khronos validator cannot run")
    if install.returncode:
        lines = install.stderr.strip().splitlines() or ["no reason given"]
        pytest.skip(f"npm cannot install gltf-validator: {lines[-1]}")

    def run(path: Path) -> dict[str, Any]:
        done = subprocess.run(
            [node, "validate.js", str(path)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        return json.loads(done.stdout)

    return run
