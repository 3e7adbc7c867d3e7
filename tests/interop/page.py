"""The person's side of the interop tests: a cell that calls a tool, and its form, filled in as on a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jupyter_process import JupyterProcess, wait_until
from kernel_client import Cell, KernelClient

Card = dict[str, Any]
Draft = list[list[Any]]

#: Printed last, since a kernel's reply may overtake its output.
END = "--- end of the cell ---"

SETUP = f"""
from jupyter_mcp_elicit import connect

async def call(name, tool, arguments):
    server = await connect(name)
    result = await server.call_tool(tool, arguments)
    hint = result.meta.get("jupyter-mcp-elicit/hint", "")
    print(result.text, *filter(None, [hint]), "{END}", sep="\\n")
"""


def filled(card: Card, answers: Mapping[str, Any]) -> Draft:
    """The untouched form with ``answers`` put in: fields by name or label, choices by what is read there."""
    draft = dict(card["draft"])
    fields = {field["label"]: field for field in card["fields"]}
    fields |= {field["name"]: field for field in card["fields"]}
    for key, value in answers.items():
        draft[fields[key]["name"]] = _pressed(fields[key], value)
    return [list(pair) for pair in draft.items()]


def _pressed(field: dict[str, Any], value: Any) -> Any:
    keys = {option["label"]: option["key"] for option in field["options"]}
    if value is None or not keys:
        return value
    return [keys[each] for each in value] if isinstance(value, list) else keys[value]


class Page:
    """One kernel of a Jupyter server, and whoever looks at its page. ``taps``: where wiretaps keep files."""

    def __init__(self, jupyter: JupyterProcess, taps: Path) -> None:
        self.jupyter = jupyter
        self.kernel = KernelClient(jupyter)
        self._taps = taps
        self.kernel.run(SETUP)

    def configure(self, server: str, entry: dict[str, Any]) -> None:
        """One more entry in mcp.json, which is read anew at each connect."""
        file = self.jupyter.root / "config" / "mcp.json"
        self.jupyter.configure({**json.loads(file.read_text("utf-8"))["mcpServers"], server: entry})

    def call(self, server: str, tool: str, arguments: Mapping[str, Any] | None = None) -> Cell:
        """Call a tool from a new cell, which prints the text of the result."""
        return self.kernel.start(f"await call({server!r}, {tool!r}, {dict(arguments or {})!r})")

    def question(self, cell: Cell) -> Card:
        """The one question that waits, as soon as its form is in the cell's output."""
        [card] = self.questions(cell, 1)
        return card

    def questions(self, cell: Cell, count: int) -> list[Card]:
        """The ``count`` questions that wait, as soon as their forms are in the cell's output."""
        cards = self.jupyter.wait_for_cards(count)
        ids = {card["id"] for card in cards}
        wait_until(lambda: ids <= set(cell.question_ids), "form(s) under the cell")
        return cards

    def accept(self, card: Card, answers: Mapping[str, Any]) -> None:
        """Fill in and submit a form, which must take it."""
        # Some of these servers ask for a password in a form, as MCP forbids: the person agrees.
        status, shape = self.send(card, "accept", draft=filled(card, answers), secrets=True)
        assert status == 200, shape

    def press(self, card: Card, action: str) -> None:
        """Decline or cancel."""
        status, shape = self.send(card, action)
        assert status == 200, shape

    def agree(self, card: Card) -> None:
        """Consent to an address, warnings and all."""
        status, shape = self.send(card, "accept", confirmed=True)
        assert status == 200, shape

    def finish(self, card: Card) -> None:
        """Come back from a page that was opened, and say that all is done there."""
        status, shape = self._post(card, "flow", {"action": "finish"})
        assert status == 200, shape

    def send(self, card: Card, action: str, **more: Any) -> tuple[int, Any]:
        """Status and JSON of an answer as a browser sends it."""
        return self._post(card, "answer", {"action": action, **more})

    def _post(self, card: Card, what: str, body: Any) -> tuple[int, Any]:
        path = f"mcp-elicit/elicitations/{card['id']}/{what}"
        return self.jupyter.request("POST", path, body, {"Sec-Fetch-Site": "same-origin"})

    def said(self, cell: Cell) -> str:
        """What the server said in the end; the text of the error when there is one."""
        cell.wait(60)
        failed = cell.reply is not None and cell.reply["status"] == "error"

        def look() -> str | None:
            errors = [each for each in cell.outputs if each["type"] == "error"]
            return cell.text if (errors if failed else END in cell.text) else None

        return wait_until(look, "output of the cell").replace(END, "")

    def said_json(self, cell: Cell) -> Any:
        """What the server said in the end, which is one line of JSON."""
        text = self.said(cell)
        lines = [line for line in text.splitlines() if line.startswith(("{", "["))]
        assert len(lines) == 1, text
        return json.loads(lines[0])

    def sent(self, server: str) -> str:
        """The last line with an answer that a stdio server was sent, as the bytes say it."""
        lines = (self._taps / f"{server}.jsonl").read_text("utf-8").splitlines()
        return [line for line in lines if '"action"' in line][-1]

    def sent_answer(self, server: str) -> Any:
        """The same as JSON: what the last ``elicitation/create`` was answered with."""
        return json.loads(self.sent(server))["result"]

    def close(self) -> None:
        self.kernel.close()
