"""One call's events: show the form, answer by script, draw progress and logs, give the result."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..core.elicitation import Accept, Answer, Cancel
from ..core.errors import LocalError
from ..core.submission import NotValid
from ..core.text import shown
from ..core.wire import Json
from ..core.withdrawal import Withdrawal
from ..policy import Script
from . import record
from .cells import cells
from .desk import UNHEARD, Desk, Events, reached
from .interrupt import TICK, interruptible
from .link import error_of
from .marimo import listening
from .overheard import Overheard
from .presence import can_prompt, front_end
from .progress import ProgressBar
from .reader import Reader
from .sheet import Sheet
from .sighting import SIGHTING
from .typist import Typist
from .unheard import ADVICE, Unheard


@dataclass(frozen=True)
class Asked:
    """What a scripted answer function is given: the question as a person would see it."""

    message: str
    server: str
    tool: str
    fields: tuple[str, ...]
    card: Json


class Conversation:
    """Handles events until the last one. Used by blocking and by awaiting calls alike."""

    def __init__(
        self, desk: Desk, *, script: Script | None = None, show: bool = True, advice: str = ADVICE
    ) -> None:
        """``advice``: what to do about a question that nobody is there to answer."""
        self._desk = desk
        self._script = script
        self._show = show
        self._sheets: dict[str, Sheet] = {}
        self._progress: ProgressBar | None = None
        self._blocking = False
        self._front_end = front_end()
        self._typist = Typist(desk)
        # Where a page has both, the prompt is for forms that it turns out not to show.
        self._can_prompt = self._front_end == "page" and show and can_prompt()
        self._timers: list[threading.Timer] = []
        self._put: Callable[[Json], None] | None = None
        self._unheard = Unheard(advice)

    def run(self, open_events: Callable[[], Events]) -> Json:
        """Block until the result. Raises what the stream's last line tells, or ``KeyboardInterrupt``."""
        self._blocking = True
        try:
            # "with": the traceback of an interrupt would keep the connection open, and the question with it.
            with interruptible(), listening(), self._heard(open_events()) as events:
                for event in events:
                    if (last := self.handle(event)) is not None:
                        return last
        finally:
            self.close()
        raise LocalError("The call ended without a result.", hint="Call again.")

    async def arun(self, open_events: Callable[[], Events]) -> Json:
        """The same without blocking the kernel's loop. Cancelling it withdraws the questions."""
        # IPython leaves out such frames: an interrupt is to be read in its cell, not in our code.
        __tracebackhide__ = True
        try:
            with listening():
                async with Reader(open_events, self._typist.hear) as reader:
                    self._put = reader.put
                    while (event := await _next(reader)) is not None:
                        if (last := self.handle(event)) is not None:
                            return last
        except asyncio.CancelledError as error:
            raise error.with_traceback(None) from None
        finally:
            self.close()
        raise LocalError("The call ended without a result.", hint="Call again.")

    def handle(self, event: Json) -> Json | None:
        """React to one event; gives the last one, ``None`` before it. Raises on an ``error`` event."""
        kind = event.get("type")
        if kind in ("elicit", "update"):
            self._unheard.see(event["card"])
        if kind == "elicit":
            self._asked(event)
        elif kind == "update":
            self._changed(event["card"])
        elif kind == "unseen":
            self._unseen(event["id"])
        elif kind == "notice":
            sys.stdout.write(f"{shown(str(event.get('text')), 2000, newlines=True)}\n")
        elif kind == "progress":
            self._draw(event)
        elif kind == "log":
            _log(event)
        elif kind == "error":
            raise self._unheard.told(error_of(event["error"]))
        elif kind in ("result", "answer"):
            return self._unheard.noted(event)
        return None

    @property
    def forms(self) -> list[Any]:
        """The open forms, for code that fills them in while the call runs."""
        return [sheet.form for sheet in self._sheets.values() if sheet.is_open]

    def close(self) -> None:
        """Nothing stays open in the output: what was not answered says that it was taken back."""
        for timer in self._timers:
            timer.cancel()
        interrupted = isinstance(sys.exc_info()[1], KeyboardInterrupt | asyncio.CancelledError)
        for sheet in self._sheets.values():
            sheet.update(sheet.card)
            sheet.close(Withdrawal.CALLER if interrupted else None)

    def _asked(self, event: Json) -> None:
        card = event["card"]
        if event.get("labextension"):
            SIGHTING.report()
        sheet = Sheet(
            card, event.get("requestedSchema"), self._desk, visible=self._show, blocking=self._blocking
        )
        self._sheets[card["id"]] = sheet
        if self._script is not None and card["asker"]["kind"] != "jupyter":
            answer = self._script.next(_view(card), card["message"])
            if answer is not None:
                self._scripted(card, answer)
                return
            whom = reached(self._desk, blocking=self._blocking)
            if whom in UNHEARD:
                raise LocalError(
                    f"The script leaves the question {shown(card['message'], 80)!r} to a person, "
                    f"and {UNHEARD[whom]}.",
                    hint="Let it answer every question.",
                )
        if self._front_end != "text":
            sheet.show()
            self._look_out(card)
        elif card["state"] == "queued":
            name = shown(card["asker"]["name"], 80)
            sys.stdout.write(
                f"A question of {name} waits for its turn: another one is to be answered first.\n"
            )
        else:
            self._typed(card)

    def _changed(self, card: Json) -> None:
        sheet = self._sheets.get(card["id"])
        if sheet is None:
            return
        has_its_turn = sheet.card["state"] == "queued" and card["state"] == "pending"
        self._told(sheet, card)
        if has_its_turn and self._front_end == "text":
            self._typed(card)
        elif has_its_turn:
            self._look_out(card)

    def _look_out(self, card: Json) -> None:
        """A form that waits has so long to be seen, on a page that has shown none yet."""
        put = self._put
        if not self._can_prompt or SIGHTING.seen or put is None or card["state"] != "pending":
            return
        timer = threading.Timer(SIGHTING.patience, put, [{"type": "unseen", "id": card["id"]}])
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def _unseen(self, question_id: str) -> None:
        card = self._sheets[question_id].card
        # Its task may go on when its cell is over, and a prompt without a cell is never answered.
        if SIGHTING.seen or card["state"] != "pending" or not cells().running:
            return
        SIGHTING.miss()
        sys.stdout.write("No page shows this form, so it is asked here, line by line.\n")
        self._typed(card)

    def _typed(self, card: Json) -> None:
        if (changed := self._typist.ask(card)) is not None:
            self._told(self._sheets[card["id"]], changed)

    def _told(self, sheet: Sheet, card: Json) -> None:
        if self._front_end == "text" and record.is_flowing(card):
            # A line that is printed cannot be taken back: only the end of an opened page is one.
            sheet.card = card
        else:
            sheet.update(card)

    def _heard(self, events: Events) -> Events:
        if self._front_end != "text" and not self._can_prompt:
            return events
        overheard = Overheard(events, self._typist.hear)
        self._put = overheard.put
        return overheard

    def _scripted(self, card: Json, answer: Answer) -> None:
        shape: Json = {"action": answer.action, "scripted": True}
        if isinstance(answer, Accept):
            shape["content"] = dict(answer.content or {})
        elif isinstance(answer, Cancel):
            shape["reason"] = answer.reason
        try:
            self._sheets[card["id"]].update(self._desk.answer(card["id"], shape))
        except NotValid as error:
            raise LocalError(
                f"The scripted answer to {shown(card['message'], 80)!r} does not fit. "
                + "; ".join(
                    f"{name}: {problem}" if name else problem for name, problem in error.problems.items()
                )
            ) from None

    def _draw(self, event: Json) -> None:
        if self._progress is None:
            self._progress = ProgressBar()
        self._progress.update(event.get("progress"), event.get("total"), event.get("message"))


async def _next(reader: Reader) -> Json | None:
    coming = asyncio.ensure_future(reader.next())
    try:
        # ipykernel notices an interrupt of an awaiting cell only when its loop wakes up, so it must.
        while not (await asyncio.wait({coming}, timeout=TICK))[0]:
            pass
        return coming.result()
    finally:
        coming.cancel()


def _view(card: Json) -> Asked:
    names = tuple(field["name"] for field in card["fields"])
    return Asked(card["message"], card["asker"]["name"], card["cause"]["tool"], names, card)


def _log(event: Json) -> None:
    data = event.get("data")
    text = data if isinstance(data, str) else repr(data)
    logger = f" {shown(str(event['logger']), 80)}" if event.get("logger") else ""
    sys.stdout.write(f"[{shown(str(event.get('level')), 20)}{logger}] {shown(text, 2000, newlines=True)}\n")
