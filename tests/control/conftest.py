"""One repertoire and its controllers, for all tests of this folder."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from surefoot import control
from surefoot.character import Character, people


@pytest.fixture(scope="session")
def adult() -> Character:
    return people.adult()


@pytest.fixture(scope="session")
def repertoire(adult: Character) -> control.Repertoire:
    return control.repertoire(adult)


@pytest.fixture(scope="session")
def trained(repertoire: control.Repertoire) -> Callable[[str], control.Controller]:
    """Built-in controllers by name, trained when first asked for."""
    tasks = {task.name: task for task in control.built_in_tasks()}
    found: dict[str, control.Controller] = {}

    def get(name: str) -> control.Controller:
        if name not in found:
            found[name] = control.train(repertoire, [tasks[name]], threads=2)[name]
        return found[name]

    return get
