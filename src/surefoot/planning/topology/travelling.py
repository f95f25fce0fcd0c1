"""Travelling in a live world, whoever runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, runtime_checkable

from surefoot.arrays import Floats
from surefoot.character import Character
from surefoot.planning.goals import Goal
from surefoot.planning.places import PlaceLike, resolve_place
from surefoot.planning.topology.atlas import Atlas
from surefoot.planning.topology.settings import TopologySettings
from surefoot.planning.topology.traveller import Traveller
from surefoot.world import World


class Source(Protocol):
    """Whatever runs a live world: physics, a recording, an engine that pushes poses."""

    @property
    def world(self) -> World:
        """The live world."""
        ...

    @property
    def time(self) -> float:
        """[s] Of what is shown."""
        ...

    def step(self, dt: float) -> object:
        """Goes on by `dt` [s]."""
        ...


@runtime_checkable
class Tangible(Protocol):
    """A source in which people are in the way of things, as in one that is run by physics."""

    def stand_in(
        self, who: str, point: Floats, velocity: Floats, *, radius: float, low: float, high: float
    ) -> None:
        """Somebody is here, and takes up the room between two heights [m] above its feet."""
        ...


def stand_in(source: object, traveller: Traveller, who: str = "traveller") -> None:
    """Lets what falls bounce off a traveller, where the source can do that."""
    if isinstance(source, Tangible):
        figure = traveller.figure
        size = figure.capability
        source.stand_in(
            who, figure.point, figure.velocity, radius=size.radius, low=size.step_height,
            high=size.height,
        )  # fmt: skip


def watch(
    source: Source, atlas: Atlas, seconds: float, each: Callable[[], None] | None = None
) -> None:
    """Looks on for a while."""
    rate = atlas.settings.rate
    for _ in range(round(seconds * rate)):
        atlas.update(source.time)
        source.step(1.0 / rate)
        if each is not None:
            each()
    atlas.update(source.time)


def travel(
    source: Source, character: Character, start: PlaceLike, goal: Goal, *,
    settings: TopologySettings | None = None, seconds: float = 120.0,
    each: Callable[[Traveller], None] | None = None,
) -> Traveller:  # fmt: skip
    """Somebody watches a live world for a while and then goes to its goal.

    Args:
        source: what runs the world.
        character: who goes.
        start: where from: a place, a point or a name.
        goal: where to.
        settings: how; for how long it watches first, among others.
        seconds: how long it may take, once it has watched.
        each: called after each frame.
    """
    settings = settings or TopologySettings()
    atlas = Atlas(source.world, character.capabilities, settings)
    watch(source, atlas, settings.watch)
    skills, now = character.capabilities.values(), [source.time]
    place = resolve_place(start, source.world, now, skills, "start")
    aim = replace(goal, place=resolve_place(goal.place, source.world, now, skills, "goal"))
    traveller = Traveller(atlas, character, place, aim)
    stand_in(source, traveller)
    end = source.time + seconds
    while not traveller.done and source.time < end:
        source.step(1.0 / settings.rate)
        atlas.update(source.time)
        traveller.step(source.time)
        stand_in(source, traveller)
        if each is not None:
            each(traveller)
    return traveller
