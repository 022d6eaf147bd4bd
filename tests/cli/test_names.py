"""Names on terminals: nothing in a file can steer the terminal, hide text or look like lines of a report."""

import io
import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.text import Text
from typer.testing import CliRunner

from lissom.cli import app
from lissom.cli.console import PipeConsole, make_table
from lissom.cli.text import one_line, printable
from lissom.errors import FileError
from lissom.nlp.solution import Iterate
from lissom.predict.search.progress import Line
from lissom.read.table import read_table
from lissom.robots import planar_two_link_model
from lissom.write import save

EVIL = "e\x1b]0;owned\x07\x9b31m\x7f\u202e\u2066\u200b\r\nlissom: wrote \tx"
SHOWN = "e\\x1b]0;owned\\x07\\x9b31m\\x7f\\u202e\\u2066\\u200b\\r\\nlissom: wrote \\tx"
QUOTED = json.dumps(EVIL)  # as YAML quotes it too


@pytest.fixture
def lissom(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "250")
    model = planar_two_link_model()
    link = model.links[-1].name

    def renamed(joint):
        child = EVIL if joint.child == link else joint.child
        return replace(joint, name=EVIL, child=child) if joint.name == "elbow" else replace(joint, child=child)

    links = tuple(replace(each, name=EVIL) if each.name == link else each for each in model.links)
    save(model.replace(name=EVIL, links=links, joints=tuple(map(renamed, model.joints))), "r.yaml")
    Path("m.csv").write_text("t,q0,q1,qd0,qd1,qdd0,qdd1\n0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n")
    Path("p.yaml").write_text(
        f"lissom: 1\nkind: motion\nname: {QUOTED}\nrobot: r.yaml\npath: {{control_points: 8}}\nduration: 1\n"
        "start: {position: [0, 0]}\nend: {position: [1, 1]}\nlimits:\n  - {quantity: torque, within: 1000}\nminimize: time\n"
    )

    def run(*arguments):
        return CliRunner().invoke(app, [str(a) for a in arguments])

    return run


def is_safe(text):
    return all(c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["inspect", "r.yaml"],
        ["torque", "r.yaml", "m.csv", "-o", "o.csv", "--wrenches", "--plot", "o.png"],
        ["simulate", "r.yaml", "--duration", "0.01", "-o", "s.csv", "--plot", "s.svg"],
        ["predict", "p.yaml", "-o", "p.csv", "--report", "p.html"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_reports_show_names_without_what_terminals_obey(lissom, arguments):
    done = lissom(*arguments)
    assert done.exit_code == 0, done.output
    assert SHOWN in done.stdout.replace("\n", "") and is_safe(done.stdout) and is_safe(done.stderr)
    assert not any(line.startswith("lissom: wrote") for line in done.stdout.splitlines())


def test_what_one_command_writes_another_reads(lissom):
    assert lissom("simulate", "r.yaml", "--duration", "0.01", "-o", "s.csv").exit_code == 0
    done = lissom("torque", "r.yaml", "s.csv", "-o", "t.csv")
    assert done.exit_code == 0 and is_safe(done.stderr), done.output
    done = lissom("simulate", "r.yaml", "--duration", "0.01", "--state", "s.csv", "--torque", "t.csv", "-o", "s.npz")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["inspect", f"{EVIL}.yaml"],
        ["inspect", f"robots:{EVIL}"],
        ["inspect", "r.yaml", f"--{EVIL}"],
        [EVIL],
        ["simulate", "r.yaml", "--duration", EVIL, "-o", "a.csv"],
        ["simulate", "r.yaml", "--duration", "1", "-o", EVIL],
        ["torque", "r.yaml", "extra.csv", "-o", "t.csv"],
        ["torque", "r.yaml", "lost.csv", "-o", "t.csv"],
        ["convert", "r.yaml", "r.urdf"],
    ],
)
def test_errors_and_warnings_show_words_without_what_terminals_obey(lissom, arguments):
    extra = Path("m.csv").read_text().replace("\n", ',"\x1b[31m\x9b"\n', 1).replace("0\n", "0,0\n")
    Path("extra.csv").write_text(extra, encoding="utf-8")
    Path("lost.csv").write_text("t,\x1b[31m\x9b\u202e\n0,0\n", encoding="utf-8")
    done = lissom(*arguments)
    assert is_safe(done.output) and is_safe(done.stderr) and done.stderr
    assert "Traceback" not in done.output and not isinstance(done.exception, UnicodeError)


def test_file_names_that_are_no_text_are_written_and_shown(lissom):
    name = b"\xff\x1b.csv".decode("utf-8", "surrogateescape")
    done = lissom("simulate", "r.yaml", "--duration", "0.01", "-o", name)
    assert done.exit_code == 0 and "wrote \\udcff\\x1b.csv\n" in done.stdout and Path(name).exists()


def test_colors_of_the_console_stay_and_those_of_names_do_not():
    console = PipeConsole(100)
    console.file, console._force_terminal, console._color_system = io.StringIO(), True, 1
    table = make_table("Title", "name")
    table.add_row(EVIL + "\ud800")
    console.print(table)
    console.print(Text.assemble((EVIL + "\ud800", "bold"), " rest"))
    text = console.file.getvalue()
    assert "\x1b[1m" in text and "\x1b]" not in text and SHOWN + "\\ud800" in text
    assert is_safe(text.replace("\x1b[1m", "").replace("\x1b[0m", ""))


def test_the_progress_line_is_safe():
    assert is_safe(Line(EVIL + "\ud800")(Iterate(1, 1.25, 3e-4)))


def test_safe_texts():
    assert printable("ä 漢 😀\nline") == "ä 漢 😀\nline" and one_line("a\nb") == "a\\nb"
    assert printable("\x00\x1b\x7f\x85\xad\u2028\udcff\U000e0041") == "\\x00\\x1b\\x7f\\x85\\xad\\u2028\\udcff\\U000e0041"


def test_a_name_that_npz_files_would_shorten_is_kept_exactly_or_refused(tmp_path):
    from lissom.cli.torque import write_torques

    tau = np.zeros((1, 1))
    write_torques(tmp_path / "a.csv", None, ("a\0",), tau, (), None)
    assert read_table(tmp_path / "a.csv").header == ["tau_a\0"]
    for names, joints in ((("a\0",), ("b",)), (("a",), ("b\0",))):
        with pytest.raises(FileError, match="ends in NUL, which .npz files drop"):
            write_torques(tmp_path / "a.npz", None, names, tau, joints, np.zeros((1, 1, 6)))
    assert not (tmp_path / "a.npz").exists()
