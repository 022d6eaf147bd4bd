"""Series: a scalar with its time derivatives.

A recursion run on series instead of numbers gives its results with exact rates of any order, as the recursion of
`algorithms/rates/torque_rates.py` does for the first. Terms are x, x', x'', ... and follow Leibniz's rule, (a b)^(k) = sum
binomial(k, i) a^(i) b^(k - i). Constants are plain scalars, not series, so that constants of a robot fold as usual.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from .scalar import Scalar, add, exp, guard, log, mul, select, sign, sincos_plus, sqrt, sub, tanh


class Series:
    """Value and derivatives of a scalar, each a scalar of any kind."""

    __slots__ = ("terms",)
    __array_ufunc__ = None  # arrays leave the arithmetic to the series

    def __init__(self, terms: Sequence[Scalar]) -> None:
        self.terms = tuple(terms)

    def __add__(self, other: Scalar) -> Scalar:
        return _made([add(a, b) for a, b in self._with(other)])

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        return _made([sub(a, b) for a, b in self._with(other)])

    def __rsub__(self, other: Scalar) -> Scalar:
        return _made([sub(b, a) for a, b in self._with(other)])

    def __neg__(self) -> Scalar:
        return _made([sub(0.0, a) for a in self.terms])

    def __mul__(self, other: Scalar) -> Scalar:
        if not isinstance(other, Series):
            return _made([mul(a, other) for a in self.terms])
        n = min(len(self.terms), len(other.terms))
        return _made([_product(self.terms, other.terms, k, range(k + 1)) for k in range(n)])

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        if not isinstance(other, Series):
            return _made([mul(a, 1.0 / other) for a in self.terms])
        return _quotient(self.terms, other.terms)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return _quotient((other, *[0.0] * (len(self.terms) - 1)), self.terms)

    def sincos_plus(self, shift: float) -> tuple[Scalar, Scalar]:
        """Return sine and cosine of the sum with a constant: s' = c x' and c' = -s x', term by term."""
        x, rates = self.terms, self.terms[1:]
        s0, c0 = sincos_plus(x[0], shift)
        s, c = [s0], [c0]
        for k in range(len(rates)):
            turn = range(k + 1)
            s_next, c_next = _product(c, rates, k, turn), _product(s, rates, k, turn)
            s.append(s_next)
            c.append(sub(0.0, c_next))
        return _made(s), _made(c)

    def sqrt(self) -> Scalar:
        """Return the square root: y y = x, solved for one term after the other."""
        y = [sqrt(self.terms[0])]
        half = 0.5 / y[0]
        for k in range(1, len(self.terms)):
            y.append(mul(sub(self.terms[k], _product(y, y, k, range(1, k))), half))
        return _made(y)

    def exp(self) -> Scalar:
        """Return the exponential: y' = y x'."""
        y, rates = [exp(self.terms[0])], self.terms[1:]
        for k in range(len(rates)):
            y.append(_product(y, rates, k, range(k + 1)))
        return _made(y)

    def log(self) -> Scalar:
        """Return the logarithm: y' = x' / x."""
        rates = terms_of(_quotient(self.terms[1:], self.terms), len(self.terms) - 1)
        return _made([log(self.terms[0]), *rates])

    def tanh(self) -> Scalar:
        """Return the hyperbolic tangent: y' = (1 - y y) x'."""
        y, rates, slope = [tanh(self.terms[0])], self.terms[1:], []
        for k in range(len(rates)):
            slope.append(sub(1.0 if k == 0 else 0.0, _product(y, y, k, range(k + 1))))
            y.append(_product(slope, rates, k, range(k + 1)))
        return _made(y)

    def select(self, condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
        """Return a or b, one of which is this series, with the derivatives of the selected one."""
        n = min(len(x.terms) for x in (a, b) if isinstance(x, Series))
        return _made([select(condition, x, y) for x, y in zip(terms_of(a, n), terms_of(b, n), strict=True)])

    def sign(self) -> Scalar:
        """Return -1, 0 or 1, which changes only by jumps."""
        return sign(self.terms[0])

    def guard(self, least: float) -> Scalar:
        """Return it where its value is above `least`; otherwise its value is not a number."""
        return _made([guard(self.terms[0], least), *self.terms[1:]])

    def _with(self, other: Scalar) -> list[tuple[Scalar, Scalar]]:
        if isinstance(other, Series):
            return list(zip(self.terms, other.terms, strict=False))
        return list(zip(self.terms, (other, *[0.0] * (len(self.terms) - 1)), strict=True))


def terms_of(x: Scalar, n: int) -> list[Scalar]:
    """Return value and derivatives of a scalar, n of them; those of a constant are zero."""
    if isinstance(x, Series):
        return list(x.terms[:n])
    return [x, *[0.0] * (n - 1)]


def _made(terms: Sequence[Scalar]) -> Scalar:
    if all(type(x) is float and x == 0.0 for x in terms[1:]):
        return terms[0]
    return Series(terms)


def _product(a: Sequence[Scalar], b: Sequence[Scalar], k: int, shares: range) -> Scalar:
    """Return the terms of the k-th derivative of a product that have i derivatives of a, for i in `shares`."""
    total: Scalar = 0.0
    for i in shares:
        total = add(total, mul(float(comb(k, i)), mul(a[i], b[k - i])))
    return total


def _quotient(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Divide: the k-th derivative of r b = a, solved for that of r."""
    inverse = 1.0 / b[0]
    r: list[Scalar] = []
    for k in range(min(len(a), len(b))):
        r.append(mul(sub(a[k], _product(r, b, k, range(k))), inverse))
    return _made(r)
