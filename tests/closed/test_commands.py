"""The command line with mechanisms that have loops."""

import numpy as np
import pytest
import yaml
from typer.testing import CliRunner

from lissom.cli.app import app
from lissom.robots import five_bar_model
from lissom.write import save


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(*arguments, code=0):
        result = CliRunner().invoke(app, [str(x) for x in arguments])
        assert result.exit_code == code, result.output
        return result.stderr if code else result.output

    return call


def test_inspect_shows_loops_and_mobility(run):
    text = run("inspect", "robots:five_bar")
    assert "2 degrees of freedom" in text and "redundant" in text and "at home: left 2, right 1.14159" in text


def test_a_simulated_motion_needs_no_drive(run, tmp_path):
    text = run("simulate", "robots:four_bar", "--duration", "0.5", "--qd0", "2", "-o", "motion.csv", "--plot", "motion.png")
    assert "largest closure error" in text
    text = run("torque", "robots:four_bar", "motion.csv", "-o", "tau.csv", "--wrenches", "--plot", "tau.svg")
    assert (tmp_path / "tau_wrenches.svg").exists()
    table = np.genfromtxt(tmp_path / "tau.csv", delimiter=",", names=True)
    assert np.abs(table["tau_crank_joint"]).max() < 1e-9
    assert "fx_tip" in table.dtype.names


def test_forces_first_states_and_files_are_as_for_trees(run, tmp_path):
    """A motion is written, its drives are computed, and they make it again from the first state of the file."""
    from lissom.closed import ClosedTrajectory
    from lissom.robots import five_bar

    robot = five_bar()
    (tmp_path / "push.csv").write_text("t,tau_left,tau_right\n0,0.5,-0.5\n0.1,0.2,0\n0.3,-0.5,0.4\n")
    files = ["--torque", "push.csv", "-o", "first.csv", "--plot", "first.png"]
    text = run("simulate", "robots:five_bar", *files, "--sample", "0.0025")
    assert "five_bar: 0.3 s, 121 samples, finished" in text and "largest closure error" in text
    files = ["--state", "first.csv", "--torque", "first.csv", "--sample", "0.0025"]
    run("simulate", "robots:five_bar", *files, "-o", "again.npz")
    first, again = (ClosedTrajectory.load(tmp_path / name, robot) for name in ("first.csv", "again.npz"))
    assert np.abs(first.q - again.q).max() < 1e-6 and first.tau[0].tolist() == [0.5, -0.5]
    run("simulate", "robots:five_bar", *files, "-o", "held.npz", "--hold")
    assert np.abs(first.q - ClosedTrajectory.load(tmp_path / "held.npz", robot).q).max() > 1e-4
    run("simulate", "robots:five_bar", *files, "--method", "rk4", "--dt", "0.0025", "-o", "steps.npz")
    assert ClosedTrajectory.load(tmp_path / "steps.npz", robot).method == "rk4"


def test_a_motion_goes_on_on_its_own_branch(run, tmp_path):
    """The other assembly of the five-bar: torques and first states of a file are those of its tree, not of home's."""
    from lissom.closed import ClosedTrajectory
    from lissom.robots import five_bar

    robot = five_bar()
    other = robot.branches(robot.home())[1]
    motion = robot.simulate(None, [0.5, -0.5], 0.1, [0.3, 0.1], tree_q=other, sample=0.001)
    motion.save(tmp_path / "other.csv")
    assert "not used" not in run("torque", "robots:five_bar", "other.csv", "-o", "tau.csv")
    table = np.genfromtxt(tmp_path / "tau.csv", delimiter=",", names=True)
    assert np.abs(table["tau_left"] - 0.3).max() < 1e-9 and np.abs(table["tau_right"] - 0.1).max() < 1e-9
    run("simulate", "robots:five_bar", "--state", "other.csv", "--torque", "other.csv", "-o", "again.npz", "--sample", "0.001")
    again = ClosedTrajectory.load(tmp_path / "again.npz", robot)
    assert np.abs(again.tree_q - motion.tree_q).max() < 1e-9


