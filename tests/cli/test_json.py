"""--json: one valid object on standard output, with the numbers that the tables round, and the keys that the page lists."""

import json
import math
import re
from enum import Enum
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import lissom
from lissom.cli import app
from lissom.cli.json_output import plain, print_json

PAGE = (Path(__file__).parents[2] / "docs/usage/cli-json.md").read_text(encoding="utf-8")


def strict(text):
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments, code=0):
        done = CliRunner().invoke(app, [*map(str, arguments), "--json"])
        assert done.exit_code == code, done.output
        return strict(done.stdout)

    return run


def keys(value):
    if isinstance(value, dict):
        return set(value) | {key for part in value.values() for key in keys(part)}
    return {key for part in value for key in keys(part)} if isinstance(value, list) else set()


def documented(heading):
    part = PAGE.split(f"\n## {heading}")[1].split("\n## ")[0]
    return set(re.findall(r"`(\w+)`", part))


@pytest.mark.parametrize("robot", ["robots:hua_arm", "robots:five_bar", "robots:puma560"])
def test_a_robot_is_described_in_full(run, robot):
    report = run("inspect", robot)
    model = lissom.load(robot).model
    assert [joint["name"] for joint in report["joints"]] == [joint.name for joint in model.joints]
    assert report["links"][1]["inertia_kg_m2"] == np.array(model.links[1].inertia.tensor).tolist()
    names = {*report["operations"]} | {*(report.get("home") or {})}
    assert keys(report) - names <= documented("inspect")


def test_limits_that_do_not_exist_are_null(run):
    joint = run("inspect", "robots:rr")["joints"][0]
    assert (joint["lower"], joint["upper"], joint["velocity"], joint["effort"], joint["unit"]) == (None, None, None, 10.0, "rad")


def test_a_motion_and_its_torques_have_all_digits(run):
    motion = run("simulate", "robots:rr", "--duration", "0.2", "--qd0", "1,2", "-o", "s.npz")
    saved = lissom.Trajectory.load("s.npz", lissom.robots.rr())
    assert [x["end"] for x in motion["coordinates"]] == saved.q[-1].tolist()
    assert [x["largest"] for x in motion["velocities"]] == np.abs(saved.qd).max(axis=0).tolist()
    assert (motion["status"], motion["samples"], motion["written"]) == ("finished", len(saved), ["s.npz"])
    saved.save("s.csv")
    torque = run("torque", "robots:rr", "s.csv", "-o", "t.csv")
    table = np.genfromtxt("t.csv", delimiter=",", names=True)
    first = torque["torques"][0]
    k = int(np.abs(table["tau_joint_1"]).argmax())
    assert (first["largest"], first["sample"]) == (abs(table["tau_joint_1"][k]), k)
    assert keys(motion) <= documented("simulate") and keys(torque) <= documented("torque")


def test_limits_that_a_motion_passes_are_listed(run):
    q0 = "0,0,0,-1.5,0,1.8,0"
    motion = run("simulate", "robots:panda", "--duration", "0.01", "--q0", q0, "--qd0", "0,0,0,0,0,0,9", "-o", "s.npz")
    speeds = [x for x in motion["limits_passed"] if x["limit"] == "speed limit"]
    found = {x["name"]: x for x in speeds}["joint_7"]
    assert found["value"] > found["bound"] == 2.61 and found["unit"] == "rad/s" and found["share"] == pytest.approx(1)
    quiet = run("simulate", "robots:panda", "--duration", "0.001", "--q0", q0, "-o", "quiet.npz")
    assert quiet["limits_passed"] == [] and keys(motion) <= documented("simulate")


def test_a_closed_robot_and_a_scenario_have_their_own_keys(run):
    closed = run("simulate", "robots:five_bar", "--duration", "0.02", "-o", "s.csv")
    scenario = run("simulate", "hua_arm", "--duration", "0.05")
    assert closed["largest_closure_error_m"] < 1e-12 and scenario["tracking"][2]["largest_deflection"] > 0
    assert scenario["written"] == [] and keys(closed) | keys(scenario) <= documented("simulate")


