import inspect

import pytest
import typer
from typer.testing import CliRunner

import lissom
from lissom.cli import app
from lissom.cli.robot_options import Base, RobotFile, RobotOptions, with_robot_options

NAMES = inspect.signature(RobotOptions).parameters


def test_every_option_is_an_argument_of_load_with_the_same_default():
    known = inspect.signature(lissom.load).parameters
    for name, option in NAMES.items():
        assert known[name].default == (option.default.value if isinstance(option.default, Base) else option.default)


@pytest.mark.parametrize("command", ["inspect", "torque", "simulate", "convert"])
def test_commands_with_a_robot_have_all_its_options(command):
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "150"}).stdout
    assert all(f"--{name.replace('_', '-')}" in shown for name in NAMES)


def run(*arguments):
    """Return the options that a command gets, whose own parameters surround them."""
    got = []
    other = typer.Typer()

    @other.command()
    @with_robot_options
    def command(file: RobotFile, how: RobotOptions, more: bool = False) -> None:
        got.append((file, how, more))

    done = CliRunner().invoke(other, arguments)
    assert done.exit_code == 0, done.output
    return got[0]


def test_a_command_gets_its_own_parameters_and_the_options_in_one():
    assert run("robots:rr") == ("robots:rr", RobotOptions(), False)
    file, how, more = run("--base", "floating", "--no-mimic", "x.urdf", "--more", "--active", "a,b", "--active", "c")
    assert (file, more) == ("x.urdf", True)
    assert how == RobotOptions(base=Base.floating, mimic=False, active=["a,b", "c"])


def test_given_options_are_named_as_they_are_written():
    assert run("robots:rr")[1].given() == []
    _, how, _ = run("r", "--base", "floating", "--no-mimic", "--no-friction", "--strict", "--closure-tolerance", "0")
    assert how.given() == ["--base", "--no-mimic", "--friction", "--strict", "--closure-tolerance"]


def test_both_kinds_of_robots_are_opened():
    assert isinstance(RobotOptions().open("robots:rr"), lissom.Robot)
    closed = RobotOptions(active=["left, right"]).open("robots:five_bar")
    assert isinstance(closed, lissom.ClosedRobot) and closed.model.active == ("left", "right")


def test_mesh_files_are_searched_in_all_given_folders(tmp_path):
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="package://p/a.stl"/></geometry></visual></link></robot>'
    )
    for name in ("one", "two/p"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "two/p/a.stl").write_text("x")
    _, how, _ = run("r", "--mesh-path", str(tmp_path / "one"), "--mesh-path", str(tmp_path / "two"))
    assert how.open(str(tmp_path / "r.urdf")).model.shapes[0].geometry.file == str(tmp_path / "two/p/a.stl")
