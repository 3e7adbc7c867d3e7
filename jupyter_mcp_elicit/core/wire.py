"""Core values as the JSON that pages and kernels see. No card ever holds an answer's content."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from .elicitation import Accept, Answer, Asker, Cancel, Cause, Decline, FormElicitation
from .errors import LocalError
from .field import CHOICE_KINDS, NUMBER_KINDS, Field, Kind, Option
from .question import Question
from .scalar import is_number, json_text, key
from .schema import RequestedSchema

if TYPE_CHECKING:
    from .urls import UrlReport

#: Raised by one whenever a kernel and a server of different releases could no longer talk.
WIRE_VERSION = 1

MIME = "application/vnd.jupyter-mcp-elicit+json"

#: In a result's ``_meta``: one sentence of ours on how to make a failing call work.
HINT_KEY = "jupyter-mcp-elicit/hint"
#: In a result's ``_meta``: what was asked that nobody was there to answer, in sentences of ours.
NOTE_KEY = "jupyter-mcp-elicit/note"

#: Labels that imitate our own buttons are shown with their value beside them.
_OUR_BUTTONS = frozenset({"submit", "decline", "cancel", "preview", "accept", "retry", "ok", "yes", "no"})

#: All but letters and digits.
_OTHERS = re.compile(r"[\W_]+")

Json = dict[str, Any]

#: Each card of a question shows the same fields, and there may be ten thousand options in one.
_FIELDS: WeakKeyDictionary[RequestedSchema, list[Json]] = WeakKeyDictionary()


class Clock(NamedTuple):
    """``left`` seconds until the deadline, of which ``still`` do not count, for somebody types.

    ``is_last``: nothing puts it off, because the one who asks waits no longer.
    """

    left: float
    still: float = 0.0
    is_last: bool = False


def card(question: Question, *, clock: Clock | None = None, origin: Json | None = None) -> Json:
    """All that a front end shows of one question; ``clock`` is ``None`` where there is no deadline.

    ``origin`` is what :func:`origin` gives, or ``None`` where the front end is at the place that asks.
    """
    asked = question.elicitation
    shape: Json = {
        "id": asked.id,
        "mode": asked.mode,
        "state": question.state.value,
        "message": asked.message,
        "asker": asker(asked.asker),
        "cause": cause(asked.cause),
        "origin": origin,
        "fields": [],
        "draft": [],
        "notes": [],
        "created": stamp(question.created),
        "secondsLeft": None if clock is None else _seconds(clock.left),
        "secondsStill": 0.0 if clock is None else _seconds(clock.still),
        "mayExtend": clock is not None and not clock.is_last,
        "outcome": outcome(question),
    }
    if isinstance(asked, FormElicitation):
        shape["fields"] = fields(asked.schema)
        shape["draft"] = draft_to_page(asked.schema, asked.schema.initial)
        shape["notes"] = list(asked.schema.notes)
    else:
        shape["url"] = url(asked.report)
        shape["flow"] = None if question.flow is None else question.flow.value
    return shape


def url(report: UrlReport) -> Json:
    """What a page needs to show an address and to link it."""
    return {
        "href": report.href,
        "level": report.level,
        "scheme": report.scheme,
        "host": report.host,
        "unicodeHost": report.unicode_host,
        "domain": report.domain,
        "warnings": list(report.warnings),
    }


def origin(owner_id: str) -> Json:
    """For whom the question was asked: a kernel by its id, or an agent by its name."""
    kind, _, name = owner_id.partition(":")
    return {"kind": kind, "id": name}


def asker(value: Asker) -> Json:
    return {
        "name": value.name,
        "kind": value.kind,
        "transport": value.transport,
        "callsItself": value.calls_itself,
    }


def cause(value: Cause) -> Json:
    return {
        "tool": value.tool,
        "arguments": value.arguments,
        "certainty": value.certainty,
        "round": value.round,
        "number": value.number,
        "of": value.of,
    }


def outcome(question: Question) -> Json | None:
    done = question.outcome
    if done is None:
        return None
    return {
        "action": done.action,
        "reason": done.reason,
        "channel": done.channel,
        "by": done.by,
        "at": stamp(done.at),
        "trouble": done.trouble,
        "withdrawnBy": "" if done.withdrawal is None else done.withdrawal.value,
        "delivery": question.delivery.value,
    }


def fields(schema: RequestedSchema) -> list[Json]:
    """The fields as a card has them; worked out once, so not to be changed."""
    known = _FIELDS.get(schema)
    if known is None:
        known = _FIELDS[schema] = [field(each) for each in schema.fields]
    return known


def field(value: Field) -> Json:
    """One field; an option's ``key`` is its place in the list, since its value may be any JSON."""
    return {
        "name": value.name,
        "kind": value.kind.value,
        "label": value.label,
        "help": value.help,
        "required": value.required,
        "hint": value.hint,
        "placeholder": value.placeholder,
        "multiline": value.multiline,
        "sensitive": value.sensitive,
        "note": value.note,
        "options": _options(value.options),
    }


