"""The panel beside the picture: time, what is shown, and the plan as rows to click."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any

from surefoot.planning import Kind, Plan, Segment, explain
from surefoot.studio import camera
from surefoot.studio.content import Actor
from surefoot.studio.timeline import SPEEDS, Timeline

if TYPE_CHECKING:
    import viser

    from surefoot.studio.stage import Stage

BRAND = (10, 92, 105)
_WIDTH = 370
"""Of the panel [pixels]."""

_EVERY = 0.1
"""How often the slider is told where it is while playing [s]; the scene itself moves smoothly."""

_STEP = 0.05
"""Of the slider [s]."""

# Names of https://tabler.io/icons, which viser has a type of its own for.
_ICONS: dict[str, Any] = {"Play": "player-play", "Pause": "player-pause", "whole": "maximize"}

_LAYER_NAMES = {
    "path": "Path",
    "labels": "Labels",
    "footsteps": "Footsteps",
    "places": "Places",
}


class Controls:
    """Reads the panel and keeps it up to date.

    Whatever a person does only changes the timeline or a switch; what follows from it is drawn
    by the one thread that plays.

    Args:
        server: whose panel it is.
        timeline: what the panel moves.
        stage: what it switches on and off.
        dark: whether the page begins dark.

    Attributes:
        changed: set when something other than the time has to be shown anew.
    """

    def __init__(
        self, server: viser.ViserServer, timeline: Timeline, stage: Stage, *, dark: bool = False
    ) -> None:
        self._server, self._timeline, self._stage = server, timeline, stage
        self._rows: list[tuple[Segment, viser.GuiButtonHandle]] = []
        self.changed = threading.Event()
        self._extent = stage.content.extent
        self._follower = camera.Follower(server)
        self._set_theme(dark)
        server.gui.main_panel.dock_right()
        server.gui.main_panel.set_width(_WIDTH)
        self._add_time()
        self._add_view(dark)
        for actor in stage.content.actors:
            self._add_plan(actor)

    def show(self, t: float) -> None:
        """Follows what plays: the cameras, and what the panel says."""
        self._follower.show(t)
        label, icon = self._play_look()
        if self._play.label != label:
            self._play.label, self._play.icon = label, icon
        slider = self._slider
        if not self._timeline.playing or abs(slider.value - t) >= _EVERY * self._timeline.speed:
            slider.value = round(t, 2)
        for segment, row in self._rows:
            row.color = BRAND if segment.start <= t < segment.end else "gray"

    # --- time ------------------------------------------------------------------------------------

    def _add_time(self) -> None:
        gui, timeline = self._server.gui, self._timeline
        still = timeline.duration == 0
        # A slider has steps: its ends are the steps around the timeline, which clamps what it gets.
        first = math.floor(timeline.start / _STEP) * _STEP
        self._slider = gui.add_slider(
            "Time [s]",
            min=round(first, 2),
            max=round(max(math.ceil(timeline.end / _STEP) * _STEP, first + _STEP), 2),
            step=_STEP,
            initial_value=round(timeline.time, 2),
            visible=not still,
        )
        label, icon = self._play_look()
        self._play = gui.add_button(label, icon=icon, color=BRAND, visible=not still)
        speed = gui.add_dropdown(
            "Speed", [f"{speed:g}×" for speed in SPEEDS], initial_value="1×", visible=not still
        )
        loop = gui.add_checkbox("Loop", timeline.loop, visible=not still)

        @self._slider.on_update
        def _(event: viser.GuiEvent[Any]) -> None:
            # The player moves the slider too; only a person's hand has a page.
            if event.client is not None:
                timeline.pause()
                timeline.seek(float(self._slider.value))

        @self._play.on_click
        def _(_: viser.GuiEvent[Any]) -> None:
            if timeline.playing:
                timeline.pause()
            else:
                timeline.play()

        @speed.on_update
        def _(_: viser.GuiEvent[Any]) -> None:
            timeline.set_speed(float(speed.value.removesuffix("×")))

        @loop.on_update
        def _(_: viser.GuiEvent[Any]) -> None:
            timeline.loop = loop.value

    def _play_look(self) -> tuple[str, Any]:
        name = "Pause" if self._timeline.playing else "Play"
        return name, _ICONS[name]

    # --- what is shown ---------------------------------------------------------------------------

    def _add_view(self, dark: bool) -> None:
        gui, stage = self._server.gui, self._stage
        with gui.add_folder("View"):
            whole = gui.add_button("Frame everything", icon=_ICONS["whole"], color="gray")
            if stage.content.actors:
                self._add_follow()
            for layer in stage.overlays.layers():
                self._add_layer(layer)
            grid = gui.add_checkbox("Grid", True)
            darkness = gui.add_checkbox("Dark", dark)

        @whole.on_click
        def _(event: viser.GuiEvent[Any]) -> None:
            if event.client is not None:
                camera.see_all(event.client.camera, self._extent)

        @grid.on_update
        def _(_: viser.GuiEvent[Any]) -> None:
            stage.grid.visible = grid.value

        @darkness.on_update
        def _(_: viser.GuiEvent[Any]) -> None:
            self._set_theme(darkness.value)

    def _add_follow(self) -> None:
        figures = {actor.figure.name: actor.figure for actor in self._stage.content.actors}
        gui = self._server.gui
        follow = gui.add_checkbox("Follow character", False)
        who = gui.add_dropdown("Whom", list(figures), visible=len(figures) > 1)

        def choose(_: viser.GuiEvent[Any]) -> None:
            self._follower.follow(figures[who.value] if follow.value else None)
            self.changed.set()

        follow.on_update(choose)
        who.on_update(choose)

    def _add_layer(self, layer: str) -> None:
        box = self._server.gui.add_checkbox(_LAYER_NAMES[layer], True)

        @box.on_update
        def _(_: viser.GuiEvent[Any]) -> None:
            self._stage.overlays.set_visible(layer, box.value)

    def _set_theme(self, dark: bool) -> None:
        self._server.gui.configure_theme(
            dark_mode=dark,
            show_logo=False,
            # Sharing would send the page through a server on the network.
            show_share_button=False,
            brand_color=BRAND,
        )
        self._stage.shade_grid(dark)

    # --- the plan --------------------------------------------------------------------------------

    def _add_plan(self, actor: Actor) -> None:
        if actor.plan is None:
            return
        gui = self._server.gui
        with gui.add_folder(f"Plan of {actor.figure.name}"):
            gui.add_markdown(summary(actor.plan))
            for segment, text in zip(actor.plan.segments, row_texts(actor.plan), strict=True):
                self._add_row(segment, text)

    def _add_row(self, segment: Segment, text: str) -> None:
        row = self._server.gui.add_button(text, color="gray")
        self._rows.append((segment, row))

        @row.on_click
        def _(_: viser.GuiEvent[Any]) -> None:
            self._timeline.seek(segment.start)


def row_texts(plan: Plan) -> list[str]:
    """When, what and where, in a line for each segment that fits a button.

    Where something moves the line names it; elsewhere it gives world coordinates.
    """
    texts: list[str] = []
    for segment, described in zip(plan.segments, explain.described_segments(plan), strict=True):
        there = "at" if segment.kind.waits else "to"
        where = f"{there} {described.end}"
        if described.rides:
            over = described.first != described.last
            preposition = "" if segment.kind is Kind.RIDE else "to " if over else "on "
            where = f"{preposition}{described.last}"
        when = f"{segment.start:.1f}–{segment.end:.1f} s"
        texts.append(f"{when} · {segment.kind} {where}")
    return texts


def summary(plan: Plan) -> str:
    """What a plan comes to, and how its rows are read, in markdown."""
    if plan:
        result = f"Reaches {explain.goal(plan)} in {plan.duration:.1f} s, cost {plan.cost:.1f}."
    else:
        result = f"**Does not reach {explain.goal(plan)}:** {plan.status.message}"
    return f"{result}\n\n*When · what, where. Click to go there.*"
