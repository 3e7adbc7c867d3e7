"""One command, one table: ``python benchmarks/run.py [a b c d e f h]``. Every ratio is taken in one run."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]

PARTS = {"a": "calls", "b": "forms", "c": "paint", "d": "imports", "e": "start", "f": "large", "h": "pending"}


def main(wanted: list[str]) -> int:
    sys.stdout.write("| what | ours | against | ratio | aim | met |\n|---|---|---|---|---|---|\n")
    missed = 0
    for key in wanted or list(PARTS):
        for row in importlib.import_module(PARTS[key]).rows():
            missed += not row.met
            mark = "yes" if row.met else "no"
            sys.stdout.write(
                f"| {row.what} | {row.ours} | {row.against} | {row.ratio:.3g} | {row.aim} | {mark} |\n"
            )
            sys.stdout.flush()
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
