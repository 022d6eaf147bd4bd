"""npz files from anywhere: what NumPy writes comes back, and everything else is an error of the file."""

import io
import os
import random
import struct
import zipfile

import numpy as np
import pytest

import lissom
from lissom import FileError, StateError, Trajectory
from lissom.npz import MEMORY, MOST_MEMBERS, read_npz

ARRAYS = {
    "a": np.arange(6.0).reshape(2, 3),
    "b": np.array(["name", "ünïcödé", ""]),
    "c": np.array(7),
    "d": np.empty((0, 3)),
    "e": np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "f": np.array("text"),
    "g": np.arange(4, dtype=">f4"),
    "h": np.array([], dtype=str),
    "i": np.array(""),
    "j": np.array([1, 2], dtype=np.uint8),
}


EVENT = {"event_names": np.array(["e"]), "event_t": np.zeros(1), "event_q": np.zeros((1, 2)), "event_qd": np.zeros((1, 2))}


def npy(header, body=b""):
    """An array file with this text for a header."""
    header = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + body


def pack(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def file(tmp_path):
    return tmp_path / "x.npz"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_come_back(file, save):
    save(file, **ARRAYS, other=np.zeros(2))
    found, others = read_npz(file, [*ARRAYS, "missing"])
    assert others == ["other"] and found.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert found[name].shape == array.shape and found[name].dtype.isnative and (found[name] == array).all(), name
        assert found[name].flags.c_contiguous


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", b"12345678"), "does not describe numbers or text"),
        (npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", b"12345678"), "does not describe"),
        (npy("{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }", b"12345678"), "does not describe"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", b"12345678"), "does not describe"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999,), }", b"12345678"), "999999999999 times 8 bytes"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", b"1234567"), "1 times 8 bytes, but it has 7"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", b"123456789"), "1 times 8 bytes, but it has 9"),
        (npy("{'descr': '<U1', 'fortran_order': False, 'shape': (), }", b"\xff" * 4), "an invalid character"),
        (npy("{'descr': '<U0', 'fortran_order': False, 'shape': (99999999999,), }"), "99999999999 empty texts"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 999999999999999999, 999999999999999999), }"), "too big"),
        (npy("(" * 100), "does not describe"),
        (npy("__import__('os').abort()"), "does not describe"),
        (b"\x93NUMPY\2\0" + struct.pack("<I", 2**31), "a header of 2147483648 bytes"),
        (b"\x93NUMPY\1\0\xff\x00{", "it ends too early"),
        (b"not an array", "does not begin like an array"),
        (b"", "it ends too early"),
    ],
)  # fmt: skip
def test_members_that_are_not_arrays_are_named(file, data, said):
    pack(file, {"a.npy": data})
    with pytest.raises(FileError, match=rf"x.npz: member 'a' is not an array of numbers or names, or is damaged \(.*{said}"):
        read_npz(file, ["a"])
    assert read_npz(file, ["b"]) == ({}, ["a"])  # what is not asked for is not looked at


def change_entry(file, offset, value, size):
    """Overwrite a field of the first entry of the directory."""
    data = bytearray(file.read_bytes())
    at = data.index(b"PK\1\2") + offset
    data[at : at + size] = value.to_bytes(size, "little")
    file.write_bytes(data)


def test_sizes_are_checked_before_anything_is_read(file, monkeypatch):
    np.savez_compressed(file, a=np.zeros(2**20))
    assert file.stat().st_size < 2**14
    monkeypatch.setenv(MEMORY, "7")
    with pytest.raises(FileError, match=rf"declares arrays of 8 MiB; at most 7 MiB are read; {MEMORY} sets another limit"):
        read_npz(file, ["a"])
    monkeypatch.delenv(MEMORY)
    assert read_npz(file, ["a"])[0]["a"].size == 2**20
    change_entry(file, 24, 0xFFFF0000, 4)
    with pytest.raises(FileError, match="declares arrays of 4096 MiB; at most 512 MiB are read"):
        read_npz(file, ["a"])
    change_entry(file, 24, 2**20, 4)  # less than it has
    with pytest.raises(FileError, match="its header gives 1048576 times 8 bytes"):
        read_npz(file, ["a"])


@pytest.mark.parametrize("value", ["", "much", "0", "-5", "nan", "inf"])
def test_limits_that_cannot_be_are_named(file, monkeypatch, value):
    monkeypatch.setenv(MEMORY, value)
    with pytest.raises(StateError, match="LISSOM_NPZ_MEMORY must be a positive number of MiB, got"):
        read_npz(file, ["a"])


