import math

import numpy as np
import pytest

from lissom import Inertia, Link, ModelError
from lissom.model.fingerprint import full_text


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
        ((1.0, (0, math.nan, 0)), "center of mass must be finite"),
        ((1.0, (0, 0, 0), np.eye(2)), "inertia must be a 3x3 matrix"),
        ((10**400,), "mass is too large"),
        ((1.0, (10**400, 0, 0)), "center of mass is too large"),
        ((1e300, (1e10, 0, 0)), "mass 1e\\+300, center of mass .* and inertia are too large to compute with; check the units"),
        ((1.0, (1e200, 0, 0)), "too large to compute with"),
        ((1.0, (0, 0, 0), 1e308 * np.eye(3)), "too large to compute with"),
        ((1.0, (0, 0, 0), [[1, 1e308, 0], [-1e308, 1, 0], [0, 0, 1]]), "inertia is not symmetric"),
        ((1.0, (0, 0, 0), [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), "inertia is not symmetric"),
    ],
)
def test_impossible_inertias_are_refused(arguments, message):
    with pytest.raises(ModelError, match=message):
        Inertia(*arguments)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("arguments", [(1e300, (1e10, 0, 0)), (1.0, (0, 0, 0), [[1, 1e308, 0], [-1e308, 1, 0], [0, 0, 1]])])
def test_numbers_that_overflow_give_no_warning_of_numpy(arguments):
    with pytest.raises(ModelError):
        Inertia(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2.0,), r"link 'arm': inertia must be Inertia\(mass, com, tensor\) or None, got 2.0"),
        ((np.eye(3),), r"link 'arm': inertia must be .*, got an array of shape \(3, 3\)"),
        ((None, "yes"), "link 'arm': massless must be True or False, got 'yes'"),
        ((Inertia(1.0), True), "link 'arm' is marked massless but has a mass; remove one of the two"),
    ],
)
def test_links_of_other_types_are_refused(arguments, message):
    with pytest.raises(ModelError, match=message):
        Link("arm", *arguments)


def test_massless_is_a_remark_and_no_difference():
    assert Link("a", massless=True) == Link("a")
    assert full_text(Link("a", massless=True)) == full_text(Link("a"))  # what the fingerprint of a model is made from
