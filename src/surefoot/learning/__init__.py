"""Learning: fitted value iteration, one engine for every kind of controller.

States are clips (kinematic controllers) or sampled states of a simulated body (policies); tasks are
a few continuous numbers, such as where the target is. The engine does not know which.
"""

from surefoot.learning.iteration import Early, Report, Solution, solve
from surefoot.learning.neighbours import nearest
from surefoot.learning.tasks import Axis, TaskSpace
from surefoot.learning.transitions import TransitionTable

__all__ = [
    "Axis",
    "Early",
    "Report",
    "Solution",
    "TaskSpace",
    "TransitionTable",
    "nearest",
    "solve",
]
