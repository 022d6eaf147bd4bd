"""Measurements: files that are read, and mistakes in them that are named."""

import numpy as np
import pytest

from lissom import FileError, IdentificationError, Robot, StateError
from lissom.identify import Measurement, identify, read_csv
from lissom.robots import five_bar, panda_model, rr_model, tree_model

T = np.linspace(0.0, 0.99, 100)
Q = 0.3 * np.sin(np.outer(T, [1.0, 2.0]))
NAMES = ["q_joint_1", "q_joint_2", "tau_joint_1", "tau_joint_2"]


@pytest.fixture(scope="module")
def arm():
    return Robot(rr_model(), backend="numpy")


@pytest.fixture(scope="module")
def panda():
    return Robot(panda_model(), backend="numpy")


def write(path, columns, numbers):
    np.savetxt(path, np.column_stack(numbers), delimiter=",", header=",".join(columns), comments="")
    return path


def test_columns_are_taken_by_name_in_any_order(arm, tmp_path):
    path = write(
        tmp_path / "a.csv", ["tau_joint_2", "q_joint_2", "time", "q_joint_1", "tau_joint_1"], [T * 4, Q[:, 1], T, Q[:, 0], T * 3]
    )
    (data,) = read_csv(path, arm)
    assert np.array_equal(data.q, Q) and np.array_equal(data.tau, np.column_stack([3 * T, 4 * T]))
    assert data.qd is None and data.qdd is None and data.name == "a.csv"
    assert data.rate == pytest.approx(100.0) and "100 samples, 0.99 s at 100 Hz" in repr(data)


def test_measured_rates_and_wrenches_are_read(arm, tmp_path):
    parts = ("fx", "fy", "fz", "mx", "my", "mz")
    names = ["t", *NAMES, "qd_joint_1", "qd_joint_2", *(f"wrench_link_2_{x}" for x in parts)]
    qd = np.gradient(Q, T, axis=0)
    (data,) = read_csv(write(tmp_path / "a.csv", names, [T, Q, Q, qd, np.outer(T, range(6))]), arm)
    assert np.array_equal(data.qd, qd) and np.array_equal(data.wrenches["link_2"], np.outer(T, range(6)))
    with pytest.raises(FileError, match="'wrench_link_2_mz' missing: a wrench has six components"):
        read_csv(write(tmp_path / "b.csv", names[:-1], [T, Q, Q, qd, np.outer(T, range(5))]), arm)
    with pytest.raises(FileError, match="is not a component of a wrench on a link"):
        read_csv(write(tmp_path / "c.csv", ["t", *NAMES, "wrench_link_3_fx"], [T, Q, Q, T]), arm)


def test_torques_of_a_floating_base_are_zero_unless_given(tmp_path):
    robot = Robot(tree_model(1, seed=3, floating=True, kinds=["revolute"]), backend="numpy")
    q = np.tile(robot.neutral(), (100, 1))
    drive = [name for name in robot.torque_names if not name.startswith("free_")]
    names = ["t", *(f"q_{x}" for x in robot.coordinate_names), *(f"tau_{x}" for x in drive)]
    (data,) = read_csv(write(tmp_path / "a.csv", names, [T, q, T]), robot)
    assert (data.tau[:, :6] == 0).all() and np.array_equal(data.tau[:, 6], T)


def test_active_joints_of_a_closed_robot_are_enough(tmp_path):
    robot = five_bar()
    names = ["t", *(f"q_{x}" for x in robot.coordinate_names), *(f"tau_{x}" for x in robot.torque_names)]
    (data,) = read_csv(write(tmp_path / "a.csv", names, [T, robot.home() + 0.1 * Q, Q]), robot)
    assert data.q.shape == (100, 2)


@pytest.mark.parametrize(
    ("names", "numbers", "message"),
    [
        (["t", *NAMES[:3]], [T, Q, T], r"a\.csv:1: column 'tau_joint_2' missing; identification needs torques"),
        (["t", *NAMES[1:]], [T, Q[:, 0], Q], "column 'q_joint_1' missing; identification needs positions"),
        ([*NAMES], [Q, Q], "time"),
        (["t", *NAMES, "qd_joint_1"], [T, Q, Q, T], "'qd_joint_2' missing; identification needs velocities"),
        (["t", *NAMES, "tau_joint_3"], [T, Q, Q, T], "tau_joint_3"),
        (["t", *NAMES], [np.where(T[50] == T, T[49], T), Q, Q], r"a\.csv:52: time must increase"),
        (["t", *NAMES], [np.where(T > 0.5, T + 0.2, T), Q, Q], "samples are missing: 0.21 s pass"),
        (["t", *NAMES], [1000 * T, Q, Q], "samples are 10 s apart; time is in s"),
        (["t", *NAMES], [T, np.where(Q[7, 0] == Q, np.nan, Q), Q], r"a\.csv:9"),
    ],
)
def test_mistakes_of_files_are_named(arm, tmp_path, names, numbers, message):
    with pytest.raises((FileError, IdentificationError), match=message):
        read_csv(write(tmp_path / "a.csv", names, numbers), arm)


