"""Operation counts of forward dynamics by its three methods, and in Nasser's paper.

General chains of N revolute joints on a fixed base under gravity, with base parameters. The paper states 258 N - 119
multiplications and 191 N - 83 additions for Nasser's procedure.
"""

from lissom.algorithms.dynamics.forward_dynamics import METHODS, forward_dynamics
from lissom.robots import tree_model

NUMBERS = range(2, 13)


def count(n: int, method: str) -> tuple[int, int]:
    """Return multiplications (including divisions) and additions of a general chain of n revolute joints."""
    model = tree_model(n, branching=1.0, skew=1.0, kinds=("revolute",), drives=False)
    operations = forward_dynamics(model, method=method).program(model.name).operation_count()
    return operations.multiplications + operations.divisions, operations.additions


def paper(n: int) -> tuple[int, int]:
    """Return the counts that Nasser states in 3.3."""
    return 258 * n - 119, 191 * n - 83


def main() -> None:
    heads = (*METHODS, "Nasser 1990, 3.3")
    print(f"{'N':>3}" + "".join(f"{head:>22}" for head in heads))
    for n in NUMBERS:
        shown = [*(count(n, method) for method in METHODS), paper(n)]
        print(f"{n:3d}" + "".join(f"{f'{mul} mul {add} add':>22}" for mul, add in shown))
