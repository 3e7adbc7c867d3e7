"""What the bistro says that it received."""

from __future__ import annotations

import json
from typing import Any

from jupyter_process import JupyterProcess


class Journal:
    """The lines since it was made; ``lines`` byte for byte."""

    def __init__(self, jupyter: JupyterProcess) -> None:
        self._jupyter = jupyter
        self._start = len(jupyter.journalled())

    @property
    def lines(self) -> list[str]:
        if not self._jupyter.journal.is_file():
            return []
        return self._jupyter.journal.read_text("utf-8").splitlines()[self._start :]

    @property
    def heard(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]
