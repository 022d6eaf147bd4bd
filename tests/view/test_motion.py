import numpy as np
import pytest

from lissom import Robot, StateError
from lissom.robots import planar_two_link, tree_model
from lissom.simulate import Event


@pytest.fixture(scope="module")
def motion():
    return planar_two_link().simulate([0.0, 0.0], [0.0, 0.0], 1.0, events=Event(lambda t, q, qd: q[0] + 0.5, "half"))


@pytest.mark.parametrize(("what", "unit"), [("q", "rad"), ("qd", "rad/s"), ("qdd", "rad/s^2"), ("tau", "N m")])
def test_every_entry_has_a_panel_with_its_unit_and_events_are_marked(motion, what, unit):
    figure = motion.plot(what=what)
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["shoulder", "elbow"]
    assert [axis.get_ylabel() for axis in figure.axes] == [f"[{unit}]"] * 2
    assert sum(line.get_linestyle() == ":" for line in figure.axes[0].lines) == len(motion.events)


def test_energy_is_drawn_in_its_parts(motion):
    (axis,) = motion.plot(what="energy").axes
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["kinetic", "potential", "total"]


def test_energy_in_springs_is_a_part_of_its_own_where_there_are_any():
    model = tree_model(2, seed=1, kinds=["revolute"], drives=False, springs=1.0)
    (axis,) = Robot(model).simulate([0.1, 0.2], [0.0, 0.0], 0.1).plot(what="energy").axes
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["kinetic", "potential", "springs", "total"]
    kinetic, potential, springs, total = (line.get_ydata() for line in axis.lines[-4:])
    assert np.allclose(kinetic + potential + springs, total)


def test_a_path_is_written_and_returned(motion, tmp_path):
    assert motion.plot(tmp_path / "a.svg") == tmp_path / "a.svg"
    assert (tmp_path / "a.svg").exists()


def test_many_motions_share_the_panels():
    many = planar_two_link().simulate(np.random.default_rng(0).normal(size=(60, 2)), np.zeros(2), 0.1, method="rk4", dt=0.01)
    assert len(many.plot().axes[0].lines) == 50 + 1  # and the line of zero
    with pytest.raises(StateError, match=r"energy is plotted for one motion, and this trajectory has \(60,\) of them"):
        many.plot(what="energy")


def test_what_there_is_not_cannot_be_plotted(motion):
    with pytest.raises(StateError, match="cannot plot 'torque'; there is 'q', 'qd', 'qdd', 'tau', 'energy'"):
        motion.plot(what="torque")
