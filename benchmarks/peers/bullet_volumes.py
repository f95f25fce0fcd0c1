"""Interaction volumes as boxes in Bullet, which lopez2012 used: what meets what, frame by frame."""

from __future__ import annotations

import numpy as np


class BulletVolumes:
    """Two boxes for each body: its surface, and what can be reached from it."""

    def __init__(self, positions: np.ndarray, half: np.ndarray, reach: np.ndarray) -> None:
        import pybullet as bullet

        self._bullet = bullet
        self._client = bullet.connect(bullet.DIRECT)
        surface = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=half.tolist())
        around = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=(half + reach).tolist())
        self._surfaces = [bullet.createMultiBody(0, surface, -1, p.tolist()) for p in positions]
        self._volumes = [bullet.createMultiBody(1, around, -1, p.tolist()) for p in positions]
        # Volumes meet surfaces, not each other.
        for body in self._surfaces:
            bullet.setCollisionFilterGroupMask(body, -1, 1, 2)
        for body in self._volumes:
            bullet.setCollisionFilterGroupMask(body, -1, 2, 1)

    def frame(self, positions: np.ndarray) -> int:
        """Moves all of them and counts the pairs that meet."""
        bullet, upright = self._bullet, (0, 0, 0, 1)
        for surface, volume, where in zip(
            self._surfaces, self._volumes, positions.tolist(), strict=True
        ):
            bullet.resetBasePositionAndOrientation(surface, where, upright)
            bullet.resetBasePositionAndOrientation(volume, where, upright)
        bullet.performCollisionDetection()
        pairs = {(point[1], point[2]) for point in bullet.getContactPoints()}
        return len(pairs)

    def close(self) -> None:
        """Lets go of it."""
        self._bullet.disconnect(self._client)
