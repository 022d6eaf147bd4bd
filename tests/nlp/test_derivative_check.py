"""Derivatives that are right pass; a wrong one is named by its place, and so is one that the structure lacks."""

import numpy as np
import pytest

from lissom.nlp import NlpError, check_derivatives
from support.programs import banded, hs071, rosenbrock

X = [1.3, 4.1, 3.6, 1.7]


@pytest.mark.parametrize("nlp", [hs071(), rosenbrock(), banded(12)[0]], ids=["hs071", "rosenbrock", "banded"])
def test_derivatives_of_known_programs_agree(nlp):
    report = check_derivatives(nlp, np.linspace(1.2, 2.9, nlp.n))
    assert report.ok, str(report)
    assert str(report).count("agrees") == 3


def off(function, entry):
    def wrong(*arguments):
        values = np.array(function(*arguments), dtype=float)
        values[entry] += 0.1
        return values

    return wrong


def test_a_wrong_entry_is_named():
    nlp = hs071()
    wrong = {name: off(getattr(nlp, name), entry) for name, entry in (("gradient", 2), ("jacobian", 5), ("hessian", 7))}
    report = check_derivatives(hs071(**wrong), X)
    assert not report.ok
    assert report.gradient[1:3] == (0, 2)
    assert report.jacobian[1:3] == (1, 1)
    assert sorted(report.hessian[1:3]) == [1, 3]
    assert report.gradient.given - report.gradient.difference == pytest.approx(0.1, abs=1e-6)
    assert "jacobian: WRONG" in str(report)


def test_an_entry_that_the_structure_lacks_is_found():
    nlp = rosenbrock(jacobian_structure=([0], [0]), jacobian=lambda x: 2 * x[:1], hessian=None, hessian_structure=((), ()))
    report = check_derivatives(nlp, [0.4, 0.9])
    assert report.jacobian[1:3] == (0, 1)
    assert not report.jacobian.in_structure
    assert "differences 1.8, not in jacobian_structure" in str(report)
    assert report.hessian is None


def test_differences_stay_inside_the_bounds():
    inside = []
    nlp = hs071(evaluate=lambda x: inside.append(((x >= 1) & (x <= 5)).all()))
    assert check_derivatives(nlp, [1.0, 5.0, 5.0, 1.0]).ok
    assert all(inside)


def test_what_cannot_be_checked_is_named():
    with pytest.raises(NlpError, match=r"x0 has shape \(1,\)"):
        check_derivatives(hs071(), [1.0])
    with pytest.raises(NlpError, match="gradient is not finite at x or next to it"):
        check_derivatives(hs071(gradient=lambda x: np.full(4, np.nan)), X)
    with pytest.raises(NlpError, match=r"jacobian returned shape \(2,\), expected \(8,\)"):
        check_derivatives(hs071(jacobian=lambda x: x[:2]), X)
