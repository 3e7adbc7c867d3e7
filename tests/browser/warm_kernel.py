"""A kernel that is started once and handed on, while the tests leave it idle and without questions."""

from __future__ import annotations

from jupyter_process import JupyterProcess, wait_until


class WarmKernel:
    """Starting Python, the SDK and the bistro takes longer than most tests."""

    def __init__(self, jupyter: JupyterProcess) -> None:
        self._jupyter = jupyter
        self._id = ""

    def take(self) -> str:
        """The id of a kernel that is idle."""
        if not self._id:
            status, shape = self._jupyter.request("POST", "api/kernels", {"name": "python3"})
            assert status == 201, shape
            self._id = str(shape["id"])
        return self._id

    def give_back(self, kernel_id: str) -> None:
        """Kept when it is as it was; else ended, and its questions with it."""
        busy = self._jupyter.request("GET", f"api/kernels/{kernel_id}")[1].get("execution_state") != "idle"
        if busy or self._jupyter.open_cards():
            self.drop(kernel_id)

    def drop(self, kernel_id: str) -> None:
        self._jupyter.request("DELETE", f"api/kernels/{kernel_id}")
        self._id = "" if kernel_id == self._id else self._id
        wait_until(lambda: not self._jupyter.open_cards() or None, "end of every question")
