"""Physics: simulated bodies that walk, and worlds that MuJoCo runs (coros2009).

    body = physics.load_body("humanoid")
    stage = physics.Stage(body)
    run = stage.advance(stage.starting("walk"), "walk", 10.0)     # ten seconds
    run = stage.step(run.states, physics.Blend("walk", "run", 0.5))  # until the next foot strike

    live = physics.MujocoWorld([floor])                           # a live world
    live.drop(crate)                                              # what falls is only watched

MuJoCo is optional: `pip install 'surefoot[physics]'`. Without it this package still imports, and
what needs the engine says so.
"""

from surefoot.physics.anatomy import Anatomy, Joint, Part, Shape
from surefoot.physics.body import Body, load_body, load_gaits
from surefoot.physics.body import names as body_names
from surefoot.physics.extra import engine
from surefoot.physics.gait import Feedback, Gait, load_gait, save_gait
from surefoot.physics.platforms import Platform
from surefoot.physics.stage import Action, Blend, Stage
from surefoot.physics.states import Run, States
from surefoot.physics.world import MujocoWorld

__all__ = [
    "Action",
    "Anatomy",
    "Blend",
    "Body",
    "Feedback",
    "Gait",
    "Joint",
    "MujocoWorld",
    "Part",
    "Platform",
    "Run",
    "Shape",
    "Stage",
    "States",
    "body_names",
    "engine",
    "load_body",
    "load_gait",
    "load_gaits",
    "save_gait",
]
