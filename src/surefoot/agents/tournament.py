"""Many scenes one after the other, each played for a while and scored: a table of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from surefoot.agents.collisions import find_touches
from surefoot.agents.formats import read_crowd
from surefoot.agents.formats.tree import parse_xml
from surefoot.agents.play import play
from surefoot.agents.scenes.scene import CrowdScene
from surefoot.agents.scores import score
from surefoot.agents.settings import CrowdSettings
from surefoot.errors import SurefootError

_KINDS = ("SteerBenchTestCase", "Project", "Experiment")

HEADER = (
    "scene", "agents", "seconds", "arrived", "contacts", "time", "distance", "turned", "effort",
    "composite01", "composite02", "composite effort",
)  # fmt: skip
"""Of the columns: how many; how long it was played [s]; how many arrived; contacts of bodies, each
counted once; and means over agents as in `Scores`: time [s], distance [m], turned [degrees], effort
[J/kg] and SteerBench's composites."""


@dataclass(frozen=True)
class Result:
    """How a scene went.

    Attributes:
        name: of the scene.
        cells: one for each column after the name.
        wrong: a sentence where it could not be played.
        left_out: a sentence where it was not to be.
    """

    name: str
    cells: tuple[str, ...] = ()
    wrong: str = ""
    left_out: str = ""

    def line(self) -> str:
        """As a row of a Markdown table."""
        rest = self.cells or (self.wrong or self.left_out,)
        return "| " + " | ".join((self.name, *rest)) + " |"


def scene_files(folder: str | PathLike[str]) -> list[Path]:
    """The XML files in a folder, at any depth, that are crowd scenes, each scene once."""
    found: list[Path] = []
    named: set[Path] = set()
    for path in sorted(Path(folder).rglob("*.xml")):
        try:
            root = parse_xml(path)
        except SurefootError:
            continue
        if root.name not in _KINDS:
            continue
        if root.name == "Project":
            # Its scene is not played once more by itself.
            named.add((path.parent / root.attribute("scene")).resolve())
        found.append(path)
    return [path for path in found if path.resolve() not in named]


def played(
    files: Iterable[Path],
    *,
    seed: int = 0,
    duration: float | None = None,
    rate: float = 20.0,
    settings: CrowdSettings | None = None,
    most: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Iterator[Result]:
    """Plays scenes, each for `duration` [s] at most; as they are done.

    Args:
        files: of SteerSuite or Menge.
        seed: of what the files leave to chance.
        duration: [s], > 0; each scene's own when not given.
        rate: [1/s], > 0: frames; sums over frames depend on it. SteerBench's own is 20.
        settings: how; each scene's own when not given.
        most: people in a scene; those with more are left out. Any number when not given.
        progress: told the name of a scene before it is played.
    """
    for path in files:
        name = f"{path.parent.name}/{path.stem}"
        if progress is not None:
            progress(name)
        try:
            scene = read_crowd(path, seed=seed)
            count = len(scene.walkers)
            if most is not None and count > most:
                yield Result(name, left_out=f"not played: {count} people")
            else:
                yield Result(name, _cells(scene, duration, rate, settings))
        except SurefootError as reason:
            yield Result(name, wrong=str(reason))


def _cells(
    scene: CrowdScene, duration: float | None, rate: float, settings: CrowdSettings | None
) -> tuple[str, ...]:
    done = play(scene, dt=1.0 / rate, duration=duration, settings=settings)
    touches = find_touches(done.film)
    scores = score(done.film, touches)
    means = [scores.mean(name) for name in ("time", "distance", "turned", "effort")]
    totals = [scores.composite01, scores.composite02, scores.composite_effort]
    return (
        str(len(scene.walkers)), f"{done.crowd.t:.0f}", str(done.arrived),
        str(len(touches.contacts)), *(f"{value:.1f}" for value in means),
        *(f"{value:.0f}" for value in totals),
    )  # fmt: skip
