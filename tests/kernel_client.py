"""A kernel of a real Jupyter server, driven over the websocket that front ends use."""

from __future__ import annotations

import json
import threading
import uuid
from typing import Any

import websocket
from jupyter_process import JupyterProcess, wait_until

MIME = "application/vnd.jupyter-mcp-elicit+json"


class Cell:
    """One execution: its outputs as they stand, and its reply when it is over."""

    def __init__(self) -> None:
        self.outputs: list[dict[str, Any]] = []
        self.reply: dict[str, Any] | None = None
        self.idle = False
        self.comms_opened = 0
        self._by_id: dict[str, dict[str, Any]] = {}

    def take(self, kind: str, content: dict[str, Any]) -> None:
        if kind == "comm_open":
            self.comms_opened += 1
        elif kind == "update_display_data":
            self._by_id[content["transient"]["display_id"]]["data"] = content["data"]
        elif kind in ("display_data", "execute_result", "stream", "error"):
            self.outputs.append(output := {"type": kind, **content})
            if display_id := (content.get("transient") or {}).get("display_id"):
                self._by_id[display_id] = output

    @property
    def text(self) -> str:
        """All that the outputs say in plain text, errors and streams included."""
        parts = []
        for output in self.outputs:
            if output["type"] == "stream":
                parts.append(output["text"])
            elif output["type"] == "error":
                parts.append("\n".join(output["traceback"]) or f"{output['ename']}: {output['evalue']}")
            else:
                parts.append(str(output["data"].get("text/plain", "")))
        return "\n".join(parts)

    @property
    def question_ids(self) -> list[str]:
        """The live forms in the outputs."""
        return [o["data"][MIME]["id"] for o in self.outputs if MIME in (o.get("data") or {})]

    def wait(self, seconds: float = 30.0) -> Cell:
        # The reply may overtake the outputs; idle is said after the last of them.
        wait_until(lambda: self.idle and self.reply, "end of the cell", seconds)
        return self


class KernelClient:
    """Starts a kernel. ``interactive`` off: as programs run notebooks, with nobody to ask;
    ``cells`` off: as consoles run code, which names no cell.
    """

    def __init__(
        self,
        jupyter: JupyterProcess,
        *,
        interactive: bool = True,
        cells: bool = True,
        name: str = "python3",
    ) -> None:
        self.jupyter = jupyter
        self._interactive = interactive
        self._metadata = {"cellId": uuid.uuid4().hex} if cells else {}
        status, shape = jupyter.request("POST", "api/kernels", {"name": name})
        assert status == 201, shape
        self.id = str(shape["id"])
        self._cells: dict[str, Cell] = {}
        self._socket = jupyter.websocket(f"api/kernels/{self.id}/channels")
        threading.Thread(target=self._listen, daemon=True).start()

    def start(self, code: str) -> Cell:
        """Run ``code``; the cell fills up while it runs."""
        message_id = uuid.uuid4().hex
        cell = self._cells[message_id] = Cell()
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": self._interactive,
            "stop_on_error": False,
        }
        header = {
            "msg_id": message_id,
            "username": "test",
            "session": uuid.uuid4().hex,
            "msg_type": "execute_request",
            "version": "5.3",
        }
        message = {
            "header": header,
            "parent_header": {},
            "metadata": self._metadata,
            "channel": "shell",
            "content": content,
            "buffers": [],
        }
        self._socket.send(json.dumps(message))
        return cell

    def run(self, code: str, seconds: float = 30.0) -> Cell:
        """Run ``code`` to its end."""
        return self.start(code).wait(seconds)

    def interrupt(self) -> None:
        status, shape = self.jupyter.request("POST", f"api/kernels/{self.id}/interrupt", {})
        assert status == 204, shape

    def restart(self) -> None:
        status, shape = self.jupyter.request("POST", f"api/kernels/{self.id}/restart", {})
        assert status == 200, shape

    def close(self) -> None:
        self.jupyter.request("DELETE", f"api/kernels/{self.id}")
        self._socket.close()

    def _listen(self) -> None:
        while True:
            try:
                received = self._socket.recv()
            except (OSError, websocket.WebSocketException):
                return
            if not received:
                return
            message = json.loads(received)
            cell = self._cells.get(message["parent_header"].get("msg_id", ""))
            if cell is None:
                continue
            if message["msg_type"] == "execute_reply":
                cell.reply = message["content"]
            elif message["msg_type"] == "status":
                cell.idle = message["content"]["execution_state"] == "idle"
            else:
                cell.take(message["msg_type"], message["content"])
