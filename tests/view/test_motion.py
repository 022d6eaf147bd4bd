import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import lissom
from lissom import Robot, StateError
from lissom.robots import planar_two_link, tree_model
from lissom.simulate import Event
from lissom.view import plot_torques


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
    (axis,) = many.plot(what="energy").axes
    assert len(axis.lines) == 3 * 50 + 1
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["kinetic", "potential", "total"]


FREE = """<robot name="free arm">
<link name="body"><inertial><mass value="5"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="arm"><inertial><origin xyz="0.3 0 0"/><mass value="1"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
<joint name="elbow" type="continuous"><parent link="body"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""


def test_rounding_errors_of_a_free_base_are_drawn_as_lines():
    robot = lissom.load(FREE, base="floating")
    motion = robot.simulate(robot.neutral(), [0.0] * 6 + [0.5], 0.5, sample=0.05)
    panels = {axis.get_title(loc="left"): axis for axis in motion.plot().axes}
    assert 0 < np.abs(motion.q[:, 3:5]).max() < 1e-12
    assert all(panels[f"root_joint_{name}"].get_ylim() == (-1.0, 1.0) for name in ("qx", "qy", "qz"))
    assert np.ptp(panels["root_joint_y"].get_ylim()) < 1e-3  # small, but a motion


@pytest.mark.sweep(6)
@pytest.mark.parametrize("size", [10.0**k * x for k in range(-8, 9, 2) for x in (1.0, -2.5)])
def test_numbers_at_an_axis_do_not_reach_its_label(size):
    t = np.linspace(0.0, 1.0, 20)
    figure = plot_torques(t, size * np.stack([t, t + 0.9, 5 + t / 100], axis=-1), "abc", ["rad/s^2"] * 3)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    draw = canvas.get_renderer()
    for axis in figure.axes:
        label = axis.yaxis.label.get_window_extent(draw)
        assert label.x0 >= 0 and label.x1 < min(text.get_window_extent(draw).x0 for text in axis.get_yticklabels())


def test_what_there_is_not_cannot_be_plotted(motion):
    with pytest.raises(StateError, match="cannot plot 'torque'; expected one of 'q', 'qd', 'qdd', 'tau', 'energy'"):
        motion.plot(what="torque")
