"""lissom.load: files, texts and built-in names give the same robots."""

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, FileError, ModelError, NameLookupError, ParallelRobot, Robot
from lissom.loading.builtin import builtin_names
from lissom.write.urdf import to_urdf
from lissom.write.yaml import to_yaml

MJCF = """
<mujoco model="m"><worldbody><body name="b"><joint name="j" damping="1"/><geom size="0.1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("name", builtin_names())
def test_every_built_in_robot_is_loaded_by_its_name(name):
    robot, made = lissom.load(f"robots:{name}"), getattr(lissom.robots, name)()
    assert type(robot) is type(made) and robot.model == made.model


def test_a_robot_with_loops_is_a_closed_robot_whatever_it_comes_from(tmp_path):
    robot = lissom.load("robots:five_bar")
    assert type(robot) is ClosedRobot and type(lissom.load("robots:delta")) is ParallelRobot
    robot.save(tmp_path / "five.yaml")
    for source in (tmp_path / "five.yaml", str(tmp_path / "five.yaml"), to_yaml(robot.model)):
        again = lissom.load(source)
        assert type(again) is ClosedRobot and again.model == robot.model


def test_built_in_robots_take_arguments_and_options():
    assert lissom.load("robots:rp(theta2=30deg)").model == lissom.robots.rp(theta2=np.pi / 6).model
    woman = lissom.load("robots:human(stature=1.6, mass=60, sex=female, age=70, active=walking)")
    assert woman.model == lissom.robots.human(1.6, 60, "female", 70, "walking").model
    assert lissom.load("robots:puma560(friction=false)").model == lissom.robots.puma560(friction=False).model
    assert lissom.load("robots:puma560", friction=False).model == lissom.robots.puma560().model.without_friction()
    assert lissom.load("robots:five_bar", active=["right", "left"]).torque_names == ("right", "left")
    assert lissom.load("robots:five_bar", closure_tolerance=1e-4).model.closure_tolerance == 1e-4


@pytest.mark.parametrize("write", [to_urdf, to_yaml])
def test_a_text_is_read_like_a_file(write, tmp_path):
    text = write(lissom.robots.rr().model)
    file = tmp_path / f"rr.{write.__name__.removeprefix('to_')}"
    file.write_text(text)
    for given in (text, f"\n\n  {text}" if write is to_urdf else f"\n{text}"):
        robot = lissom.load(given, friction=True)
        assert type(robot) is Robot and robot.model == lissom.load(file, friction=True).model
    assert lissom.load(text, base="floating").nv == 8


@pytest.mark.parametrize("lines", [1, 2])
def test_a_byte_order_mark_may_precede_a_text(lines):
    text = to_urdf(lissom.robots.rr().model)
    given = "".join(line.strip() for line in text.splitlines()) if lines == 1 else text
    assert lissom.load("\ufeff" + given).model == lissom.load(text).model


@pytest.mark.parametrize("source", ["a b c " * 300 + ".urdf", "robots:" + "z" * 1000, "x y " * 300])
def test_messages_do_not_repeat_a_long_source(source):
    with pytest.raises((FileError, NameLookupError)) as caught:
        lissom.load(source)
    assert len(str(caught.value)) < 600 and " ... " in str(caught.value) and source[10:100] in str(caught.value)


def test_an_argument_of_a_built_in_robot_is_given_once():
    with pytest.raises(ModelError, match="argument 'theta2' of robot 'rp' is given twice; give it once"):
        lissom.load("robots:rp(theta2=0,theta2=1)")


def test_an_mjcf_text_is_read_like_a_file(tmp_path):
    pytest.importorskip("mujoco")
    (tmp_path / "m.xml").write_text(MJCF.lstrip())
    assert lissom.load(MJCF).model == lissom.load("\ufeff" + MJCF).model == lissom.load(tmp_path / "m.xml").model
    with pytest.raises(FileError, match="<text>:1: .*reaches outside the folder"):
        lissom.load('<mujoco><asset><mesh file="/etc/passwd"/></asset></mujoco>')
    with pytest.raises(FileError, match="<text>: MuJoCo rejects the file"):
        lissom.load("<mujoco><worldbody><body/></worldbody><nothing/></mujoco>")


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ("<robot>\n<link/></robot>", FileError, "<text>:1: <robot> has no attribute 'name'"),
        ("lissom: 1\nkind: tree\nname: a\nlinks: 5", FileError, "<text>:4: 'links' of the document must be a list"),
        ("{lissom: 1, kind: motion}", FileError, "<text>:1: this file is a motion problem, for `lissom predict`"),
        ("hello\nworld", FileError, "<text>: this text is not a robot: expected URDF .*, MJCF .* or YAML that starts with"),
        ("<sdf><model/></sdf>", FileError, "an SDF world"),
        ("nowhere.urdf", FileError, "nowhere.urdf: no such file"),
        (
            "nowhere",
            FileError,
            "nowhere: neither a file nor a built-in robot, robots:NAME; expected one of 'hua_arm', 'human'",
        ),
        ("x" * 5000, FileError, "neither a file nor a built-in robot"),
        ("hua_am", FileError, "did you mean 'hua_arm'"),
        ("some/where", FileError, "lissom reads .*; the name has no ending"),
        ("", FileError, "'': the name of the robot's file is empty"),
        ("/", FileError, "/: this is a folder; give the robot's file inside it"),
        (b"<robot/>", FileError, "got bytes; decode it first"),
        (None, FileError, "loaded from a file, the text of one, or a name such as 'robots:panda'; got NoneType$"),
        (lissom.robots.rr_model(), FileError, r"got Model; lissom.Robot\(model\) makes the robot of a model"),
        (lissom.robots.four_bar_model(), FileError, r"lissom.ClosedRobot\(model\)"),
        ("panda", FileError, "panda: no such file; the built-in robot is robots:panda"),
        ("robots:pandas", NameLookupError, "no built-in robot 'pandas'; did you mean 'panda'?"),
        ("robots:", ModelError, "'' is not the name of a built-in robot; write robots:rr"),
        ("robots:rr(1)", ModelError, "robot 'rr' has no argument '1'"),
    ],
)
def test_a_source_that_is_none_says_what_was_expected(source, kind, message):
    with pytest.raises(kind, match=message):
        lissom.load(source)


@pytest.mark.parametrize("option", [{"base": "floating"}, {"mimic": False}, {"loops": "a.yaml"}, {"trusted": True}])
def test_options_of_files_are_refused_beside_built_in_names(option):
    (name,) = option
    with pytest.raises(ModelError, match=f"the option '{name}' applies to files; 'robots:rr' is a built-in robot"):
        lissom.load("robots:rr", **option)


def test_strict_refuses_doubtful_texts_and_built_in_robots():
    with pytest.raises(ModelError, match="link_3.*principal moments violate"):
        lissom.load("robots:puma560", strict=True)
    text = to_yaml(lissom.robots.puma560().model)
    with pytest.raises(ModelError, match="^<text>: strict=True rejects"):
        lissom.load(text, strict=True)
