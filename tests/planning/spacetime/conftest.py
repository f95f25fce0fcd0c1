"""One character and its controllers, for all tests of this folder."""

from __future__ import annotations

import pytest

from surefoot import control
from surefoot.character import Character, people


@pytest.fixture(scope="session")
def adult() -> Character:
    return people.adult()


@pytest.fixture(scope="session")
def controllers(adult: Character) -> control.Controllers:
    return control.load(adult)
