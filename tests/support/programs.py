"""Programs with known solutions."""

import numpy as np

from lissom.nlp import Nlp


def hs071(**changes):
    """Hock and Schittkowski's problem 71; their solution: f = 17.0140173 at (1, 4.7429994, 3.8211503, 1.3794082)."""

    def hessian(x, factor, y):
        a, b, c, d = x
        f = [2 * d, d, 0, d, 0, 0, 2 * a + b + c, a, a, 0]
        product = [0, c * d, 0, b * d, a * d, 0, b * c, a * c, a * b, 0]
        square = [2, 0, 2, 0, 0, 2, 0, 0, 0, 2]
        return factor * np.array(f) + y[0] * np.array(product) + y[1] * np.array(square)

    parts = {
        "n": 4,
        "lower": 1.0,
        "upper": 5.0,
        "objective": lambda x: x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2],
        "gradient": lambda x: [x[3] * (2 * x[0] + x[1] + x[2]), x[0] * x[3], x[0] * x[3] + 1, x[0] * (x[0] + x[1] + x[2])],
        "m": 2,
        "constraints": lambda x: [x.prod(), x @ x],
        "constraint_lower": [25.0, 40.0],
        "constraint_upper": [np.inf, 40.0],
        "jacobian_structure": ([0] * 4 + [1] * 4, [0, 1, 2, 3] * 2),
        "jacobian": lambda x: np.concatenate([x.prod() / x, 2 * x]),
        "hessian_structure": np.tril_indices(4),
        "hessian": hessian,
    }
    return Nlp(**parts | changes)


HS071_START = [1.0, 5.0, 5.0, 1.0]


def rosenbrock(radius_squared=2.0, **changes):
    """Rosenbrock's valley inside a circle; from 2 on, (1, 1) with f = 0 is inside, below it the circle holds x back."""
    parts = {
        "n": 2,
        "objective": lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2,
        "gradient": lambda x: [-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2), 200 * (x[1] - x[0] ** 2)],
        "m": 1,
        "constraints": lambda x: [x @ x],
        "constraint_lower": -np.inf,
        "constraint_upper": radius_squared,
        "jacobian_structure": ([0, 0], [0, 1]),
        "jacobian": lambda x: 2 * x,
        "hessian_structure": ([0, 1, 1], [0, 0, 1]),
        "hessian": lambda x, f, y: [f * (2 - 400 * (x[1] - 3 * x[0] ** 2)) + 2 * y[0], -400 * f * x[0], 200 * f + 2 * y[0]],
    }
    return Nlp(**parts | changes)


def banded(n, shared=None):
    """Pull each x_i to t_i = sin(i) while x_{i+1} - x_i/2 + x_i^3/10 keeps its value of t: x = t has f = 0 and is optimal."""
    t = np.sin(np.arange(n))
    g = t[1:] - 0.5 * t[:-1] + 0.1 * t[:-1] ** 3
    i = np.arange(n - 1)
    return Nlp(
        n=n,
        objective=lambda x: 0.5 * (x - t) @ (x - t),
        gradient=lambda x: x - t,
        m=n - 1,
        constraints=lambda x: x[1:] - 0.5 * x[:-1] + 0.1 * x[:-1] ** 3,
        constraint_lower=g,
        constraint_upper=g,
        jacobian_structure=(np.concatenate([i, i]), np.concatenate([i, i + 1])),
        jacobian=lambda x: np.concatenate([0.3 * x[:-1] ** 2 - 0.5, np.ones(n - 1)]),
        hessian_structure=(np.arange(n), np.arange(n)),
        hessian=lambda x, factor, y: factor + np.append(0.6 * x[:-1] * y, 0.0),
        evaluate=shared,
    ), t


def residual(nlp, solution):
    """Largest entry of the gradient of the Lagrangian: zero at an optimum."""
    slope = np.array(nlp.gradient(solution.x), float) - solution.lower_multipliers + solution.upper_multipliers
    rows, columns = nlp.jacobian_structure
    np.add.at(slope, columns, np.asarray(nlp.jacobian(solution.x)) * solution.multipliers[rows])
    return np.abs(slope).max()
