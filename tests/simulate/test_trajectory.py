"""Trajectories: names, units, interpolation, files, plots."""

import numpy as np
import pytest

from lissom import FileError, Robot, StateError, Trajectory
from lissom.robots import planar_two_link, stanford, tree_model
from lissom.simulate import Event, Status
from support.states import random_states


@pytest.fixture(scope="module")
def robot():
    return Robot(tree_model(4, seed=1, floating=True, kinds=["revolute", "prismatic", "spherical", "planar"], drives=False))


@pytest.fixture(scope="module")
def motion(robot):
    q, qd, _ = random_states(robot.model, seed=3)
    high = Event(lambda t, q, qd: t - 0.3, "late")
    return robot.simulate(q, qd, 0.5, events=[high, Event(lambda t, q, qd: 1.0, "never", required=False)])


def test_entries_have_names_and_units(motion, robot):
    assert motion.coordinate_names[:7] == ("free_x", "free_y", "free_z", "free_qx", "free_qy", "free_qz", "free_qw")
    assert len(motion.coordinate_names) == robot.nq and len(motion.velocity_names) == robot.nv
    assert motion.units["q"][:4] == ("m", "m", "m", "") and motion.units["qd"][:4] == ("m/s", "m/s", "m/s", "rad/s")
    assert motion.units["qdd"][3] == "rad/s^2" and motion.units["tau"][:4] == ("N", "N", "N", "N m")
    assert len(motion) == 501 and repr(motion).endswith("501 samples, 0.5 s, finished>")
    assert np.allclose(motion.energy, motion.kinetic_energy + motion.potential_energy)


def test_states_between_samples_are_interpolated(robot, motion):
    q, qd = motion.q[0], motion.qd[0]
    fine = robot.simulate(q, qd, 0.5, sample=0.0005)
    for t in (0.00025, 0.1115, 0.49975):
        state, exact = motion.at(t), fine.at(t)
        assert np.allclose(state.q, exact.q, rtol=0, atol=1e-8) and np.allclose(state.qd, exact.qd, rtol=0, atol=1e-6)
        assert np.linalg.norm(state.q[3:7]) == pytest.approx(1.0, abs=1e-14)
    assert np.array_equal(motion.at(motion.t[7]).q, motion.q[7])
    assert np.array_equal(motion.at(0.5).qd, motion.end.qd)
    with pytest.raises(StateError, match="t is 0.6 s, expected a time between 0 and 0.5 s"):
        motion.at(0.6)


@pytest.mark.parametrize("method", ["adaptive", "implicit"])
def test_samples_that_steps_end_on_up_to_rounding_are_stored(method):
    # the adaptive method's first step from rest is 1e-4 s, up to the last bit
    for sample in (1e-4, 5e-5, 2e-5, 1e-4 / 3):
        motion = planar_two_link().simulate([0.0, 0.0], [0.0, 0.0], 0.01, sample=sample, method=method)
        assert np.allclose(np.diff(motion.t)[:-1], sample, rtol=1e-9) and len(motion) == round(0.01 / sample) + 1
        half = Event(lambda t, q, qd: t - 0.005, "half")
        seen = planar_two_link().simulate([0.0, 0.0], [0.0, 0.0], 0.01, sample=sample, method=method, events=[half])
        assert np.allclose(seen.q, motion.q, rtol=0, atol=1e-12) and seen.events[0].t == pytest.approx(0.005, abs=1e-12)


def test_interpolation_has_order_four():
    robot = planar_two_link()
    exact = robot.simulate([0.0, 0.5], [0.0, 0.0], 1.0, sample=1e-3)
    errors = []
    for n in (20, 40, 80):
        coarse = robot.simulate([0.0, 0.5], [0.0, 0.0], 1.0, sample=1 / n)
        errors.append(max(np.abs(coarse.at(t).q - q).max() for t, q in zip(exact.t, exact.q, strict=True)))
    assert -np.polyfit(np.log([20, 40, 80]), np.log(errors), 1)[0] == pytest.approx(4.0, abs=0.4)


def test_npz_gives_everything_back(motion, robot, tmp_path):
    path = motion.save(tmp_path / "new" / "motion.npz")
    back = Trajectory.load(path, robot)
    for name in ("t", "q", "qd", "qdd", "tau"):
        assert np.array_equal(getattr(back, name), getattr(motion, name)), name
    assert back.status is Status.FINISHED and back.unfired == ("never",) and [e.name for e in back.events] == ["late"]
    assert back.events[0].t == motion.events[0].t and np.array_equal(back.events[0].q, motion.events[0].q)
    assert np.array_equal(back.energy, motion.energy)
    assert [p.name for p in path.parent.iterdir()] == ["motion.npz"]


