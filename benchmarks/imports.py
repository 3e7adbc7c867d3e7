"""(d) what importing the package costs, and that it loads none of the heavy libraries."""

from __future__ import annotations

import statistics
import subprocess
import sys

from measure import Row

HEAVY = ("mcp", "mcp_types", "jupyter_server", "jsonschema", "ipywidgets", "anywidget")


def rows() -> list[Row]:
    code = (
        "import sys, time; start = time.perf_counter(); import jupyter_mcp_elicit; "
        "print(time.perf_counter() - start); "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    taken, loaded = [], "[]"
    for _ in range(15):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        seconds, loaded = done.stdout.splitlines()
        taken.append(float(seconds) * 1000)
    middle = statistics.median(taken)
    met = middle <= 10 and loaded == "[]"
    return [
        Row(
            "(d) import jupyter_mcp_elicit",
            f"{middle:.2f} ms",
            f"loads {loaded}",
            middle / 10,
            "≤ 10 ms",
            met,
        )
    ]
