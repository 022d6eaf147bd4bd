import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from lissom import Friction, Inertia, Motor, Spring, __version__
from lissom.bench import Pinocchio
from lissom.cli import app, demo
from lissom.cli.demo import rest_to_rest
from lissom.cli.exit_codes import NOT_WRITTEN
from lissom.errors import LissomError
from lissom.robots import planar_two_link_closed_form, planar_two_link_model, tree_model
from lissom.write import save

SOURCE = Path(__file__).parents[2] / "src"


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "150")

    def run(*arguments):
        return CliRunner().invoke(app, [str(a) for a in arguments])

    return run


@pytest.fixture
def swing(tmp_path):
    """A motion of the planar two-link arm in a CSV file, and what it needs."""
    t = np.linspace(0, 1, 201)
    q, qd, qdd = rest_to_rest(np.array([0.1, -0.4]), np.array([1.2, 0.9]), 1.0, t)
    header = "t," + ",".join(f"{p}_{j}" for p in ("q", "qd", "qdd") for j in ("shoulder", "elbow"))
    path = tmp_path / "swing.csv"
    np.savetxt(path, np.column_stack([t, q, qd, qdd]), fmt="%.17g", delimiter=",", header=header, comments="")
    return path, planar_two_link_closed_form(q, qd, qdd)


def read(path):
    with open(path) as file:
        header = file.readline().strip().split(",")
    return header, np.loadtxt(path, delimiter=",", skiprows=1)


def test_help_lists_every_command_without_loading_what_they_need():
    code = "import sys; sys.argv = ['lissom', '--help']\nfrom lissom.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print('loaded', [m for m in ('numpy', 'matplotlib', 'llvmlite', 'scipy') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True
    )
    assert all(command in done.stdout for command in ("inspect", "torque", "predict", "convert", "bench", "cache", "demo"))
    assert "matplotlib" not in done.stdout.rsplit("loaded", 1)[1]


def test_inspect_counts_shapes_and_meshes_that_were_not_found(lissom):
    visual = '<visual><geometry><mesh filename="a.stl"/></geometry></visual>'
    Path("drawn.urdf").write_text(f'<robot name="r"><link name="a">{visual}</link></robot>')
    assert "1 links, 0 joints (0 moving), 1 shape (1 mesh file not found), gravity" in lissom("inspect", "drawn.urdf").stdout


def test_inspect_tells_that_friction_in_the_file_is_left_out(lissom):
    assert "gives friction for 6 joints; it is left out" in lissom("inspect", "robots:puma560", "--no-friction").stdout
    assert "left out" not in lissom("inspect", "robots:puma560").stdout


@pytest.mark.slow
def test_bench_prints_a_table_with_pinocchio_beside_it(lissom, tmp_path, monkeypatch):
    monkeypatch.setattr("lissom.cli.bench.best_times", lambda calls, seconds=0: [max(call() is None, 1) for call in calls])
    assert lissom("convert", "robots:planar_two_link", tmp_path / "arm.urdf").exit_code == 0
    done = lissom("bench", tmp_path / "arm.urdf")
    assert done.exit_code == 0, done.output
    assert "Pinocchio" in done.stdout and "one call, out=" in done.stdout and "from the cache" in done.stdout
    assert "e-1" in done.stdout.split("largest difference to Pinocchio: ")[1]


def one_joint(kind, name="r", limit="", joint="j"):
    inertial = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    return (
        f'<robot name="{name}"><link name="a"/><link name="b">{inertial}</link><joint name="{joint}" type="{kind}">'
        f'<parent link="a"/><child link="b"/><axis xyz="0 0 1"/>{limit}</joint></robot>'
    )


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("revolute", "nothing to compare with, because Pinocchio refuses the file: "),
        ("spherical", "nothing to compare with, because Pinocchio refuses the file: "),
        ("planar", "nothing to compare with, because Pinocchio reads the file differently: its planar joints, such as 'j', have"),
        ("continuous", "largest difference to Pinocchio: "),
        ("floating", "largest difference to Pinocchio: "),
    ],
)
def test_bench_goes_on_where_pinocchio_reads_no_such_robot(lissom, monkeypatch, kind, reason):
    monkeypatch.setattr("lissom.cli.bench.best_times", lambda calls, seconds=0: [max(call() is None, 1) for call in calls])
    monkeypatch.setattr("lissom.cli.bench.compile_seconds", lambda opening: (1.0, 0.1))
    Path("r.urdf").write_text(one_joint(kind))
    done = lissom("bench", "r.urdf")
    assert done.exit_code == 0, done.output
    assert "one call, out=" in done.stdout and reason in done.stdout


