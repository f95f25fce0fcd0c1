"""Makes the pictures of policies: `python docs/make_policy_pictures.py`.

A policy as colours (coros2009 Fig. 7), and a bird on its way from place to place.
"""

from __future__ import annotations

from pathlib import Path

from surefoot.animation.plots.policies import performance_strip, policy_plot
from surefoot.physics import load_body, policies
from surefoot.physics.policies.playing import perform

FOLDER = Path(__file__).parent / "pictures"
PLACES = [[2.0, 1.0], [-1.5, 1.0], [0.0, -1.0]]


def main() -> None:
    """Makes both."""
    line = policies.train(load_body("humanoid"), policies.GoToLine()).policy
    policy_plot(line).save(FOLDER / "policy_line.png")
    task = policies.GoToPoint()
    point = policies.train(load_body("bird"), task).policy
    performance_strip(perform(point, task, PLACES)).save(FOLDER / "bird_places.png")


if __name__ == "__main__":
    main()
