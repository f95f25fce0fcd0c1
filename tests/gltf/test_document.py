from __future__ import annotations

import numpy as np
import pytest

import surefoot.gltf
from surefoot.gltf import read_gltf

SAMPLES = ["BoxAnimated", "RiggedSimple", "RiggedFigure", "CesiumMan", "Fox", "RobotExpressive"]


def test_every_public_name_exists():
    for name in surefoot.gltf.__all__:
        assert getattr(surefoot.gltf, name) is not None


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_models_are_read(data_folder, name):
    read = read_gltf(data_folder / f"{name}.glb")
    assert read.meshes
    assert read.animations
    assert len(read.skins) == {"BoxAnimated": 0, "RobotExpressive": 2}.get(name, 1)
    for index, entry in enumerate(read.json["accessors"]):
        array = read.accessor(index)
        if array.ndim == 3:  # the file's own order is column by column
            array = array.transpose(0, 2, 1)
        array = array.reshape(entry["count"], -1)
        # The file states these bounds itself: an independent check of every number read.
        if "min" in entry:
            np.testing.assert_allclose(array.min(axis=0), entry["min"], atol=1e-6)
            np.testing.assert_allclose(array.max(axis=0), entry["max"], atol=1e-6)


@pytest.mark.parametrize("name", ["RiggedSimple", "RiggedFigure", "CesiumMan"])
def test_bind_matrices_undo_the_rest_pose_up_to_one_frame(data_folder, name):
    # At the bind pose all joints agree on one frame for the mesh: joint @ inverse bind is the
    # same matrix for every joint, if hierarchy, rotations and matrix order were read rightly.
    read = read_gltf(data_folder / f"{name}.glb")
    frames = read.global_matrices()
    for skin in read.skins:
        products = frames[list(skin.joints)] @ skin.inverse_bind_matrices
        np.testing.assert_allclose(
            products, np.broadcast_to(products[0], products.shape), atol=2e-3
        )


def test_animated_box(data_folder):
    read = read_gltf(data_folder / "BoxAnimated.glb")
    channels = {channel.path: channel for channel in read.animations[0].channels}
    assert (channels["rotation"].node, channels["translation"].node) == (2, 0)
    np.testing.assert_allclose(channels["rotation"].times, [1.25, 2.5])
    np.testing.assert_allclose(np.abs(channels["rotation"].values), [[1, 0, 0, 0], [0, 1, 0, 0]],
                               atol=1e-6)  # fmt: skip
    assert channels["translation"].values[:, 1].max() == pytest.approx(2.52)
    assert read.animations[0].duration == pytest.approx(3.70833)
