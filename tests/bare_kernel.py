"""A real kernel without any Jupyter server, and the page's end of its widgets."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from jupyter_client.manager import start_new_kernel
from jupyter_process import wait_until


def run_as_page(client: Any, code: str) -> str:
    """Run ``code`` as pages do, which name the cell that they run; gives the message's id."""
    content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}}
    asked = client.session.msg(
        "execute_request", {**content, "allow_stdin": True}, metadata={"cellId": "cell"}
    )
    client.shell_channel.send(asked)
    return str(asked["header"]["msg_id"])


class BareKernel:
    """``models``: the state of each open widget, as a page holds it; ``told``: its custom messages."""

    def __init__(self) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER_MCP", "JPY_"))}
        self._manager, self._client = start_new_kernel(kernel_name="python3", env=clean)
        self.models: dict[str, dict[str, Any]] = {}
        self.told: dict[str, list[dict[str, Any]]] = {}
        self.printed = ""
        self._over: set[str] = set()

    def start(self, code: str) -> str:
        """Run ``code`` as a page does; gives the cell's id."""
        return run_as_page(self._client, code)

    def run(self, code: str) -> str:
        """Run ``code`` to its end; gives what was printed since the last time."""
        cell = self.start(code)
        self.until(lambda: cell in self._over, "end of the cell")
        printed, self.printed = self.printed, ""
        return printed

    def until(self, look: Callable[[], Any], what: str) -> Any:
        """Listen to the kernel until ``look`` gives something true."""

        def listen() -> Any:
            while self._client.iopub_channel.msg_ready():
                self._hear(self._client.get_iopub_msg(timeout=5))
            return look() or None

        return wait_until(listen, what)

    def model(self, **wanted: Any) -> tuple[str, dict[str, Any]]:
        """The one open model with these values, and its id."""

        def found() -> Any:
            fits = [
                (comm_id, state)
                for comm_id, state in self.models.items()
                if all(state.get(name) == value for name, value in wanted.items())
            ]
            return fits[0] if len(fits) == 1 else None

        result: tuple[str, dict[str, Any]] = self.until(found, f"one model with {wanted}")
        return result

    def say(self, comm_id: str, **content: Any) -> None:
        self._send(comm_id, {"method": "custom", "content": content})

    def set(self, comm_id: str, **state: Any) -> None:
        self._send(comm_id, {"method": "update", "state": state})

    def close(self) -> None:
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=True)
        self._manager.cleanup_resources()

    def _send(self, comm_id: str, data: dict[str, Any]) -> None:
        message = self._client.session.msg("comm_msg", {"comm_id": comm_id, "data": data})
        self._client.shell_channel.send(message)

    def _hear(self, message: dict[str, Any]) -> None:
        kind, content = message["msg_type"], message["content"]
        if kind == "status" and content["execution_state"] == "idle":
            self._over.add(message["parent_header"].get("msg_id", ""))
        elif kind == "stream":
            self.printed += content["text"]
        elif kind == "error":
            self.printed += "\n".join(content["traceback"])
        elif kind == "comm_open":
            self.models[content["comm_id"]] = content["data"]["state"]
        elif kind == "comm_close":
            self.models.pop(content["comm_id"], None)
        elif kind == "comm_msg":
            data = content["data"]
            if data.get("method") == "update":
                self.models[content["comm_id"]].update(data["state"])
            elif data.get("method") == "custom":
                self.told.setdefault(content["comm_id"], []).append(data["content"])
