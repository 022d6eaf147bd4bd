"""Time of the dynamics of a Gough-Stewart platform, in a batch of 4096 on one thread, with Pinocchio in a loop.

Pinocchio gets the configuration of the tree: inverse dynamics is pin.rnea of the tree and its constraint Jacobian, projected
with NumPy; forward dynamics pin.constraintDynamics. In `tree` lissom gets the same; `lengths`
also solves the closure from the leg lengths.
"""

import numpy as np

import lissom
from lissom.bench import BATCH, best_times


def main() -> None:
    lissom.set_threads(1)
    robot = lissom.robots.gough_stewart()
    judge = Pinocchio(robot)
    rng = np.random.default_rng(0)
    q = robot.home() + 0.1 * rng.uniform(-1, 1, (BATCH, 6))
    qd, qdd = rng.normal(size=(2, BATCH, 6))
    tree, v, a = robot.tree_motion(q, qd, qdd)
    tree, v, a = np.array(tree), np.array(v), np.array(a)
    tau = robot.inverse_dynamics(None, qd, qdd, tree_q=tree)
    forces = np.zeros((BATCH, robot.model.nv))
    forces[:, list(robot.plan.active)] = tau
    few = 256  # samples in Pinocchio's loop, which is slow
    own = best_times(
        [
            lambda: robot.inverse_dynamics(None, qd, qdd, tree_q=tree),
            lambda: robot.inverse_dynamics(q, qd, qdd),
            lambda: robot.forward_dynamics(None, qd, tau, tree_q=tree),
            lambda: robot.forward_dynamics(q, qd, tau),
        ],
        seconds=3.0,
    )
    inverse, forward = best_times(
        [
            lambda: [judge.inverse(tree[k], v[k], a[k]) for k in range(few)],
            lambda: [judge.forward(tree[k], v[k], forces[k]) for k in range(few)],
        ],
        seconds=3.0,
    )
    difference = [
        np.abs(np.array([judge.inverse(tree[k], v[k], a[k]) for k in range(few)]) - tau[:few]).max() / np.abs(tau).max(),
        np.abs(np.array([judge.forward(tree[k], v[k], forces[k]) for k in range(few)]) - a[:few]).max() / np.abs(a).max(),
    ]
    print(f"{'work':34}{'mul':>6}{'add':>6}{'lissom':>12}{'Pinocchio':>14}{'ratio':>9}{'difference':>13}")
    rows = [("inverse dynamics, tree", own[0], inverse, 0), ("inverse dynamics, lengths", own[1], inverse, 0)]
    rows += [("forward dynamics, tree", own[2], forward, 1), ("forward dynamics, lengths", own[3], forward, 1)]
    for label, mine, theirs, which in rows:
        n = robot.operation_count(("inverse_dynamics", "forward_dynamics")[which])
        mine, theirs = mine / BATCH * 1e9, theirs / few * 1e9
        # the time of the closure is not counted
        mul, add = (n.multiplications, n.additions) if label.endswith("tree") else ("", "")
        print(f"{label:34}{mul:6}{add:6}{mine:9.1f} ns{theirs:11.0f} ns{theirs / mine:8.1f}x{difference[which]:13.1e}")
    t = np.linspace(0.0, 1.0, 400)[:, None]
    path = robot.home() + 0.3 * np.sin(2 * np.pi * t * np.array([1, 2, 1, 2, 1, 2]) + np.arange(6)) * t
    followed = robot.follow(path)
    steps = followed.iterations[1:]
    print(
        f"closure along 400 samples of a motion: {steps.mean():.2f} steps of Newton's method on average, {steps.max()} at most; "
        f"open by {robot.closure_error(followed.tree_q).max():.1e} m"
    )


class Pinocchio:
    """The platform in Pinocchio: its tree joint by joint, its ball joints as constraints between two joints."""

    def __init__(self, robot: lissom.ClosedRobot) -> None:
        import pinocchio as pin

        self.pin, self.active = pin, list(robot.plan.active)
        self.model, carrier = pin.Model(), {robot.model.base: 0}
        kinds = {"revolute": pin.JointModelRevoluteUnaligned, "prismatic": pin.JointModelPrismaticUnaligned}
        for joint in robot.model.joints:
            made = kinds[joint.kind.value](np.array(joint.axis)) if joint.kind.nv == 1 else pin.JointModelFreeFlyer()
            place = pin.SE3(joint.origin.R, joint.origin.p)
            index = carrier[joint.child] = self.model.addJoint(carrier[joint.parent], made, place, joint.name)
            inertia = robot.model.link(joint.child).inertia
            if inertia is not None:
                body = pin.Inertia(inertia.mass, np.array(inertia.com), np.array(inertia.tensor))
                self.model.appendBodyToJoint(index, body, pin.SE3.Identity())
        self.data = self.model.createData()
        self.loops, self.states = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for loop in robot.model.loops:
            ends = [(carrier[k], pin.SE3(p.R, p.p)) for k, p in ((loop.first, loop.first_pose), (loop.second, loop.second_pose))]
            (i, A), (j, B) = ends
            self.loops.append(
                pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, self.model, i, A, j, B, pin.ReferenceFrame.LOCAL)
            )
        self.states.extend(loop.createData() for loop in self.loops)
        pin.initConstraintDynamics(self.model, self.data, self.loops, self.states)
        self.settings = pin.ProximalSettings(1e-14, 0.0, 1)
        self.passive = [k for k in range(self.model.nv) if k not in self.active]

    def inverse(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
        """Return the torques of the tree, projected: tau_a - J_a' J_p^-T tau_p."""
        pin = self.pin
        tau = pin.rnea(self.model, self.data, q, v, a)
        pin.computeJointJacobians(self.model, self.data, q)
        for loop, state in zip(self.loops, self.states, strict=True):
            loop.calc(self.model, self.data, state)
        J = pin.getConstraintsJacobian(self.model, self.data, self.loops, self.states)
        return tau[self.active] - J[:, self.active].T @ np.linalg.solve(J[:, self.passive].T, tau[self.passive])

    def forward(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """Return the accelerations of the tree."""
        return self.pin.constraintDynamics(self.model, self.data, q, v, tau, self.loops, self.states, self.settings).copy()
