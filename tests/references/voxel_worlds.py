"""Small random worlds of voxels, with people who can do this and that."""

from __future__ import annotations

import numpy as np

from references.grid_moves import Action, Cells, Moves

Random = np.random.Generator


def world(rng: Random, size: int = 7) -> Cells:
    """Floors with holes, blocks, walls, platforms above each other, and things not to stand on."""
    wide, deep = rng.integers(3, size + 1, 2).tolist()
    solid: set[tuple[int, int, int]] = set()
    kind = rng.integers(4)
    for i in range(wide):
        for j in range(deep):
            if kind == 0:  # a floor with holes and blocks
                if rng.random() < 0.85:
                    solid.add((i, j, 0))
                if rng.random() < 0.25:
                    solid |= {(i, j, k) for k in range(int(rng.integers(1, 6)))}
            elif kind == 1:  # hills
                solid |= {(i, j, k) for k in range(int(rng.integers(0, 4)))}
            elif kind == 2:  # floors above each other
                solid |= {(i, j, k) for k in (0, 3, 5, 9) if rng.random() < 0.7}
            else:  # anything
                solid |= {(i, j, k) for k in range(8) if rng.random() < 0.3}
    forbidden: set[tuple[int, int, int]] = set()
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(1, 6))):
            i, j, k = (int(rng.integers(n)) for n in (wide, deep, 4))
            forbidden.add((i, j, k))
    shift = rng.integers(-20, 20, 3)
    move = lambda cells: frozenset(tuple((np.array(c) + shift).tolist()) for c in cells)  # noqa: E731
    if not solid:
        solid.add((0, 0, 0))
    return Cells(move(solid - forbidden), move(forbidden), 0.25, float(rng.choice([0.25, 0.1])))


def actions(rng: Random) -> list[Action]:
    """One to four ways of getting on."""
    out = [
        Action(
            up=int(rng.integers(0, 3)), down=int(rng.integers(0, 3)), height=int(rng.integers(2, 5))
        )
    ]
    while rng.random() < 0.6 and len(out) < 4:
        out.append(
            Action(
                up=int(rng.integers(0, 4)),
                down=int(rng.integers(0, 5)),
                height=int(rng.integers(1, 6)),
                span=float(rng.choice([0, 2, 3, 4.5])),
                lift=int(rng.integers(0, 3)),
                gaps=bool(rng.random() < 0.7),
                euclidean=bool(rng.random() < 0.3),
                price=float(rng.choice([1.0, 1.0, 1.5, 3.0])),
                priority=int(rng.integers(0, 3)),
            )
        )
    return out


def moves(rng: Random, size: int = 7) -> Moves:
    """Someone in some world."""
    return Moves(
        world(rng, size),
        actions(rng),
        str(rng.choice(["both", "one", "cut"])),
        bool(rng.random() < 0.2),
        int(rng.integers(0, 3)),
    )
