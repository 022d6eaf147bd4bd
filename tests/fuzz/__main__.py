"""Options of `make fuzz`, and the table at its end."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .outcome import GOOD, Outcome
from .reader import random_of
from .readers import READERS
from .watch import Count, fuzz

SHOWN = 5  # failures of a reader that are printed


def main(words: list[str] | None = None) -> int:
    """Run what the command line asks for; return the exit code, 1 where an input failed."""
    parser = argparse.ArgumentParser("python -m tests.fuzz", description="Mutated inputs, followed to their first torque.")
    parser.add_argument("--reader", action="append", choices=list(READERS), help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--count", type=int, help="inputs of each reader [default: 1000, without end with --minutes]")
    parser.add_argument("--minutes", type=float, help="for all readers together")
    parser.add_argument("--jobs", type=int, default=1, help="readers at once")
    parser.add_argument("--keep", type=Path, default=Path("out/fuzz"), help="folder for inputs that fail")
    parser.add_argument("--only", type=int, help="run this input alone, here, and show where it ends")
    given = parser.parse_args(words)
    readers = given.reader or list(READERS)
    if given.only is not None:
        return _only(readers[0], given.seed, given.only, given.keep)
    count = given.count or (1000 if given.minutes is None else sys.maxsize)
    keep = given.keep.absolute()
    with tempfile.TemporaryDirectory(prefix="fuzz-cache-") as cache:
        os.environ.setdefault("LISSOM_CACHE_DIR", cache)

        def run(name: str) -> Count:
            share = 1e9 if given.minutes is None else 60.0 * given.minutes * given.jobs / len(readers)
            found = fuzz(READERS[name], given.seed, given.first, count, time.monotonic() + share, keep)
            print(f"{name}: {found.total} inputs, {len(found.failures)} failures, {found.seconds:.0f} s", flush=True)
            for number, outcome, detail in found.failures[:SHOWN]:
                again = f"python -m tests.fuzz --reader {name} --seed {given.seed} --only {number}"
                print(f"  {outcome}: {detail}\n    {again}", flush=True)
            return found

        with ThreadPoolExecutor(given.jobs) as pool:
            counts = dict(zip(readers, pool.map(run, readers), strict=True))
    print("\n" + table(counts))
    return int(any(found.failures for found in counts.values()))


def table(counts: dict[str, Count]) -> str:
    """Return a table of outcomes, in Markdown."""
    rows = [["reader", "inputs", *Outcome, "slowest [s]", "inputs/s"]]
    for name, found in counts.items():
        rate = found.total / found.seconds if found.seconds else 0.0
        rows.append([name, found.total, *(found.outcomes[o] for o in Outcome), f"{found.slowest:.2f}", f"{rate:.0f}"])  # type: ignore[list-item]
    sums = [sum(found.outcomes[o] for found in counts.values()) for o in Outcome]
    slowest = max((found.slowest for found in counts.values()), default=0.0)
    rows.append(["all", sum(sums), *sums, f"{slowest:.2f}", ""])  # type: ignore[list-item]
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def _only(name: str, seed: int, number: int, keep: Path) -> int:
    """Run one input in this process, without limits."""
    from lissom import LissomError

    from .worker import run

    reader = READERS[name]
    warnings.simplefilter("ignore")
    seeds = reader.seeds()
    keep.mkdir(parents=True, exist_ok=True)
    path = (keep / f"{name}-{seed}-{number}{reader.ending}").absolute()
    path.write_bytes(reader.input(random_of(seed, name, number), seeds))
    print(f"input: {path}")
    outcome, detail = run(reader, seed, number, seeds, path)
    print(f"{outcome}: {detail}")
    if outcome is Outcome.RAW:
        rng = random_of(seed, name, number)
        reader.input(rng, seeds)
        try:
            list(reader.follow(path, rng))
        except LissomError:
            raise
        except Exception:
            traceback.print_exc()
    return int(outcome not in GOOD)


if __name__ == "__main__":
    sys.exit(main())
