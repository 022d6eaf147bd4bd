"""Of platforms on legs the delta robot stands for all in `make test`: that on six legs takes seconds to compile."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent.name == "closed" and "gough_stewart" in item.name:
            item.add_marker(pytest.mark.slow)
