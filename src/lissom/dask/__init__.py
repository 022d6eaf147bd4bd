"""lissom.dask: functions of a robot on Dask's arrays, in chunks: more states than memory holds, on all cores or many machines."""

from ..errors import MissingExtraError

try:
    import dask.array as _array  # noqa: F401
except ImportError:
    raise MissingExtraError("dask", "cluster", "lissom.dask") from None

from .robot import Robot as Robot
