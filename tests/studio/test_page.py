from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import surefoot.studio as studio
from surefoot.animation import Animation
from surefoot.errors import FileError, InputError
from surefoot.studio.page import HOLD
from surefoot.world import World


@pytest.fixture(autouse=True)
def _viser() -> None:
    pytest.importorskip("viser", reason="viser is not installed: no studio here")


def recording(page: str) -> dict[str, Any]:
    """What the page plays, as its player reads it."""
    import msgspec
    import zstandard

    found = re.search(r'__VISER_EMBED_DATA__="([^"]+)"', page)
    assert found is not None
    packed = base64.b64decode(found[1])
    size = int.from_bytes(packed[:8], "little")
    data = zstandard.ZstdDecompressor().decompress(packed[8:], max_output_size=size)
    length = int.from_bytes(data[:8], "little")
    return msgspec.msgpack.decode(data[8 : 8 + length])


def test_a_saved_page_plays_the_whole_animation(ride: Animation, tmp_path: Path) -> None:
    path = studio.save(ride, tmp_path / "ride.html", fps=10.0)
    assert path == tmp_path / "ride.html"
    played = recording(path.read_text())
    assert played["durationSeconds"] == pytest.approx(ride.duration + HOLD)
    lift = [
        (when, message["position"])
        for when, message in played["messages"]
        if message["type"] == "SetPositionMessage" and message["name"] == "/world/lift"
    ]
    for when, position in lift:
        at = ride.world["lift"].trajectory.pose(ride.start + when).position
        assert np.allclose(position, at, atol=1e-4)
    assert lift[-1][1][2] == pytest.approx(2.0)
    kinds = {message["type"] for _, message in played["messages"]}
    assert {"SkinnedMeshMessage", "SetBonePositionMessage", "LineSegmentsMessage"} <= kinds
    assert not any("Gui" in kind for kind in kinds)


def test_a_world_at_rest_is_a_still_page(tmp_path: Path, lift_world: World) -> None:
    path = studio.save(lift_world.at(0.0), tmp_path / "still.html", dark=True)
    page = path.read_text()
    assert recording(page)["durationSeconds"] == 0.0
    assert "darkMode:true" in page


def test_pages_that_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a\.png: a page is saved as \.html"):
        studio.save(World(), tmp_path / "a.png")
    with pytest.raises(FileError, match="there is no folder"):
        studio.save(World(), tmp_path / "none" / "a.html")
    with pytest.raises(InputError, match="fps must be greater than 0"):
        studio.save(World(), tmp_path / "a.html", fps=0.0)
    assert list(tmp_path.iterdir()) == []