def test_csv_gives_the_numbers_back_to_the_last_bit(motion, robot, tmp_path):
    path = motion.save(tmp_path / "motion.csv")
    assert path.read_text().startswith("t,q_free_x,")
    back = Trajectory.load(path, robot)
    for name in ("t", "q", "qd", "qdd", "tau"):
        assert np.array_equal(getattr(back, name), getattr(motion, name)), name
    plain = robot.simulate(motion.q[0], motion.qd[0], 0.1)
    assert "note" not in plain.save(path).read_text()  # there is nothing to say


def test_a_failed_run_is_saved_too(tmp_path):
    robot = planar_two_link()
    failed = robot.simulate([0.0, 0.0], [0.0, 0.0], 1.0, lambda t, q, qd: [0.0, 0.0] if t < 0.1 else None, throw=False)
    back = Trajectory.load(failed.save(tmp_path / "failed.npz"), robot)
    assert back.status is Status.CONTROLLER_FAILED and back.message == failed.message and len(back) == len(failed)
    assert np.isfinite(failed.at(failed.t[-1]).q).all()


def test_many_motions_go_into_npz_and_not_into_csv(tmp_path):
    robot = planar_two_link()
    many = robot.simulate(np.zeros((4, 2)), np.zeros(2), 0.1, method="rk4", dt=0.01)
    assert np.array_equal(Trajectory.load(many.save(tmp_path / "many.npz"), robot).q, many.q)
    with pytest.raises(FileError, match=r"a CSV holds one motion, and this trajectory has \(4,\) of them; use .npz"):
        many.save(tmp_path / "many.csv")
    assert not (tmp_path / "many.csv").exists()


def test_files_of_others_and_damaged_ones_are_refused(motion, robot, tmp_path):
    npz, table = motion.save(tmp_path / "a.npz"), motion.save(tmp_path / "a.csv")
    for path in (npz, table):
        with pytest.raises(FileError, match="is not a trajectory of 'stanford': column 1 is 'q_free_x', expected 'q_joint_1'"):
            Trajectory.load(path, stanford())
    with pytest.raises(FileError, match="cannot read a trajectory from a file ending in '.txt'"):
        Trajectory.load(tmp_path / "a.txt", robot)
    with pytest.raises(FileError, match="cannot write a trajectory into a file ending in '.txt'; use .npz or .csv"):
        motion.save(tmp_path / "a.txt")
    for ending in (".npz", ".csv"):
        with pytest.raises(FileError, match="cannot be read: No such file"):
            Trajectory.load(tmp_path / f"missing{ending}", robot)
    (tmp_path / "cut.npz").write_bytes(npz.read_bytes()[:200])
    (tmp_path / "text.npz").write_text("hello")
    np.savez(tmp_path / "pickled.npz", format=np.array([{}], dtype=object))
    for name in ("cut", "text", "pickled"):
        with pytest.raises(FileError, match="is not an (npz file|array) of numbers (and|or) names, or is damaged"):
            Trajectory.load(tmp_path / f"{name}.npz", robot)
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(FileError, match="is not a trajectory: its format is missing, expected 'lissom trajectory 1'"):
        Trajectory.load(tmp_path / "other.npz", robot)
    with np.load(npz) as data:
        parts = dict(data)
    np.savez(tmp_path / "lacks.npz", **{k: v for k, v in parts.items() if k != "qd"})
    with pytest.raises(FileError, match="lacks 'qd'; it is damaged"):
        Trajectory.load(tmp_path / "lacks.npz", robot)
    np.savez(tmp_path / "short.npz", **{**parts, "qd": parts["qd"][:5]})
    with pytest.raises(FileError, match=r"qd has shape \(5, 14\), expected \(501, 14\); it is damaged"):
        Trajectory.load(tmp_path / "short.npz", robot)
    np.savez(tmp_path / "nan.npz", **{**parts, "q": parts["q"] * np.nan})
    with pytest.raises(FileError, match="t, q or qd has values that are not finite"):
        Trajectory.load(tmp_path / "nan.npz", robot)
    (tmp_path / "few.csv").write_text("t,q_free_x\n0,0\n")
    with pytest.raises(FileError, match="2 columns, expected"):
        Trajectory.load(tmp_path / "few.csv", robot)
    (tmp_path / "words.csv").write_text(table.read_text().replace("0.001,", "soon,", 1))
    with pytest.raises(FileError, match="is not a table of numbers below a header"):
        Trajectory.load(tmp_path / "words.csv", robot)
    (tmp_path / "header.csv").write_text(table.read_text().splitlines()[0] + "\n")
    with pytest.raises(FileError, match="holds a header but no states"):
        Trajectory.load(tmp_path / "header.csv", robot)
    (tmp_path / "ragged.csv").write_text(table.read_text().splitlines()[0] + "\n1,2,3\n")
    with pytest.raises(FileError, match="3 cells, but the header names 60 columns"):
        Trajectory.load(tmp_path / "ragged.csv", robot)
    (tmp_path / "folder").touch()
    with pytest.raises(FileError, match="cannot be written: "):
        motion.save(tmp_path / "folder" / "a.npz")