def test_ctrl_c_writes_what_there_is_and_ends_with_130(run, tmp_path, monkeypatch):
    from lissom.closed import ClosedTrajectory
    from lissom.closed.fixed_steps import ClosedFixed
    from lissom.closed.run import ClosedAdaptive
    from lissom.robots import five_bar
    from lissom.simulate import Status

    for kind, name, options in ((ClosedAdaptive, "_go_on", []), (ClosedFixed, "_advance", ["--method", "rk4", "--dt", "0.01"])):
        usual = getattr(kind, name)

        def pressed(self, *arguments, usual=usual):
            if self.t > 0.2:
                raise KeyboardInterrupt
            return usual(self, *arguments)

        monkeypatch.setattr(kind, name, pressed)
        out = f"{name}.npz"
        result = CliRunner().invoke(app, ["simulate", "robots:five_bar", "--duration", "1", "--qd0", "1,1", "-o", out, *options])
        assert result.exit_code == 130 and f"wrote {out}" in result.output
        kept = ClosedTrajectory.load(tmp_path / out, five_bar())
        assert kept.status is Status.INTERRUPTED and kept.t[-1] > 0.2 and np.isfinite(kept.tree_qdd).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "semi_implicit"], "--method semi_implicit needs a step"),
        (["--method", "rk4", "--dt", "0.01", "--rtol", "1e-6"], "rtol and atol are the tolerances"),
        (["--dt", "0.1"], "dt is the step of the fixed-step methods"),
        (["--q0", "1"], "--q0 has 1 numbers, expected 2"),
        (["--q0", "1,1", "--state", "wrong.csv"], "the initial state is given twice"),
        (["--state", "wrong.csv"], "wrong.csv:1: column 'q_right' missing"),
        (["--torque", "wrong.csv"], "wrong.csv:1: column 'tau_right' missing"),
        (["--torque", "more.csv"], "more.csv:1: column 'tau_left_elbow' does not belong to a joint"),
        (["--hold"], "--hold applies to the lines"),
        (["-o", "out.txt"], "-o writes .csv, .npz, not '.txt'"),
        (["--plot", "out.docx"], "--plot writes .png, .svg, .pdf, not '.docx'"),
        (["--q0", "3.1,0"], "loop 'pin' stays open by 0.0999 m at best"),
    ],
)
def test_mistakes_end_with_one_line(run, tmp_path, arguments, message):
    (tmp_path / "wrong.csv").write_text("t,q_left,tau_left\n0,1,1\n1,1,1\n")
    (tmp_path / "more.csv").write_text("t,tau_left,tau_right,tau_left_elbow\n0,1,1,1\n1,1,1,1\n")
    out = [] if "-o" in arguments else ["-o", "out.csv"]
    text = run("simulate", "robots:five_bar", "--duration", "1", *out, *arguments, code=2)
    assert message in text and len(text.splitlines()) == 1 and not (tmp_path / "out.csv").exists()


def test_what_is_not_for_loops_says_so(run):
    assert "python -m benchmarks loops" in run("bench", "robots:four_bar", code=2)
    assert "did you mean 'four_bar'" in run("inspect", "robots:fourbar", code=2)


@pytest.mark.parametrize("option", [("--loops", "loops.yaml"), ("--base", "floating"), ("--no-mimic",)])
def test_options_of_files_are_refused_beside_built_in_robots(run, option):
    name = option[0].removeprefix("--").removeprefix("no-")
    assert f"the option '{name}' applies to files; 'robots:five_bar' is a built-in robot" in run(
        "inspect", "robots:five_bar", *option, code=2
    )


def test_drives_of_built_in_robots_can_be_chosen(run):
    assert "active: right, left" in run("inspect", "robots:five_bar", "--active", "right,left")


def test_loops_beside_a_urdf(run, tmp_path):
    model = five_bar_model()
    save(model, tmp_path / "bars.urdf", lossy=True)
    run("convert", "robots:five_bar", "bars.yaml")
    text = (tmp_path / "bars.yaml").read_text()
    whole = yaml.safe_load(text)
    companion = {"lissom": 1, "kind": "loops"} | {key: whole[key] for key in ("loops", "active", "posture") if key in whole}
    (tmp_path / "bars.loops.yaml").write_text(yaml.safe_dump(companion))
    assert "2 degrees of freedom" in run("inspect", "bars.urdf", "--loops", "bars.loops.yaml")
    run("convert", "bars.urdf", "again.yaml", "--loops", "bars.loops.yaml")
    assert "2 degrees of freedom" in run("inspect", "again.yaml")


@pytest.mark.slow
def test_a_floating_linkage_falls_and_its_motion_needs_no_force(run, tmp_path):
    save(five_bar_model(), tmp_path / "five.yaml")
    floating = ("--base", "floating")
    text = run("inspect", "five.yaml", *floating)
    assert "free: root_joint_vx" in text and "active: left, right" in text
    run("simulate", "five.yaml", *floating, "--duration", "0.05", "--sample", "0.01", "-o", "fall.csv")
    header = (tmp_path / "fall.csv").read_text().splitlines()[0].split(",")
    assert {"q_root_joint_qw", "q_left", "qd_root_joint_wx", "qdd_right", "tau_root_joint_vz"} <= set(header)
    run("torque", "five.yaml", "fall.csv", *floating, "-o", "tau.csv")
    lines = (tmp_path / "tau.csv").read_text().splitlines()
    base = [f"tau_root_joint_{x}" for x in ("vx", "vy", "vz", "wx", "wy", "wz")]
    assert lines[0].split(",")[1:] == [*base, "tau_left", "tau_right"]
    assert np.abs(np.loadtxt(lines[1:], delimiter=",")[:, 1:]).max() < 1e-9
