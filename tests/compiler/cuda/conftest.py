"""A card that is not there: the driver's functions in Python, and kernels run by the interpreter of PTX."""

import pytest

from lissom.compiler.cuda import device, driver, host, module
from support.fake_cuda import FakeCuda


@pytest.fixture
def fake(monkeypatch, tmp_path):
    """Let everything in this test run on a pretended card, with an empty cache; return the driver's stand-in."""
    library = FakeCuda()
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    for function in (driver.open_driver, device.device, host.lanes, module.transposer):
        monkeypatch.setattr(function, "_known", {})
    monkeypatch.setattr(driver, "_opened", lambda name: library)
    return library
