"""Many threads at once, from their first calls on: no crash, no hang, and the results of a serial run to the last bit.

What the threads do is in `support/stress.py`; each run is a process of its own, whose end is judged here.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
THREADS = 16
KINDS = ["one", "many", "closed", "elastic", "predict", "timing", "mjcf", "strict"]
NEEDS = {"predict": "casadi", "mjcf": "mujoco"}


def stress(kind, cache, threads=THREADS):
    """Run one kind of work in a fresh process and return what it printed."""
    path = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
    environment = {**os.environ, "PYTHONPATH": path, "LISSOM_CACHE_DIR": str(cache), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, str(TESTS / "support" / "stress.py"), kind, str(threads)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, f"{kind}: exit code {done.returncode}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture
def cache(tmp_path):
    tmp_path.chmod(0o700)
    return tmp_path


@pytest.mark.sweep(1)
@pytest.mark.parametrize("kind", KINDS)
def test_threads_that_come_first_together_get_the_results_of_a_serial_run(kind, cache):
    if kind in NEEDS:
        pytest.importorskip(NEEDS[kind])
    assert stress(kind, cache) == f"{kind} {THREADS} threads, 0 differ\n"


@pytest.mark.slow
def test_a_filled_cache_serves_threads_as_well(cache):
    for _ in range(2):
        assert stress("one,timing", cache).count(" 0 differ") == 2


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_no_run_of_many_differs(kind, cache):
    if kind in NEEDS:
        pytest.importorskip(NEEDS[kind])
    for k in range(10):
        where = cache if k % 2 else cache / str(k)  # an empty cache and a filled one in turn
        assert stress(kind, where) == f"{kind} {THREADS} threads, 0 differ\n"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_processes_forked_while_threads_compile_come_to_their_end():
    assert stress("forked", os.devnull + "/none", threads=6) == "forked 6 threads, 0 differ\n"  # without a cache: all compile


WORKERS = """
import multiprocessing, sys
import numpy as np
import lissom
from support.stress import state, tree_calls, same
from lissom.robots import tree_model

def work(pair):
    robot, k = pair
    return tree_calls(robot, k)

if __name__ == "__main__":
    robot = lissom.Robot(tree_model(2, seed=3), backend="llvm")
    robot.inverse_dynamics(*state(robot, 0))
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        found = pool.map(work, [(robot, k) for k in range(6)], chunksize=1)
    print(sum(not same(x, tree_calls(robot, k)) for k, x in enumerate(found)), "differ")
"""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_that_come_first_together_get_the_results_of_a_serial_run(method, cache, tmp_path):
    import multiprocessing

    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    script = tmp_path / "workers.py"
    script.write_text(WORKERS)
    path = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
    environment = {**os.environ, "PYTHONPATH": path, "LISSOM_CACHE_DIR": str(cache), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, script, method], env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "0 differ\n"), done.stderr[-3000:]
