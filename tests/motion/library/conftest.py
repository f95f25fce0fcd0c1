"""A small library of our own gait."""

from __future__ import annotations

from dataclasses import replace

import pytest

from references.known_steps import KnownSteps, stand, walk
from surefoot.motion.library import Library, build_library


def named(known: KnownSteps, name: str) -> KnownSteps:
    return replace(known, clip=replace(known.clip, name=name))


@pytest.fixture(scope="session")
def strolls() -> list[KnownSteps]:
    return [
        named(walk(1.2), "walk"),
        named(walk(0.8, turning=0.5), "arc"),
        named(stand(), "stand"),
    ]


@pytest.fixture(scope="session")
def library(strolls: list[KnownSteps]) -> Library:
    return build_library((known.clip, known.measures) for known in strolls)
