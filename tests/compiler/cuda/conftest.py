"""A card that is not there: the driver's functions in Python, and kernels run by the interpreter of PTX."""

import pytest

from support.fake_cuda import pretend


@pytest.fixture
def fake(monkeypatch, tmp_path):
    """Let everything in this test run on a pretended card, with an empty cache; return the driver's stand-in."""
    return pretend(monkeypatch, tmp_path)
