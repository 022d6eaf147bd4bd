"""What every test shares: a cache of its own, and hypothesis without surprises."""

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # for `from support...`
# hundreds of processes import lissom; without files of bytecode each would compile all of it
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile("lissom", deadline=None, derandomize=True, max_examples=50, suppress_health_check=list(HealthCheck))
settings.load_profile("lissom")
LARGE = ("gough_stewart",)  # takes seconds to compile: of platforms on legs the delta robot stands for all in `make test`
SHARE, LEAST = 12, 2  # without --full: one of so many examples of hypothesis runs, but so many at least


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="run all examples of hypothesis; `make test-all` does")


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config, items):
    sweeps = {}
    for item in items:
        if any(name in item.name for name in LARGE):
            item.add_marker(pytest.mark.slow)
        if (mark := item.get_closest_marker("sweep")) is not None:
            sweeps.setdefault((item.path, item.originalname, mark.args), []).append(item)
    for (_, _, keep), same in sweeps.items():
        for k in set(range(len(same))) - kept(keep, [item.name.partition("[")[2] for item in same]):
            same[k].add_marker(pytest.mark.slow)
    if config.getoption("--full"):
        return
    for test in {item.obj for item in items if hasattr(getattr(item, "obj", None), "hypothesis")}:
        every = test._hypothesis_internal_use_settings
        few = settings(every, max_examples=min(every.max_examples, max(LEAST, every.max_examples // SHARE)))
        test._hypothesis_internal_use_settings = few


def kept(keep, names):
    """Return which parameter sets `make test` runs: those whose name has one of the parts given, or so many, spread evenly."""
    if isinstance(keep[0], str):
        return {k for k, name in enumerate(names) if any(part in name for part in keep)}
    return {round(k * (len(names) - 1) / max(keep[0] - 1, 1)) for k in range(keep[0])}


def pytest_collection_finish():
    gc.collect()
    gc.freeze()  # thousands of tests that wait are not searched for garbage each time: that took a fifth of a compilation


@pytest.fixture(autouse=True, scope="session")
def own_cache(pytestconfig):
    """Compiled code of the tests stays among the tests, from run to run: its names cover all that it depends on."""
    folder = pytestconfig.rootpath / ".pytest_cache" / "lissom"
    folder.mkdir(parents=True, exist_ok=True)
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
