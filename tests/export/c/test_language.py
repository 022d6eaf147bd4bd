"""C: exported code compiles without a warning, runs without memory errors, and agrees with the NumPy text."""

from pathlib import Path

import pytest

import lissom
from lissom.robot import Robot
from lissom.robots import five_bar, hua_arm, panda, stanford, tree
from support.c_compiler import SANITIZED, STRICT, build, run, worst

ROBOTS = {
    "stanford": (stanford, ["inverse_dynamics", "forward_dynamics", "inverse_dynamics_regressor", "state_rates"], {}),
    "panda": (panda, ["inverse_dynamics", "joint_wrenches", "jacobian", "link_poses"], {"link": "flange"}),
    "tree": (lambda: tree(7, seed=3), ["inverse_dynamics", "forward_dynamics", "kinetic_energy"], {}),
    "elastic": (hua_arm, ["inverse_dynamics", "forward_dynamics", "spring_torques"], {}),
    "five_bar": (five_bar, ["inverse_dynamics", "forward_dynamics", "closure"], {}),
}


def exported(robot: object, folder: Path, functions: list[str], **how: object) -> list[str]:
    robot.export(functions, folder, language="c", name="robot", **how)  # type: ignore[attr-defined]
    return ["robot.c", "test_robot.c"]


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.sweep("elastic")
def test_c_agrees_with_the_text_without_warnings_or_memory_errors(tmp_path: Path, name: str, precision: str) -> None:
    make, functions, options = ROBOTS[name]
    files = exported(make(), tmp_path, functions, precision=precision, batch=True, **options)
    printed = run(build(tmp_path, files, ["-std=c99", "-O1", *STRICT, *SANITIZED]))
    assert worst(printed) < {"double": 1e-14, "single": 1e-5}[precision], printed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["robots:g1", "robots:talos", "robots:gough_stewart"])
@pytest.mark.parametrize("precision", ["double", "single"])
def test_c_of_long_programs_agrees_with_the_text(tmp_path: Path, name: str, precision: str) -> None:
    robot = lissom.load(name)
    files = exported(robot, tmp_path, ["inverse_dynamics", "forward_dynamics", "mass_matrix"], precision=precision)
    printed = run(build(tmp_path, files, ["-std=c99", "-O1", *STRICT, *SANITIZED]))
    # accelerations of a person-like tree are ill-conditioned: rounding of another order shows 100 times larger
    inverse = "\n".join(line for line in printed.splitlines() if not line.startswith("forward"))
    assert worst(inverse) < {"double": 1e-14, "single": 1e-5}[precision], printed
    assert worst(printed) < {"double": 1e-13, "single": 1e-5}[precision], printed


def test_the_same_robot_gives_the_same_text(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        exported(Robot(stanford().model), tmp_path / folder, ["inverse_dynamics", "jacobian"], link="link_6")
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()
