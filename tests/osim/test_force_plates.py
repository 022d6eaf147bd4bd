"""Force plates of C3D files: forces at known points, made into the channels of each type by plain statics, are found again."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom.osim
from lissom.cli.app import app
from lissom.errors import FileError, ModelWarning, StateError
from lissom.osim import ForcePlates, Load, Loads, Table, read_force_plates, read_loads, read_table, write_loads
from lissom.osim.force_plates import axes_of

FRAMES, PER = 8, 5
CORNERS = np.array([[[0.4, 0.6, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 0.0], [0.4, 0.0, 0.0]]])  # z up in the laboratory
CORNERS = CORNERS[:, [1, 0, 3, 2]]  # as files number them, so that the plate's z axis points into the floor
ORIGIN = np.array([0.01, -0.02, -0.04])


def measured(seed=0):
    """Forces, points on the plate's surface and free moments about its normal, in the laboratory."""
    rng = np.random.default_rng(seed)
    n = FRAMES * PER
    force = np.column_stack([rng.uniform(-50, 50, (n, 2)), rng.uniform(200, 800, n)])
    point = np.column_stack([rng.uniform(0, 0.4, n), rng.uniform(0, 0.6, n), np.zeros(n)])
    torque = np.column_stack([np.zeros((n, 2)), rng.uniform(-10, 10, n)])
    return force, point, torque


def in_plate(force, point, torque):
    """The same in the plate's axes, and the moment about where it was measured [N m]."""
    R, middle = axes_of(CORNERS[0]), CORNERS[0].mean(axis=0)
    F, p, T = force @ R, (point - middle) @ R, torque @ R
    return F, p, T, np.cross(p + ORIGIN, F) + T  # the surface's middle is at ORIGIN from there


def channels_of(kind):
    F, p, T, M = in_plate(*measured())
    if kind == 1:
        return np.column_stack([F, 1000 * p[:, :2], 1000 * T[:, 2]])
    return np.column_stack([F, 1000 * M])


def written(path, kind, channels, **changes):
    c3d = pytest.importorskip("c3d")
    writer = c3d.Writer(point_rate=100.0, analog_rate=500.0, point_units="mm  ")
    writer.set_point_labels(["A"])
    count = channels.shape[1]
    writer.set_analog_labels([f"C{k}" for k in range(count)])
    parameters = {
        "USED": np.array([1], np.int16),
        "TYPE": np.array([kind], np.int16),
        "ZERO": np.array([1, 0], np.int16),
        "CORNERS": (1000 * CORNERS).astype(np.float32),
        "ORIGIN": (1000 * ORIGIN[None]).astype(np.float32),
        "CHANNEL": np.arange(1, count + 1, dtype=np.int16)[None],
    } | changes
    group = writer.add_group(30, "FORCE_PLATFORM", "plates")
    for name, values in parameters.items():
        if values is not None:
            group.add_param(
                name,
                desc="",
                bytes_per_element=values.dtype.itemsize,
                bytes=values.tobytes(),
                dimensions=list(values.shape[::-1]),
            )
    points = np.zeros((FRAMES, 1, 5))
    blocks = channels.reshape(FRAMES, PER, count).transpose(0, 2, 1)
    writer.add_frames([(point, block.astype(np.float32)) for point, block in zip(points, blocks, strict=True)])
    with open(path, "wb") as file:
        writer.write(file)
    return path


def same(plates, force, point, torque, times=1.0):
    """Agree to the 24 bits that a file's numbers have, which a calibration makes less."""
    np.testing.assert_allclose(plates.forces[:, 0], force, atol=1e-3 * times)
    np.testing.assert_allclose(plates.points[:, 0], point, atol=1e-5 * times)
    np.testing.assert_allclose(plates.torques[:, 0], torque, atol=5e-3 * times)


@pytest.mark.parametrize("kind", [1, 2, 4])
def test_forces_and_points_come_back(tmp_path, kind):
    channels, changes = channels_of(kind), {}
    if kind == 4:
        C = np.random.default_rng(1).uniform(-1, 1, (6, 6)) + 3 * np.eye(6)
        channels = channels @ np.linalg.inv(C).T
        changes["CAL_MATRIX"] = C.T[None].astype(np.float32)  # C's rows run fastest in the file
    plates = read_force_plates(written(tmp_path / "a.c3d", kind, channels, **changes))
    same(plates, *measured(), times=100.0 if kind == 4 else 1.0)
    np.testing.assert_allclose(plates.times, 1 / 100 + np.arange(FRAMES * PER) / 500)
    np.testing.assert_allclose(plates.corners, CORNERS, atol=1e-6)