def test_bench_of_a_robot_that_cannot_move_is_a_clear_error(lissom):
    Path("r.urdf").write_text(one_joint("fixed"))
    done = lissom("bench", "r.urdf")
    assert done.exit_code == 2 and "robot 'r' has no moving joints" in done.stderr


def test_bench_tells_in_what_pinocchio_differs():
    model = planar_two_link_model()
    peer = Pinocchio.__new__(Pinocchio)
    peer.robot = SimpleNamespace(model=model, nv=2)
    for names, nv, text in [
        (["shoulder", "elbow"], 2, ""),
        (["elbow", "shoulder"], 2, "its joints are 'elbow', 'shoulder', and lissom's 'shoulder', 'elbow'"),
        (["shoulder", "elbow"], 3, "it has 3 velocities, and lissom 2"),
    ]:
        peer.model = SimpleNamespace(names=["universe", *names], nv=nv)
        assert peer.difference() == text


LIMIT = '<limit lower="-1" upper="1" velocity="1" effort="1"/>'


def test_names_are_printed_as_they_are(lissom):
    name, joint = "[red]x[/red]", "[/] :smile: \\"
    Path("r.urdf").write_text(one_joint("revolute", name, LIMIT, joint))
    Path("m.csv").write_text("t,q0,qd0,qdd0\n0,0,0,0\n1,0,0,0\n")
    for arguments in (
        ["inspect", "r.urdf"],
        ["torque", "r.urdf", "m.csv", "-o", "o.csv", "--plot", "o.png", "--wrenches"],
        ["simulate", "r.urdf", "--duration", "0.1", "-o", "s.csv", "--plot", "s.png"],
    ):
        done = lissom(*arguments)
        assert done.exit_code == 0, done.output
        assert name in done.stdout and joint in done.stdout


def test_a_robot_that_cannot_move_has_results_and_plots(lissom):
    Path("r.urdf").write_text(one_joint("fixed"))
    Path("m.csv").write_text("t\n0\n1\n")
    done = lissom("torque", "r.urdf", "m.csv", "-o", "o.csv", "--plot", "o.png", "--wrenches")
    assert done.exit_code == 0, done.output
    assert Path("o.csv").read_text().splitlines() == ["t", "0", "1"] and Path("o_wrenches.png").exists()


@pytest.mark.slow
def test_inspect_leaves_out_what_is_quadratic_in_many_velocities_and_cuts_deep_trees(lissom, monkeypatch):
    monkeypatch.setattr("lissom.cli.costs.MOST", 20)
    save(tree_model(22, branching=1.0, kinds=["revolute"]), "chain.yaml")
    done = lissom("inspect", "chain.yaml")
    assert done.exit_code == 0, done.output
    assert (
        "not counted, because the cost grows with the square of the " in done.stdout and "velocities: mass_matrix" in done.stdout
    )
    lines = done.stdout.split("\nTree\n")[1].split("\n\n")[0].splitlines()
    indentation = [len(line) - len(line.lstrip("│├└─ |+`-")) for line in lines]
    assert max(indentation) == 80 and indentation[-1] == 80
    assert ", on " in lines[-1] and ", on " not in lines[5]


@pytest.mark.slow
def test_inspect_leaves_out_forward_dynamics_too_where_joints_are_coupled(lissom, monkeypatch):
    monkeypatch.setattr("lissom.cli.costs.MOST", 10)
    save(tree_model(14, kinds=["revolute"], coupled=0.2), "coupled.yaml")
    assert "velocities: forward_dynamics, mass_matrix" in lissom("inspect", "coupled.yaml").stdout


def test_inspect_shows_joints_tree_doubts_and_costs(lissom):
    done = lissom("inspect", "robots:puma560")
    assert done.exit_code == 0, done.output
    assert "puma560: nq = 6, nv = 6, 36.45 kg" in done.stdout
    assert "revolute" in done.stdout and "-2.793 .. 2.793" in done.stdout
    assert "link 'link_3': principal moments violate the triangle inequality" in done.stdout
    assert all(name in done.stdout for name in ("inverse_dynamics", "gravity_torques", "bias_torques", "joint_wrenches"))
    assert done.stderr == ""


