"""Draws the diagrams and tables of states.md from the code's own tables: ``python docs/make_states.py``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from jupyter_mcp_elicit.core.lifecycle import (
    ACTIONS,
    DELIVERY,
    FLOW,
    QUESTION,
    Delivery,
    Event,
    Flow,
    Handover,
    State,
    Turn,
)

PAGE = Path(__file__).with_name("states.md")

Table = Mapping[Any, Mapping[Any, Enum]]


def diagram(table: Table, states: type[Enum], starts: tuple[Enum, ...]) -> str:
    """A Mermaid state diagram: one arrow for each entry of ``table``."""
    lines = ["```mermaid", "stateDiagram-v2"]
    lines += [f'    state "{each.value}" as {_name(each)}' for each in states if " " in each.value]
    lines += [f"    [*] --> {_name(each)}" for each in starts]
    for state, event, after in _arrows(table):
        lines.append(f"    {_name(state)} --> {_name(after)}: {event.value}")
    lines += [f"    {_name(each)} --> [*]" for each in states if each not in table]
    return "\n".join([*lines, "```"])


def moves(table: Table, events: type[Enum]) -> str:
    """A row for each state that can change, a column for each event; ``–`` where it is refused."""
    rows = [["", *(each.value for each in events)], ["---"] * (len(events) + 1)]
    for state, row in table.items():
        rows.append([f"**{state.value}**", *(row[each].value if each in row else "–" for each in events)])
    return _table(rows)


def actions() -> str:
    """What the asker hears for each way to end."""
    rows = [["it ends", "the asker hears"], ["---", "---"]]
    for state, action in ACTIONS.items():
        reason = f", reason “{state.value}”" if action == "cancel" else ""
        rows.append([f"**{state.value}**", f"`{action}`{reason}"])
    return _table(rows)


def blocks() -> dict[str, str]:
    """Each block of the page by the name that stands in its comments."""
    return {
        "question": diagram(QUESTION, State, (State.QUEUED, State.PENDING)),
        "question moves": moves(QUESTION, Event),
        "actions": actions(),
        "delivery": diagram(DELIVERY, Delivery, (Delivery.OWED,)),
        "delivery moves": moves(DELIVERY, Handover),
        "flow": diagram(FLOW, Flow, (Flow.OPENED,)),
        "flow moves": moves(FLOW, Turn),
    }


def filled(page: str) -> str:
    """``page`` with every block drawn anew; raises ``ValueError`` when it has no place for one."""
    for name, text in blocks().items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
        if not page.count(start) == page.count(end) == 1:
            raise ValueError(f"states.md needs one place for {name}.")
        before, _, rest = page.partition(start)
        page = f"{before}{start}\n{text}\n\n{end}{rest.partition(end)[2]}"
    return page


def _arrows(table: Table) -> Iterator[tuple[Enum, Enum, Enum]]:
    for state, row in table.items():
        for event, after in row.items():
            yield state, event, after


def _name(state: Enum) -> str:
    return str(state.value).replace(" ", "_")


def _table(rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
