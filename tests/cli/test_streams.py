"""Standard streams that are closed, full, or read by nobody."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lissom.cli.exit_codes import BAD_INPUT, CLOSED_PIPE, NOT_WRITTEN

SOURCE = Path(__file__).parents[2] / "src"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams as POSIX has them")
SIMULATE = "lissom simulate robots:planar_two_link --duration 0.01 -o a.csv --plot a.png"


def shell(command, folder):
    command = command.replace("lissom ", f"{sys.executable} -m lissom ")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("arguments", ["inspect robots:rr", "--version", "convert robots:rr a.yaml"])
def test_a_closed_standard_output_is_an_error_and_no_traceback(tmp_path, arguments):
    done = shell(f"lissom {arguments} >&-", tmp_path)
    assert (done.returncode, done.stderr) == (NOT_WRITTEN, "lissom: standard output is closed\n")
    assert arguments[:3] != "con" or (tmp_path / "a.yaml").read_text().startswith("lissom: 1\n")


@pytest.mark.slow
def test_files_are_written_where_all_streams_are_closed(tmp_path):
    done = shell(f"{SIMULATE} <&- >&- 2>&-", tmp_path)
    assert done.returncode == NOT_WRITTEN  # of the report
    # nothing that is printed gets into a file that has the number of a standard stream
    assert (tmp_path / "a.csv").read_text().startswith("t,q_shoulder,") and "planar" not in (tmp_path / "a.csv").read_text()
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_an_output_to_a_stream_that_is_closed_is_refused_before_the_work(tmp_path):
    done = shell("lissom convert robots:rr /dev/stdout >&-", tmp_path)
    assert done.returncode == BAD_INPUT
    assert done.stderr == "lissom: /dev/stdout: cannot be written: this stream is closed, or open for reading only\n"


@pytest.mark.sweep("full")
@pytest.mark.parametrize("where", ["2>&-", "2>/dev/full"])
def test_the_exit_code_tells_what_standard_error_cannot(tmp_path, where):
    if "full" in where and not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    done = shell(f"lissom inspect robots:nobody {where}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (BAD_INPUT, "", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        "predict --list",
        "cache",
        "convert robots:rr a.yaml",
        "convert robots:rr /dev/stdout",
        "torque robots:rr m.csv -o a.csv",
        "simulate robots:rr --duration 0.01 -o a.csv --plot a.png",
        "predict rp -o a.npz",
        "inspect robots:five_bar",
    ],
)
def test_a_reader_that_leaves_ends_the_command_but_costs_no_file(tmp_path, arguments):
    (tmp_path / "m.csv").write_text("t,q0,q1,qd0,qd1,qdd0,qdd1\n0,0,0,0,0,0,0\n1,0,0,0,0,0,0\n")
    # the pipe has no reader by the time that anything is printed
    done = shell(f"(sleep 0.3; lissom {arguments}; echo $? >&2) | true", tmp_path)
    assert done.stderr == f"{CLOSED_PIPE}\n"
    asked = {word for word in arguments.split() if word.startswith("a.")}
    assert {path.name for path in tmp_path.iterdir()} == {"m.csv", *asked}
