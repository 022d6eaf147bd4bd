"""Functions of many decision vectors beside those that the solver calls for one."""

import numpy as np
from scipy.sparse import coo_matrix

from lissom.predict.batch.recorded import NAMES
from lissom.predict.data.motion import idle
from lissom.predict.transcription.of_problem import transcribed
from lissom.spline import SplinePath


def transcription(problem):
    """Return the program of the solver."""
    path = SplinePath(np.zeros((problem.basis.count, problem.n)), 1.0, basis=problem.basis)
    return transcribed(problem, idle(path, problem.channels, problem.timing), problem.parts)


def vectors(found, count, seed=0, size=0.3, durations=(0.5, 0.9)):
    """Return unknowns, directions and multipliers of so many problems."""
    rng = np.random.default_rng(seed)
    x = size * rng.uniform(-1.0, 1.0, (count, len(found.lower)))
    x[:, found.size : found.peaks_at] = rng.uniform(*durations, (count, found.peaks_at - found.size))
    return x, rng.normal(size=x.shape), rng.normal(size=(count, found.rows))


def one_by_one(found, x, direction, multipliers, factor):
    """Return all functions of `NAMES`, each for all problems."""
    results = []
    for own, d, w in zip(x, direction, multipliers, strict=True):
        found.evaluate(own)
        J = coo_matrix((found.jacobian(own), found.jacobian_structure()), shape=(found.rows, len(own))).tocsr()
        half = coo_matrix((found.hessian(own, factor, w), found.hessian_structure()), shape=(len(own), len(own))).toarray()
        H = half + half.T - np.diag(np.diag(half))
        gradient = found.gradient(own)
        values = found.objective(own), gradient, found.constraints(own), found.jacobian(own)
        results.append((*values, J @ d, factor * gradient + J.T @ w, H @ d))
    return [np.array(each) for each in zip(*results, strict=True)]


def errors(problem, functions, count=3, seed=0, **options):
    """Return the largest error of each function, of the largest number of one problem."""
    found = transcription(problem)
    given = vectors(found, count, seed, **options)
    expected = one_by_one(found, *given, 1.3)
    x, direction, multipliers = given
    several = functions.evaluate(x, *NAMES, direction=direction, multipliers=multipliers, factor=1.3)
    worst = {}
    for name, own, wanted in zip(NAMES, several, expected, strict=True):
        assert own.shape == wanted.shape, name
        scale = np.abs(wanted).reshape(count, -1).max(axis=1, initial=1e-300).reshape(-1, *[1] * (wanted.ndim - 1))
        worst[name] = float((np.abs(own - wanted) / scale).max(initial=0.0))
    return worst
