"""Physics is optional: what it lacks is said, with what to do."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from surefoot.errors import MissingExtraError
from surefoot.physics import engine
from surefoot.physics.extra import native

mujoco = pytest.importorskip("mujoco")


def _run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_engine_is_the_version_that_the_native_module_was_built_for() -> None:
    assert engine() is mujoco
    assert mujoco.__version__.rsplit(".", 1)[0] == native().built_for.rsplit(".", 1)[0]


def test_surefoot_and_its_physics_import_without_mujoco() -> None:
    told = _run("""
        import sys
        sys.modules["mujoco"] = None          # as if it were not installed
        import surefoot
        from surefoot import physics
        from surefoot.errors import MissingExtraError
        try:
            physics.engine()
        except MissingExtraError as reason:
            print(reason)
    """)
    assert "pip install 'surefoot[physics]'" in told


def test_another_version_of_mujoco_is_refused_by_name(tmp_path) -> None:
    # A library with nothing in it but another version.
    source = tmp_path / "other.c"
    source.write_text("int mj_version(void) { return 5001002; }\n")
    library = tmp_path / "libmujoco.so.5.1.2"
    built = subprocess.run(
        ["cc", "-shared", "-fPIC", "-o", library, source], capture_output=True, check=False
    )
    if built.returncode != 0:
        pytest.skip("no C compiler")
    told = _run(f"""
        from surefoot import _physics
        from surefoot.errors import MissingExtraError
        try:
            _physics.load_engine({str(library)!r})
        except MissingExtraError as reason:
            print(reason)
    """)
    assert "built for MuJoCo 4.0" in told
    assert "5.1.2 is installed" in told


def test_a_library_that_is_not_there_is_named() -> None:
    told = _run("""
        from surefoot import _physics
        from surefoot.errors import MissingExtraError
        try:
            _physics.load_engine("/nowhere/libmujoco.so")
        except MissingExtraError as reason:
            print(reason)
    """)
    assert "/nowhere/libmujoco.so" in told


def test_missing_extra_is_an_import_error() -> None:
    assert issubclass(MissingExtraError, ImportError)
