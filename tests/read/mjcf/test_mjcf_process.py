"""The process in which MuJoCo compiles: from threads, forks and scripts; what is left of it; when it cannot start."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from lissom.errors import FileError, MissingExtraError
from lissom.read import load_model
from lissom.read.mjcf import compile as mjcf_compile
from lissom.read.mjcf import process as mjcf_process

pytestmark = pytest.mark.usefixtures("interruptible")

pytest.importorskip("mujoco")

TEXT = '<mujoco model="m{n}"><worldbody>{bodies}</worldbody></mujoco>'
BODY = '<body name="b{k}" pos="{k} 0 0"><joint name="j{k}" axis="0 1 {k}" damping="0.{k}"/><geom size="0.{n}{k}"/></body>'
posix = pytest.mark.skipif(os.name == "nt", reason="signals and forks")


def write(folder, n):
    file = folder / f"m{n}.xml"
    file.write_text(TEXT.format(n=n, bodies="".join(BODY.format(k=k, n=n) for k in range(1, n % 9 + 2))))
    return file


def run(script, *arguments, **options):
    """Run a script in a process of its own; it is not protected by `if __name__ == "__main__"`."""
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **options)


def test_one_process_serves_file_after_file(tmp_path):
    mjcf_compile._pool.end()
    file = write(tmp_path, 1)
    load_model(file)
    (child,) = mjcf_compile._pool.waiting
    before = child.files
    assert load_model(file) == load_model(file)
    assert mjcf_compile._pool.waiting == [child] and child.files == before + 2


THREADS = """
    import random, sys, threading, time
    from pathlib import Path
    from lissom.errors import FileError
    from lissom.read import load_model
    from lissom.read.mjcf import compile as mjcf_compile
    folder = Path(sys.argv[1])
    good = sorted(folder.glob("m*.xml"))
    serial = {file: load_model(file) for file in good}
    mjcf_compile._pool.end()
    wrong, start = [], threading.Barrier(16)
    def work(seed):
        rng = random.Random(seed)
        start.wait()
        for file in rng.sample(good, len(good)):
            if load_model(file) != serial[file]:
                wrong.append(str(file))
            if rng.random() < 0.05:
                try:
                    load_model(folder / "bad.xml")
                    wrong.append("bad.xml was read")
                except FileError:
                    pass
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert not wrong, wrong
    assert len(mjcf_compile._pool.waiting) <= 4
    print("same", len(serial))
