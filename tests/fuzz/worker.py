"""The process that runs inputs: `python -m tests.fuzz.worker READER SEED FIRST FOLDER`, a line of JSON for each on stdout.

    {"ready": true}
    {"number": 17, "outcome": "refused", "detail": "FileError: ..", "seconds": 0.003}

It works in FOLDER, where the input that it is at lies under its name, so that it is there after a crash.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

from .outcome import GOOD, Outcome
from .reader import Reader, random_of

ROOM = 1 << 30  # bytes that an input may take beyond what the process has at its beginning


def run(reader: Reader, seed: int, number: int, seeds: list[bytes], path: Path) -> tuple[Outcome, str]:
    """Make an input, follow it, and say what became of it."""
    from lissom import LissomError

    rng = random_of(seed, reader.name, number)
    path.write_bytes(reader.input(rng, seeds))
    try:
        for result in reader.follow(path, rng):
            array = np.asarray(result)
            if array.dtype.kind in "fc" and not np.isfinite(array).all():
                return Outcome.NAN, f"a result of shape {array.shape} is not finite"
    except LissomError as error:
        return Outcome.REFUSED, f"{type(error).__name__}: {error}"
    except MemoryError as error:
        return Outcome.MEMORY, _where(error)
    except Exception as error:
        return Outcome.RAW, _where(error)
    return Outcome.ACCEPTED, ""


def _where(error: Exception) -> str:
    """Return an exception with the last lines of lissom that it came through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "lissom" in f.filename]
    return f"{type(error).__name__}: {error} at " + " < ".join(f"{Path(f.filename).name}:{f.lineno}" for f in frames[:-4:-1])


def main() -> None:
    """Run inputs until the process is ended."""
    name, seed, number, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print must not come between
    from .readers import EVERY

    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    reader = EVERY[name]
    seeds = reader.seeds()
    os.chdir(folder)
    limit_memory()
    print(json.dumps({"ready": True}), file=out, flush=True)
    while True:
        began = time.process_time()
        path = Path(f"input{reader.ending}")
        outcome, detail = run(reader, seed, number, seeds, path)
        if outcome not in GOOD:
            shutil.copyfile(path, path.with_stem(f"failed-{number}"))
        told = {"number": number, "outcome": outcome, "detail": detail[:1000], "seconds": time.process_time() - began}
        print(json.dumps(told), file=out, flush=True)
        number += 1


def limit_memory() -> None:
    """Let this process take no more than ROOM beyond what it has."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + ROOM
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


if __name__ == "__main__":
    main()