def test_inspect_shows_springs_where_there_are_any(lissom, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    model = planar_two_link_model()
    elastic = replace(model.joint("elbow"), spring=Spring(80.0, rest=0.25, damping=1.5))
    save(model.with_joints(lambda joint: elastic if joint.name == "elbow" else joint), "soft.yaml")
    done = lissom("inspect", "soft.yaml")
    assert done.exit_code == 0, done.output
    assert "80 from 0.25 + 1.5" in done.stdout and "spring stiffness from rest + damping" in done.stdout
    assert "spring" not in lissom("inspect", "robots:planar_two_link").stdout


def test_inspect_shows_motors_where_there_are_any(lissom, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    model = planar_two_link_model()
    disc = Inertia(0.5, (0, 0, 0), ((1e-3, 0, 0), (0, 1e-3, 0), (0, 0, 2e-3)))
    base, friction = model.base, Friction(1e-4, 2e-3)
    rigid = Motor("m1", "shoulder", base, 20.0, disc, friction=friction, rotor="reflected")
    soft = Motor("m2", "elbow", base, -50.0, disc, spring=Spring(300.0, 0.25, 1.5))
    save(model.replace(motors=(rigid, soft)), "driven.yaml")
    done = lissom("inspect", "driven.yaml")
    assert done.exit_code == 0, done.output
    own = sum(link.inertia.mass for link in model.links if link.inertia is not None)
    assert f"nq = 3, nv = 3, {own + 1.0:.6g} kg" in done.stdout and ", 2 motors, gravity" in done.stdout
    rows = {words[0]: words for words in (line.split() for line in done.stdout.splitlines()) if words}
    assert rows["m1"][1:9] == ["shoulder", base, "20", "0.5", "0.002", "0.8", "reflected", "rigid"]
    assert rows["m1"][9:] == ["0.0001", "+", "0.002"]
    assert rows["m2"][1:8] == ["elbow", base, "-50", "0.5", "0.002", "5", "full"]
    assert rows["m2"][8:] == ["elastic", "300", "from", "0.25", "+", "1.5", "2"]  # the last is the place of its coordinate
    assert "gives friction for 1 motors; it is left out" in lissom("inspect", "driven.yaml", "--no-friction").stdout
    assert "Motors" not in lissom("inspect", "robots:planar_two_link").stdout


def test_inspect_without_friction_shows_none(lissom):
    assert "5.802 + 25.98" in lissom("inspect", "robots:puma560", "--friction").stdout
    assert "5.802" not in lissom("inspect", "robots:puma560", "--no-friction").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inspect", "robots:stanfort"], "no built-in robot 'stanfort'; did you mean 'stanford'?"),
        (
            ["inspect", "robots:stanford", "--base", "floating"],
            "the option 'base' applies to files; 'robots:stanford' is a built-in robot",
        ),
        (["inspect", "robots:puma560", "--strict"], "link 'link_3': principal moments violate"),
        (["inspect", "nowhere.urdf"], "nowhere.urdf"),
        (["torque", "robots:rr", "nowhere.csv", "-o", "out.csv"], "nowhere.csv: cannot be read"),
    ],
)
def test_mistakes_end_with_one_line_and_status_two(lissom, arguments, message):
    done = lissom(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_debugging_shows_where_an_error_came_from(lissom, monkeypatch):
    monkeypatch.setenv("LISSOM_DEBUG", "1")
    assert isinstance(lissom("inspect", "robots:nobody").exception, LissomError)


def test_torque_writes_the_forces_of_a_motion(lissom, swing):
    path, expected = swing
    done = lissom("torque", "robots:planar_two_link", path, "-o", "forces.csv")
    assert done.exit_code == 0, done.output
    header, table = read("forces.csv")
    assert header == ["t", "tau_shoulder", "tau_elbow"]
    assert np.allclose(table[:, 1:], expected, rtol=1e-12, atol=1e-12)
    assert "shoulder" in done.stdout and "wrote forces.csv" in done.stdout


def test_torque_adds_wrenches_and_plots(lissom, swing):
    done = lissom("torque", "robots:planar_two_link", swing[0], "-o", "forces.csv", "--wrenches", "--plot", "forces.png")
    assert done.exit_code == 0, done.output
    header, table = read("forces.csv")
    assert header[3:] == [f"{part}_{joint}" for joint in ("shoulder", "elbow") for part in ("fx", "fy", "fz", "mx", "my", "mz")]
    # the moment about the axis (-y) is the torque
    assert np.allclose(-table[:, header.index("my_shoulder")], table[:, 1], rtol=1e-12, atol=1e-12)
    assert Path("forces.png").exists() and Path("forces_wrenches.png").exists()


def test_torque_differentiates_when_asked(lissom, swing):
    header, table = read(swing[0])
    np.savetxt("positions.csv", table[:, :3], delimiter=",", header=",".join(header[:3]), comments="", fmt="%.17g")
    refused = lissom("torque", "robots:planar_two_link", "positions.csv", "-o", "forces.csv")
    assert refused.exit_code == 2 and "--differentiate" in refused.stderr
    assert lissom("torque", "robots:planar_two_link", "positions.csv", "-o", "forces.csv", "--differentiate").exit_code == 0
    # splines know least at their ends: half a percent of the largest torque there
    assert np.abs(read("forces.csv")[1][:, 1:] - swing[1]).max() < 0.005 * np.abs(swing[1]).max()


def test_torque_never_overwrites_its_input(lissom, swing):
    before = swing[0].read_bytes()
    done = lissom("torque", "robots:planar_two_link", swing[0], "-o", swing[0])
    assert done.exit_code == 2 and "would overwrite the input" in done.stderr
    assert swing[0].read_bytes() == before


def test_torque_refuses_to_draw_over_what_it_wrote(lissom, swing):
    done = lissom("torque", "robots:planar_two_link", swing[0], "-o", "x.png", "--plot", "x.png")
    assert done.exit_code == 2 and "x.png: is named for two outputs" in done.stderr
    assert not Path("x.png").exists()


@pytest.mark.parametrize("out", [".", "/", ""])
def test_a_folder_as_output_is_a_clear_error(lissom, swing, out):
    done = lissom("torque", "robots:planar_two_link", swing[0], "-o", out)
    assert done.exit_code == 2 and "is a folder; give the name of a file to write" in done.stderr


def test_the_help_shows_flags_without_a_value(lissom):
    for arguments in (["-h"], ["inspect", "-h"], ["view", "-h"]):
        done = lissom(*arguments)
        assert done.exit_code == 0 and "bool" not in done.stdout.lower() and "--help" in done.stdout


def test_a_lossy_conversion_lists_what_it_leaves_out(lissom):
    done = lissom("convert", "robots:puma560", "puma.urdf", "--lossy")
    assert done.exit_code == 0 and done.stdout == "wrote puma.urdf\n"
    assert "puma.urdf: URDF cannot express, so left out or changed: rotor inertia of joint 'joint_1'; " in done.stderr
    report = json.loads(lissom("convert", "robots:puma560", "puma.urdf", "--lossy", "--json").stdout)
    assert report["dropped"] == [f"rotor inertia of joint 'joint_{k}'" for k in range(1, 7)]
    assert lissom("convert", "robots:puma560", "puma.yaml", "--lossy").stderr == ""


def test_convert_writes_what_reads_back_as_the_same_robot(lissom):
    done = lissom("convert", "robots:stanford", "stanford.yaml")
    assert done.exit_code == 0, done.output
    assert "stanford: nq = 6, nv = 6, 20.77 kg" in lissom("inspect", "stanford.yaml").stdout


@pytest.mark.slow
def test_demo_prints_a_table_and_writes_files(lissom):
    done = lissom("demo", "--out", "results")
    assert done.exit_code == 0, done.output
    assert all(text in done.stdout for text in ("joint_6", "RR arm, minimum time, solved", "Panda, minimum time, solved"))
    written = {"stanford.csv", "stanford.png", "stanford_wrenches.png", "rr.html", "rr.gif", "panda.html", "panda.gif"}
    assert {p.name for p in Path("results").iterdir()} == written
    assert "the report results/panda.html" in done.stdout.replace(os.sep, "/")
    header, table = read("results/stanford.csv")
    assert len(header) == table.shape[1] == 1 + 6 + 36


@pytest.mark.slow
def test_demo_has_a_report_for_programs(lissom):
    done = lissom("demo", "--json")
    report = json.loads(done.stdout)
    assert done.exit_code == 0 and len(report["written"]) == 7 and all(Path(name).exists() for name in report["written"])
    _, table = read("out/stanford.csv")
    assert [row["largest"] for row in report["given"]["torques"]] == pytest.approx(np.abs(table[:, 1:7]).max(axis=0), rel=1e-12)
    assert [p["problem"] for p in report["predictions"]] == ["RR arm, minimum time", "Panda, minimum time"]
    page = (Path(__file__).parents[2] / "docs/usage/cli-json.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `demo`"))
    assert all(f"`{key}`" in row for key in [*report, *report["given"], *report["given"]["torques"][0]])


