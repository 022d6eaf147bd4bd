"""Numbers with three parts that vanish when squared: exact mixed derivatives up to the third, by arithmetic alone.

x = sum over subsets s of {e1, e2, e3} of x_s s, with e1^2 = e2^2 = e3^2 = 0. The coefficient of e1 e2 e3 in f(x) is the mixed
third derivative of f along the three directions, without any step. Arrays of them have the subset as the first axis: bit 0 of its
index is e1, bit 1 e2, bit 2 e3.
"""

import numpy as np

E1, E2, E3 = 1, 2, 4
SIZE = 8
PAIRS = sorted(((a, b) for a in range(SIZE) for b in range(SIZE) if not a & b), key=sum)
LEFT, RIGHT = (np.array(index) for index in zip(*PAIRS, strict=True))
STARTS = np.searchsorted(LEFT + RIGHT, np.arange(SIZE))  # where the pairs of each subset begin


class Dual:
    """An array of such numbers: `parts` (8, *shape)."""

    __array_ufunc__ = None  # products with NumPy's arrays come here

    def __init__(self, parts) -> None:
        self.parts = np.asarray(parts, dtype=float)

    @classmethod
    def of(cls, **parts):
        """Make an array from its coefficients by name: of(one=q, e1=qd, e1e3=qdd)."""
        shape = np.broadcast_shapes(*(np.shape(x) for x in parts.values()))
        found = np.zeros((SIZE, *shape))
        for name, value in parts.items():
            found[sum(bit for text, bit in (("e1", E1), ("e2", E2), ("e3", E3)) if text in name)] = value
        return cls(found)

    def __getitem__(self, index):
        return Dual(self.parts[(slice(None), *index)] if isinstance(index, tuple) else self.parts[:, index])

    def __add__(self, other):
        return Dual(self.parts + dual(other, self.parts.ndim).parts)

    def __sub__(self, other):
        return self + other * -1.0

    def __mul__(self, other):
        if isinstance(other, Dual):
            return self._product(other, np.multiply)
        return Dual(self.parts * other)

    __radd__, __rmul__ = __add__, __mul__

    def __matmul__(self, other):
        return self._product(other, np.matmul) if isinstance(other, Dual) else Dual(self.parts @ other)

    def __rmatmul__(self, other):
        return Dual(other @ self.parts)

    def sum(self, *axes):
        return Dual(self.parts.sum(axis=axes))

    def along(self, e):
        """Return the derivative by one of E1, E2, E3, which the result knows nothing of any more."""
        found = np.zeros_like(self.parts)
        without = [s for s in range(SIZE) if not s & e]
        found[without] = self.parts[[s | e for s in without]]
        return Dual(found)

    def sine_cosine(self):
        """Return both by their series, which ends with the third power of what vanishes when squared."""
        s, c = np.sin(self.parts[0]), np.cos(self.parts[0])
        small = Dual(np.concatenate([np.zeros_like(self.parts[:1]), self.parts[1:]]))
        square = small * small
        cube = square * small
        return (
            small * c - square * (s / 2) - cube * (c / 6) + s,
            small * -s - square * (c / 2) + cube * (s / 6) + c,
        )

    def _product(self, other, operation):
        return Dual(np.add.reduceat(operation(self.parts[LEFT], other.parts[RIGHT]), STARTS, axis=0))


def dual(x, ndim) -> Dual:
    """Return a constant as a Dual with parts of `ndim` axes; a Dual as it is."""
    if isinstance(x, Dual):
        return x
    x = np.asarray(x, dtype=float)
    x = x.reshape((1,) * (ndim - 1 - x.ndim) + x.shape)
    return Dual(np.concatenate([x[None], np.zeros((SIZE - 1, *x.shape))]))
