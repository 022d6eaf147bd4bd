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
    assert "loops stay closed within" in text
    text = run("torque", "robots:four_bar", "motion.csv", "-o", "tau.csv", "--wrenches", "--plot", "tau.svg")
    assert (tmp_path / "tau_wrenches.svg").exists()
    table = np.genfromtxt(tmp_path / "tau.csv", delimiter=",", names=True)
    assert np.abs(table["tau_crank_joint"]).max() < 1e-9
    assert "fx_tip" in table.dtype.names


def test_what_is_not_for_loops_says_so(run):
    assert "--torque is for trees" in run(
        "simulate", "robots:four_bar", "--duration", "1", "-o", "x.csv", "--torque", "t.csv", code=2
    )
    assert "python -m benchmarks loops" in run("bench", "robots:four_bar", code=2)
    assert "written as .csv" in run("simulate", "robots:four_bar", "--duration", "1", "-o", "x.npz", code=2)
    assert "did you mean 'four_bar'" in run("inspect", "robots:fourbar", code=2)


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
    assert "--loops is for files" in run("inspect", "robots:five_bar", "--loops", "bars.loops.yaml", code=2)
