"""Which parts of a mesh are closed, solid, hollow or rooms, by walking from face to face."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from references.triangles import solid_angles
from surefoot.world import Mesh


def closed_parts(mesh: Mesh) -> list[np.ndarray]:
    """Face indices of each closed part: joined by edges, every edge walked as often each way."""
    corner = {tuple(p): i for i, p in enumerate((mesh.vertices + 0.0).tolist())}
    welded = np.array([corner[tuple(p)] for p in (mesh.vertices + 0.0).tolist()])
    faces = welded[mesh.faces]
    users: dict[tuple[int, int], list[int]] = defaultdict(list)
    balance: dict[tuple[int, int], int] = defaultdict(int)
    for index, face in enumerate(faces.tolist()):
        for p, q in zip(face, face[1:] + face[:1], strict=True):
            users[min(p, q), max(p, q)].append(index)
            balance[min(p, q), max(p, q)] += 1 if p < q else -1
    neighbours: dict[int, set[int]] = defaultdict(set)
    for sharing in users.values():
        for index in sharing:
            neighbours[index].update(sharing)
    uneven = {index for edge, sum_ in balance.items() if sum_ for index in users[edge]}
    parts, seen = [], set()
    for first in range(len(faces)):
        if first in seen:
            continue
        part, front = {first}, [first]
        while front:
            fresh = neighbours[front.pop()] - part
            part |= fresh
            front.extend(fresh)
        seen |= part
        if not part & uneven:
            parts.append(np.array(sorted(part)))
    return parts


def solid_faces(mesh: Mesh) -> np.ndarray:
    """Faces that bound solid matter: outward closed parts, and cavities inside them."""
    corners = mesh.vertices[mesh.faces]
    outward, inward = [], []
    for part in closed_parts(mesh):
        a, b, c = (corners[part][:, k] - corners[part[0], 0] for k in range(3))
        volume = (a * np.cross(b, c)).sum()
        if volume > 0:
            outward.append(part)
        elif volume < 0:
            inward.append(part)
    if not outward:
        return np.zeros(0, dtype=int)
    matter = np.concatenate(outward)
    for part in inward:
        probe = np.tile(corners[part[0], 0], (len(matter), 1))
        if solid_angles(corners[matter], probe).sum() > 2 * np.pi:
            outward.append(part)
    return np.concatenate(outward)
