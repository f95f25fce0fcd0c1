"""Planning: problems in, plans out."""

from surefoot.motion.flight import Flight
from surefoot.planning import costs
from surefoot.planning.assumptions import Assumption, assume
from surefoot.planning.check import Cause, Check, Violation
from surefoot.planning.claims import Fault
from surefoot.planning.cost import Cost, CostTable, WaitVerdict
from surefoot.planning.goals import AllOf, AnyGoal, AnyOf, Goal, Region
from surefoot.planning.limits import Limits
from surefoot.planning.plan import Outcome, Plan, Status
from surefoot.planning.problem import Problem
from surefoot.planning.segments import (
    Alternative,
    Controller,
    Execution,
    Footstep,
    Kind,
    Path,
    Policy,
    Run,
    Segment,
    Steps,
    Timing,
)

__all__ = [
    "AllOf",
    "Alternative",
    "AnyGoal",
    "AnyOf",
    "Assumption",
    "Cause",
    "Check",
    "Controller",
    "Cost",
    "CostTable",
    "Execution",
    "Fault",
    "Flight",
    "Footstep",
    "Goal",
    "Kind",
    "Limits",
    "Outcome",
    "Path",
    "Plan",
    "Policy",
    "Problem",
    "Region",
    "Run",
    "Segment",
    "Status",
    "Steps",
    "Timing",
    "Violation",
    "WaitVerdict",
    "assume",
    "costs",
]
