"""Pictures of worlds and people, without a screen or a graphics card.

    camera = Camera.framing(points, azimuth=-1.0, elevation=0.4)
    render(world, 2.0, camera, extras=[person(adult, root, rotations), path(points)]).save("a.png")

`render` makes one picture; `frames` one for each moment; `exposures` shows many moments in one;
`filmstrip` puts pictures beside each other; `save_moving` writes them as an animated PNG or GIF.
"""

from surefoot.animation.pictures.camera import Camera
from surefoot.animation.pictures.extras import Extra, figure, person
from surefoot.animation.pictures.labels import labelled, time_label
from surefoot.animation.pictures.marks import ball, footprint, outline, path, ring
from surefoot.animation.pictures.moments import Moment, exposures, frames, ghosts
from surefoot.animation.pictures.moving import save_moving
from surefoot.animation.pictures.picture import Picture
from surefoot.animation.pictures.rendering import render
from surefoot.animation.pictures.settings import QUALITIES, Look
from surefoot.animation.pictures.strips import filmstrip

__all__ = [
    "QUALITIES",
    "Camera",
    "Extra",
    "Look",
    "Moment",
    "Picture",
    "ball",
    "exposures",
    "figure",
    "filmstrip",
    "footprint",
    "frames",
    "ghosts",
    "labelled",
    "outline",
    "path",
    "person",
    "render",
    "ring",
    "save_moving",
    "time_label",
]