def test_ways_to_pack_that_numpy_does_not_use_are_refused(file):
    data = io.BytesIO()
    np.save(data, np.zeros(3))
    for method in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        pack(file, {"a.npy": data.getvalue()}, method)
        with pytest.raises(FileError, match="member 'a' is compressed in a way that NumPy does not write"):
            read_npz(file, ["a"])
    pack(file, {"a.npy": data.getvalue()})
    change_entry(file, 8, 1, 2)
    with pytest.raises(FileError, match="member 'a' is encrypted; write it without a password"):
        read_npz(file, ["a"])
    pack(file, {"a": data.getvalue()})
    with pytest.raises(FileError, match="member 'a' is not an array: its name does not end in .npy"):
        read_npz(file, ["a"])
    pack(file, {"a": data.getvalue(), "a.npy": data.getvalue()})
    with pytest.raises(FileError, match="has two members 'a'"):
        read_npz(file, ["a"])


def test_many_members_are_refused_by_the_last_record(file):
    pack(file, {f"{k}.npy": b"" for k in range(MOST_MEMBERS + 1)})
    with pytest.raises(FileError, match=r"declares 201 members and a directory of \d+ bytes; at most 200 are read"):
        read_npz(file, ["a"])
    data = bytearray(file.read_bytes())
    at = data.rindex(b"PK\5\6")
    data[at + 8 : at + 12] = b"\1\0\1\0"  # it says one
    file.write_bytes(data)
    with pytest.raises(FileError, match="has 201 members; at most 200 are read"):
        read_npz(file, ["a"])


def test_what_is_not_a_file_of_arrays_is_refused(file, tmp_path):
    for data in (b"", b"hello", b"PK\5\6", b"PK\5\6" + b"\xff" * 18):
        file.write_bytes(data)
        with pytest.raises(FileError, match="x.npz: (is not an npz file|declares)"):
            read_npz(file, ["a"])
    with pytest.raises(FileError, match="is a folder; expected an npz file"):
        read_npz(tmp_path, ["a"])
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(FileError, match="is a device or a pipe; expected an npz file"):
            read_npz(tmp_path / "pipe", ["a"])
    with pytest.raises(FileError, match="cannot be read: No such file"):
        read_npz(tmp_path / "missing", ["a"])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": np.array(["finished"])}, "status is an array of <U8 of shape"),
        ({"status": np.array(3)}, "status is an array of int64"),
        ({"columns": np.zeros((2, 2))}, "columns is an array of float64"),
        ({"columns": np.array([["t", "q"]])}, "columns is an array of <U1 of shape"),
        ({"unfired": np.array("x")}, "unfired is an array of <U1 of shape"),
        ({"message": np.zeros(3)}, "message is an array of float64"),
        ({"method": np.array(["rk4", "x"])}, "method is an array of <U3 of shape"),
        ({"q": np.array(["a", "b"])}, "q is an array of <U1"),
        ({"q": np.array(1.0)}, "q has shape"),
        ({"tau": np.zeros((11, 2), np.float32)}, "tau is an array of float32, expected float64"),
        ({"format": np.array(["lissom trajectory 1"])}, "is not a trajectory: its format is"),
        ({"format": None}, "is not a trajectory: its format is missing, expected 'lissom trajectory 1'"),
        (EVENT | {"event_t": np.array([np.nan])}, "an event has values that are not finite"),
    ],
)
def test_arrays_of_a_trajectory_have_their_types_and_shapes(tmp_path, change, said):
    robot = lissom.robots.rr()
    path = robot.simulate([0.1, 0.2], [0.0, 0.0], 0.02, method="rk4", dt=0.002).save(tmp_path / "a.npz")
    with np.load(path) as data:
        arrays = dict(data) | change
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(FileError, match=said):
        Trajectory.load(path, robot)


def test_damage_anywhere_is_an_error_of_the_file_or_changes_nothing(tmp_path):
    """Bytes changed, cut out or cut off: the checksums see what the structure does not."""
    robot = lissom.robots.rr()
    motion = robot.simulate([0.1, 0.2], [0.0, 0.0], 0.02, method="rk4", dt=0.002)
    path = motion.save(tmp_path / "a.npz")
    whole, rng, read = path.read_bytes(), random.Random(3), 0
    for _ in range(400):
        data = bytearray(whole)
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                del data[at:]
            case 1:
                del data[at : at + rng.randrange(1, 40)]
            case _:
                data[at] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        try:
            back = Trajectory.load(path, robot)
        except FileError:
            continue
        read += 1
        assert np.array_equal(back.q, motion.q) and np.array_equal(back.tau, motion.tau)
    assert read < 200
