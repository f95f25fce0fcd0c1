"""Policies need MuJoCo; without it these tests are left out."""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("mujoco") is None:
    collect_ignore_glob = ["test_*.py"]