def draft_to_page(schema: RequestedSchema, draft: Mapping[str, Any]) -> list[list[Any]]:
    """A draft as pairs in field order, with choices by their option's key."""
    return [[each.name, _to_page(each, draft.get(each.name))] for each in schema.fields]


def draft_from_page(schema: RequestedSchema, pairs: object) -> dict[str, Any]:
    """What a page sent, as a draft; raises :class:`LocalError` when it is not pairs, each name once."""
    if not isinstance(pairs, list):
        raise LocalError('"draft" must be a list of [name, value] pairs.')
    known = {each.name: each for each in schema.fields}
    draft: dict[str, Any] = {}
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)):
            raise LocalError('"draft" must be a list of [name, value] pairs.')
        name, value = pair
        if name in draft:
            raise LocalError('"draft" has two values for one field.')
        draft[name] = _from_page(known[name], value) if name in known else value
    return draft


def answer(value: Answer) -> Json:
    """An answer for the one who asked; ``content`` only with an accepted form."""
    if isinstance(value, Accept):
        return {"action": "accept"} | ({} if value.content is None else {"content": dict(value.content)})
    if isinstance(value, Cancel):
        return {"action": "cancel", "reason": value.reason}
    return {"action": "decline"}


def read_answer(shape: Mapping[str, Any]) -> Answer:
    """The answer that :func:`answer` wrote; raises :class:`LocalError` on anything else."""
    action = shape.get("action")
    if action == "accept":
        return Accept(shape.get("content"))
    if action == "decline":
        return Decline()
    if action == "cancel":
        return Cancel(str(shape.get("reason", "dismissed")))
    raise LocalError(f'"action" must be accept, decline or cancel, not {action!r}.')


def stamp(moment: datetime) -> str:
    """An aware time as UTC, to the second."""
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _seconds(left: float) -> float:
    return max(0.0, round(left, 3))


class _Unknown:
    """Stands for an option that does not exist; no schema has it as a value."""

    def __repr__(self) -> str:
        return "an unknown option"


def _options(options: Iterable[Option]) -> list[Json]:
    listed = list(options)
    looks = [_look(each.label) for each in listed]
    texts = [json_text(each.value) for each in listed]
    alike, same = Counter(looks), Counter(texts)
    shapes: list[Json] = []
    for index, each in enumerate(listed):
        value = ""
        if alike[looks[index]] > 1 or _letters(looks[index]) in _OUR_BUTTONS:
            # As JSON where the plain text could not be told from another one, or from nothing.
            plain = texts[index].strip() and same[texts[index]] == 1
            value = texts[index] if plain else json.dumps(each.value, ensure_ascii=False)
        shapes.append({"key": str(index), "label": each.label, "value": value})
    return shapes


def _look(label: str) -> str:
    """What two labels share that people cannot tell apart at a glance."""
    if label.isascii():
        return " ".join(label.casefold().split())
    seen = unicodedata.normalize("NFKC", label).casefold()
    return " ".join("".join(char for char in seen if unicodedata.category(char) != "Cf").split())


def _letters(look: str) -> str:
    return _OTHERS.sub("", look)


def _to_page(of: Field, value: Any) -> Any:
    if value is None:
        return None
    if of.kind in CHOICE_KINDS:
        keys = {key(each.value): str(index) for index, each in enumerate(of.options)}
        if of.kind is Kind.CHOICE:
            return keys.get(key(value))
        ticked = value if isinstance(value, list | tuple) else []
        return [keys[key(each)] for each in ticked if key(each) in keys]
    # A JavaScript number cannot hold every number of JSON; its text can.
    return json_text(value) if of.kind in NUMBER_KINDS and is_number(value) else value


def _from_page(of: Field, value: Any) -> Any:
    if value is None or of.kind not in CHOICE_KINDS:
        return value
    if of.kind is Kind.CHOICES:
        return [_option(of, each) for each in value] if isinstance(value, list) else value
    return _option(of, value)


def _option(of: Field, sent: Any) -> Any:
    place = int(sent) if isinstance(sent, str) and sent.isascii() and sent.isdigit() and len(sent) < 7 else -1
    return of.options[place].value if 0 <= place < len(of.options) else _Unknown()
