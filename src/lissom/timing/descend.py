"""The recurrence behind both passes over the grid, in machine code and, to define it, in NumPy.

    z_0 = start,   z_(k+1) = max(floor_k, min(cap_k, min_j(gain_kj z_k + offset_kj)))

Each step needs the one before, so that NumPy can vectorize only the few lines of one step; a loop in machine code is fifty times
faster.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ..compiler import cache, jit
from ..locks import once

IR = """
define void @descend(ptr %gain, ptr %offset, ptr %cap, ptr %floor, ptr %z, i64 %rows, i64 %width) {
entry:
  %start = load double, ptr %z
  br label %row
row:
  %k = phi i64 [ 0, %entry ], [ %k_next, %end ]
  %value = phi double [ %start, %entry ], [ %new, %end ]
  %any_row = icmp slt i64 %k, %rows
  br i1 %any_row, label %begin, label %exit
begin:
  %base = mul i64 %k, %width
  %cap_at = getelementptr double, ptr %cap, i64 %k
  %top = load double, ptr %cap_at
  br label %line
line:
  %j = phi i64 [ 0, %begin ], [ %j_next, %body ]
  %least = phi double [ %top, %begin ], [ %less, %body ]
  %any_line = icmp slt i64 %j, %width
  br i1 %any_line, label %body, label %end
body:
  %at = add i64 %base, %j
  %gain_at = getelementptr double, ptr %gain, i64 %at
  %offset_at = getelementptr double, ptr %offset, i64 %at
  %g = load double, ptr %gain_at
  %o = load double, ptr %offset_at
  %scaled = fmul double %g, %value
  %here = fadd double %scaled, %o
  %below = fcmp olt double %here, %least
  %less = select i1 %below, double %here, double %least
  %j_next = add i64 %j, 1
  br label %line
end:
  %floor_at = getelementptr double, ptr %floor, i64 %k
  %bottom = load double, ptr %floor_at
  %under = fcmp olt double %least, %bottom
  %new = select i1 %under, double %bottom, double %least
  %k_next = add i64 %k, 1
  %z_at = getelementptr double, ptr %z, i64 %k_next
  store double %new, ptr %z_at
  br label %row
exit:
  ret void
}
"""


def descend(
    gain: np.ndarray, offset: np.ndarray, cap: np.ndarray, floor: np.ndarray, start: float, machine_code: bool = True
) -> np.ndarray:
    """Return z (M + 1,) from gain and offset (M, k), cap and floor (M,); by machine code or by NumPy."""
    z = np.empty(len(cap) + 1)
    z[0] = start
    if machine_code:
        arrays = [np.ascontiguousarray(array, dtype=float) for array in (gain, offset, cap, floor)]
        _machine_code()[1](*(array.ctypes.data for array in (*arrays, z)), *gain.shape)
        return z
    for k in range(len(cap)):
        z[k + 1] = max(floor[k], min(cap[k], np.min(gain[k] * z[k] + offset[k])))
    return z


@once
def _machine_code() -> tuple[jit.Loaded, Any]:
    name = cache.entry_name("descend", jit.version(), IR)
    code = cache.read(name)
    if code is None:
        code = jit.compile_object(IR)
        cache.write(name, code)
    loaded = jit.Loaded(code, "descend")
    kind = ctypes.PYFUNCTYPE(None, *[ctypes.c_void_p] * 5, *[ctypes.c_int64] * 2)
    return loaded, kind(loaded.address("descend"))
