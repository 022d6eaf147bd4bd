"""One step of a humanoid, Unitree G1 with 29 joints and a floating base, and a Panda with a full cup around a post.

The step to 1e-3 is beside CasADi with the same nonlinear program, and both problems beside lissom's default solve, whose limits
hold at all times. The violation is the largest one between instants, too, in parts of the limit's scale.

CasADi gets the texts of lissom's own quantities as SX expressions, mapped over the instants, the same splines, rows, bounds and
start, and IPOPT with the same options, to 1e-3; both take the second derivatives of Gauss and Newton. CPU time, one thread,
without compile time. (Exact second derivatives of this program were not built by CasADi within ten minutes.)
"""

import time
from typing import Any

import casadi as ca
import numpy as np
from scipy.sparse import coo_matrix

import lissom
from lissom.bench import best_times
from lissom.compiler.replay import replay
from lissom.predict.quantities.compiled import Compiled
from lissom.predict.search.balance import with_balance
from lissom.predict.search.first_motion import first_motion
from lissom.predict.search.presolve import dependent_rows, settled_rows
from lissom.predict.search.run import IPOPT, Run
from lissom.predict.transcription.transcription import Transcription

STEP, CUP, TOLERANCE, ITERATIONS = "g1_step", "panda_cup", 1e-3, 100
QUICK: dict[str, Any] = {"tolerance": TOLERANCE, "limit_tolerance": None, "restart": False}


def main() -> None:
    print(f"{'':28}{'CPU':>9}{'iterations':>12}{'objective':>12}{'violation':>11}")
    solves(CUP)
    problem, found, ours = solves(STEP)
    print()
    program, x = transcription(problem)
    both = evaluations(program, x)
    sizes = f"{len(x)} unknowns, {program.rows} rows, {len(program.jacobian_structure()[0])} derivatives"
    print(f"{problem.name}: {sizes}")
    print(f"{'':28}{'CPU':>9}{'iterations':>12}{'objective':>12}{'functions and Jacobian':>25}{'ratio':>8}")
    print(
        f"{'lissom, Gauss-Newton':28}{ours:7.2f} s{found.iterations:12}{found.objective:12.6f}{both * 1e3:22.2f} ms", flush=True
    )
    began = time.process_time()
    peer = CasadiStep(program, x)
    built = time.process_time() - began
    began = time.process_time()
    objective, iterations = peer.solve(x)
    own = time.process_time() - began
    (theirs,) = best_times([lambda: peer.evaluate(x)], seconds=1.0)
    name = "CasADi, Gauss-Newton"
    print(
        f"{name:28}{own:7.2f} s{iterations:12}{objective:12.6f}{theirs * 1e3:22.2f} ms{own / ours:7.1f}x, built in {built:.1f} s"
    )


def solves(name: str, rounds: int = 5) -> tuple[lissom.MotionProblem, lissom.predict.Prediction, float]:
    """Print how long a built-in problem takes to 1e-3 and at default settings; return it with its motion and time to 1e-3 [s]."""
    problem = lissom.predict.load(name)
    results = []
    for label, options in ((f"{name}, to {TOLERANCE:g}", QUICK), (f"{name}, default", {})):
        found, seconds = problem.solve(**options), []  # compiled here
        for _ in range(rounds):
            began = time.process_time()
            found = problem.solve(**options)
            seconds.append(time.process_time() - began)
        results.append((found, min(seconds)))
        print(f"{label:28}{min(seconds):7.2f} s{found.iterations:12}{found.objective:12.6f}{found.violation:11.1e}", flush=True)
    return problem, *results[0]


def transcription(problem: lissom.MotionProblem) -> tuple[Transcription, np.ndarray]:
    """Return the nonlinear program of a problem, and its start."""
    whole = with_balance(problem)
    run = Run(whole, "ipopt", TOLERANCE, ITERATIONS, {}, None)
    run.exact = False
    motion = first_motion(whole, None)
    program = run._transcription(motion, {})
    program.exact = False
    return program, run.unknowns(program, motion)


def evaluations(program: Transcription, x: np.ndarray) -> float:
    """Return the time of objective, gradient, constraints and Jacobian [s]."""

    def values() -> None:
        program.evaluate(x)
        program.objective(x)
        program.constraints(x)
        program.gradient(x)
        program.jacobian(x)

    return best_times([values], seconds=1.0)[0]


