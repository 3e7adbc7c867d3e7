"""Which front ends are installed, and how each of them asks."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata

from .finding import Finding

#: Distribution, least version, and how it asks.
KNOWN = (
    ("jupyterlab", (4, 4), "forms under the cell, and the Questions panel"),
    ("notebook", (7, 4), "forms under the cell, and the Questions panel"),
    ("voila", (0,), "forms as widgets, where the cell awaits"),
    ("marimo", (0,), "ElicitationForm as a widget"),
    ("jupyter-console", (0,), "line by line, at its prompt"),
    ("qtconsole", (0,), "line by line, at its prompt"),
    ("ipython", (0,), "line by line, in a terminal"),
    ("nbclient", (0,), "nobody is there: cancelled at once, or answered by a script (nbconvert too)"),
    ("papermill", (0,), "nobody is there: cancelled at once, or answered by a script"),
)

PAGES = ("jupyterlab", "notebook")


def check() -> Iterator[Finding]:
    pages = 0
    for name, least, asks in KNOWN:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
        pages += name in PAGES
        if _numbers(version) < least:
            wanted = ".".join(map(str, least))
            yield Finding(
                "problem",
                f"front end {name}",
                f"{version} is too old: forms need {wanted} or newer",
                f'run: pip install "{name}>={wanted}"',
            )
        else:
            yield Finding("ok", f"front end {name}", f"{version}: {asks}")
    if not pages:
        yield Finding(
            "warn",
            "front ends",
            "neither JupyterLab nor Notebook is installed here",
            "run: pip install jupyterlab, or use another environment's",
        )


def _numbers(version: str) -> tuple[int, ...]:
    parts = version.split(".")[:2]
    return tuple(int(each) if each.isdigit() else 0 for each in parts)
