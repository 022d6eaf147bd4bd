"""A Dask scheduler and workers as processes of their own on 127.0.0.1, which tests kill, stop and start again."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
SOURCE = HERE.parents[1] / "src"


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A scheduler and its workers; `close` ends those that are left."""

    def __init__(self, folder, workers=3, tls=()):
        self.folder, self.tls = Path(folder), list(tls)
        self.scheme = "tls" if tls else "tcp"
        self.address = f"{self.scheme}://127.0.0.1:{free_port()}"
        paths = os.pathsep.join((str(SOURCE), str(HERE)))
        quiet = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error", "OMP_NUM_THREADS": "1"}
        self.env = {**os.environ, "PYTHONPATH": paths, **quiet}
        self.workers, self.stopped, self.started = [], [], 0
        self.scheduler = self._scheduler()
        for _ in range(workers):
            self.add()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def add(self):
        """Start another worker, without a nanny."""
        self.started += 1
        where = self.folder / f"worker-{self.started}"
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "300", "--local-directory", str(where)]
        self.workers.append(
            self._start("dask_worker", [self.address, "--host", f"{self.scheme}://127.0.0.1", *options, *self.tls])
        )

    def kill_one(self):
        """Kill the worker that has run longest, and start another."""
        first = self.workers.pop(0)
        first.kill()
        first.wait()
        self.add()

    def stop_one(self):
        """Let a worker hang from now on, and start another."""
        first = self.workers.pop(0)
        first.send_signal(signal.SIGSTOP)
        self.stopped.append(first)
        self.add()

    def restart_scheduler(self):
        """Kill the scheduler, and start another at the same address, with new workers, as a service would."""
        self.scheduler.kill()
        self.scheduler.wait()
        count = len(self.workers)
        self._end(self.workers)
        self.scheduler = self._scheduler()
        for _ in range(count):
            self.add()

    def close(self):
        """End all processes."""
        self._end(self.workers)
        self._end(self.stopped)
        self._end([self.scheduler])

    def _end(self, processes):
        while processes:
            process = processes.pop()
            process.kill()
            process.wait()

    def _scheduler(self):
        port = self.address.rpartition(":")[2]
        options = ["--host", f"{self.scheme}://127.0.0.1", "--port", port, "--no-dashboard", "--no-jupyter", *self.tls]
        return self._start("dask_scheduler", options)

    def _start(self, program, options):
        command = [sys.executable, "-m", f"distributed.cli.{program}", *options]
        with open(self.folder / "cluster.log", "ab") as log:
            return subprocess.Popen(command, env=self.env, stdout=log, stderr=log)


def wait_for(what, seconds=300):
    """Return the first true value of a function, or fail."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain")


def is_open(address):
    """Return whether somebody listens at an address."""
    host, _, port = address.rpartition("/")[2].partition(":")
    with socket.socket() as one:
        return one.connect_ex((host, int(port))) == 0
