"""Studies on Dask: a scheduler and workers in processes of their own, killed, hung and restarted, and nothing is lost."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lissom import StateError
from lissom.study import Normal, Study, grid, motion
from lissom.study.bases.function import NamedFunction
from lissom.study.log import read_log
from lissom.study.store import logs
from support.dask_cluster import Cluster, is_open, wait_for

pytest.importorskip("distributed")
from lissom.study.runners.on_dask import OnDask  # noqa: E402

SUPPORT = Path(__file__).parents[2] / "support"
SOURCE = Path(__file__).parents[3] / "src"
CASES = 150
SCRIPT = f"""
import sys
from lissom.study import Study, grid
from lissom.study.bases.function import NamedFunction
base = NamedFunction("study_functions.py:slow", {str(SUPPORT)!r})
Study(base, {{"x": grid(0, 3, {CASES})}}, ["y"]).run(sys.argv[1], scheduler=sys.argv[2], limit=3)
"""
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("interruptible")]


def named(name):
    return NamedFunction(f"study_functions.py:{name}", str(SUPPORT))


def stored(folder):
    return [row.id for path in logs(folder) for row in read_log(path)]


def test_nothing_is_lost_while_everything_is_killed(tmp_path, monkeypatch):
    calls, folder = tmp_path / "calls", tmp_path / "study"
    calls.mkdir()
    monkeypatch.setenv("STUDY_TEST_FOLDER", str(calls))
    monkeypatch.setenv("STUDY_TEST_SECONDS", "0.15")
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}

    def client():
        return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder), cluster.address], env=env)

    def so_many(count):
        return lambda: job.poll() is not None or len(stored(folder)) >= count

    with Cluster(tmp_path) as cluster:
        job = client()
        for count, what in (
            (6, cluster.kill_one),
            (18, cluster.stop_one),
            (36, cluster.restart_scheduler),
            (54, cluster.kill_one),
        ):
            wait_for(so_many(count))
            assert job.poll() is None, "the client ended by itself"
            what()
        wait_for(so_many(66))
        job.send_signal(signal.SIGINT)
        assert job.wait(120) == 1 or job.returncode == -signal.SIGINT
        before = len(Study(named("slow"), {"x": grid(0, 3, CASES)}, ["y"]).results(folder))
        assert 60 <= before < CASES
        job = client()
        killed = time.monotonic()
        while job.poll() is None:
            time.sleep(0.1)
            if time.monotonic() - killed > 4 and cluster.started < 30:
                cluster.kill_one()
                killed = time.monotonic()
        assert job.returncode == 0, (tmp_path / "cluster.log").read_text()[-2000:]
    study = Study(named("slow"), {"x": grid(0, 3, CASES)}, ["y"])
    found = study.results(folder)
    serial = study.run(tmp_path / "serial", workers=2)
    assert found.counts == {"done": CASES}, found.counts
    assert [row.id for row in found] == [row.id for row in serial]
    np.testing.assert_array_equal(found.column("y"), serial.column("y"))
    assert set(found.column("attempts")) == {1}  # each was stored once


def test_results_are_those_of_this_machine_for_any_batches(tmp_path, monkeypatch):
    from lissom.study.runners import batches

    study = Study(named("product"), {"x": grid(0, 1, 20), "y": Normal(1, 0.1)}, ["area", "noise"], count=10)
    serial = study.run(tmp_path / "serial", workers=1)
    with Cluster(tmp_path, workers=2) as cluster:
        for most in (1, 500):
            monkeypatch.setattr(batches, "MOST", most)
            found = study.run(tmp_path / f"of-{most}", scheduler=cluster.address)
            for name in ("area", "noise", "seed", "status", "reason"):
                np.testing.assert_array_equal(found.column(name), serial.column(name))
            assert len(set(found.column("worker"))) == 2


def test_a_motion_problem_on_dask_keeps_its_motions(tmp_path):
    pytest.importorskip("casadi")
    from lissom.study import motion

    study = Study(motion("rr", {"limits[0].within": "t", "solve.refine": "0"}), {"t": grid(5, 20, 4)}, ["duration"])
    with Cluster(tmp_path, workers=2) as cluster:
        found = study.run(tmp_path / "dask", scheduler=cluster.address)
    here = study.run(tmp_path / "here", workers=1)
    assert [row.motion for row in found] == [row.motion for row in here] and all(row.motion for row in here)


def test_a_hung_function_is_given_up_where_workers_can_be_restarted(tmp_path):
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)) as cluster:
        study = Study(named("hanging"), {"x": grid(0, 3, 4)}, ["y"])
        found = study.run(tmp_path / "study", scheduler=cluster, limit=3)
    assert found.column("status").tolist() == ["done", "done", "late", "done"]
    assert found[2].reason == "it took longer than 3 s, 3 times" and found[2].attempts == 3


def test_a_scheduler_that_is_not_there_is_named(tmp_path):
    with pytest.raises(StateError, match="no Dask scheduler answers at tcp://127.0.0.1:9"):
        Study(named("product"), {"x": [0.1], "y": [1.0]}).run(tmp_path, runner=OnDask("tcp://127.0.0.1:9", patience=0.1))


def test_tls_lets_in_only_those_with_a_certificate(tmp_path, monkeypatch):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subject = ["-subj", "/CN=lissom-test", "-days", "2"]
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
        *subject,
    ]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("openssl is not installed")
    files = ["--tls-ca-file", str(certificate), "--tls-cert", str(certificate), "--tls-key", str(key)]
    study = Study(named("product"), {"x": [0.1, 0.2], "y": [1.0, 2.0]}, ["area"])
    with Cluster(tmp_path, workers=1, tls=files) as cluster:
        script = (
            "import sys; from lissom.study import Study; from lissom.study.bases.function import NamedFunction\n"
            f"base = NamedFunction('study_functions.py:product', {str(SUPPORT)!r})\n"
            "study = Study(base, {'x': [0.1, 0.2], 'y': [1.0, 2.0]}, ['area'])\n"
            "print(len(study.run(sys.argv[1], scheduler=sys.argv[2])))"
        )
        env = {**os.environ, "PYTHONPATH": str(SOURCE)}
        own = {"CA_FILE": certificate, "CLIENT__CERT": certificate, "CLIENT__KEY": key}
        tls = {f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(path) for name, path in own.items()}
        run = [sys.executable, "-c", script, str(tmp_path / "study"), cluster.address]
        done = subprocess.run(run, env={**env, **tls}, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0 and done.stdout.strip() == "4", done.stderr
        with pytest.raises((StateError, TypeError, ValueError, OSError)):
            study.run(tmp_path / "without", runner=OnDask(cluster.address, patience=0.1))
        plain = cluster.address.replace("tls://", "tcp://")
        with pytest.raises(StateError, match="no Dask scheduler answers"):
            study.run(tmp_path / "plain", runner=OnDask(plain, patience=0.1))


def test_a_scheduler_without_workers_is_waited_for_in_vain(tmp_path):
    study = Study(named("product"), {"x": [0.1], "y": [1.0]})
    with Cluster(tmp_path, workers=0) as cluster:
        wait_for(lambda: is_open(cluster.address))
        with pytest.raises(StateError, match="has had no worker for 3 s; start one: dask worker ADDRESS"):
            study.run(tmp_path / "study", runner=OnDask(cluster.address, patience=3.0))


def test_cases_begin_with_the_motions_of_neighbors_as_in_a_serial_run(tmp_path):
    pytest.importorskip("casadi")
    base = motion("rr", {"limits[0].within": "torque", "solve.refine": "0"})
    study = Study(base, {"torque": grid(8, 12, 6)}, ["duration", "iterations"], neighbors=2)
    serial = study.run(tmp_path / "serial", workers=1)
    with Cluster(tmp_path) as cluster:
        found = study.run(tmp_path / "dask", scheduler=cluster.address)
    assert [(row.id, row.motion) for row in found] == [(row.id, row.motion) for row in serial]
    np.testing.assert_array_equal(found.column("iterations"), serial.column("iterations"))
