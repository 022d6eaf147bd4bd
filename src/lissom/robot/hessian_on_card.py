"""Second derivatives on a card: products with unit vectors, one launch each, put together by one more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..compiler.cuda.arrays import DeviceArray, on_card, packed
from ..compiler.cuda.backend import CUDA
from ..compiler.cuda.device import Memory
from ..compiler.cuda.views import view
from ..compiler.program import Port
from ..compiler.run import Function
from ..compiler.task import Task
from ..model import Model
from ..spatial.scalar import add, mul


def from_products(model: Model) -> Task:
    """The Hessian (3 n, 3 n) from its products with n unit vectors along q, then along qd: n rows of 3 n and n numbers."""
    n = model.nv

    def text(found: Sequence[Any]) -> list[list[Any]]:
        along_q = [[found[4 * n * k + i] for i in range(3 * n)] for k in range(n)]
        along_qd = [[found[4 * n * k + 3 * n + i] for i in range(n)] for k in range(n)]
        whole: list[list[Any]] = [[0.0] * (3 * n) for _ in range(3 * n)]
        for i in range(n):
            for j in range(n):
                whole[i][j] = mul(0.5, add(along_q[i][j], along_q[j][i]))
                whole[n + i][n + j] = mul(0.5, add(along_qd[i][j], along_qd[j][i]))
                for k in (n, 2 * n):
                    whole[i][k + j] = whole[k + j][i] = along_q[i][k + j]
        return [[x for row in whole for x in row]]

    return Task("hessian from products", (Port("products", 4 * n * n),), (Port("hessian", 9 * n * n),), [text])


def hessian_on_card(backend: CUDA, n: int, columns: Function, whole: Function, arguments: Sequence[Any]) -> Any:
    """Return the second derivatives (..., 3 n, 3 n) for arrays of which some are on a card.

    Args:
        backend: of the robot.
        n: number of velocities.
        columns: products with a unit vector, the last argument: along q (3 n), then along qd (n).
        whole: the task of `from_products`.
        arguments: all others of `columns`.
    """
    lead: tuple[int, ...] = next((tuple(x.shape[:-1]) for x in arguments if len(x.shape) > 1), ())
    names = [port.name for port in columns.task.inputs]
    views = [
        view(x, name, (int(x.shape[-1]),), backend.precision == "single")
        for x, name in zip(arguments, names, strict=False)
        if on_card(x)
    ]
    stream = columns.prepared.stream(views)  # type: ignore[attr-defined]
    card, count, kind = backend.card(), math.prod(lead), backend.dtype
    # each number of all samples side by side, sample after sample
    memory = Memory(card, 4 * n * n * count * kind.itemsize, stream)
    inner = packed((n, 4 * n, *lead), kind.itemsize)
    products = DeviceArray(memory, (*lead, n, 4 * n), kind, (*inner[2:], *inner[:2]), stream)
    units = backend.array([[float(i == k) for i in range(n)] for k in range(n)])
    for k in range(n):
        columns([*arguments, units[k]], products[..., k, :])
    return whole([products.reshape(*lead, 4 * n * n)])
