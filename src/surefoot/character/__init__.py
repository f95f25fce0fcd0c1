"""Who moves: skeletons, measures, capabilities, inverse kinematics, and the user's own rigs."""

from surefoot.character import humanoid, kinematics, legs, people
from surefoot.character.capability import Capability
from surefoot.character.character import Character
from surefoot.character.measures import ADULT, CHILD, Measures, Proportions
from surefoot.character.people import adult, child, person, tall_adult
from surefoot.character.rig.mapping import BoneMapping
from surefoot.character.rig.retarget import retarget
from surefoot.character.rig.rig import Rig, RigPose
from surefoot.character.skeleton import Skeleton, Tip
from surefoot.character.skin import Part, Skin

__all__ = [
    "ADULT",
    "CHILD",
    "BoneMapping",
    "Capability",
    "Character",
    "Measures",
    "Part",
    "Proportions",
    "Rig",
    "RigPose",
    "Skeleton",
    "Skin",
    "Tip",
    "adult",
    "child",
    "humanoid",
    "kinematics",
    "legs",
    "people",
    "person",
    "retarget",
    "tall_adult",
]
