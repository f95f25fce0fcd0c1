from __future__ import annotations

import numpy as np

from surefoot.world.loaders.parts import Skipped, compact, linear_color, unique_names


def test_repeated_names_get_suffixes():
    assert unique_names(["a", "b", "a", "a"]) == ["a", "b", "a.001", "a.002"]
    assert unique_names(["a", "a", "a.001", "a"]) == ["a", "a.002", "a.001", "a.003"]
    names = unique_names(["x"] * 1200 + ["x.007"])
    assert len(set(names)) == 1201
    assert names[-1] == "x.007"


def test_compact_drops_unused_vertices_and_welds_nothing():
    points = np.array([[0, 0, 0], [9, 9, 9], [1, 0, 0], [1, 0, 0], [0, 1, 0]], float)
    surface = compact(points, np.array([[0, 2, 4], [3, 0, 4]], np.int32))
    np.testing.assert_array_equal(surface.vertices, points[[0, 2, 3, 4]])
    np.testing.assert_array_equal(surface.faces, [[0, 1, 3], [2, 0, 3]])


def test_colours_become_linear():
    np.testing.assert_allclose(
        linear_color(np.array([[0.0, 1.0, 0.5]])), [0, 1, 0.2140411], atol=1e-6
    )
    np.testing.assert_allclose(linear_color(np.array([[-1.0, 2.0, 0.0]])), [0, 1, 0])


def test_what_is_skipped_reads_as_a_sentence():
    assert str(Skipped("camera", "eye", "not needed")) == "camera 'eye': not needed"