def test_four_sensors_make_the_resultant_of_their_forces(tmp_path):
    rng, (a, b, z) = np.random.default_rng(3), (0.12, 0.2, -0.05)
    n = FRAMES * PER
    c = np.column_stack([rng.uniform(-20, 20, (n, 4)), -rng.uniform(50, 200, (n, 4))])
    origin = np.array([[1000 * a, 1000 * b, 1000 * z]], np.float32)
    plates = read_force_plates(written(tmp_path / "a.c3d", 3, c, ORIGIN=origin))
    fx12, fx34, fy14, fy23 = c[:, :4].T
    zero = np.zeros(n)
    # each force at its sensors: those of x between 1 and 2 or 3 and 4, those of y between 1 and 4 or 2 and 3, below the surface
    acting = [
        ((0, b), (fx12, zero, zero)),
        ((0, -b), (fx34, zero, zero)),
        ((a, 0), (zero, fy14, zero)),
        ((-a, 0), (zero, fy23, zero)),
    ]
    acting += [(place, (zero, zero, c[:, 4 + k])) for k, place in enumerate([(a, b), (-a, b), (-a, -b), (a, -b)])]
    R, middle = axes_of(CORNERS[0]), CORNERS[0].mean(axis=0)
    force, moment = np.zeros((n, 3)), np.zeros((n, 3))
    for (x, y), parts in acting:
        f = np.column_stack(parts) @ R.T
        force, moment = force + f, moment + np.cross(R @ [x, y, -z], f)
    np.testing.assert_allclose(plates.forces[:, 0], force, atol=1e-3)
    about = np.cross(plates.points[:, 0] - middle, plates.forces[:, 0]) + plates.torques[:, 0]
    np.testing.assert_allclose(about, moment, atol=1e-3)
    np.testing.assert_allclose(plates.points[:, 0, 2], 0, atol=1e-9)
    np.testing.assert_allclose(plates.torques[:, 0, :2], 0, atol=1e-3)


def test_an_unloaded_plate_keeps_its_moment_about_the_middle(tmp_path):
    force, point, torque = measured()
    force *= 0.005  # 1 to 4 N
    F, _, _, M = in_plate(force, point, torque)
    plates = read_force_plates(written(tmp_path / "a.c3d", 2, np.column_stack([F, 1000 * M])))
    middle = CORNERS[0].mean(axis=0)
    np.testing.assert_allclose(plates.points[:, 0], np.broadcast_to(middle, point.shape), atol=1e-9)
    np.testing.assert_allclose(plates.torques[:, 0], np.cross(point - middle, force) + torque, atol=1e-4)


def test_moments_in_newton_meters_are_known_by_their_unit(tmp_path):
    channels = channels_of(2)
    channels[:, 3:] /= 1000
    path = tmp_path / "a.c3d"
    c3d = pytest.importorskip("c3d")
    written(path, 2, channels)
    with open(path, "rb") as file:
        writer = c3d.Reader(file).to_writer("copy")
    text = "N   N   N   Nm  Nm  Nm  "
    writer.get("ANALOG").set_str("UNITS", "", text, 4, 6)
    with open(tmp_path / "b.c3d", "wb") as file:
        writer.write(file)
    same(read_force_plates(tmp_path / "b.c3d"), *measured())


