"""The optional dependency of physics: MuJoCo, in the version that the native module was built for.

Never the package `mujoco`, which pins an older engine and brings a viewer: `mujoco-core` has the
same import name.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from surefoot.errors import MissingExtraError

_HOW = "pip install 'surefoot[physics]', or '.[physics]' in a checkout"


@cache
def engine() -> ModuleType:
    """The `mujoco` package; an error that says how to get it when it is missing or does not fit."""
    try:
        mujoco = import_module("mujoco")
    except ModuleNotFoundError as reason:
        # A broken installation is another matter than a missing one.
        if reason.name != "mujoco":
            raise
        raise MissingExtraError(f"physics needs MuJoCo: {_HOW}") from None
    native().load_engine(str(_library(mujoco)))
    return mujoco


def native() -> ModuleType:
    """`surefoot._physics`; an error when surefoot was built without MuJoCo's headers."""
    try:
        import surefoot._physics as found
    except ModuleNotFoundError as reason:
        if reason.name != "surefoot._physics":
            raise
        raise MissingExtraError(
            "this surefoot was built without MuJoCo's headers and cannot simulate bodies: "
            f"{_HOW}, on a machine that MuJoCo has wheels for"
        ) from None
    return found


def _library(mujoco: ModuleType) -> Path:
    """Where its shared library lies."""
    folder = Path(str(mujoco.__file__)).parent
    for pattern in ("libmujoco.so.*", "libmujoco.*.dylib", "mujoco.dll"):
        for found in sorted(folder.glob(pattern)):
            return found
    raise MissingExtraError(f"MuJoCo's library is not beside its Python package in {folder}")
