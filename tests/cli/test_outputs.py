"""What commands write: nothing is overwritten that somebody may miss, and nothing that was computed is lost."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from lissom import Trajectory, robots
from lissom.cli import app
from lissom.cli.exit_codes import INTERRUPTED, NOT_DRAWN, NOT_WRITTEN
from lissom.cli.outputs import Outputs, fresh
from lissom.errors import MissingExtraError

SOURCE = Path(__file__).parents[2] / "src"
ARM = "robots:planar_two_link"
posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and permissions as POSIX has them")

PROBLEM = """lissom: 1
kind: motion
name: swing
robot: robots:rr
path: {control_points: 8}
duration: 1
start: {position: [0, -2]}
end: {position: [1, -1]}
minimize: time
"""


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "150")
    Path("swing.yaml").write_text(PROBLEM)
    t = np.linspace(0, 1, 11)
    np.savetxt("m.csv", np.column_stack([t, t, t]), delimiter=",", header="t,q0,q1", comments="")

    def run(*arguments):
        return CliRunner().invoke(app, [str(a) for a in arguments])

    return run


TORQUE = ["torque", ARM, "m.csv", "--differentiate"]
SIMULATE = ["simulate", ARM, "--duration", "0.1"]
SCENARIO = ["simulate", "hua_arm", "--duration", "0.01"]


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        ([*TORQUE, "-o", "a.csv"], "a.csv"),
        ([*TORQUE, "-o", "a.npz"], "a.npz"),
        ([*TORQUE, "-o", "b.csv", "--plot", "a.png"], "a.png"),
        ([*TORQUE, "-o", "b.csv", "--plot", "a.png", "--wrenches"], "a_wrenches.png"),
        ([*SIMULATE, "-o", "a.csv"], "a.csv"),
        ([*SIMULATE, "-o", "b.csv", "--plot", "a.svg"], "a.svg"),
        ([*SCENARIO, "-o", "a.npz"], "a.npz"),
        ([*SCENARIO, "--plot", "a.pdf"], "a.pdf"),
        (["simulate", "robots:four_bar", "--duration", "0.1", "-o", "a.csv"], "a.csv"),
        (["predict", "swing.yaml", "-o", "a.npz"], "a.npz"),
        (["predict", "swing.yaml", "--report", "a.html"], "a.html"),
        (["predict", "swing.yaml", "--plot", "a.png"], "a.png"),
        (["predict", "swing.yaml", "--animate", "a.gif"], "a.gif"),
        (["convert", ARM, "a.yaml"], "a.yaml"),
        (["demo", "--out", "."], "rr.gif"),
    ],
)
def test_a_file_that_exists_needs_force(lissom, arguments, target):
    Path(target).write_text("years of work")
    done = lissom(*arguments)
    assert done.exit_code == 2 and len(done.stderr.splitlines()) == 1
    assert f"{target}: exists already" in done.stderr and "--force overwrites it" in done.stderr
    assert Path(target).read_text() == "years of work"
    if arguments[0] in ("torque", "convert"):  # quick ones
        assert lissom(*arguments, "--force").exit_code == 0 and Path(target).read_bytes()[:13] != b"years of work"


def test_a_command_writes_again_what_it_wrote_itself_and_nobody_changed(lissom):
    assert lissom("convert", ARM, "a.yaml").exit_code == 0
    assert lissom("convert", "robots:rr", "a.yaml").exit_code == 0 and 'name: "barman_rr"' in Path("a.yaml").read_text()
    with open("a.yaml", "a") as file:
        file.write("# my notes\n")
    assert lissom("convert", ARM, "a.yaml").exit_code == 2 and Path("a.yaml").read_text().endswith("# my notes\n")


def test_a_file_of_another_command_needs_force(lissom):
    assert lissom(*TORQUE, "-o", "a.csv").exit_code == 0
    assert lissom(*SIMULATE, "-o", "a.csv").exit_code == 2
    assert lissom(*SIMULATE, "-o", "a.csv", "--force").exit_code == 0
    assert lissom(*SIMULATE, "-o", "a.csv").exit_code == 0
    Path("a.csv").rename("b.csv")  # a record is of a path
    assert lissom(*SIMULATE, "-o", "b.csv").exit_code == 2


def test_without_a_place_for_records_force_is_needed(lissom, monkeypatch):
    monkeypatch.setenv("LISSOM_CACHE_DIR", "/proc/nowhere/cache" if sys.platform != "win32" else "Z:/nowhere")
    assert lissom("convert", ARM, "a.yaml").exit_code == 0
    assert lissom("convert", ARM, "a.yaml").exit_code == 2
    assert lissom("convert", ARM, "a.yaml", "--force").exit_code == 0


@posix
def test_records_are_private(lissom, tmp_path):
    assert lissom("convert", ARM, "a.yaml").exit_code == 0
    folder = tmp_path / "cache" / "written"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600]
    folder.chmod(0o777)  # anybody may have put records there
    assert lissom("convert", ARM, "a.yaml").exit_code == 2


@posix
@pytest.mark.parametrize("arguments", [TORQUE + ["-o", "a.csv"], ["convert", ARM, "a.csv"]], ids=["torque", "convert"])
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_read_only_file_is_never_written(lissom, arguments, force):
    Path("a.csv").write_text("keep me")
    Path("a.csv").chmod(0o444)
    done = lissom(*arguments, *force)
    assert done.exit_code == 2 and "it is read-only, or belongs to somebody else" in done.stderr
    assert Path("a.csv").read_text() == "keep me"


@posix
def test_devices_and_fifos_need_neither_force_nor_an_ending(lissom):
    for arguments in ([*TORQUE, "-o"], [*SIMULATE, "-o"], ["convert", ARM], [*TORQUE, "-o", "b.csv", "--force", "--plot"]):
        done = lissom(*arguments, "/dev/null")
        assert done.exit_code == 0 and "/dev/null" in done.stdout, done.output
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def shell(command, folder, **environment):
    command = command.replace("lissom ", f"{sys.executable} -m lissom ")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), **environment}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
@posix
def test_standard_output_is_written_into_wherever_it_leads(lissom, tmp_path):
    assert lissom("convert", ARM, "expected.yaml").exit_code == 0
    expected = Path("expected.yaml").read_text()
    Path("log").write_text("first line\n")
    Path("out").write_text("old and very much longer than what is to be written here\n" * 100)
    inode = os.stat("log").st_ino
    command = f"lissom convert {ARM}"
    done = shell(f"{command} /dev/stdout >> log && {command} /dev/stdout > out && {command} /dev/fd/3 3>> log", tmp_path)
    assert done.returncode == 0, done.stderr
    assert os.stat("log").st_ino == inode
    assert Path("log").read_text() == f"first line\n{expected * 2}" and Path("out").read_text() == expected
    # what is said of it does not mix with it
    assert done.stderr == "wrote /dev/stdout\n" * 2 and done.stdout == "wrote /dev/fd/3\n"
    done = shell(f"{command} >(cat > out); sleep 0.5", tmp_path)
    assert done.returncode == 0 and Path("out").read_text() == expected


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("arguments", [SIMULATE, SCENARIO, TORQUE, ["predict", "swing.yaml"]], ids=lambda a: a[1])
def test_a_full_disk_does_not_cost_what_was_computed(lissom, arguments):
    done = lissom(*arguments, "-o", "/dev/full")
    assert done.exit_code == NOT_WRITTEN
    assert "No space left on device; the result is kept in full-kept.npz" in done.stderr and "wrote full-kept.npz" in done.stdout
    with np.load("full-kept.npz") as found:
        assert "tau" in found.files or "points" in found.files


@posix
def test_what_can_be_kept_nowhere_is_said_to_be_lost(lissom, tmp_path):
    limited = f"ulimit -f 1; lissom {' '.join(SIMULATE)} --sample 1e-3 -o a.csv"
    done = shell(limited, tmp_path, TMPDIR=str(tmp_path), HOME=str(tmp_path))
    assert done.returncode == NOT_WRITTEN and done.stdout.startswith("planar")
    assert "a.csv: cannot be written: File too large; the result could not be kept in" in done.stderr
    assert not [p for p in tmp_path.iterdir() if p.suffix in (".part", ".npz")] and not Path("a.csv").exists()


@pytest.mark.parametrize("arguments", [SIMULATE, SCENARIO, TORQUE], ids=lambda a: a[1])
def test_a_picture_that_fails_costs_only_itself(lissom, monkeypatch, arguments):
    def fails(*_, **__):
        raise RuntimeError("no font\nsecond line")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fails)
    done = lissom(*arguments, "-o", "a.csv", "--plot", "a.png")
    assert done.exit_code == NOT_DRAWN and done.stderr == "lissom: a.png: cannot be drawn: RuntimeError: no font\n"
    assert "wrote a.csv\n" in done.stdout and Path("a.csv").stat().st_size > 100 and not Path("a.png").exists()


def test_a_package_that_pictures_lack_has_its_own_code_and_the_numbers_are_written(lissom, monkeypatch):
    def lacks(*_, **__):
        raise MissingExtraError("matplotlib", "plot", "plotting")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lacks)
    done = lissom(*SIMULATE, "-o", "a.csv", "--plot", "a.png")
    assert done.exit_code == 5 and done.stderr.startswith("lissom: plotting needs the package 'matplotlib'; install it with")
    assert "wrote a.csv\n" in done.stdout


@pytest.mark.slow
def test_without_a_file_for_the_numbers_a_picture_that_fails_leaves_one(lissom, monkeypatch):
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda *_, **__: 1 / 0)
    done = lissom(*SCENARIO, "--plot", "a.png")
    assert done.exit_code == NOT_DRAWN
    assert "ZeroDivisionError: division by zero; the result is kept in hua_arm-kept.npz" in done.stderr
    assert len(Trajectory.load("hua_arm-kept.npz", robots.hua_arm())) > 1
    monkeypatch.setattr("lissom.view.report.prediction.report_prediction", lambda *_, **__: 1 / 0)
    done = lissom("predict", "swing.yaml", "--plot", "a.png", "--report", "a.html")
    assert "a.html: cannot be drawn: ZeroDivisionError: division by zero; the result is kept in swing-kept.npz" in done.stderr
    assert done.exit_code == NOT_DRAWN and done.stderr.count("kept in") == 1 and "swing: solved" in done.stdout


@pytest.mark.slow
def test_ctrl_c_while_drawing_leaves_the_numbers_and_says_where(lissom, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", interrupted)
    done = lissom(*SIMULATE, "-o", "a.csv", "--plot", "a.png")
    assert done.exit_code == INTERRUPTED and done.stderr == "lissom: interrupted; the result is kept in a.csv\n"
    done = lissom(*SCENARIO, "--plot", "a.png")
    assert done.exit_code == INTERRUPTED and done.stderr == "lissom: interrupted; the result is kept in hua_arm-kept.npz\n"


@posix
def test_ctrl_c_while_writing_waits_for_the_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:

        def write(path):
            os.kill(os.getpid(), signal.SIGINT)
            path.write_text("all of it")

        with pytest.raises(KeyboardInterrupt):
            Outputs("simulate").save(tmp_path / "a.csv", write, ".csv", "kept.npz")
        assert (tmp_path / "a.csv").read_text() == "all of it"
        assert capsys.readouterr().err.splitlines()[1] == f"lissom: interrupted; the result is kept in {tmp_path / 'a.csv'}"
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, previous)


@pytest.mark.slow
@posix
def test_settings_of_matplotlib_in_the_folder_are_not_read(lissom, tmp_path):
    Path("matplotlibrc").write_text("backend: nonsense\nsavefig.dpi: none\n")
    done = shell(f"lissom {' '.join(TORQUE)} -o a.csv --plot a.png", tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and Path("a.png").read_bytes().startswith(b"\x89PNG")
    os.unlink("matplotlibrc")
    os.mkfifo("matplotlibrc")  # reading it would never end
    done = shell(f"lissom {' '.join(TORQUE)} -o a.csv --plot a.png --force", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*TORQUE, "-o", "a.txt"], "a.txt: -o writes .csv, .npz, not '.txt'"),
        ([*TORQUE, "-o", "a"], "a: -o writes .csv, .npz, and the file has no ending"),
        ([*TORQUE, "-o", "swing.yaml/a.csv"], "swing.yaml is not a folder"),
        (["convert", ARM, "swing.yaml/a.yaml"], "swing.yaml is not a folder"),
        (["convert", ARM, "a.xml"], "lissom writes .yaml, .yml and .urdf files, not '.xml'"),
        ([*SIMULATE, "-o", "a" * 300 + ".csv"], "File name too long"),
        (["demo", "--out", "swing.yaml"], "swing.yaml is not a folder"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_work(lissom, monkeypatch, arguments, message):
    for name in ("inverse_dynamics", "simulate"):
        monkeypatch.setattr(f"lissom.robot.Robot.{name}", lambda *_, **__: pytest.fail("worked"))
    done = lissom(*arguments)
    assert done.exit_code == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1, done.output


@pytest.mark.parametrize("ending", [".CSV", ".Npz"])
def test_endings_in_capitals_mean_the_same(lissom, ending):
    assert lissom(*SIMULATE, "-o", f"a{ending}").exit_code == 0
    assert len(Trajectory.load(f"a{ending}", robots.planar_two_link())) > 1
    assert lissom("predict", "swing.yaml", "-o", f"p{ending}").exit_code == 0 and Path(f"p{ending}").exists()


def test_torques_in_an_npz_are_those_of_the_csv(lissom):
    assert lissom(*TORQUE, "--wrenches", "-o", "a.csv").exit_code == lissom(*TORQUE, "--wrenches", "-o", "a.npz").exit_code == 0
    table = np.loadtxt("a.csv", delimiter=",", skiprows=1)
    with np.load("a.npz") as found:
        assert list(found["names"]) == ["shoulder", "elbow"] == list(found["joints"])
        columns = [found["t"][:, None], found["tau"], found["wrenches"].reshape(11, 12)]
        assert np.array_equal(np.hstack(columns), table)


def test_a_name_that_is_taken_gets_a_number(tmp_path):
    assert fresh(tmp_path / "a.npz") == tmp_path / "a.npz"
    (tmp_path / "a.npz").touch()
    (tmp_path / "a-2.npz").touch()
    assert fresh(tmp_path / "a.npz") == tmp_path / "a-3.npz"


INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
SHAPES = '<visual name="v"><geometry><sphere radius="1"/></geometry></visual>'
URDF = f"""<robot name="r"><material name="blue"/><link name="a">{INERTIAL}{SHAPES}</link>
<link name="b">{INERTIAL}{SHAPES}{SHAPES.replace("visual", "collision")}</link><gazebo reference="a"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<safety_controller k_velocity="1"/></joint></robot>"""


def test_convert_says_what_it_leaves_out(lissom):
    Path("a.urdf").write_text(URDF)
    done = lissom("convert", "a.urdf", "b.urdf")
    assert done.exit_code == 0 and len(done.stderr.splitlines()) == 1 and done.stdout == "wrote b.urdf\n"
    assert done.stderr.startswith("lissom: warning: a.urdf: left out, because lissom keeps kinematics, inertias and shapes: ")
    assert done.stderr.endswith(": 1 <gazebo>, 1 <safety_controller>\n")
    assert lissom("convert", "b.urdf", "c.yaml").stderr == ""  # nothing more to lose


def test_convert_says_what_of_an_mjcf_it_leaves_out(lissom):
    pytest.importorskip("mujoco")
    Path("a.xml").write_text(
        "<mujoco><worldbody><light pos='0 0 3'/><body name='b'><joint name='j' axis='0 1 0'/><geom size='0.1'/>"
        "<site name='tip'/></body></worldbody></mujoco>"
    )
    done = lissom("convert", "a.xml", "b.yaml")
    assert done.exit_code == 0 and done.stderr.endswith("and shapes: 1 <light>, 1 <site>\n"), done.output
