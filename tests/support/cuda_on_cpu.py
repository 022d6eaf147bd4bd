"""CUDA C compiled for the processor: kernels become loops over threads. What nvcc would refuse beyond C++ is not seen."""

import re
from pathlib import Path

_STAND_IN = """#include <cmath>
#include <cstdlib>
#include <cstring>
struct Index { int x; };
static Index blockIdx, blockDim, threadIdx;
#define __device__
#define __global__
enum { cudaSuccess, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static int cudaMalloc(void **p, size_t n) { *p = malloc(n); return 0; }
static int cudaMemcpy(void *a, const void *b, size_t n, int) { memcpy(a, b, n); return 0; }
static int cudaFree(void *p) { free(p); return 0; }
"""
_LAUNCH = re.compile(r"(\w+)<<<(.*?), (\d+)>>>\((.*?)\);")
_LOOP = r"""blockDim.x = \3;
    for (blockIdx.x = 0; blockIdx.x < \2; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < \3; threadIdx.x++) \1(\4);"""


def on_cpu(folder: Path, test: str) -> str:
    """Write a test program of CUDA as C++ beside it; return its name."""
    (folder / "cuda_runtime.h").write_text("")
    (folder / "on_cpu.cpp").write_text(_STAND_IN + _LAUNCH.sub(_LOOP, (folder / test).read_text()))
    return "on_cpu.cpp"
