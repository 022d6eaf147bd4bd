"""Inverse dynamics of motions in files, with loads and OpenSim's filter, against its InverseDynamicsTool."""

from __future__ import annotations

import numpy as np
import pytest

import lissom
import lissom.osim
from lissom.errors import FileError, StateError
from lissom.osim import Table, motion_of, read_loads, read_table, write_table
from lissom.osim.filtering import lowpass, natural_spline
from lissom.osim.model import OsimModel
from support.osim import LEG, OLD, published
from support.osim_judge import judge

GRF = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000">
<ExternalLoads name="loads"><objects>
<ExternalForce name="push">
<applied_to_body>shank</applied_to_body>
<force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>ground</point_expressed_in_body>
<force_identifier>f_v</force_identifier>
<point_identifier>f_p</point_identifier>
<torque_identifier>f_m</torque_identifier>
</ExternalForce>
<ExternalForce name="tool">
<applied_to_body>thigh</applied_to_body>
<force_expressed_in_body>shank</force_expressed_in_body>
<point_expressed_in_body>thigh</point_expressed_in_body>
<force_identifier>g_v</force_identifier>
<point_identifier>g_p</point_identifier>
</ExternalForce>
</objects>
<datafile>grf.mot</datafile>
</ExternalLoads>
</OpenSimDocument>
"""
LOADED = [f"{a}_{b}{x}" for a, b in (("f", "v"), ("f", "p"), ("f", "m"), ("g", "v"), ("g", "p")) for x in "xyz"]


@pytest.fixture
def walk(tmp_path):
    """A folder with the old leg, a motion in degrees at uneven times, and loads."""
    rng = np.random.default_rng(4)
    (tmp_path / "leg.osim").write_text(OLD)
    (tmp_path / "grf.xml").write_text(GRF)
    t = np.round(np.arange(60) / 60, 6)
    swing = np.column_stack([30 * np.sin(3 * t + 0.3), -40 + 25 * np.cos(4 * t)]) + 0.2 * rng.normal(size=(60, 2))
    write_table(Table(("hip_flexion", "knee_angle"), t, swing, degrees=True), tmp_path / "walk.mot")
    at = np.arange(40) / 30
    write_table(Table(tuple(LOADED), at, rng.normal(size=(40, 15)) * 5), tmp_path / "grf.mot")
    return tmp_path


def torques_of_opensim(folder, cutoff, model="leg.osim", motion="walk.mot", loads="grf.xml", time=(0.0, 1.0)):
    opensim = judge()
    tool = opensim.InverseDynamicsTool()
    osim = opensim.Model(str(folder / model))
    tool.setModel(osim)
    tool.setCoordinatesFileName(str(folder / motion))
    if loads:
        tool.setExternalLoadsFileName(str(folder / loads))
    tool.setLowpassCutoffFrequency(-1.0 if cutoff is None else cutoff)
    tool.setStartTime(time[0])
    tool.setEndTime(time[1])
    out = folder / "results"
    out.mkdir(exist_ok=True)
    tool.setResultsDir(str(out))
    tool.setOutputGenForceFileName("id.sto")
    left = opensim.ArrayStr()
    left.append("Muscles")
    tool.setExcludedForces(left)
    assert tool.run()
    return read_table(out / "id.sto")


def same(ours, theirs):
    """Compare tables whose numbers OpenSim has written with eight digits after the point."""
    assert set(ours.names) == set(theirs.names)
    np.testing.assert_allclose(ours.times, theirs.times, atol=1e-8)
    scale = np.abs(theirs.values).max()
    for name in theirs.names:
        np.testing.assert_allclose(ours.column(name), theirs.column(name), atol=1e-8 + 1e-9 * scale)


@pytest.mark.parametrize("cutoff", [None, 6.0])
@pytest.mark.parametrize("loads", [None, "grf.xml"])
def test_torques_of_a_motion_are_those_of_opensim(cutoff, loads, walk):
    theirs = torques_of_opensim(walk, cutoff, loads=loads, time=(0.0, 0.98))
    model = lissom.osim.read(walk / "leg.osim")
    given = None if loads is None else read_loads(walk / loads, model.tree.model._links)
    ours = lissom.osim.inverse_dynamics(model, read_table(walk / "walk.mot"), given, cutoff, (0.0, 0.98))
    same(ours.table, theirs)
    assert set(ours.residuals) == {"hip_flexion"}


@pytest.mark.slow
@pytest.mark.parametrize("cutoff", [None, 6.0])
def test_torques_of_the_published_walk_are_those_of_opensim(cutoff, tmp_path):
    folder = published("gait10dof18musc/subject01.osim").parent
    for name in ("subject01.osim", "subject01_walk_IK.mot", "subject01_walk_grf.xml", "subject01_walk_grf.mot"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    theirs = torques_of_opensim(tmp_path, cutoff, "subject01.osim", "subject01_walk_IK.mot", "subject01_walk_grf.xml", (0, 2.5))
    model = lissom.osim.read(tmp_path / "subject01.osim")
    loads = read_loads(tmp_path / "subject01_walk_grf.xml")
    ours = lissom.osim.inverse_dynamics(model, read_table(tmp_path / "subject01_walk_IK.mot"), loads, cutoff, (0.0, 2.5))
    same(ours.table, theirs)
    if cutoff is not None:  # and what OpenSim's own example has, from another version and processor
        stored = read_table(folder / "subject01_walk_ID.sto")
        for name in stored.names:
            np.testing.assert_allclose(ours.table.column(name), stored.column(name), atol=1e-3)


def test_the_filter_and_the_spline_are_those_of_opensim(tmp_path):
    opensim = judge()
    t = np.round(np.arange(31) / 60, 4)  # uneven
    table = Table(("a", "b"), t, np.random.default_rng(0).normal(size=(31, 2)))
    write_table(table, tmp_path / "a.mot")
    theirs = opensim.Storage(str(tmp_path / "a.mot"))
    theirs.pad(theirs.getSize() // 2)
    theirs.lowpassIIR(7.0)
    ours = lowpass(table, 7.0)
    assert theirs.getSize() == len(ours)
    rows = [theirs.getStateVector(k) for k in range(len(ours))]
    np.testing.assert_allclose([row.getTime() for row in rows], ours.times, atol=1e-12)
    np.testing.assert_allclose([[row.getData().get(i) for i in range(2)] for row in rows], ours.values, atol=1e-10)
    spline, splines = natural_spline(ours.times, ours.values), opensim.GCVSplineSet(5, theirs)
    function = splines.get(0)
    at, components = opensim.Vector(1, 0.2345), opensim.StdVectorInt()
    for order in range(3):
        found = function.calcDerivative(components, at) if order else function.calcValue(at)
        np.testing.assert_allclose(spline(0.2345, order)[0], found, rtol=1e-8)
        components.append(0)


def test_columns_called_by_paths_of_states_are_coordinates(walk):
    model, table = lissom.osim.read(walk / "leg.osim"), read_table(walk / "walk.mot")
    paths = ("/jointset/hip/hip_flexion/value", "/jointset/knee/knee_angle/value")
    other = Table(paths, table.times, np.radians(table.values))
    np.testing.assert_allclose(motion_of(model, other).q, motion_of(model, table).q, atol=1e-12)


def test_coupled_coordinates_without_a_column_follow_and_others_stay(tmp_path):
    file = tmp_path / "leg.osim"
    file.write_text(LEG)
    model = lissom.osim.read(file)
    t = np.arange(30) / 30
    table = Table(("knee_angle", "emg"), t, np.column_stack([np.sin(t), t]), title="made")
    with pytest.warns(lissom.ModelWarning) as warned:
        motion = motion_of(model, table)
    texts = [str(w.message) for w in warned]
    assert any("columns 'emg' are no coordinates of 'leg', and left out" in text for text in texts)
    assert any("no columns for 'hip_flexion': they stay at their defaults" in text for text in texts)
    q, qd, qdd = (dict(zip(model.names, x.T, strict=True)) for x in (motion.q, motion.qd, motion.qdd))
    np.testing.assert_allclose(q["patella_angle"], 0.5 * q["knee_angle"] + 0.1)
    np.testing.assert_allclose(qd["patella_angle"], 0.5 * qd["knee_angle"])
    np.testing.assert_allclose(qdd["patella_angle"], 0.5 * qdd["knee_angle"])
    np.testing.assert_array_equal(q["hip_flexion"], 0.2)


def test_the_robot_of_a_model_is_that_of_load(tmp_path):
    file = tmp_path / "leg.osim"
    file.write_text(LEG)
    model = lissom.osim.read(file)
    assert isinstance(model, OsimModel) and "3 coordinates" in repr(model)
    with pytest.warns(lissom.ModelWarning, match="'vastus': no part of the robot"):
        assert model.robot.model.fingerprint == lissom.load(file).model.fingerprint
    np.testing.assert_allclose(model.defaults, [0.2, -0.3, 0.5 * -0.3 + 0.1])


def test_wrong_motions_are_refused(walk):
    model, table = lissom.osim.read(walk / "leg.osim"), read_table(walk / "walk.mot")
    with pytest.raises(FileError, match="no column is a coordinate of 'old_leg'; it has 'hip_flexion', 'knee_angle'"):
        motion_of(model, Table(("a",), table.times, table.values[:, :1]))
    with pytest.raises(FileError, match="'knee_angle' and '/jointset/knee/knee_angle/value' are the same coordinate"):
        motion_of(model, Table(("knee_angle", "/jointset/knee/knee_angle/value"), table.times, table.values))
    with pytest.raises(StateError, match="the motion has no rows from 5 to 0.98"):
        motion_of(model, table, time=(5.0, 6.0))
    with pytest.raises(StateError, match="a spline of degree 5 needs 6 rows, got 5"):
        motion_of(model, table.between(0, 0.07))
    with pytest.raises(StateError, match="the cutoff frequency must be positive, got -1 Hz"):
        motion_of(model, table, cutoff=-1.0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ExternalLoads", "Loads", "<OpenSimDocument> has no <ExternalLoads>"),
        ("ExternalForce", "Force", "<Force> 'push' among the loads; expected <ExternalForce>"),
        ("<applied_to_body>shank<", "<applied_to_body>foot<", "<applied_to_body> names 'foot', which is no body of the model"),
        ("<force_identifier>f_v<", "<force_identifier>f_<", r"9 columns start with 'f_' \(force_identifier\), not three"),
        ("<datafile>grf.mot</datafile>", "", "names no <datafile>; give the data with data="),
        ("<datafile>grf.mot<", "<datafile>../secret.mot<", "lies outside this file's folder"),
    ],
)
def test_wrong_loads_are_refused(old, new, said, walk):
    (walk / "grf.xml").write_text(GRF.replace(old, new))
    with pytest.raises(FileError, match=said):
        read_loads(walk / "grf.xml", {"shank": 1, "thigh": 1, "ground": 1})


def test_loads_without_a_force_are_refused(walk):
    bare = GRF.replace("<force_identifier>g_v</force_identifier>", "")
    (walk / "grf.xml").write_text(bare)
    with pytest.raises(FileError, match="<ExternalForce> 'tool' has neither a force nor a torque"):
        read_loads(walk / "grf.xml")
    (walk / "grf.xml").write_text(GRF.replace("<applied_to_body>", "<isDisabled>true</isDisabled><applied_to_body>"))
    with pytest.raises(FileError, match="has no <ExternalForce> that acts"):
        read_loads(walk / "grf.xml")


def test_loads_that_end_before_the_motion_are_refused(walk):
    model, table = lissom.osim.read(walk / "leg.osim"), read_table(walk / "walk.mot")
    short = read_table(walk / "grf.mot").between(0.0, 0.5)
    with pytest.raises(StateError, match=r"the loads have data from 0 to 0.5 s; the motion goes from 0 to 0.983"):
        lissom.osim.inverse_dynamics(model, table, read_loads(walk / "grf.xml", data=short))


def test_points_have_no_number_where_nothing_pushes(walk):
    """Force plates give no point without a force: it does not matter there, and is refused where there is a force."""
    model, table, data = lissom.osim.read(walk / "leg.osim"), read_table(walk / "walk.mot"), read_table(walk / "grf.mot")
    idle = data.values.copy()
    idle[10:20, :3] = 0.0
    with_zero = idle.copy()
    with_zero[10:20, 3:6] = 0.0
    idle[10:20, 3:6] = np.nan
    found = [
        lissom.osim.inverse_dynamics(model, table, read_loads(walk / "grf.xml", data=Table(data.names, data.times, values))).tau
        for values in (idle, with_zero)
    ]
    np.testing.assert_array_equal(*found)
    idle[20, 3] = np.nan
    with pytest.raises(FileError, match="column 'f_px' has no number at 0.666667 s"):
        lissom.osim.inverse_dynamics(model, table, read_loads(walk / "grf.xml", data=Table(data.names, data.times, idle)))
