from __future__ import annotations

from surefoot.character import people
from surefoot.planning.trained import controllers_of


def test_characters_with_the_same_body_share_controllers() -> None:
    assert controllers_of(people.adult()) is controllers_of(people.adult())
