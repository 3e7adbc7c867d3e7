"""What a frame means, and the page of the specification behind it: one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .entry import Direction, Kind, part

_SPECIFICATION = "https://modelcontextprotocol.io/specification"
#: The revision whose pages are named while none has been agreed on.
_NEWEST = "2026-07-28"

Say = Callable[[dict[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Meaning:
    """``page`` is the specification's, below its revision; ``only`` names a revision that alone has it."""

    say: str | Say
    page: str = ""
    only: str = ""
    ours: bool = False

    def sentence(self, frame: dict[str, Any]) -> str:
        return self.say if isinstance(self.say, str) else self.say(frame)

    def clause(self, revision: str) -> str:
        return f"{_SPECIFICATION}/{self.only or revision or _NEWEST}/{self.page}" if self.page else ""


def meaning(direction: Direction, kind: Kind, method: str, frame: dict[str, Any]) -> Meaning:
    """The row of the table for one frame; a plain sentence for a method that is not in it."""
    asked_again = kind == "request" and "inputResponses" in part(frame, "params")
    wants_input = kind == "result" and part(frame, "result").get("resultType") == "input_required"
    if asked_again:
        return _AGAIN
    if wants_input:
        return _INPUT_REQUIRED
    if kind == "error":
        return _error(direction, method, frame)
    found = _TABLE.get((direction, kind, method))
    if found is not None:
        return found
    who = "We" if direction == "send" else "The server"
    return Meaning(
        {
            "request": f"{who} {'ask' if direction == 'send' else 'asks'} for {method}.",
            "result": f"{who} {'answer' if direction == 'send' else 'answers'} {method}.",
            "notification": f"{who} {'tell' if direction == 'send' else 'tells'} {method}.",
        }.get(kind, "This was no JSON-RPC message."),
        page="basic",
    )


def _error(direction: Direction, method: str, frame: dict[str, Any]) -> Meaning:
    code: Any = part(frame, "error").get("code")
    if direction == "send":
        return Meaning(
            f"We refuse {method or 'it'}: {_REFUSALS.get(code, 'with an error')}.", _page_of(method)
        )
    if code == -32042:
        return Meaning(
            "The server cannot go on before addresses have been opened; we show each, and call again.",
            "client/elicitation#url-elicitation-required-error",
            only="2025-11-25",
        )
    return Meaning(f"The server answers {method or 'something'} with error {code}.", _page_of(method))


def _page_of(method: str) -> str:
    room = method.partition("/")[0]
    return {"elicitation": "client/elicitation", "tools": "server/tools"}.get(room, "basic")


def _asks(frame: dict[str, Any]) -> str:
    mode = part(frame, "params").get("mode", "form")
    if mode == "url":
        return "The server asks the person to open an address; it is shown, never opened for them."
    return "The server asks the person; the flat schema becomes a form under the running cell."


def _answer(frame: dict[str, Any]) -> str:
    action = part(frame, "result").get("action")
    return {
        "accept": "The person agreed: accept, with what they typed in form mode.",
        "decline": "The person said no: decline, without content.",
        "cancel": "Nobody said yes or no: cancel, without content.",
    }.get(str(action), "We answer the server's question.")


def _asked_again(frame: dict[str, Any]) -> str:
    given = part(part(frame, "params"), "inputResponses").values()
    actions = ", ".join(str(each["action"]) for each in given if isinstance(each, dict) and "action" in each)
    told = f" ({actions})" if actions else ""
    return f"We send the call again with the answers{told}, and the server's own state as it gave it."


def _called(frame: dict[str, Any]) -> str:
    return f"We call the tool {(frame.get('params') or {}).get('name', '')!r}."


def _result(frame: dict[str, Any]) -> str:
    failed = part(frame, "result").get("isError") is True
    return "The tool failed, and says why." if failed else "The tool's result."


def _agreed(frame: dict[str, Any]) -> str:
    version = part(frame, "result").get("protocolVersion", "?")
    return f"The server agrees on the revision {version} and says what it can do."


