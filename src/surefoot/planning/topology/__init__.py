"""Unknown futures: which surfaces connect, when and how often, learned by watching (lopez2012)."""

from surefoot.planning.topology.atlas import Atlas, Relation
from surefoot.planning.topology.planner import Topology
from surefoot.planning.topology.settings import TopologySettings
from surefoot.planning.topology.traveller import Traveller
from surefoot.planning.topology.travelling import travel

__all__ = ["Atlas", "Relation", "Topology", "TopologySettings", "Traveller", "travel"]
