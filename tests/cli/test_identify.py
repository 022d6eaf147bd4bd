"""`lissom excite` and `lissom identify`: from a robot to a motion, from measured torques to a robot."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom
from lissom.cli import app
from support.recorded import sines

NOISE = 0.02  # of the largest torque
ARM = lissom.robots.rr_model()
HEAVIER = ARM.replace(
    links=tuple(replace(x, inertia=replace(x.inertia, mass=1.1 * x.inertia.mass)) if x.inertia else x for x in ARM.links)
)


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, [str(x) for x in arguments])


def record(path, model=HEAVIER, seed=0, scale=1.0, **motion):
    t, q, qd, qdd = sines(2, **{"T": 5.0, "rate": 100.0, "harmonics": 5, **motion})
    tau = lissom.Robot(model, backend="numpy").inverse_dynamics(q, qd, qdd)
    rng = np.random.default_rng(seed)
    tau = scale * (tau + NOISE * np.abs(tau).max(axis=0) * rng.normal(size=tau.shape))
    names = [f"{kind}_joint_{k}" for kind in ("q", "tau") for k in (1, 2)]
    np.savetxt(path, np.column_stack([t, q, tau]), delimiter=",", header=",".join(["t", *names]), comments="")


def test_a_motion_is_found_and_written(run):
    done = run(
        "excite", "robots:rr", "--velocity", 3, "--duration", 4, "--harmonics", 3, "--starts", 1, "-o", "move.csv", "--rate", 50
    )
    assert done.exit_code == 0, done.stderr
    assert "9 base parameters, condition" in done.stdout and "joint_2" in done.stdout
    rows = np.genfromtxt("move.csv", delimiter=",", names=True)
    assert len(rows) == 201 and np.abs(rows["qd_joint_1"]).max() <= 3.0
    done = run("excite", "robots:rr", "-o", "move.csv")
    assert done.exit_code == 2 and "--velocity 2.0" in done.stderr


def test_splines_and_json(run):
    done = run("excite", "robots:rr", "--motion", "splines", "--control-points", 14, "--velocity", 3, "--duration", 4,
               "--starts", 1, "--start", "0.1,-0.5", "--estimate", "links", "-o", "move.csv", "--json")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["base_parameters"] == 4 and report["condition"] > 1 and report["written"] == ["move.csv"]
    first = Path("move.csv").read_text().splitlines()[1].split(",")
    assert [float(x) for x in first[1:3]] == pytest.approx([0.1, -0.5])


def test_a_robot_is_identified_and_loads(run):
    record("measured.csv")
    record("other.csv", seed=5)
    done = run("identify", "robots:rr", "measured.csv", "-o", "found.yaml", "--report", "page.html", "--validate", "other.csv")
    assert done.exit_code == 0, done.stderr
    assert "9 base parameters" in done.stdout and "other motion" in done.stdout and "doubtful" not in done.stdout
    assert "identified parameters" in Path("page.html").read_text()
    found, true, before = (lissom.Robot(m, backend="numpy") for m in (lissom.load("found.yaml").model, HEAVIER, ARM))
    _, q, qd, qdd = sines(2, seed=9)
    expected = true.inverse_dynamics(q, qd, qdd)
    left, was = (np.abs(r.inverse_dynamics(q, qd, qdd) - expected).max() for r in (found, before))
    assert left < 0.2 * was


def test_several_files_and_choices_and_json(run):
    record("one.csv")
    record("two.csv", seed=3)
    done = run("identify", "robots:rr", "one.csv", "two.csv", "--no-consistent", "--method", "robust", "--filter", "spline",
               "--cutoff", 8, "--known", "link_1.*", "--json")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["method"] == "robust" and report["cutoff"] == [8.0, 8.0] and report["consistent"] is False
    assert not any("link_1" in x["name"] for x in report["base_parameters"])
    assert report["payload"] is None and report["parameters"]["link_1.mass"] == pytest.approx(
        lissom.robots.rr().model.link("link_1").inertia.mass
    )


def test_a_payload_is_found(run):
    record("measured.csv", lissom.robots.rr().with_payload(0.7, (0.1, 0.0, 0.0), link="link_2").model)
    done = run("identify", "robots:rr", "measured.csv", "--payload", "link_2", "-o", "loaded.yaml", "--json")
    assert done.exit_code == 0, done.stderr
    body = json.loads(done.stdout)["payload"]
    assert body["link"] == "link_2" and body["com_m"][0] * body["mass_kg"] == pytest.approx(0.07, abs=0.03)
    assert len(lissom.load("loaded.yaml").model.links) >= 3


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        (lambda text: text.replace("tau_joint_2", "torque_joint_2"), [], "'tau_joint_2' missing.*'torque_joint_2'"),
        (lambda text: "\n".join(text.split("\n")[:100] + text.split("\n")[200:]), [], "samples are missing.*--split"),
        (lambda text: text.replace("\n2.0", "\nx2.0", 1), [], "not a number"),
        (str, ["--method", "wieghted"], "no method 'wieghted'.*'weighted'"),
        (str, ["--filter", "kalman"], "no method 'kalman'"),
        (str, ["--filter", "none"], "needs measured qd and qdd"),
        (str, ["--cutoff", "80"], "80 Hz, but samples come at 100 Hz"),
        (str, ["--estimate", "linsk"], "--estimate: no parameter is called 'linsk'"),
        (str, ["--known", "link_1.*", "--payload", "link_2"], "--known does not go with --payload"),
        (str, ["--payload", "base"], "does not move"),
        (str, ["-o", "x.yaml", "--no-consistent"], "leave out --no-consistent"),
        (str, ["-o", "x.txt"], "x.txt"),
        (str, ["--report", "x.txt"], "--report writes .html"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(run, change, arguments, message):
    import re

    record("measured.csv")
    Path("measured.csv").write_text(change(Path("measured.csv").read_text()))
    done = run("identify", "robots:rr", "measured.csv", *arguments)
    assert done.exit_code == 2
    assert re.search(message, " ".join(done.stderr.split())), done.stderr


def test_a_gap_may_begin_another_recording(run):
    record("measured.csv")
    lines = Path("measured.csv").read_text().split("\n")
    Path("measured.csv").write_text("\n".join(lines[:250] + lines[260:]))
    done = run("identify", "robots:rr", "measured.csv", "--split", "--no-consistent", "--json")
    assert done.exit_code == 0, done.stderr
    assert len(json.loads(done.stdout)["cutoff"]) == 2


def test_torques_of_the_wrong_sign_are_doubted(run):
    record("measured.csv", scale=-1.0)
    done = run("identify", "robots:rr", "measured.csv", "--no-consistent")
    assert "doubtful: torques of joint_1, joint_2 run against" in done.stdout
    record("measured.csv", scale=1000.0)
    done = run("identify", "robots:rr", "measured.csv", "--no-consistent")
    assert "times what the model predicts; check its unit" in done.stdout
