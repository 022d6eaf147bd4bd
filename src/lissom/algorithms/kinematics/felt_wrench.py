"""The wrench at a link that explains joint torques: tau = J' w, solved for w.

J is the Jacobian of the point on the link where the wrench is looked for (`jacobian.py`), of the n joint directions between the base
and the link. With n >= 6 it is the wrench with the least squared error of torques; with fewer, of all wrenches that explain the
torques, the one with the smallest sum of squares of force [N] and moment over a length, that of the way to the link [m]: components that
no joint can feel are zero. Both by orthogonal columns (`elimination.py`); where J loses rank the result is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ...compiler.program import Port
from ...compiler.task import Task
from ...errors import ModelError
from ...model.model import Model
from ...spatial.scalar import Scalar, mul
from ...tree import Tree
from ..elimination import Elimination
from ..loads import Situation, chain, laid_out_task
from .jacobian import jacobian_text
from .kinematics import ORIGIN, key_of


def felt_wrench(model: Model, link: str, axes: str = "world", point: str = "link") -> Task:
    """w(q, tau): force and moment (6) on a link."""
    L = way_length(model, link)

    def text(s: Situation) -> list[Scalar]:
        J = jacobian_text(s, link, axes, point == ORIGIN)
        felt = sorted({s.tree.bodies[j].iv + k for j in chain(s.tree, s.tree.places[link][0]) for k in _own(s.tree, j)})
        # unknowns are the force and the moment over the length, so that rows and columns are of one kind
        scaled = [[mul(1.0 if r < 3 else L, J[r][c]) for r in range(6)] for c in felt]
        w: Mapping[int, Scalar] | Sequence[Scalar]
        if len(felt) >= 6:
            rows = [dict(enumerate(row)) for row in scaled]
            w = Elimination(rows, range(6), [L] * len(felt), dict.fromkeys(range(6), 1.0)).solve([s["tau"][c] for c in felt])
        else:
            rows = [{c: scaled[k][r] for k, c in enumerate(felt)} for r in range(6)]
            w = Elimination(rows, felt, [1.0] * 6, dict.fromkeys(felt, 1.0 / L)).transposed({c: s["tau"][c] for c in felt})
        found = [mul(1.0 if r < 3 else L, w[r]) for r in range(6)]
        if any(type(x) is float and math.isnan(x) for x in found):  # on plain numbers: the cause of a result that is missing
            raise ModelError(f"the Jacobian of link {link!r} loses rank at this configuration, where torques do not show its wrench")
        return found

    inputs = {"q": model.nq, "tau": model.nv, **({"point": 3} if point == "given" else {})}
    return laid_out_task(key_of("felt_wrench", link, axes, point), model, inputs, Port("w", 6), text)


def way_length(model: Model, link: str) -> float:
    """Return the length of the way from the base to a link through the frames of the joints [m]; 1 where it is zero."""
    above = {joint.child: joint for joint in model.joints}
    length = 0.0
    while link in above:
        joint = above[link]
        length += math.hypot(*joint.origin.translation) + math.hypot(*joint.tail.translation)
        link = joint.parent
    return length or 1.0


def _own(tree: Tree, j: int) -> range:
    return range(len(tree.bodies[j].directions))
