"""The wrench at a link that explains joint torques: tau = J' w, solved for w.

J is the Jacobian of the point on the link where the wrench is looked for (`jacobian.py`), of the n joint directions between the
base and the link. With as many directions as components that they can feel, six unless the robot is planar, it is the wrench with
the least squared error of torques; with fewer, of all wrenches that explain the torques, the one with the smallest sum of squares
of force [N] and moment over a length, that of the way to the link [m]. What no joint can feel is zero. Both by orthogonal
columns (`elimination.py`); where J loses rank the result is NaN.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...compiler.labels import section
from ...compiler.program import Port
from ...compiler.task import Task
from ...errors import ModelError
from ...model.model import Model
from ...spatial.scalar import Scalar, is_zero, mul
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
        section("the wrench that explains the torques, by orthogonal columns of the Jacobian")
        felt = sorted({s.tree.bodies[j].iv + k for j in chain(s.tree, s.tree.places[link][0]) for k in _own(s.tree, j)})
        # unknowns are the force and the moment over the length, so that rows and columns are of one kind
        scaled = [[mul(1.0 if r < 3 else L, J[r][c]) for r in range(6)] for c in felt]
        # what some joint can feel; on plain numbers a zero may be one of this configuration alone
        plain = type(s["q"][0]) is float
        parts = [r for r in range(6) if plain or not all(is_zero(row[r]) for row in scaled)]
        lost = ModelError(f"the Jacobian of link {link!r} loses rank at this configuration, where torques do not show its wrench")
        w: Mapping[int, Scalar]
        try:
            if len(felt) >= len(parts):
                rows = [{r: row[r] for r in parts} for row in scaled]
                w = Elimination(rows, parts, [L] * len(felt), dict.fromkeys(parts, 1.0)).solve([s["tau"][c] for c in felt])
            else:
                rows = [{c: scaled[k][r] for k, c in enumerate(felt)} for r in parts]
                own = Elimination(rows, felt, [1.0] * len(parts), dict.fromkeys(felt, 1.0 / L))
                w = dict(zip(parts, own.transposed({c: s["tau"][c] for c in felt}), strict=True))
        except ModelError:  # zeros leave no solution
            raise lost from None
        found = [mul(1.0 if r < 3 else L, w[r]) if r in parts else 0.0 for r in range(6)]
        if any(type(x) is float and math.isnan(x) for x in found):  # on plain numbers: the cause of a result that is missing
            raise lost
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