def test_plates_become_loads_and_files_of_opensim(tmp_path):
    plates = read_force_plates(written(tmp_path / "a.c3d", 2, channels_of(2))).turned("z")
    force = measured()[0]
    np.testing.assert_allclose(plates.forces[:, 0, 1], force[:, 2], atol=1e-3)  # y points up
    np.testing.assert_allclose(np.cross(plates.forces[:, 0], [0, 1, 0]) @ [0, 1, 0], 0)
    loads = plates.loads(["shank"])
    assert loads.loads[0].body == "shank" and loads.data.names[0] == "ground_force_1_vx"
    write_loads(loads, tmp_path / "grf.xml", tmp_path / "grf.mot")
    again = read_loads(tmp_path / "grf.xml", {"shank": 0, "ground": 0})
    assert again.loads == loads.loads
    np.testing.assert_array_equal(again.data.values, loads.data.values)
    assert plates.loads([None]).loads == ()
    for call, said in (
        (lambda: plates.loads(["a", "b"]), "bodies on 1 force plates must be as many names or None, got 2"),
        (lambda: plates.turned("w"), "the axis that points up must be x, y or z, got 'w'"),
    ):
        with pytest.raises(StateError, match=said):
            call()
    with pytest.raises(FileError, match="must lie in the folder of the loads"):
        write_loads(loads, tmp_path / "grf.xml", tmp_path / "other" / "grf.mot")
    odd = Loads((Load("push", "shank", ("a", "b", "c"), None, None),), Table(("a", "b", "c"), [0.0], [[1.0, 2.0, 3.0]]))
    with pytest.raises(FileError, match="load 'push' has columns a, b, c, which are not one name that ends in x, y and z"):
        write_loads(odd, tmp_path / "grf.xml", tmp_path / "grf.mot")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"USED": np.array([0], np.int16)}, "the file has 0 force plates with 0 samples"),
        ({"USED": np.array([999], np.int16)}, "999 force plates, expected at most 100"),
        ({"TYPE": np.array([7], np.int16)}, "force plate 1 is of type 7; lissom reads the types 1, 2, 3, 4"),
        ({"CHANNEL": np.array([[1, 2, 3, 4, 5, 9]], np.int16)}, r"channels \[1, 2, 3, 4, 5, 9\], the file has 1 to 6"),
        ({"CHANNEL": np.array([[1, 2]], np.int16)}, r"force plate 1 has channels \[1, 2\]"),
        ({"CORNERS": np.zeros((1, 4, 3), np.float32)}, "force plate 1: the corners of a force plate lie on a line"),
        ({"CORNERS": None}, "the group FORCE_PLATFORM has no CORNERS"),
        ({"ORIGIN": np.full((1, 3), np.nan, np.float32)}, "of its force plates are not all numbers"),
        ({"USED": None}, "the file has 0 force plates"),
    ],
)
def test_other_plates_are_refused(tmp_path, changes, said):
    with pytest.raises(FileError, match=said):
        read_force_plates(written(tmp_path / "a.c3d", 2, channels_of(2), **changes))


def test_a_zero_that_is_asked_for_is_doubted(tmp_path):
    path = written(tmp_path / "a.c3d", 2, channels_of(2), ZERO=np.array([1, 5], np.int16))
    with pytest.warns(ModelWarning, match="ZERO asks to take off the mean of frames 1 to 5; that is not done"):
        read_force_plates(path)


def test_broken_files_are_refused_or_read(tmp_path):
    path = written(tmp_path / "a.c3d", 2, channels_of(2))
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    for _ in range(40):
        changed = bytearray(whole)
        for place in rng.integers(0, len(whole), 6):
            changed[place] = rng.integers(256)
        path.write_bytes(bytes(changed[: rng.integers(600, len(whole) + 1)]))
        try:
            plates = read_force_plates(path)
        except FileError:
            continue
        assert isinstance(plates, ForcePlates) and np.isfinite(plates.forces).all()


def test_the_command_writes_files_of_opensim(tmp_path, monkeypatch):
    written(tmp_path / "a.c3d", 2, channels_of(2))
    monkeypatch.chdir(tmp_path)

    def run(*words, code=0):
        done = CliRunner().invoke(app, ["osim", "c3d", "a.c3d", *words])
        assert done.exit_code == code, done.output
        return done

    shown = run("-o", "a.trc", "--forces", "grf.mot", "--loads", "grf.xml", "--bodies", "shank").stdout
    assert (
        "8 frames at 100 per second, 1 markers" in shown and "Force plates" in shown and "wrote a.trc, grf.xml, grf.mot" in shown
    )
    assert len(lissom.osim.read_trc("a.trc")) == 8 and read_loads("grf.xml").loads[0].body == "shank"
    told = json.loads(run("--forces", "other.mot", "--up", "y", "--json").stdout)
    assert told["plates"][0]["largest_n"] > 200 and told["markers"] == [{"name": "A", "seen": 1.0}]
    assert read_table("other.mot").column("ground_force_1_vz").min() > 100  # as in the laboratory
    for words, said in (
        (("--up", "w"), "--up 'w': expected x, y or z"),
        (("--loads", "b.xml"), "--loads needs --bodies, which stand on the plates, and --forces"),
        (("-o", "a.csv"), "-o writes .trc, not '.csv'"),
    ):
        assert said in " ".join(run(*words, code=2).stderr.split())
