"""What a study on Dask refuses."""

import pytest

from lissom import StateError

pytest.importorskip("distributed")
from lissom.study.runners.on_dask import OnDask  # noqa: E402


def test_what_is_no_scheduler_or_limit_is_refused():
    with pytest.raises(StateError, match="scheduler is 'cluster', expected an address such as tcp://host:8786"):
        OnDask("cluster")
    with pytest.raises(StateError, match="limit is 0, expected a positive time"):
        OnDask("tcp://127.0.0.1:1", limit=0)
