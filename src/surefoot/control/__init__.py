"""Control: what a character can do, as controllers learned over clips (levine2011, section 4).

controllers = control.load(character)
start = control.Configuration.standing(controllers.repertoire)
rollout = controllers["walk"].rollout(start, (4.0, 2.0, 0.0))
"""

from surefoot.control.bounds import Bounds
from surefoot.control.configuration import Configuration
from surefoot.control.controller import Controller
from surefoot.control.controllers import (
    Controllers,
    built_in_tasks,
    load,
    moving_tasks,
    standing_tasks,
    train,
)
from surefoot.control.going import Arrive, Go
from surefoot.control.jumping import Jump
from surefoot.control.moves import Move
from surefoot.control.obstacles import Avoid, Corner
from surefoot.control.playing import play
from surefoot.control.repertoire import Repertoire, connected, repertoire
from surefoot.control.rollout import Adapted, Piece, Rollout
from surefoot.control.task import Actions, Obstacle, Task, Worth
from surefoot.control.thinning import Thinning
from surefoot.control.waiting import Preparation, Wait, preparation

__all__ = [
    "Actions",
    "Adapted",
    "Arrive",
    "Avoid",
    "Bounds",
    "Configuration",
    "Controller",
    "Controllers",
    "Corner",
    "Go",
    "Jump",
    "Move",
    "Obstacle",
    "Piece",
    "Preparation",
    "Repertoire",
    "Rollout",
    "Task",
    "Thinning",
    "Wait",
    "Worth",
    "built_in_tasks",
    "connected",
    "load",
    "moving_tasks",
    "play",
    "preparation",
    "repertoire",
    "standing_tasks",
    "train",
]
