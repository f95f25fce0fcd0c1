"""Makes the picture of a crowd: `python docs/make_crowd_pictures.py`."""

from __future__ import annotations

from pathlib import Path

from surefoot.agents import scenes
from surefoot.agents.play import play
from surefoot.agents.showing import film_picture

FOLDER = Path(__file__).parent / "pictures"


def main() -> None:
    """A hundred people on a square, after six seconds."""
    played = play(scenes.load("square", agents=100), duration=6.5)
    film_picture(played.film, 6.0, size=(1200, 640), elevation=30.0).save(FOLDER / "crowd.png")


if __name__ == "__main__":
    main()