class CasadiStep:
    """A transcription as CasADi expressions.

    Args:
        program, x: with rows that fixed unknowns decide and rows that follow from others left out, as found at x.
    """

    def __init__(self, program: Transcription, x: np.ndarray) -> None:
        keep = np.setdiff1d(np.arange(program.rows), dependent_rows(program, x, settled_rows(program, x)))
        X = ca.MX.sym("x", len(x))
        entries = [ca.vec(_entries(program, source, X).T) for source in program.sources]  # as NumPy has them, row by row
        every, rules = ca.vertcat(*entries), program.rules
        limited = every[rules.take.tolist()] * ca.DM(rules.factor) - ca.DM(rules.offset)
        rows, columns, coefficients = rules.equations
        matrix = coo_matrix((coefficients, (rows, columns)), shape=(len(program.parts.equations), len(x))).toarray()
        place = np.empty(program.rows, dtype=int)  # of every row, among the limits and then the equations
        place[rules.rows] = np.arange(len(rules.rows))
        place[program.equations_at :] = len(rules.rows) + np.arange(program.rows - program.equations_at)
        g = ca.vertcat(limited, ca.sparsify(ca.DM(matrix)) @ X)[place[keep].tolist()]
        starts = dict(zip(program.sources, np.cumsum([0, *(source.y.size for source in program.sources)]), strict=False))
        roots = []
        for group in program.groups:
            which = np.arange(len(group.source.grid))[group.rows]
            for integral in group.integrals:
                at = starts[group.source] + which[:, None] * group.quantity.size + np.arange(group.quantity.size)
                z = every[at.ravel().tolist()] * ca.DM(group.spread(group.factor).ravel()) - ca.DM(
                    group.spread(group.offset).ravel()
                )
                share = integral.weight * group.grid.weights * program.T[group.grid.clock]
                roots.append(ca.DM(np.sqrt(share[:, None] * integral.factors).ravel()) * z)
        residual = ca.vertcat(*roots)
        nlp = {"x": X, "f": ca.sumsqr(residual), "g": g}
        own = {"print_level": 0, "sb": "yes", "nlp_scaling_method": "none", "tol": TOLERANCE, "max_iter": ITERATIONS, **IPOPT}
        J = ca.jacobian(residual, X)
        p, factor, multipliers = ca.MX.sym("p", 0), ca.MX.sym("factor"), ca.MX.sym("multipliers", len(keep))
        hessian = ca.Function("hess_lag", [X, p, factor, multipliers], [ca.triu(2 * factor * ca.mtimes(J.T, J))])
        self.solver = ca.nlpsol("step", "ipopt", nlp, {"ipopt": own, "print_time": False, "hess_lag": hessian})
        self.values = ca.Function("values", [X], [nlp["f"], ca.gradient(nlp["f"], X), nlp["g"], ca.jacobian(nlp["g"], X)])
        low, high = program.bounds()
        self.bounds = {"lbx": program.lower, "ubx": program.upper, "lbg": low[keep], "ubg": high[keep]}

    def solve(self, x: np.ndarray) -> tuple[float, int]:
        """Return the objective found from a start, and the number of iterations."""
        found = self.solver(x0=x, **self.bounds)
        return float(found["f"]), self.solver.stats()["iter_count"]

    def evaluate(self, x: np.ndarray) -> None:
        """Evaluate objective, gradient, constraints and Jacobian."""
        self.values(x)


def _entries(program: Transcription, source: Any, X: Any) -> Any:
    """Return the entries of a quantity at its instants (K, E)."""
    grid, T = source.grid, float(program.T[0])
    rates = []
    for order in range(program.orders):
        parts = []
        for track, start in zip(grid.tracks, grid.starts, strict=False):
            P = ca.reshape(X[int(start) : int(start) + track.size], track.n, track.basis.count)
            parts.append(P @ ca.DM(track.whole[order].T) / T**order)
        rates.append(ca.vertcat(*parts)[source.columns.tolist(), :])
    quantity = source.quantity
    if not isinstance(quantity, Compiled):  # linear
        D = np.asarray(quantity.derivatives(program.state(grid).part(source.columns)))[0, 0]
        return (ca.DM(D) @ rates[quantity.orders[0]]).T
    task = quantity._maker(quantity.robot.model, **quantity._options)
    code = task.program(quantity.robot.name)
    inputs = [ca.SX.sym(port.name, port.size) for port in code.inputs]
    results = replay(code, [ca.vertsplit(symbol) for symbol in inputs])[0]
    function = ca.Function(quantity.name, inputs, [ca.vertcat(*results)])
    joints = getattr(quantity, "joints", len(source.columns))
    names = {name: rates[order][:joints, :] for name, order in zip(quantity._state, quantity.orders, strict=True)}
    names |= {name: rates[order][joints:, :] for order, name in enumerate(("given", "given_rate"))}
    return function.map(len(grid))(*(names[port.name] for port in code.inputs)).T
