"""External wrenches of a trajectory come back from its file."""

import numpy as np
import pytest

import lissom
from lissom import FileError, Trajectory, Wrench

ARM = lissom.robots.rr()
LINK, TIP = ARM.link_names[1:]


def falling(external, **options):
    return ARM.simulate([0.3, 0.2], [0.0, 0.0], 0.1, method="rk4", dt=0.01, external=external, **options)


def same(one, two):
    assert one.keys() == two.keys()
    for link in one:
        assert one[link].axes == two[link].axes
        assert np.array_equal(*np.broadcast_arrays(one[link].packed(), two[link].packed()))


def test_constant_wrenches_are_kept_with_axes_and_points(tmp_path):
    given = {TIP: Wrench((1.0, 2.0, 3.0), axes="world", point=(0.1, 0, 0)), LINK: Wrench(moment=(0, 0, 4.0), axes="link")}
    back = Trajectory.load(falling(given).save(tmp_path / "a.npz"), ARM)
    same(back.external, given)
    assert back.external[TIP].force.shape == (3,)
    page = back.show(save=tmp_path / "a.html").read_text()
    assert f"force on {TIP}" in page and f"moment on {LINK}" in page


def test_wrenches_that_change_are_kept_sample_by_sample(tmp_path):
    p = lissom.MotionProblem(ARM, control_points=8, duration=1.0).channel("push", "fx", link=TIP).start([0, -2]).end([1, -1])
    motion = p.minimize("integral", 1.0, "torque").minimize("integral", 1e-3, "push").solve().trajectory()
    assert np.ptp(motion.external[TIP].force[:, 0]) > 0.1
    same(Trajectory.load(motion.save(tmp_path / "a.npz"), ARM).external, motion.external)


def test_without_wrenches_there_are_none(tmp_path):
    assert Trajectory.load(falling(None).save(tmp_path / "a.npz"), ARM).external is None


DAMAGED = {
    "a link that the robot does not have": {"external_links": np.array(["elbow"])},
    "axes that do not exist": {"external_axes": np.array(["base"])},
    "too few numbers": {"external": np.zeros((1, 8))},
    "another number of samples": {"external": np.zeros((1, 4, 9))},
    "more wrenches than links": {"external": np.zeros((2, 9))},
    "numbers that are not finite": {"external": np.full((1, 9), np.nan)},
    "a single number": {"external": np.array(1.0)},
    "numbers for names": {"external_links": np.array([1.0])},
}


@pytest.mark.parametrize("what", DAMAGED)
def test_damaged_wrenches_are_refused(tmp_path, what):
    path = falling({TIP: Wrench((1.0, 0, 0), axes="world")}).save(tmp_path / "a.npz")
    with np.load(path) as file:
        arrays = {**file, **DAMAGED[what]}
    np.savez(path, **arrays)
    with pytest.raises(FileError, match="damaged"):
        Trajectory.load(path, ARM)
