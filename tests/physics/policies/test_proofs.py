"""What the documentation says of every task, tried anew: minutes of exploration each."""

from __future__ import annotations

import pytest

from surefoot.physics import load_body
from surefoot.physics.policies import TASKS, train, tried

ON_THE_PLANE = ("heading", "heading-with-speed", "go-to-point", "go-to-point-with-heading")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "task"),
    [
        *((body, task) for body in ("humanoid", "bird") for task in ("go-to-line", *ON_THE_PLANE)),
        ("raptor", "heading"),
    ],
)
def test_bodies_do_what_they_are_told(body: str, task: str) -> None:
    what = TASKS[task]()
    trained = train(load_body(body), what, told=lambda _: None)
    result = tried(trained, what, 200, threads=2)
    assert result.done.mean() >= 0.95, str(result)
