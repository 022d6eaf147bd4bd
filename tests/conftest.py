"""What every test shares: a cache of its own, and hypothesis without surprises."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # for `from support...`

settings.register_profile("lissom", deadline=None, derandomize=True, max_examples=50, suppress_health_check=list(HealthCheck))
settings.load_profile("lissom")


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory):
    """Compiled code of the tests stays among the tests."""
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LISSOM_CACHE_DIR", str(folder))
        for name in ("LISSOM_CPU_FEATURES", "LISSOM_DUMP", "LISSOM_THREADS"):
            patch.delenv(name, raising=False)
        yield folder


@pytest.fixture
def interruptible():
    """Let Ctrl-C raise KeyboardInterrupt, here and in processes started from here, even where the tests run in the background.

    A shell starts background jobs with SIGINT ignored, and children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(params=["llvm", "numpy"])
def backend(request):
    return request.param


@pytest.fixture
def python():
    """A function that runs a text in a fresh Python and returns what it printed."""
    import subprocess

    def run(text, *, check=True, **environment):
        source = str(Path(__file__).parent.parent / "src")
        path = os.pathsep.join([environment.pop("PYTHONPATH", ""), source]).strip(os.pathsep)
        done = subprocess.run(
            [sys.executable, "-c", text],
            env={**os.environ, **environment, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            timeout=120,
        )
        if check and done.returncode:
            raise AssertionError(done.stderr)
        return done.stdout.strip() if check else done

    return run
