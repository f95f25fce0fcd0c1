"""Where the page looks from: at everything, or along with someone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from surefoot.animation.pictures import Camera
from surefoot.arrays import Floats
from surefoot.studio.figures import Figure

if TYPE_CHECKING:
    import viser

FIELD_OF_VIEW = math.radians(40.0)
"""Vertical [rad]."""

ASPECT = 1.2
"""Width over height of the picture beside the panel, on a screen that is not large."""

NEAR_ENOUGH = 6.0
"""How far from someone it stands when it begins to follow, where it was farther away [m]."""


def overview(extent: Floats, aspect: float = ASPECT) -> Camera:
    """The view of everything.

    Args:
        extent: `(n, 3)` [m], points to be seen.
        aspect: width over height of the picture.
    """
    return Camera.framing(
        extent,
        azimuth=math.radians(-65.0),
        elevation=math.radians(35.0),
        field_of_view=FIELD_OF_VIEW,
        size=(max(round(1000 * aspect), 1), 1000),
    )


def start_at(server: viser.ViserServer, view: Camera) -> None:
    """New pages begin with this view."""
    camera = server.initial_camera
    camera.position, camera.look_at = view.eye, view.target
    camera.up = (0.0, 0.0, 1.0)
    camera.fov = view.field_of_view
    camera.far = max(1000.0, 10.0 * view.distance)


def see_all(camera: viser.CameraHandle, extent: Floats) -> None:
    """Shows everything on one page, in whatever shape its window has."""
    view = overview(extent, camera.aspect)
    camera.up_direction = (0.0, 0.0, 1.0)
    camera.position = view.eye
    camera.look_at = view.target


class Follower:
    """Keeps someone in the middle of every page, from wherever its viewer likes to look."""

    def __init__(self, server: viser.ViserServer) -> None:
        self._server = server
        self._figure: Figure | None = None
        self._begun: set[int] = set()

    def follow(self, figure: Figure | None) -> None:
        """Whom to follow from now on; None for nobody."""
        self._figure = figure
        self._begun.clear()

    def show(self, t: float) -> None:
        """Moves the cameras to where they belong at `t` [s]."""
        if self._figure is None:
            return
        centre = self._figure.centre(t)
        for number, client in self._server.get_clients().items():
            away = client.camera.position - client.camera.look_at
            distance = float(np.linalg.norm(away))
            if number not in self._begun and distance > NEAR_ENOUGH:
                away *= NEAR_ENOUGH / distance
            self._begun.add(number)
            client.camera.position = centre + away
            client.camera.look_at = centre
