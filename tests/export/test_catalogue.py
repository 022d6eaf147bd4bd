"""Whole catalogues: every function, with loads, in one library of each language, computes its stored states."""

import shutil
import subprocess
import sys

import pytest

import lissom
from lissom import BaseMotion, Robot, Wrench, WrenchRate
from lissom.robots import five_bar, gough_stewart, hua_arm, stanford, tree_model
from support.c_compiler import STRICT, build, run
from support.published import FILES

TREE = tree_model(3, seed=4, kinds=["revolute", "spherical", "prismatic"], drives=True)
ROBOTS = {
    "stanford": stanford,
    "elastic": hua_arm,
    "tree": lambda: Robot(TREE, backend="numpy"),
    "five_bar": five_bar,
}
LANGUAGES = ("c", "cpp", "python", "matlab", "javascript")
NEEDS = {"matlab": "octave-cli", "javascript": "node"}


def loads(robot):
    """Return values of options: wrenches along axes of the link and of the world, and a base that moves."""
    one, two = robot.link_names[-1], robot.link_names[-2]
    wrenches = {one: Wrench([1.0, 2.0, 3.0], axes="link"), two: Wrench([1.0, 0.0, 2.0], [0.0, 1.0, 0.0], axes="world")}
    rates = {link: WrenchRate() for link in wrenches}
    moves = BaseMotion(jerk=(0, 0, 0), angular_jerk=(0, 0, 0))
    return {"external": wrenches, "external_rates": rates, "base_motion": moves, "link": one, "point": [0.1, 0.2, 0.3]}


def write(robot, folder, language, loaded, **how):
    """Export all functions that the robot has into one library; return how many."""
    names, values = [], {}
    for name in robot._exportable:
        entry = robot.catalogue.get(name)
        if "_dh_" in name and robot.name != "stanford" or loaded and name.startswith("momentum"):
            continue  # no table; "point" of the momentum is another option
        own = [] if entry is None else [option.name for option in entry.options]
        if loaded:
            values |= {key: value for key, value in loads(robot).items() if key in own}
        values |= {} if entry is None else {key: x for key, x in entry.example(robot).items() if key not in values}
        names.append(name)
    robot.export(names, folder, language=language, name="robot", **values, **how)
    return len(names)


def check(folder, language):
    """Run the exported test."""
    if language in NEEDS and shutil.which(NEEDS[language]) is None:
        pytest.skip(f"{NEEDS[language]} is not installed: {language} is not run")
    if language in ("c", "cpp"):
        cpp = language == "cpp"
        files = ["test_robot.cpp"] if cpp else ["robot.c", "test_robot.c"]
        said = run(build(folder, files, [f"-std={'c++17' if cpp else 'c99'}", "-O0", *STRICT], cpp=cpp))
    else:
        command = {
            "python": [sys.executable, "test_robot.py"],
            "matlab": ["octave-cli", "--norc", "--no-history", "--eval", "test_robot"],
            "javascript": ["node", "test_robot.mjs"],
        }[language]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        said = done.stdout
    assert said.rstrip().endswith("passed")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "loaded"), [("stanford", False), ("elastic", True), ("tree", True), ("five_bar", False)])
def test_every_function_computes_its_stored_states(tmp_path, name, loaded, language):
    robot = ROBOTS[name]()
    assert write(robot, tmp_path, language, loaded) > 20
    check(tmp_path, language)


@pytest.mark.slow
@pytest.mark.parametrize("loaded", [False, True], ids=["plain", "loaded"])
def test_every_function_of_a_floating_robot_computes_its_stored_states(tmp_path, loaded):
    robot = Robot(tree_model(2, seed=3, kinds=["revolute"], floating=True), backend="numpy")
    assert write(robot, tmp_path, "c", loaded) > 20
    check(tmp_path, "c")


def test_every_function_computes_its_stored_states_in_python(tmp_path):
    robot = Robot(tree_model(2, seed=1, kinds=["revolute"], drives=True), backend="numpy")
    assert write(robot, tmp_path, "python", loaded=True) > 20
    check(tmp_path, "python")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["ur5", "gough_stewart"])
def test_an_industrial_arm_and_a_platform_compute_their_stored_states(tmp_path, name, language):
    robot = gough_stewart() if name == "gough_stewart" else lissom.load(next(f for f in FILES if f.name == "ur5_robot.urdf"))
    robot.export(["inverse_dynamics", "forward_dynamics"], tmp_path, language=language, name="robot")
    check(tmp_path, language)
