"""Compile the kernels of `python -m benchmarks gpu` for a card that is somewhere else, with ptxas, so that it need not wait.

    python tools/gpu_pack.py FOLDER [text ...]      kernels whose line has all these texts
FOLDER then has the source, models, and the cache of compiled code. There:
    PYTHONPATH=FOLDER/src LISSOM_CACHE_DIR=FOLDER/cache LISSOM_GPU_MODELS=FOLDER/models python FOLDER/benchmarks/gpu.py
"""

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET, SHARED = "sm_90", 115712  # of an H100 and H200


def main(folder: Path, *texts: str) -> None:
    """Fill a folder."""
    if not (folder / "src").exists():
        shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "benchmarks", folder / "benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "cache").mkdir(mode=0o700, exist_ok=True)
    os.environ["LISSOM_CACHE_DIR"] = str(folder / "cache")
    sys.path[:0] = [str(folder / "src"), str(ROOT), str(ROOT / "tools")]
    from benchmarks.gpu import FUNCTIONS, models
    from gpu_variants import VARIANTS

    import lissom
    from lissom.compiler import cache
    from lissom.compiler.cuda.kernel import Shape
    from lissom.compiler.cuda.module import entry_name, packed
    from lissom.compiler.cuda.warps import best_kernel
    from lissom.compiler.kernel import Kernel
    from lissom.robot.catalogue import CATALOGUE

    assert lissom.__file__.startswith(str(folder))
    (folder / "models").mkdir(exist_ok=True)

    def make(name, model, function, layout, single, change=None):
        shape = Shape(**{"shared": SHARED, **(change or {})})
        task = CATALOGUE[function].maker(model, **({"packed": True} if function.endswith("derivatives") else {}))
        identity = Kernel(model, task)
        layouts = [layout] * (len(task.inputs) + len(task.outputs))
        entry = entry_name(identity.parts(), layouts, single, shape, TARGET)
        if cache.read(entry) is not None:
            return
        begin = time.time()
        kernel = best_kernel(task.program(model.name), layouts, single, shape, model)
        code, said = assembled(kernel.text)
        cache.write(entry, packed(kernel, code))
        said = " ".join(line.split(":", 1)[-1].strip() for line in said.splitlines() if "spill" in line or "registers" in line)
        print(
            f"{name} {function} {layout} {'single' if single else 'double'} {change or ''}: {time.time() - begin:.0f} s, {said}",
            flush=True,
        )

    work = []
    if texts == ("variants",):
        found = models()
        work = [(name, found[name], function, layout, False, change) for name, function, layout, change in VARIANTS]
        # the host's arrays are rows
        work += [(name, found[name], function, "rows", False, change) for name, function, _, change in VARIANTS]
        work = [x for k, x in enumerate(work) if x not in work[:k]]
    for name, model in models().items():
        (folder / "models" / f"{name}.pickle").write_bytes(pickle.dumps(model))
        for function in FUNCTIONS:
            for layout in ("columns", "rows"):
                for single in (False, True):
                    line = f"{name} {function} {layout} {'single' if single else 'double'}"
                    if all(text in line for text in texts):
                        work.append((name, model, function, layout, single))
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(lambda x: make(*x), work))


def assembled(text: str) -> tuple[bytes, str]:
    """Return machine code and what ptxas says."""
    with tempfile.TemporaryDirectory() as where:
        source, code = Path(where) / "kernel.ptx", Path(where) / "kernel.cubin"
        source.write_text(text)
        command = ["ptxas", f"-arch={TARGET}", "-v", "-o", str(code), str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        return code.read_bytes(), done.stderr


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), *sys.argv[2:])
