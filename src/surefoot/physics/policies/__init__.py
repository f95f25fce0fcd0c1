"""Policies: a simulated body with a purpose (coros2009 sections 4 to 6).

trained = policies.train(load_body("humanoid"), policies.GoToLine())
trained.policy.save("line.policy")
policy = policies.Policy.load("line.policy")
policy.decide(states, tasks)          # an action for each, at their foot strikes
"""

from surefoot.physics.policies.exploring import Explored, Limits, explore
from surefoot.physics.policies.instancing import Sweeping
from surefoot.physics.policies.metric import Metric, Weights
from surefoot.physics.policies.policy import Policy
from surefoot.physics.policies.setups import Setup, setup_for
from surefoot.physics.policies.tasks import (
    TASKS,
    GoToLine,
    GoToPoint,
    GoToPointWithHeading,
    Heading,
    HeadingWithSpeed,
    RobustWalk,
    Seen,
    Task,
)
from surefoot.physics.policies.training import Trained, train
from surefoot.physics.policies.trying import Tried, attempt, tried
from surefoot.physics.policies.workers import Workers

__all__ = [
    "TASKS",
    "Explored",
    "GoToLine",
    "GoToPoint",
    "GoToPointWithHeading",
    "Heading",
    "HeadingWithSpeed",
    "Limits",
    "Metric",
    "Policy",
    "RobustWalk",
    "Seen",
    "Setup",
    "Sweeping",
    "Task",
    "Trained",
    "Tried",
    "Weights",
    "Workers",
    "attempt",
    "explore",
    "setup_for",
    "train",
    "tried",
]
