"""The compose file and the scripts for job queues in the documents: their commands exist, and the scripts run a study."""

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytest.importorskip("distributed")
from distributed.cli import dask_scheduler, dask_worker  # noqa: E402
from typer.main import get_command  # noqa: E402

from lissom.cli.app import app  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs/usage/studies.md"
SOURCE = Path(__file__).parents[2] / "src"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
STUDY = """lissom: 1
kind: study
name: small
base: {torque: {robot: robots:rr, motion: samples.csv, speed: 1}}
parameters:
  speed: {grid: [0.5, 2, 6], into: speed}
responses: [{peak: torque}]
"""


def block(begin):
    (found,) = [text for _, text in BLOCKS if text.startswith(begin)]
    return found


COMPOSE, SLURM = block("# compose.yaml"), block("#!/bin/bash")


def parse(words):
    """Parse a command of `dask` or `lissom` as its program does; a wrong option raises an exception."""
    program, name, *rest = words
    if program == "dask":
        {"scheduler": dask_scheduler, "worker": dask_worker}[name].main.make_context(name, rest)
    else:
        assert program == "lissom"
        get_command(app).commands[name].make_context(name, rest)


def test_a_wrong_option_is_noticed():
    with pytest.raises(Exception, match="(?i)no such option.*--portt"):
        parse(["dask", "scheduler", "--portt", "1"])
    with pytest.raises(Exception, match="(?i)no such option.*--livee"):
        parse(["lissom", "study", "study.yaml", "-o", "out", "--livee"])


def test_services_of_the_compose_file_have_commands_that_exist():
    services = yaml.safe_load(COMPOSE)["services"]
    assert set(services) == {"scheduler", "worker"}
    for service in services.values():
        assert set(service) <= {"image", "command", "ports", "depends_on"}
        parse(shlex.split(service["command"]))
        assert set(service.get("depends_on", ())) <= set(services)
    port = shlex.split(services["scheduler"]["command"])[-1]
    assert services["scheduler"]["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert f"tcp://scheduler:{port}" in services["worker"]["command"]


def commands(script):
    """Return the commands of a script that Dask and lissom have, without what the shell does."""
    joined = script.replace("\\\n", " ")
    joined = re.sub(r'"\$\(.*?\)"', "tcp://host:8786", joined)
    lines = (line.removeprefix("srun ").removesuffix("&") for line in joined.splitlines())
    return [words for words in (shlex.split(line, comments=True) for line in lines) if words and words[0] in ("dask", "lissom")]


def test_commands_of_all_shell_blocks_exist():
    found = [words for kind, text in BLOCKS if kind == "sh" for words in commands(text)]
    assert [words[:2] for words in found].count(["lissom", "study"]) >= 2 and ["dask", "worker"] in [words[:2] for words in found]
    for words in found:
        parse(words)


def test_the_slurm_script_is_one():
    if shutil.which("bash"):
        assert subprocess.run(["bash", "-n"], input=SLURM, text=True, capture_output=True).stderr == ""
    (options,) = re.findall(r"^#SBATCH (.*)$", SLURM, re.MULTILINE)
    assert all(re.fullmatch(r"--(nodes|ntasks-per-node|time)=[\d:]+", word) for word in options.split())


@pytest.fixture
def shell(tmp_path):
    """Return the environment of a folder with a study, and commands as Slurm has them that run here at once."""
    commands = tmp_path / "commands"
    commands.mkdir()
    scripts = {
        "srun": 'exec "$@"',
        "dask": f'exec {sys.executable} -m dask "$@"',
        "lissom": f'exec {sys.executable} -m lissom "$@"',
        "python": f'exec {sys.executable} "$@"',
        "sbatch": 'sh "$1" > job.log 2>&1 & echo $! >> jobs; echo "Submitted batch job $!"',
        "scancel": 'kill "$@" 2>/dev/null; true',
    }
    for name, text in scripts.items():
        (commands / name).write_text(f"#!/bin/sh\n{text}\n")
        (commands / name).chmod(0o755)
    (tmp_path / "study.yaml").write_text(STUDY)
    (tmp_path / "samples.csv").write_text("t,q_joint_1,q_joint_2\n" + "".join(f"{k},0,{0.1 * k * k}\n" for k in range(6)))
    path = os.pathsep.join((str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])))
    return {**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": path}


def run(words, folder, env, limit=300):
    """Return what a command says; all that it started ends with it."""
    said = folder / "said.txt"
    with open(said, "w") as file:
        job = subprocess.Popen(words, cwd=folder, env=env, stdout=file, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        job.wait(timeout=limit)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.pid, signal.SIGKILL)
        job.wait()
    return said.read_text()


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or not shutil.which("bash"), reason="a script of bash")
def test_the_slurm_script_runs_a_study_and_again_continues_it(tmp_path, shell):
    (tmp_path / "job.sh").write_text(SLURM)
    for _ in range(2):  # the second finds the address of a scheduler that is gone
        said = run(["bash", "job.sh"], tmp_path, shell)
        assert "small: 6 of 6 cases done" in said, said[-3000:]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="jobs are scripts of a shell")
def test_a_slurm_cluster_of_dask_runs_a_study(tmp_path, shell):
    pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")
    text = block("from dask_jobqueue").replace('cores=32, processes=32, memory="64GB"', 'cores=1, processes=1, memory="1GB"')
    text = text.replace("scale(jobs=4)", "scale(jobs=1)")
    body = "".join(f"    {line}\n" for line in text.splitlines())
    script = f'if __name__ == "__main__":\n    from lissom import study\n    arms = study.load("study.yaml")\n{body}'
    (tmp_path / "run.py").write_text(script + '    print("stored", len(arms.results("arms")))\n')
    said = run([sys.executable, "run.py"], tmp_path, shell)
    assert "stored 6" in said, said[-3000:]
