"""Fixtures shared by all tests."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Speed is measured in benchmarks, never in a test.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
DRAWN = "drawn"
"""The profile of `make test-slow`: cases that were not tried before."""

# The same cases in every run: hypothesis derives them from each test's source.
settings.register_profile("same", derandomize=True, **UNTIMED)
# A case that fails is printed with its seed, and goes into the test as an @example; what it
# failed on before is not remembered, so that a run depends on its seed alone.
settings.register_profile(DRAWN, database=None, print_blob=True, **UNTIMED)
settings.load_profile("same")

VALIDATOR = "gltf-validator@2.0.0-dev.3.10"
VALIDATE = """
const fs = require('fs');
const validator = require('gltf-validator');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])), {maxIssues: 0})
  .then(report => console.log(JSON.stringify(report.issues)))
  .catch(error => { console.error(String(error)); process.exit(1); });
"""


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Chooses a seed that can be printed, before hypothesis reads its options."""
    if config.getoption("hypothesis_profile") == DRAWN and not config.option.hypothesis_seed:
        config.option.hypothesis_seed = str(secrets.randbelow(2**32))


def pytest_report_header(config: pytest.Config) -> list[str]:
    """How to draw the same cases again."""
    if config.getoption("hypothesis_profile") != DRAWN:
        return ["cases of property tests: the same in every run (make test-slow draws new ones)"]
    seed = config.option.hypothesis_seed
    return [f"cases of property tests: --hypothesis-profile={DRAWN} --hypothesis-seed={seed}"]


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
