"""The claims of a plan, looked at one kind at a time."""

from surefoot.planning.claims.arrival import arrival, horizons
from surefoot.planning.claims.flights import flights
from surefoot.planning.claims.footing import footsteps
from surefoot.planning.claims.ground import collisions, joints, missing_bodies, speeds, supports
from surefoot.planning.claims.walk import Fault, Finding, Walk

__all__ = [
    "Fault",
    "Finding",
    "Walk",
    "arrival",
    "collisions",
    "flights",
    "footsteps",
    "horizons",
    "joints",
    "missing_bodies",
    "speeds",
    "supports",
]
