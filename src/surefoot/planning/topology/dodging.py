"""Out of the way of what comes over a surface."""

from __future__ import annotations

import numpy as np

from surefoot.arrays import Floats
from surefoot.planning.topology.atlas import Atlas
from surefoot.planning.topology.figure import Figure
from surefoot.planning.topology.search import CHANGE, WAIT, Way

NEAR, FAR, MOST = 0.3, 3.0, 24
"""[m] How far somebody goes out of the way, at least and at most; places that are looked at."""


def contact(atlas: Atlas, body: str, times: Floats, positions: Floats, skill: int) -> float:
    """[s] When somebody on a timed path on a body first meets something; infinity for never."""
    size, ident = atlas.skills.ground[skill], atlas.world.id(body)
    return atlas.native.first_contact(
        ident, np.ascontiguousarray(times), np.ascontiguousarray(positions), size.radius,
        size.height, size.step_height, ident,
    )[0]  # fmt: skip


def dodged(atlas: Atlas, figure: Figure, way: Way, t: float) -> Way | None:
    """To the nearest configuration that nothing seems to come to, on the way to the same end."""
    body = figure.place.body
    assert body is not None
    surface, _ = atlas.surface(figure.place)
    nodes = atlas.nodes(body)
    away = np.linalg.norm(nodes - figure.place.position, axis=1)
    near = np.flatnonzero((away < FAR) & (away > NEAR)).astype(np.int32)
    if surface < 0 or len(near) == 0:
        return None
    soon = np.array([t + 0.3, t + 1.2])
    clear = [
        node
        for node in near[np.argsort(away[near], kind="stable")][:MOST].tolist()
        if contact(atlas, body, soon, np.stack([nodes[node]] * 2), figure.skill) == np.inf
    ]
    if not clear:
        return None
    start = np.ascontiguousarray(figure.place.position[None])
    reached, _, positions, times, skills, *_ = atlas.native.search(
        surface, start, t, figure.skill, np.array(clear, dtype=np.int32),
        atlas.settings.search_nodes, WAIT, CHANGE,
    )  # fmt: skip
    return (
        Way(body, times, positions, skills, way.relation, way.ends, way.hops) if reached else None
    )