@pytest.mark.skipif(sys.platform == "win32", reason="permissions as POSIX has them")
def test_cache_says_when_its_folder_is_open_to_others(lissom, tmp_path, monkeypatch):
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir(mode=0o700)
    assert "not used" not in lissom("cache").stdout
    (tmp_path / "cache").chmod(0o777)
    assert "not used, because it is not a private folder of yours" in lissom("cache").stdout
    (tmp_path / "file").touch(mode=0o600)
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "file"))
    assert "not used, because it is not a private folder" in lissom("cache").stdout


def test_version_is_told(lissom):
    assert lissom("--version").stdout == f"lissom {__version__}\n"


def test_errors_of_the_system_end_with_one_line_and_an_exit_code(lissom, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(demo, "run_demo", full)
    done = lissom("demo")
    assert (done.exit_code, done.stderr) == (NOT_WRITTEN, "lissom: No space left on device\n")


def shell(command, **environment):
    command = command.replace("lissom", f"{sys.executable} -m lissom")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), **environment}
    return subprocess.run(command, shell=True, env=environment, capture_output=True, text=True)


def test_letters_that_the_terminal_lacks_are_escaped(tmp_path):
    (tmp_path / "r.urdf").write_text(one_joint("revolute", "kärnan", LIMIT), encoding="utf-8")
    done = shell(f"lissom inspect {tmp_path}/r.urdf", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and done.stdout.startswith("k\\xe4rnan: nq = 1")


@pytest.mark.sweep(1)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("arguments", ["--help", "--version", "inspect robots:rr", "cache"])
def test_a_full_disk_behind_standard_output_is_told(arguments):
    done = shell(f"lissom {arguments} > /dev/full")
    assert done.returncode == NOT_WRITTEN
    assert done.stderr.startswith("lissom: ") and done.stderr.endswith("No space left on device\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.sweep(1)
@pytest.mark.skipif(sys.platform == "win32", reason="pipes as POSIX has them")
@pytest.mark.parametrize("arguments", ["--help", "--version", "inspect robots:rr"])
def test_a_closed_pipe_ends_with_status_141(arguments):
    done = shell(f"(sleep 0.2; lissom {arguments}; echo $? >&2) | true")
    assert done.stderr == "141\n"


def test_cache_says_where_and_how_much(lissom, tmp_path, monkeypatch):
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    assert lissom("cache", "--path").stdout.strip() == str(tmp_path / "cache")
    assert "0 compiled programs" in lissom("cache").stdout
    assert "deleted 0 compiled programs" in lissom("cache", "--clear").stdout


def test_motion_rests_at_both_ends_up_to_the_jerk():
    h = 1e-3
    t = np.array([0.0, h, 2.0 - h, 2.0])
    q, qd, qdd = rest_to_rest(np.zeros(1), np.ones(1), 2.0, t)
    assert np.allclose(q[[0, 3], 0], [0, 1])
    assert np.allclose([*qd[[0, 3], 0], *qdd[[0, 3], 0]], 0, atol=1e-12)
    assert np.all(np.abs(qdd[[1, 2], 0]) < 200 * h**2)  # grows with t^2: its slope, the jerk, is zero


def test_interrupting_ends_with_status_130(lissom, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "run_demo", interrupted)
    assert lissom("demo").exit_code == 130


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m lissom inspect robots:puma560 | head -n 1"
    done = subprocess.run(command, shell=True, env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert "puma560" in done.stdout
    assert "Traceback" not in done.stderr and "BrokenPipe" not in done.stderr


def test_cache_clears_and_prints_its_path_at_once(lissom, tmp_path, monkeypatch):
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir(mode=0o700)
    entry = tmp_path / "cache" / (64 * "a" + ".code")
    entry.write_bytes(b"x")
    assert lissom("cache", "--path").stdout == f"{tmp_path / 'cache'}\n" and entry.exists()
    done = lissom("cache", "--clear", "--path")
    assert done.stdout.splitlines() == [f"deleted 1 compiled program from {tmp_path / 'cache'}", str(tmp_path / "cache")]
    assert not entry.exists()


def test_bench_without_a_compiler_times_numpy(lissom, monkeypatch):
    from lissom import bench
    from lissom.cli import bench as report
    from lissom.compiler import jit
    from lissom.errors import CompilerError

    def none():
        raise CompilerError("llvmlite does not work here (not installed)")

    monkeypatch.setattr(jit, "_llvm", none)
    monkeypatch.setattr(report, "best_times", lambda calls: bench.best_times(calls, 0.01))
    monkeypatch.setattr(report, "LARGE", 5000)
    done = lissom("bench", "robots:rr")
    assert done.exit_code == 0, done.output
    assert "no compiler is available: these are the times of NumPy" in done.stdout