_REFUSALS = {
    -32601: "we never offered that",
    -32602: "it cannot be asked this way",
    -32600: "another question is being answered",
    -32603: "something of ours failed",
}

_AGAIN = Meaning(
    _asked_again,
    "basic/patterns/mrtr",
    only="2026-07-28",
)
_INPUT_REQUIRED = Meaning(
    "Instead of a result, the server asks: this call ends here and is sent again with the answers.",
    "basic/patterns/mrtr",
    only="2026-07-28",
)

_TABLE: dict[tuple[Direction, Kind, str], Meaning] = {
    ("send", "request", "initialize"): Meaning(
        "We greet the server: the revision that we offer, and what it may ask (form, url).",
        "basic/lifecycle#initialization",
        only="2025-11-25",
    ),
    ("recv", "result", "initialize"): Meaning(_agreed, "basic/lifecycle#initialization", only="2025-11-25"),
    ("send", "notification", "notifications/initialized"): Meaning(
        "The handshake is over: from now on either side may ask.",
        "basic/lifecycle#initialization",
        only="2025-11-25",
    ),
    ("send", "request", "server/discover"): Meaning(
        "We ask which revisions the server speaks; there is no handshake in this era.",
        "basic",
        only="2026-07-28",
    ),
    ("recv", "result", "server/discover"): Meaning(
        "The server says which revisions it speaks and what it can do.", "basic", only="2026-07-28"
    ),
    ("send", "request", "tools/list"): Meaning("We ask for the tools.", "server/tools#listing-tools"),
    ("recv", "result", "tools/list"): Meaning("The tools.", "server/tools#listing-tools"),
    ("send", "request", "tools/call"): Meaning(_called, "server/tools#calling-tools"),
    ("recv", "result", "tools/call"): Meaning(_result, "server/tools#calling-tools"),
    ("recv", "request", "elicitation/create"): Meaning(_asks, "client/elicitation"),
    ("send", "result", "elicitation/create"): Meaning(_answer, "client/elicitation#response-actions"),
    ("recv", "notification", "notifications/elicitation/complete"): Meaning(
        "The server says that what the person opened is done.",
        "client/elicitation#completion-notifications-for-url-mode-elicitation",
        only="2025-11-25",
    ),
    ("send", "notification", "notifications/elicitation/complete"): Meaning(
        "We tell the server how the opened page ended: an addition of this project.",
        ours=True,
    ),
    ("send", "notification", "notifications/cancelled"): Meaning(
        "We call the request off: nobody waits for it any more.", "basic/utilities/cancellation"
    ),
    ("recv", "notification", "notifications/cancelled"): Meaning(
        "The server stopped waiting for an answer: the card says so.", "basic/utilities/cancellation"
    ),
    ("recv", "notification", "notifications/progress"): Meaning(
        "How far the call has come.", "basic/utilities/progress"
    ),
    ("recv", "notification", "notifications/message"): Meaning(
        "A line of the server's log.", "server/utilities/logging"
    ),
    ("send", "request", "logging/setLevel"): Meaning(
        "We say which log lines we want.", "server/utilities/logging"
    ),
    ("recv", "notification", "notifications/tools/list_changed"): Meaning(
        "The server's tools have changed.", "server/tools#list-changed-notification"
    ),
    ("send", "request", "tasks/get"): Meaning(
        "We ask how far the task is.", "basic/utilities/tasks", only="2025-11-25"
    ),
    ("recv", "result", "tasks/get"): Meaning(
        "Where the task stands.", "basic/utilities/tasks", only="2025-11-25"
    ),
    ("send", "request", "tasks/result"): Meaning(
        "We fetch the task's result; a question may come in its place first.",
        "basic/utilities/tasks",
        only="2025-11-25",
    ),
    ("recv", "result", "tasks/result"): Meaning(
        "The task's result.", "basic/utilities/tasks", only="2025-11-25"
    ),
    ("send", "request", "tasks/cancel"): Meaning(
        "We call the task off.", "basic/utilities/tasks", only="2025-11-25"
    ),
}