"""


@pytest.mark.slow
def test_sixteen_threads_read_what_one_reads(tmp_path):
    for n in range(12):
        write(tmp_path, n)
    bad = '<mujoco><worldbody><body name="a"/></worldbody><equality><connect body1="a" anchor=""/></equality></mujoco>'
    (tmp_path / "bad.xml").write_text(bad)
    done = run(THREADS, tmp_path)
    assert done.stdout.strip() == "same 12", done.stderr


@posix
def test_a_forked_process_starts_its_own_and_leaves_its_parents_alone(tmp_path):
    script = """
        import os, sys
        from lissom.read import load_model
        from lissom.read.mjcf import compile as mjcf_compile
        file = sys.argv[1]
        first = load_model(file)
        (child,) = mjcf_compile._pool.waiting
        pid = os.fork()
        if pid == 0:
            ok = not mjcf_compile._pool.waiting and load_model(file) == first
            ok = ok and mjcf_compile._pool.waiting[0].process.pid != child.process.pid
            mjcf_compile._pool.end()
            os._exit(0 if ok else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert load_model(file) == first and mjcf_compile._pool.waiting == [child]
        print("ok")
    """
    done = run(script, write(tmp_path, 3))
    assert done.stdout.strip() == "ok", done.stderr


def gone(pid, seconds=30.0):
    """Whether the process ends within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


REPORT = "import sys; from lissom.read import load_model; from lissom.read.mjcf import compile as mjcf_compile; "
REPORT += "load_model(sys.argv[1]); "
REPORT += "print(mjcf_compile._pool.waiting[0].process.pid, flush=True); "


@pytest.mark.slow
@posix
def test_the_process_ends_with_the_program(tmp_path):
    file = write(tmp_path, 2)
    assert gone(int(run(REPORT, file).stdout))
    # a program that is killed closes its pipe, too
    assert gone(int(run(REPORT + "import os; os.kill(os.getpid(), 9)", file).stdout))


@posix
def test_a_process_that_was_killed_is_replaced(tmp_path):
    file = write(tmp_path, 2)
    first = load_model(file)
    for child in mjcf_compile._pool.waiting:
        os.kill(child.process.pid, signal.SIGKILL)
    assert load_model(file) == first


@posix
def test_a_process_that_goes_while_it_is_asked_is_replaced(tmp_path, monkeypatch):
    """It ends by itself after a minute without work, which may be just now."""
    file = write(tmp_path, 2)
    first = load_model(file)
    (child, *_) = reversed(mjcf_compile._pool.waiting)
    os.kill(child.process.pid, signal.SIGKILL)
    child.process.wait()
    monkeypatch.setattr(child.process, "poll", lambda: None)
    assert load_model(file) == first
    assert child not in mjcf_compile._pool.waiting


@posix
def test_a_process_without_work_ends_by_itself(tmp_path, monkeypatch):
    text = mjcf_process._CHILD.read_text()
    assert "IDLE = 60.0" in text
    quick = tmp_path / "child.py"
    quick.write_text(text.replace("IDLE = 60.0", "IDLE = 0.1"))
    monkeypatch.setattr(mjcf_process, "_CHILD", quick)
    mjcf_compile._pool.end()
    file = write(tmp_path, 2)
    first = load_model(file)
    (child,) = mjcf_compile._pool.waiting
    assert child.process.wait(timeout=30) == 0
    assert load_model(file) == first
    mjcf_compile._pool.end()


@pytest.mark.slow
@posix
def test_ctrl_c_ends_the_compiler_and_is_passed_on(tmp_path):
    script = """
        import os, signal, sys, threading, time
        from lissom.read import load_model
        from lissom.read.mjcf import compile as mjcf_compile
        signal.signal(signal.SIGINT, signal.default_int_handler)
        load_model(sys.argv[1])
        (child,) = mjcf_compile._pool.waiting
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            load_model(sys.argv[2])
        except KeyboardInterrupt:
            assert child.process.poll() is not None
            load_model(sys.argv[1])
            print("interrupted")
    """
    slow = tmp_path / "slow.xml"
    slow.write_text(TEXT.format(n=0, bodies='<replicate count="100000"><body><joint/><geom size="1"/></body></replicate>'))
    done = run(script, write(tmp_path, 1), slow)
    assert done.stdout.strip() == "interrupted", done.stderr


def test_a_relative_path_is_that_of_the_current_folder(tmp_path, monkeypatch):
    write(tmp_path, 1)
    monkeypatch.chdir(tmp_path)
    model = load_model("m1.xml")
    (tmp_path / "deeper").mkdir()
    monkeypatch.chdir(tmp_path / "deeper")
    assert load_model("../m1.xml") == model


@pytest.mark.parametrize("python", ["", "/nowhere/python", sys.executable])
def test_where_no_process_can_be_started_the_error_says_so(tmp_path, monkeypatch, python):
    mjcf_compile._pool.end()
    monkeypatch.setattr(sys, "executable", python)
    if python == sys.executable:
        monkeypatch.setattr(mjcf_process, "_CHILD", tmp_path / "missing.py")
    with pytest.raises(FileError, match="m1.xml: MJCF files are compiled in a separate process, "):
        load_model(write(tmp_path, 1))


def test_a_broken_mujoco_is_named(tmp_path, monkeypatch):
    mjcf_compile._pool.end()
    (tmp_path / "mujoco.py").write_text("raise ImportError('libmujoco is broken')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(MissingExtraError, match="libmujoco is broken"):
        load_model(write(tmp_path, 1))


@pytest.mark.slow
def test_memory_that_earlier_files_took_does_not_fail_a_later_one(tmp_path):
    """Each fits alone; the second is read whether or not the first left room."""
    big = '<mujoco><size nuser_body="1000000"/><worldbody>' + "<body/>" * 20 + "</worldbody></mujoco>"
    (tmp_path / "big.xml").write_text(big)
    assert [load_model(tmp_path / "big.xml").nv for _ in range(4)] == [0] * 4
