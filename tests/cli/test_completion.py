import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from lissom.cli import app
from lissom.cli.completion import LAYERS as KNOWN_LAYERS
from lissom.cli.completion import PROBLEMS, SCENARIOS, SCRIPTS, SHELLS, _split, candidates
from lissom.control.builtin import builtin_scenarios
from lissom.export.table import ALIASES, LANGUAGES
from lissom.loading.builtin import robot_descriptions
from lissom.predict import builtin_problems
from lissom.view.camera import VIEWS
from lissom.view.scene.scene import LAYERS
from support.terminal import SOURCE

GROUP = typer.main.get_command(app)


def words(line):
    return [word for word, _ in candidates(GROUP, line)[0]]


@pytest.mark.parametrize(
    ("line", "found", "files"),
    [
        ("lissom ins", ["inspect"], False),
        ("lissom nothing ", ["--help", "--version", "-h"], False),
        ("lissom inspect robots:st", ["robots:stanford"], False),
        ("lissom inspect --bas", ["--base"], False),
        ("lissom inspect --no-m", ["--no-mimic"], False),
        ("lissom inspect --base ", ["fixed", "floating"], False),
        ("lissom inspect x --base=fl", ["--base=floating"], False),
        ("lissom simulate --method im", ["implicit"], False),
        ("lissom simulate r --duration ", [], False),
        ("lissom simulate hua_arm_", ["hua_arm_payload"], True),
        ("lissom simulate r --controller hua_arm_", ["hua_arm_payload"], True),
        ("lissom predict rp", ["rp", "rp_table"], True),
        ("lissom predict --robot robots:rr --plot ", [], True),
        ("lissom torque robots:rr ", [], True),
        ("lissom torque robots:rr m.csv -o ", [], True),
        ("lissom convert 'my robot.urdf' ", [], True),
        ("lissom completion ", ["bash", "fish", "zsh"], False),
        ("lissom predict ga", ["gait"], True),
        ("lissom predict ru", ["run"], True),
        ("lissom predict gait --sex f", ["female"], False),
        ("lissom predict gait --stature ", [], False),
        ("lissom view go2_t", ["go2_trot"], True),
        ("lissom view hua_arm_pa", ["hua_arm_payload"], True),
        ("lissom view robots:rr one.npz ", [], True),
        ("lissom view r --show to", ["torques"], False),
        ("lissom view r --show=axes,gr", ["--show=axes,ground", "--show=axes,ground_forces"], False),
        ("lissom view r --view ", ["default", "front", "iso", "side", "top"], False),
        ("lissom export r inverse_dynamics --to cu", ["cuda"], False),
    ],
)
def test_lines_are_completed(line, found, files):
    assert (words(line), candidates(GROUP, line)[1]) == (found, files)


def test_all_commands_and_robots_are_known():
    assert {*GROUP.commands} <= {*words("lissom ")}
    assert {*words("lissom osim ")} >= {"info", "id", "ik", "com", "scale", "c3d"} and "--loads" in words(
        "lissom osim id a.osim b.mot --"
    )
    assert {*words("lissom inspect ")} == {*robot_descriptions()}
    assert {file.stem for file in PROBLEMS.glob("*.yaml")} == {*builtin_problems()}
    assert {file.stem for file in SCENARIOS.glob("*.yaml")} == {*builtin_scenarios()}
    assert {layer.key for layer in LAYERS} == {*KNOWN_LAYERS} == {*words("lissom view r --show ")}
    assert {*VIEWS} == {*words("lissom view r --view ")}
    assert {*words("lissom export r --to ")} <= {*LANGUAGES, *ALIASES} and {*LANGUAGES} <= {*words("lissom export r --to ")}


@pytest.mark.parametrize(
    ("line", "split"),
    [
        ("", [""]),
        ("lissom ", ["lissom", ""]),
        ("lissom 'a b", ["lissom", "a b"]),
        ('lissom "a b', ["lissom", "a b"]),
        ("lissom a\\ b", ["lissom", "a b"]),
        ("lissom a\\ ", ["lissom", "a "]),
    ],
)
def test_lines_are_split_as_shells_do(line, split):
    assert _split(line) == split


def test_completion_imports_nothing_heavy():
    code = (
        "import sys; sys.argv = ['lissom', 'completion', '--line', 'lissom predict p']; from lissom.cli import main; main();"
        "heavy = {'scipy', 'matplotlib', 'llvmlite', 'rich.table', 'pydantic', 'lissom.predict', 'lissom.control'};"
        "sys.exit(', '.join(heavy & {*sys.modules}) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "") and "panda_via\tbuilt-in problem\n" in done.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_are_printed(shell):
    done = CliRunner().invoke(app, ["completion", shell])
    assert done.stdout == (SCRIPTS / f"lissom.{shell}").read_text() and "completion --line" in done.stdout


def test_an_unknown_shell_is_an_error():
    assert CliRunner().invoke(app, ["completion", "tcsh"]).exit_code == 2


@pytest.mark.sweep(2)
@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="needs bash")
@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("lissom inspect robots:st", ["stanford"]),  # bash replaces only what follows the colon
        ("lissom inspect sta", ["stand.urdf"]),
        ("lissom inspect robot", [r"robot\ one.urdf", *sorted(robot_descriptions())]),
        ("lissom simulate x --base=fl", ["floating"]),
        ("lissom conv", ["convert"]),
    ],
)
def test_bash_completes(tmp_path, line, reply):
    for name in ("robot one.urdf", "stand.urdf"):
        (tmp_path / name).touch()
    (tmp_path / "lissom").write_text(f'#!/bin/sh\nexec {sys.executable} -m lissom "$@"\n')
    (tmp_path / "lissom").chmod(0o755)
    broken = line.replace(":", " : ").replace("=", " = ").split()  # as bash breaks words
    script = (
        f"source {SCRIPTS}/lissom.bash; compopt() {{ :; }}; COMP_LINE='{line}'; COMP_POINT={len(line)}; "
        f"COMP_WORDS=({' '.join(broken)}); COMP_CWORD={len(broken) - 1}; _lissom ./lissom; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run(
        ["/bin/bash", "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True
    )
    assert sorted(done.stdout.splitlines()) == sorted(reply), done.stderr
