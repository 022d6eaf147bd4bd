import json
import re
import sys

import pytest
from typer.testing import CliRunner

import lissom
from lissom.cli import app
from lissom.control import builtin_scenarios
from lissom.loading.builtin import builtin_names
from lissom.predict import builtin_problems
from support.terminal import on_terminal


def run(*arguments, **environment):
    done = CliRunner().invoke(app, arguments, env=environment)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_robots_are_listed_with_their_degrees_of_freedom():
    rows = {row["name"]: row for row in json.loads(run("robots", "--json"))["robots"]}
    assert [*rows] == [f"robots:{name}" for name in builtin_names()]
    assert rows["robots:panda"]["degrees_of_freedom"] == 7 and rows["robots:gough_stewart"]["degrees_of_freedom"] == 6
    assert {name for name, row in rows.items() if row["closed"]} == {f"robots:{name}" for name in lissom.robots.CLOSED}
    table = run("robots").splitlines()
    assert len(table) == 2 + len(rows)
    assert all(
        f"{row['name']} " in line and row["description"] in line for line, row in zip(table[2:], rows.values(), strict=True)
    )


def test_each_robot_is_described_by_a_line_of_its_own():
    texts = [row["description"] for row in json.loads(run("robots", "--json"))["robots"]]
    assert len({*texts}) == len(texts) and all(20 < len(text) < 120 and not text.startswith("Return") for text in texts)


def test_problems_are_listed_with_their_degrees_of_freedom():
    rows = {row["name"]: row for row in json.loads(run("problems", "--json"))["problems"]}
    assert [*rows] == [*builtin_problems()]
    assert (rows["five_bar"]["degrees_of_freedom"], rows["panda"]["degrees_of_freedom"]) == (2, 7)
    assert run("problems") == run("predict", "--list")


def test_scenarios_are_listed_with_their_degrees_of_freedom():
    rows = {row["name"]: row for row in json.loads(run("scenarios", "--json"))["scenarios"]}
    assert [*rows] == [*builtin_scenarios()]
    assert (rows["five_bar"]["degrees_of_freedom"], rows["hua_arm"]["degrees_of_freedom"]) == (2, 4)
    table = run("scenarios").splitlines()
    assert all(row["title"] in line and row["name"] in line for line, row in zip(table[2:], rows.values(), strict=True))


@pytest.mark.parametrize("command", [None, "inspect", "predict", "robots", "completion"])
def test_h_is_help(command):
    words = [] if command is None else [command]
    assert run(*words, "-h") == run(*words, "--help") != ""


COLORS = re.compile(r"\x1b\[[0-9;]*[34][0-9]m")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_colors_are_for_terminals_that_want_them():
    assert COLORS.search(on_terminal(80, "robots", "-h"))
    assert not COLORS.search(on_terminal(80, "robots", "-h", NO_COLOR="1"))
    assert "\x1b" not in on_terminal(80, "robots", "-h", TERM="dumb")
    assert "\x1b[1m" in on_terminal(80, "robots")


def test_colors_are_not_for_files_unless_forced():
    assert "\x1b" not in run("robots")
    assert "\x1b[1m" in run("robots", FORCE_COLOR="1", TERM="xterm")


@pytest.mark.parametrize(
    "arguments", [["simulate", "robots:rr", "--duration", "0.1", "-o", "s.csv"], ["predict", "rr", "--no-refine", "-o", "p.npz"]]
)
def test_progress_is_not_for_files_even_if_colors_are(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, arguments, env={"FORCE_COLOR": "1", "TERM": "xterm"})
    assert (done.exit_code, done.stderr) == (0, "")
