"""A trajectory as a pandas DataFrame, where pandas is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import MissingExtraError, StateError
from .columns import column_names, part_names

if TYPE_CHECKING:
    from pandas import DataFrame

    from .trajectory import Trajectory


def dataframe(trajectory: Trajectory) -> DataFrame:
    """Return the samples, indexed by t [s]; columns are those of a CSV: q_*, qd_*, qdd_*, tau_*."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("pandas", "pandas", "to_dataframe") from None
    if trajectory.q.ndim != 2:
        lead = trajectory.q.shape[1:-1]
        raise StateError(f"a DataFrame holds one motion, and this trajectory has {lead} of them; take one: trajectory.q[:, k]")
    parts = [getattr(trajectory, part) for part in part_names(trajectory.robot)]
    index = pandas.Index(trajectory.t, name="t")
    return pandas.DataFrame(np.concatenate(parts, axis=1), index=index, columns=column_names(trajectory.robot)[1:])
