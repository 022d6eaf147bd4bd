"""ClosedRobot: the front door of mechanisms with loops."""

from __future__ import annotations

from ..algorithms.closed import forward as closed_forward
from ..algorithms.closed import tasks as closed_tasks
from ..algorithms.closed import wrenches as closed_wrenches
from ..compiler.program import OperationCount
from ..errors import NameLookupError, is_choice
from .along_path import ClosedAlongPath

ALGORITHMS = {
    "inverse_dynamics": closed_tasks.inverse_dynamics,
    "forward_dynamics": closed_forward.forward_dynamics,
    "mass_matrix": closed_forward.mass_matrix,
    "joint_wrenches": closed_wrenches.joint_wrenches,
    "tree_motion": closed_tasks.tree_motion,
    "velocity_matrix": closed_tasks.velocity_matrix,
}


class ClosedRobot(ClosedAlongPath):
    """A mechanism with loops: its model, and the model's equations of motion compiled for this machine.

    Its coordinates are those of active joints, as many as there are degrees of freedom; everything else follows from the closure
    of the loops, which every function solves by itself. Arrays have shape (n,) for one state or (..., n) for many.

    Args:
        model: with loops, and the names of its active joints.
        backend: "llvm" for machine code, "numpy" for the slow and readable definition; None takes machine code where it works.
        posture: where to begin assembling: {joint: coordinates}, or all coordinates of the tree; None takes the model's own.
        closure_tolerance: by how much loops may stay open [m; angles times the length of the mechanism], of over-constrained
            linkages with rounded lengths. They are closed by least squares at home, and equations below this size count as
            redundant; `closure_residual` says what is left. None takes the model's own; without one, loops close to 1e-12.
    """

    def operation_count(self, algorithm: str) -> OperationCount:
        """Return how many operations one evaluation takes, at a configuration that closes the loops."""
        if not is_choice(algorithm, ALGORITHMS):
            raise NameLookupError("algorithm", algorithm, ALGORITHMS)
        return ALGORITHMS[algorithm](self.model, self.plan).program(self.name).operation_count()  # type: ignore[operator]
