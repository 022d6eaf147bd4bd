"""What export takes and refuses, for any language."""

from dataclasses import replace
from pathlib import Path

import pytest

from lissom import StateError
from lissom.errors import FileError, NameLookupError
from lissom.export import render
from lissom.model import Model
from lissom.robot import Robot
from lissom.robots import five_bar, planar_two_link

ROBOT = planar_two_link()
CLOSED = five_bar()


@pytest.mark.parametrize(
    ("functions", "how", "message"),
    [
        ("inverse_dynamics", {"language": "fortran"}, "no language 'fortran'"),
        ("inverse_dynamics", {"precision": "half"}, "no precision 'half'"),
        ("inverse_dynamics", {"sine": "mine"}, "no sine 'mine'"),
        ("inverse_dynamics", {"batch": 1}, "batch must be True or False"),
        ("inverse_dynamics", {"names": "yes"}, "names must be True or False"),
        ("inverse_dynamics", {"name": "Arm-1"}, "name must be a word of lower-case letters"),
        ("inverse_dynamics", {"license": 3}, "license must be a line of text"),
        ("inverse_dynamics", {"link": "tool"}, "no option 'link'"),
        ([], {}, "functions must be the name of a function or a list of names"),
        (["gravity_torques"] * 2, {}, "is named twice"),
    ],
)
def test_wrong_arguments_are_refused(functions: object, how: dict[str, object], message: str) -> None:
    with pytest.raises(StateError, match=message):
        render(ROBOT, functions, **how)  # type: ignore[arg-type]


def test_an_unknown_function_is_refused_with_a_suggestion() -> None:
    with pytest.raises(NameLookupError, match="did you mean 'inverse_dynamics'"):
        render(ROBOT, "inverse_dynamic")


def test_a_missing_option_is_named() -> None:
    with pytest.raises(StateError, match="jacobian needs link="):
        render(ROBOT, "jacobian")


def test_options_go_to_the_functions_that_have_them(tmp_path: Path) -> None:
    link = ROBOT.link_names[-1]
    ROBOT.export(["gravity_torques", "link_pose"], tmp_path, link=link, name="arm")
    assert f"Options: link='{link}'" in (tmp_path / "arm.h").read_text()


def test_files_are_replaced_only_where_allowed(tmp_path: Path) -> None:
    ROBOT.export("gravity_torques", tmp_path)
    ROBOT.export("gravity_torques", tmp_path)
    with pytest.raises(FileError, match="exists already"):
        ROBOT.export("gravity_torques", tmp_path, overwrite=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="needs a folder"):
        ROBOT.export("gravity_torques", tmp_path / "file")


def test_names_from_a_file_cannot_become_code(tmp_path: Path) -> None:
    evil = 'x */ int main(void){} /* \\\n #include "/etc/passwd" "); <script>'
    robot = Robot(_renamed(ROBOT.model, evil))
    for content in render(robot, "inverse_dynamics").values():
        assert "*/ int main(void){}" not in str(content)
        assert '#include "/etc' not in str(content)
        assert "<script>" not in str(content)


def _renamed(model: Model, name: str) -> Model:
    joints = [replace(joint, name=joint.name + name) for joint in model.joints]
    return model.replace(name=name, joints=joints)


def test_closed_robots_say_how_their_loops_are_closed() -> None:
    assert "Newton's method" in str(render(CLOSED, "closure")["five_bar.h"])
    given = str(render(CLOSED, "gravity_torques", closure="given")["five_bar.h"])
    assert "tree_q must close them" in given
    with pytest.raises(StateError, match="no closure 'open'"):
        CLOSED.export("gravity_torques", "unused", closure="open")
    with pytest.raises(StateError, match="export it separately"):
        render(CLOSED, "closure", closure="given")


def test_names_come_from_the_recursion_unless_refused() -> None:
    assert "w2_z" in str(render(ROBOT, "inverse_dynamics")["planar_two_link.c"])
    assert "w2_z" not in str(render(ROBOT, "inverse_dynamics", names=False)["planar_two_link.c"])


def test_sines_and_cosines_stand_first_under_a_heading_of_their_own():
    source = str(render(ROBOT, "inverse_dynamics")["planar_two_link.c"])
    body = source[source.index("\nvoid planar_two_link_inverse_dynamics(") :]
    assert body.index("/* sines and cosines */") < body.index("sine_cosine(q[") < body.index("/* outward")
