"""MATLAB functions, run by Octave, agree with the stored states; the states are computed by lissom's NumPy text."""

import os
import shutil
import subprocess

import numpy as np
import pytest

import lissom
from lissom.export import render
from lissom.robots.tree import tree_model

octave = pytest.mark.skipif(shutil.which("octave-cli") is None, reason="Octave is not installed: MATLAB functions are not run")


def run(folder, text):
    """Run lines of a script with the exported functions; return what it prints."""
    home = {**os.environ, "HOME": str(folder)}
    command = ["octave-cli", "--norc", "--no-history", "--path", str(folder), "--eval", text]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=home).stdout


def check(folder, robot, names, precision):
    robot.export(names, folder, language="matlab", precision=precision, name="arm")
    said = run(folder, "test_arm")
    assert said.rstrip().endswith("passed") and "wrong" not in said, said


@octave
@pytest.mark.parametrize("precision", ["double", "single"])
def test_functions_agree_with_stored_states(tmp_path, precision):
    check(tmp_path, lissom.robots.stanford(), ["inverse_dynamics", "mass_matrix", "link_poses"], precision)


@octave
def test_a_wrong_number_is_found(tmp_path):
    lissom.robots.planar_two_link().export("gravity_torques", tmp_path, language="matlab", name="arm")
    file = tmp_path / "arm_gravity_torques.m"
    file.write_text(file.read_text().replace("9.81", "9.82"))
    said = run(tmp_path, "try, test_arm; catch e, disp(e.message); end")
    assert "gravity_torques: tau is wrong" in said


@octave
def test_states_are_columns_and_sizes_are_checked(tmp_path):
    arm = lissom.robots.planar_two_link()
    arm.export("mass_matrix", tmp_path, language="matlab", name="arm")
    said = run(
        tmp_path,
        "M = arm_mass_matrix([0 1 2; 0.5 0.1 0.2]); disp(size(M)); printf('%.15f ', M(1, 2, :)); arm_mass_matrix([1; 2; 3])",
    )
    numbers = [float(x) for x in said.split()]
    assert numbers[:3] == [2, 2, 3]
    assert np.allclose(numbers[3:6], arm.mass_matrix(np.array([[0, 0.5], [1, 0.1], [2, 0.2]]))[:, 0, 1], atol=1e-14)
    said = run(tmp_path, "try, arm_mass_matrix([1; 2; 3]); catch e, disp(e.message); end")
    assert "arm_mass_matrix: q must have 2 rows, a column for each state" in said


@octave
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_random_trees_agree(tmp_path, seed):
    check(tmp_path, lissom.Robot(tree_model(5, seed=seed)), ["forward_dynamics", "semi_implicit_step"], "double")


@octave
@pytest.mark.slow
@pytest.mark.parametrize("robot", ["panda", "g1", "hua_arm", "five_bar"])
def test_other_robots_agree(tmp_path, robot):
    check(tmp_path, lissom.load(f"robots:{robot}"), ["inverse_dynamics"], "double")


def test_the_same_library_gives_the_same_text():
    arm = lissom.robots.planar_two_link()
    assert render(arm, "inverse_dynamics", language="matlab") == render(arm, "inverse_dynamics", language="matlab")