def test_gaps_may_divide_a_recording(arm, tmp_path):
    t = np.concatenate([T[:40], T[40:45] + 1.0, T[45:] + 2.0])
    pieces = read_csv(write(tmp_path / "a.csv", ["t", *NAMES], [t, Q, Q]), arm, split=True)
    assert [len(piece) for piece in pieces] == [40, 55]  # five samples are too few
    with pytest.raises(IdentificationError, match="no piece between gaps has 20 samples"):
        read_csv(write(tmp_path / "b.csv", ["t", *NAMES], [T + np.repeat(np.arange(10), 10), Q, Q]), arm, split=True)


def test_units_are_checked_by_ranges_and_speeds(panda):
    rng = np.random.default_rng(0)
    middle = (panda.limits.lower + panda.limits.upper) / 2.0
    q = middle + 0.2 * np.sin(np.outer(T, np.ones(7)))
    tau = rng.normal(size=(100, 7))
    assert Measurement(panda, T, q, tau).check_units()
    with pytest.raises(IdentificationError, match="far outside its range.*convert degrees"):
        Measurement(panda, T, np.degrees(q), tau).check_units()
    with pytest.raises(IdentificationError, match="times its speed limit; time is in s"):
        Measurement(panda, T / 100.0, q, tau).check_units()
    qd = np.gradient(q, T, axis=0)
    for factor, message in (
        (180 / np.pi, "degrees per second"),
        (-1.0, "opposite"),
        (1e-3, "per millisecond"),
        (2.0, "check its unit"),
    ):
        with pytest.raises(IdentificationError, match=message):
            Measurement(panda, T, q, tau, factor * qd).check_units()


def test_arrays_are_checked(arm):
    with pytest.raises(IdentificationError, match=r"q has shape \(100, 1\), expected \(100, 2\): q_joint_1, q_joint_2"):
        Measurement(arm, T, Q[:, :1], Q)
    with pytest.raises(IdentificationError, match=r"expected \(N,\) with N of 20 or more"):
        Measurement(arm, T[:5], Q[:5], Q[:5])
    bad = Q.copy()
    bad[3, 1] = np.inf
    with pytest.raises(IdentificationError, match="tau_joint_2 is inf in sample 3"):
        Measurement(arm, T, Q, bad)
    with pytest.raises(IdentificationError, match="qdd is given without qd"):
        Measurement(arm, T, Q, Q, qdd=Q)
    with pytest.raises(IdentificationError, match="not an array of numbers"):
        Measurement(arm, T, "q", Q)
    with pytest.raises(StateError, match="needs a Robot"):
        Measurement("rr", T, Q, Q)
    with pytest.raises(IdentificationError, match="time must increase: sample 1"):
        Measurement(arm, -T, Q, Q)


def test_what_is_identified_is_checked(arm):
    data = Measurement(arm, T, Q, Q)
    with pytest.raises(IdentificationError, match="no measurement"):
        identify([])
    with pytest.raises(StateError, match="read_csv"):
        identify([arm])
    with pytest.raises(IdentificationError, match="of different robots"):
        identify([data, Measurement(Robot(rr_model(), backend="numpy"), T, Q, Q)])
    with pytest.raises(IdentificationError, match="spread must be a positive number"):
        identify(data, spread=0.0)
    with pytest.raises(IdentificationError, match="is left to be estimated"):
        identify(data, known=["links", "rotors", "friction"])
    assert len(data.part(slice(10, 50))) == 40


def test_joints_at_rest_and_motions_that_show_too_little_are_named(arm):
    still = Q.copy()
    still[:, 1] = 0.0
    with pytest.raises(IdentificationError, match="Joints at rest: joint_2") as caught:
        identify(Measurement(arm, T, still, Q), consistent=False)
    assert any("joint_2" in name or "link_2" in name for name in caught.value.parameters)
    with pytest.raises(IdentificationError, match="no joint moves"):
        identify(Measurement(arm, T, 0 * Q, Q), consistent=False)
