import math

import numpy as np
import pytest

from lissom import Inertia, ModelError


def test_principal_moments_ascend_whatever_the_axes():
    R = np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])
    inertia = Inertia(1.0, tensor=R @ np.diag([3.0, 1.0, 2.0]) @ R.T)
    assert np.allclose(inertia.principal_moments, [1, 2, 3])
    assert inertia.triangle_excess == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0,), "mass must be positive, got 0"),
        ((-1.0,), "mass must be positive, got -1"),
        ((math.nan,), "mass must be positive, got nan"),
        ((math.inf,), "mass must be positive, got inf"),
        ((1.0, (0, math.nan, 0)), "centre of mass must be finite"),
        ((1.0, (0, 0, 0), np.eye(2)), "inertia must be a 3x3 matrix"),
        ((1.0, (0, 0, 0), [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), "inertia is not symmetric"),
    ],
)
def test_impossible_inertias_are_refused(arguments, message):
    with pytest.raises(ModelError, match=message):
        Inertia(*arguments)
