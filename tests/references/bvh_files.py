"""Small BVH files written by hand."""

from __future__ import annotations

from pathlib import Path

ARM = """\
HIERARCHY
ROOT Base
{
\tOFFSET 1 2 3
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Upper
\t{
\t\tOFFSET 0 2 0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tJOINT Lower
\t\t{
\t\t\tOFFSET 0 3 0
\t\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\t\tEnd Site
\t\t\t{
\t\t\t\tOFFSET 0 1 0
\t\t\t}
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: 0.025
10 20 30  0 0 0   0 0 0   0 0 0
11 20 30  0 0 90  90 0 0  0 90 0
"""
"""A chain of three joints; in its second frame each is turned by a right angle."""


def write(folder: Path, text: str, name: str = "clip.bvh", *, line_end: str = "\n") -> Path:
    """A file with these lines."""
    path = folder / name
    path.write_bytes(text.replace("\n", line_end).encode())
    return path
