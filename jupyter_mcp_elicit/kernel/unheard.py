"""The questions of a call that nobody was there to answer: its result and its error must say so."""

from __future__ import annotations

from ..core.errors import LocalError, RemoteError
from ..core.text import quoted, shown
from ..core.wire import NOTE_KEY, Json
from ..policy import Nobody

ADVICE = "run it in Jupyter, or give answers=[…]"


class Unheard:
    """Of one call. ``advice`` is the end of the last sentence: what to do about it."""

    def __init__(self, advice: str = ADVICE) -> None:
        self._advice = advice
        self._sentences: dict[str, str] = {}
        self._advised = False

    def see(self, card: Json) -> None:
        """A question has changed."""
        if card["state"] != "not shown":
            return
        trouble = str((card.get("outcome") or {}).get("trouble") or "it could not be shown")
        nobody = trouble == Nobody.why
        self._advised = self._advised or nobody
        why = "nobody was there to answer" if nobody else trouble.rstrip(".")
        asker, tool = card["asker"], card["cause"]["tool"]
        who = quoted(asker["name"]) if asker["kind"] == "server" else shown(asker["name"], 80)
        during = f" during {shown(tool, 80)}" if tool and asker["kind"] == "server" else ""
        message = quoted(" ".join(card["message"].split()))
        self._sentences[card["id"]] = f"{who} asked {message}{during}, and {why}"

    @property
    def note(self) -> str:
        """One sentence for each, or ``""``. The same words are said once."""
        if not self._sentences:
            return ""
        sentences = ". ".join(dict.fromkeys(self._sentences.values()))
        return f"{sentences}: {self._advice}." if self._advised else f"{sentences}."

    def noted(self, last: Json) -> Json:
        """The last event of the call, with the note in its result's ``_meta``: ours alone to say."""
        result = last.get("result")
        if not isinstance(result, dict):
            return last
        meta = {key: value for key, value in (result.get("_meta") or {}).items() if key != NOTE_KEY}
        if self.note:
            meta[NOTE_KEY] = self.note
        rest = {key: value for key, value in result.items() if key != "_meta"}
        return {**last, "result": {**rest, "_meta": meta} if meta else rest}

    def told(self, error: LocalError | RemoteError) -> LocalError | RemoteError:
        """``error``, which such a question may have caused, with the note."""
        if not self.note:
            return error
        if isinstance(error, RemoteError):
            return RemoteError(_joined(error.message, self.note), code=error.code, data=error.data)
        return LocalError(error.message, hint=_joined(error.hint, self.note))


def _joined(first: str, second: str) -> str:
    if not first:
        return second
    return f"{first}{'' if first.endswith(('.', '!', '?')) else '.'} {second}"
