"""Arguments at which functions of one number are tested: those of every size, and those near to where something changes."""

import math

import numpy as np

SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, -1.0, 5e-324, 1e-310, 1e-300, 1e300, -1e300, 1.7976931348623157e308, 0.7]
SPECIAL += [709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, -708.4, -746.0, 44.0, -22.5, 2.0**-1022]


def arguments(name):
    """Return arguments of sqrt, log, exp or tanh."""
    rng = np.random.default_rng(1)
    if name in ("sqrt", "log"):
        spread = [np.exp(rng.uniform(-744, 709, 300)), rng.uniform(0.5, 2.0, 300), 1 + rng.uniform(-1e-7, 1e-7, 100)]
        return np.concatenate([*spread, [math.sqrt(0.5), math.sqrt(2.0), 1.0, 5e-324, 1.7976931348623157e308]])
    parts = [
        np.arange(-1074, 1024) * math.log(2) * (1 if name == "exp" else 0.5),
        rng.uniform(-1, 1, 300),
        rng.uniform(-30, 30, 300),
    ]
    return np.concatenate([*parts, rng.uniform(-1e-6, 1e-6, 100)])
