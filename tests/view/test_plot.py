import numpy as np
import pytest

from lissom.errors import FileError, StateError
from lissom.view import plot_torques, plot_wrenches
from lissom.view.plot import finish

TIME = np.linspace(0, 1, 11)


def test_every_joint_has_a_titled_panel_with_its_unit():
    figure = plot_torques(TIME, np.ones((11, 3)), ["a", "b", "c"], ["N m", "N", "N m"])
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["a", "b", "c"]
    assert [axis.get_ylabel() for axis in figure.axes] == ["[N m]", "[N]", "[N m]"]


def test_near_limits_are_drawn_and_far_ones_written():
    figure = plot_torques(TIME, np.ones((11, 3)), ["a", "b", "c"], ["N m"] * 3, limits=[2.0, 100.0, np.inf])
    near, far, none = figure.axes
    assert [line.get_ydata()[0] for line in near.lines if line.get_linestyle() == "--"] == [-2.0, 2.0]
    assert far.get_title(loc="right") == "limit 100 N m"
    assert not any(line.get_linestyle() == "--" for line in [*far.lines, *none.lines])


def test_a_joint_without_force_shows_a_line_and_not_its_rounding_errors():
    tau = np.ones((11, 2)) * [1.0, 1e-17]
    assert plot_torques(TIME, tau, ["a", "b"], ["N m"] * 2).axes[1].get_ylim() == (-1.0, 1.0)


def test_a_path_is_written_and_returned(tmp_path):
    path = tmp_path / "new" / "forces.png"
    assert plot_torques(TIME, np.ones((11, 1)), ["a"], ["N"], path=path) == path
    assert path.read_bytes().startswith(b"\x89PNG")


def test_wrenches_show_force_and_moment_of_every_joint(tmp_path):
    figure = plot_wrenches(TIME, np.ones((11, 2, 6)), ["a", "b"])
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["a: force", "a: moment", "b: force", "b: moment"]
    assert figure.axes[0].lines[-1].get_ydata()[0] == pytest.approx(3**0.5)


def test_names_are_never_formulas(tmp_path):
    names = [r"$\frac$", "a_$b", "$"]
    plot_torques(TIME, np.ones((11, 3)), names, ["N m"] * 3, path=tmp_path / "t.svg", title=r"$\nonsense{$")
    plot_wrenches(TIME, np.ones((11, 3, 6)), names, path=tmp_path / "w.svg", title=r"$\nonsense{$")


def test_a_robot_that_cannot_move_gives_an_empty_plot(tmp_path):
    assert plot_torques(TIME, np.ones((11, 0)), [], [], path=tmp_path / "t.png").exists()
    assert plot_wrenches(TIME, np.ones((11, 0, 6)), [], path=tmp_path / "w.png").exists()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("count", [1, 3, 12, 44])
def test_no_panel_reaches_into_another_or_out_of_the_picture(count):
    values = np.linspace(-2e5, 1e5, 11)[:, None] * np.ones(count)
    figure = plot_torques(TIME, values, [f"joint_{i}" for i in range(count)], ["N m"] * count, title="robot")
    figure.draw_without_rendering()
    boxes = [axis.get_tightbbox() for axis in figure.axes]
    for i, box in enumerate(boxes):
        assert box.x0 >= 0 and box.x1 <= figure.bbox.x1 and box.y0 >= 0 and box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_pictures_of_very_many_joints_are_coarser(tmp_path):
    from matplotlib.figure import Figure

    assert finish(Figure(figsize=(1, 1000)), tmp_path / "tall.png").exists()


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(StateError, match=r"tau has shape \(11, 2\), expected \(11, 1\)"):
        plot_torques(TIME, np.ones((11, 2)), ["a"], ["N"])
    with pytest.raises(StateError, match=r"wrenches has shape \(11, 6\), expected \(11, 1, 6\)"):
        plot_wrenches(TIME, np.ones((11, 6)), ["a"])


def test_files_that_cannot_be_drawn_into_are_refused(tmp_path):
    with pytest.raises(FileError, match="ending in '.docx'; use .png, .svg, .pdf"):
        plot_torques(TIME, np.ones((11, 1)), ["a"], ["N"], path=tmp_path / "a.docx")
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="a.png: cannot be written"):
        plot_torques(TIME, np.ones((11, 1)), ["a"], ["N"], path=tmp_path / "file" / "a.png")