def test_a_prediction_says_how_it_ended(run):
    report = run("predict", "rr", "--no-refine", "-o", "rr.npz")
    assert report["success"] is True and report["duration_s"] == pytest.approx(0.3919, abs=2e-3)
    assert keys(report) <= documented("predict") and report["written"] == ["rr.npz"]


def test_a_motion_that_fails_has_a_report_and_its_exit_code(run):
    Path("impossible.yaml").write_text(
        "lissom: 1\nkind: motion\nname: x\nrobot: robots:rr\npath: {control_points: 8}\nduration: 0.01\n"
        "start: {position: [0, 0]}\nend: {position: [1, 1]}\nlimits:\n  - {quantity: torque, within: 0.1}\nminimize: time\n"
    )
    done = CliRunner().invoke(app, ["predict", "impossible.yaml", "--json"])
    report = strict(done.stdout)
    assert done.exit_code >= 20 and report["success"] is False and report["status"] != "solved"
    assert "lissom: " in done.stderr


def test_the_other_commands_have_the_keys_of_the_page(run, tmp_path, monkeypatch):
    known = documented("convert, robots, problems, scenarios, bench, cache, demo")
    assert keys(run("convert", "robots:rr", "rr.yaml")) <= known
    assert keys(run("robots")) | keys(run("problems")) | keys(run("scenarios")) <= known
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    report = run("cache", "--clear")
    assert (report["folder"], report["programs"], report["used"]) == (str(tmp_path / "cache"), 0, True)
    assert keys(report) <= known


def test_bench_has_times_in_seconds(run, monkeypatch):
    from lissom import bench
    from lissom.cli import bench as command

    monkeypatch.setattr(command, "best_times", lambda calls: bench.best_times(calls, 0.002))
    monkeypatch.setattr(command, "LARGE", 5000)
    monkeypatch.setattr(command, "compile_seconds", lambda opening: (0.5, 0.1))
    report = run("bench", "robots:rr")
    assert all(0 < row["lissom_s"] < 1e-2 and row["pinocchio_s"] is None for row in report["times"])
    assert report["operations"]["multiplications"] == 14 and report["compile_s"] == 0.5


def test_errors_leave_standard_output_empty():
    done = CliRunner().invoke(app, ["inspect", "robots:nobody", "--json"])
    assert (done.exit_code, done.stdout) == (2, "") and "no built-in robot" in done.stderr


def test_a_table_on_standard_output_sends_the_report_to_standard_error(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("m.csv").write_text("q0,q1,qd0,qd1,qdd0,qdd1\n0,0,0,0,0,0\n")
    with pytest.raises(SystemExit) as end:
        app(["torque", "robots:rr", "m.csv", "-o", "/dev/stdout", "--json"])
    shown = capfd.readouterr()
    assert not end.value.code and shown.out.startswith("tau_joint_1,") and strict(shown.err)["samples"] == 1


class Kind(Enum):
    A = "a"


def test_values_become_plain():
    mixed = {
        "x": np.float64("nan"),
        "y": [math.inf, -math.inf, np.int64(3), np.bool_(True)],
        "k": Kind.A,
        "p": Path("a"),
        1: None,
    }
    assert plain(mixed) == {"x": None, "y": [None, None, 3, True], "k": "a", "p": "a", "1": None}
    assert plain(np.eye(2)) == [[1.0, 0.0], [0.0, 1.0]]
    with pytest.raises(TypeError, match="object has no form in JSON"):
        plain(object())


@given(st.dictionaries(st.text(), st.text() | st.floats() | st.lists(st.floats(width=32))))
def test_any_names_and_numbers_are_valid_ascii_json(report):
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as out:
        print_json(report)
    text = out.getvalue()
    assert text.isascii() and all(c == "\n" or c.isprintable() for c in text)
    assert strict(text) == plain(report)
    assert [x for x in strict(text).values() if isinstance(x, float)] == [
        x for x in report.values() if isinstance(x, float) and math.isfinite(x)
    ]
