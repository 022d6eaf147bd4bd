"""load_model: which reader, which options."""

import subprocess
import sys

import pytest

from lissom.errors import FileError, ModelError
from lissom.model import Friction
from lissom.read import load_model

MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
URDF = f"""<robot name="r"><link name="a"/><link name="b">{MASS}</link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><dynamics damping="1"/></joint></robot>"""
MJCF = (
    """<mujoco model="m"><worldbody><body name="b"><joint name="j" damping="1"/><geom size="0.1"/></body></worldbody></mujoco>"""
)
YAML = """lissom: 1
kind: dh
convention: modified
name: y
joints: [{name: j, mass: 1, inertia: [1, 1, 1, 0, 0, 0], friction: {viscous: 1}}]
"""


@pytest.mark.parametrize(
    ("name", "text", "rubs"),
    [
        ("a.urdf", URDF, False),
        ("a.URDF", URDF, False),
        ("a.xml", URDF, False),
        ("a.xml", MJCF, True),
        ("a.mjcf", MJCF, True),
        ("a.yaml", YAML, True),
        ("a.yml", YAML, True),
    ],
)
def test_reader_is_chosen_by_ending_and_content_and_keeps_its_habit_of_friction(tmp_path, name, text, rubs):
    if "<mujoco" in text:
        pytest.importorskip("mujoco")
    file = tmp_path / name
    file.write_text(text)
    viscous = Friction(1.0)
    assert load_model(file).joint("j").friction == (viscous if rubs else Friction())
    assert load_model(str(file), friction=True).joint("j").friction == viscous
    assert load_model(file, friction=False).joint("j").friction == Friction()


def test_unknown_endings_list_what_is_read(tmp_path):
    with pytest.raises(FileError, match=r"a.ymal: lissom reads .urdf, .xml and .mjcf .*; did you mean '.yml' or '.yaml'"):
        load_model("a.ymal")
    with pytest.raises(FileError, match="the name has no ending"):
        load_model("robot")
    with pytest.raises(FileError, match="expand it first: xacro"):
        load_model("robot.xacro")
    with pytest.raises(FileError, match="no such file"):
        load_model(tmp_path / "a.xml")
    with pytest.raises(FileError, match=r"\(lissom's own\); a table of states belongs to a robot: lissom torque ROBOT TABLE$"):
        load_model("own.csv")
    with pytest.raises(FileError, match=r"\(lissom's own\)$"):
        load_model("robot.docx")


def test_unknown_base_is_refused_before_reading():
    with pytest.raises(ModelError, match="base must be 'fixed' or 'floating', got 'Float'; did you mean 'floating'"):
        load_model("nothing.urdf", base="Float")


def test_strict_turns_warnings_into_one_error_that_lists_them(tmp_path):
    file = tmp_path / "a.urdf"
    file.write_text(URDF.replace('izz="1"', 'izz="9"'))
    with pytest.warns(UserWarning, match="triangle inequality"):
        load_model(file)
    with pytest.raises(ModelError, match=r"strict=True rejects 1 doubtful part:\n.*triangle inequality"):
        load_model(file, strict=True)
    file.write_text(URDF)
    assert load_model(file, strict=True).nv == 1


def test_importing_the_readers_imports_no_parser():
    code = "import sys, lissom.read; print(sorted({'yaml', 'mujoco', 'xml.parsers.expat'} & set(sys.modules)))"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert out.stdout.strip() == "[]"
