"""The same motion problem written directly in CasADi: symbolic inverse dynamics (SX), automatic derivatives, IPOPT."""

import time

import casadi as ca
import numpy as np

from lissom import MotionProblem
from lissom.predict.transcription.grid import Grid
from lissom.tree import BASE, lump


def inverse_dynamics(robot):
    """Return a CasADi function tau(q, qd, qdd) by the recursive Newton-Euler algorithm, as a user of CasADi would write it."""
    tree = lump(robot.model)
    q, qd, qdd = (ca.SX.sym(name, robot.nv) for name in ("q", "qd", "qdd"))
    z = ca.DM([0.0, 0.0, 1.0])
    w, dw, a, R, p, f, m = [], [], [], [], [], [], []
    for body in tree.bodies:
        c, s = ca.cos(q[body.iv]), ca.sin(q[body.iv])
        turn = ca.vertcat(ca.horzcat(c, -s, 0), ca.horzcat(s, c, 0), ca.horzcat(0, 0, 1))
        R.append(ca.DM(body.pose.R) @ turn)
        p.append(ca.DM(body.pose.p))
        i = body.parent
        wi, dwi, ai = (ca.SX.zeros(3), ca.SX.zeros(3), -ca.DM(tree.gravity)) if i == BASE else (w[i], dw[i], a[i])
        w.append(R[-1].T @ wi + z * qd[body.iv])
        dw.append(R[-1].T @ dwi + ca.cross(R[-1].T @ wi, z * qd[body.iv]) + z * qdd[body.iv])
        a.append(R[-1].T @ (ai + ca.cross(dwi, p[-1]) + ca.cross(wi, ca.cross(wi, p[-1]))))
        ms, J = ca.DM(body.ms), ca.DM(body.J)
        f.append(body.mass * a[-1] + ca.cross(dw[-1], ms) + ca.cross(w[-1], ca.cross(w[-1], ms)))
        m.append(J @ dw[-1] + ca.cross(w[-1], J @ w[-1]) + ca.cross(ms, a[-1]))
    tau = [0.0] * robot.nv
    for j in reversed(range(len(tree.bodies))):
        body = tree.bodies[j]
        tau[body.iv] = m[j][2] + body.rotor * qdd[body.iv] + body.viscous * qd[body.iv]
        if body.parent != BASE:
            force = R[j] @ f[j]
            f[body.parent] += force
            m[body.parent] += R[j] @ m[j] + ca.cross(p[j], force)
    return ca.Function("tau", [q, qd, qdd], [ca.vertcat(*tau)])


class CasadiProblem:
    """A minimum-time problem of a lissom MotionProblem with limits on velocity and torque, in CasADi.

    Attributes:
        setup_seconds: to build the solver, derivatives included.
    """

    def __init__(self, problem: MotionProblem) -> None:
        began = time.perf_counter()
        robot, basis = problem.robot, problem.basis
        grid = Grid([basis], problem.columns, basis.grid(problem.points_per_span))
        P, T = ca.MX.sym("P", robot.nv, basis.count), ca.MX.sym("T")
        B = [ca.DM(grid.tracks[0].whole[r].T) for r in range(3)]
        q, qd, qdd = P @ B[0], P @ B[1] / T, P @ B[2] / T**2
        rows, low, high = [], [], []
        for limit in problem.parts.limits:
            tau = inverse_dynamics(robot).map(len(grid))(q, qd, qdd) if limit.quantity.name == "torque" else qd
            rows.append(ca.vec(tau[list(map(int, limit.entries)), :] / ca.DM(limit.scale)))
            low.append(np.tile(limit.lower / limit.scale, len(grid)))
            high.append(np.tile(limit.upper / limit.scale, len(grid)))
        options = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "nlp_scaling_method": "none"}}
        options["ipopt"] |= {"mu_strategy": "adaptive", "bound_relax_factor": 0.0, "tol": 1e-8}
        x = ca.vertcat(ca.vec(P), T)
        self.solver = ca.nlpsol("solver", "ipopt", {"x": x, "f": T, "g": ca.vertcat(*rows)}, options)
        lower, upper = problem.bounds(basis)
        self.bounds = {
            "lbx": np.append(lower.ravel(), problem.duration[0]),
            "ubx": np.append(upper.ravel(), problem.duration[1]),
            "lbg": np.concatenate(low),
            "ubg": np.concatenate(high),
        }
        self.setup_seconds = time.perf_counter() - began

    def solve(self, path) -> tuple[float, int]:
        """Return the duration found from a start, and the number of iterations."""
        found = self.solver(x0=np.append(path.points.ravel(), path.duration), **self.bounds)
        return float(found["f"]), self.solver.stats()["iter_count"]
