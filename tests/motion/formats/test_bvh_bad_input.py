"""BVH files that are broken: one FileError, which names the file, the line and the joint."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from references.bvh_files import ARM, person, write
from surefoot.errors import FileError, InputError
from surefoot.motion.formats import read_bvh

HEAD = ARM[: ARM.index("10 20 30")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("hello\n", "line 1: is no BVH file"),
        (ARM[: ARM.index("MOTION")], "line 21: ends before the word MOTION"),
        (ARM.replace("OFFSET 0 2 0", "OFFSET 0 two 0"), r"line 8: OFFSET of joint 'Upper': 'two'"),
        (ARM.replace("OFFSET 0 1 0", "OFFSET 0 1"), "line 17: OFFSET of the End Site of joint 'L"),
        (ARM.replace("OFFSET 0 2 0", "OFFSET 0 nan 0"), "joint 'Upper': 'nan' is no finite number"),
        (ARM.replace("3 Zrotation", "3 Wrotation"), r"line 9: .*'Upper': unknown channel 'Wrot"),
        (ARM.replace("3 Zrotation", "3 Xrotation"), r"line 9: .*'Upper': Xrotation comes twice"),
        (ARM.replace("CHANNELS 3", "CHANNELS three"), "line 9: .*'three' is no number of channels"),
        (ARM.replace("CHANNELS 3", "CHANNELS 4"), "line 9: CHANNELS of joint 'Upper': unknown"),
        (ARM.replace("}\n}\nMOTION", "}\nMOTION"), "joint 'Base' is not closed"),
        (ARM.replace("MOTION", "}\nMOTION"), "line 21: '}' closes nothing"),
        (ARM.replace("MOTION", "ROOT Two\n{\n}\nMOTION"), "line 21: a second ROOT, 'Two'"),
        (ARM.replace("ROOT Base", "JOINT Base"), "line 2: joint 'Base' is in no other joint"),
        (ARM.replace("JOINT Upper\n\t{", "JOINT Upper\n"), "joint 'Upper' is not opened"),
        (ARM.replace("JOINT Upper", "BONE Upper"), "line 6: unknown word 'BONE'"),
        (ARM.replace("Frames: 2\n", ""), "line 22: states no number of frames"),
        (ARM.replace("Frames: 2", "Frames: many"), "line 22: Frames: 'many'"),
        (ARM.replace("Frames: 2", "Frames: 0"), "has no frames"),
        (f"{HEAD}10 20 30 0 0 0 0 0 0 0 0 0\n", "line 24: ends after 1 of 2 frames; Xposition of"),
        (f"{HEAD}10 20 30 0 0 0 0 0", "line 24: frame 0 of 2 has 8 values for 12 channels; Yrot"),
        (ARM.replace("0 0 90", "0 nan 90"), "line 25: 'nan' is no finite number below 1e15 .Xrot"),
        (ARM.replace("0 0 90", "0 1e999 90"), "line 25: '1e999' is no finite number"),
        (ARM.replace("0 0 90", "0 1e16 90"), "line 25: '1e16' is no finite number below 1e15"),
        (ARM.replace("OFFSET 0 2 0", "OFFSET 0 1e99 0"), "'1e99' is no finite number below"),
        (ARM.replace("0 0 90", "0 -inf 90"), "line 25: '-inf' is no finite number"),
        (ARM.replace("0 0 90", "0 1.2.3 90"), "line 25: '1.2.3' is no .* joint 'Base', frame 1"),
        (ARM.replace("90 0 0", "90 0 0 4"), "line 25: frame 1 of 2 has 13 values for 12 channels"),
        (ARM.replace("90 0 0", "90 0"), "line 25: .* Yrotation of joint 'Lower' should be next"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text, "broken.bvh")
    with pytest.raises(FileError, match=message) as caught:
        read_bvh(path)
    assert str(caught.value).startswith(str(path))


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read_bvh(tmp_path / "none.bvh")
    with pytest.raises(FileError, match="a folder"):
        read_bvh(tmp_path)


def test_wrong_options_name_the_choices(tmp_path: Path) -> None:
    path = write(tmp_path, ARM)
    with pytest.raises(InputError, match="unknown up axis 'w'; there are: -x, -y, -z, x, y, z"):
        read_bvh(path, up="w")
    with pytest.raises(InputError, match="scale must be greater than 0"):
        read_bvh(path, scale=0.0)
    with pytest.raises(InputError, match="rate must be greater than 0"):
        read_bvh(path, rate=-1.0)
    with pytest.raises(InputError, match="skip = 2 leaves none of 2 frames"):
        read_bvh(path, skip=2)


@settings(max_examples=300)
@given(st.data())
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    text = data.draw(st.sampled_from([ARM, person()])).encode()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 40)))
        junk = st.one_of(
            st.binary(max_size=8),
            st.sampled_from(
                [
                    b"{",
                    b"}",
                    b"JOINT",
                    b"ROOT x {",
                    b"End Site",
                    b"CHANNELS 3",
                    b"OFFSET",
                    b"MOTION",
                    b"Frames: 99999999999",
                    b"-1e-400",
                    b"1e308",
                    b"\0",
                    b"\r",
                    b"Frame Time: 0",
                ]
            ),
        )
        text = text[:start] + data.draw(junk) + text[end:]
    path = folder / "damaged.bvh"
    path.write_bytes(text)
    try:
        clip = read_bvh(path)
    except FileError as error:
        refused = str(error)
    else:
        refused = None
        assert len(clip) >= 1
    assert refused is None or refused.startswith(str(path))


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "any.bvh"
    path.write_bytes(data)
    with pytest.raises(FileError):
        read_bvh(path)


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    whole = person(100.0).rstrip().encode()
    path = tmp_path / "cut.bvh"
    # Cut within the last number, what is left is a number too.
    for length in range(1, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(FileError, match=r"line|empty"):
            read_bvh(path)
