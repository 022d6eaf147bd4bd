"""Time to the first torque, with an empty and with a filled cache, and time of `import lissom`."""

import subprocess
import sys

from lissom.bench import compile_seconds

from .robots import ROBOTS, find


def import_seconds() -> float:
    """Return the best time of `import lissom` in a fresh process."""
    text = "import time; t = time.perf_counter(); import lissom; print(time.perf_counter() - t)"
    return min(float(subprocess.run([sys.executable, "-c", text], check=True, capture_output=True).stdout) for _ in range(5))


def main() -> None:
    print(f"{'robot':16}{'empty cache':>13}{'filled cache':>15}")
    for name, file, base in ROBOTS:
        cold, warm = compile_seconds(f"robot = lissom.load({find(file)!r}, base={base!r}, mimic=False)")
        print(f"{name:16}{cold:11.2f} s{warm * 1e3:12.0f} ms")
    print(f"import lissom: {import_seconds():.2f} s")
