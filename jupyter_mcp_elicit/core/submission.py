"""What somebody did with a form, read into an answer: one way for pages, widgets, code and scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import wire
from .elicitation import Accept, Answer, Cancel, Decline, Elicitation, FormElicitation, UrlElicitation
from .errors import LocalError
from .lifecycle import State
from .question import Channel
from .schema import RequestedSchema


@dataclass(frozen=True, slots=True, repr=False)
class Submission:
    """The action, and for ``accept`` a page's draft (pairs) or a script's content (a mapping).

    ``answer_id`` is made by the sender, so that a repeated request is known again.
    ``confirmed``: the person agreed a second time, where an address is dangerous;
    ``secrets``: they know that what they typed should not be asked for in a form.
    """

    action: str
    draft: object = None
    content: Mapping[str, Any] | None = None
    channel: Channel = "page"
    by: str = ""
    answer_id: str = ""
    confirmed: bool = False
    secrets: bool = False


#: What is wrong with a secret that was typed into a form without a word on it.
UNTOLD = "Agree below that this secret is sent, or leave it out."


class NotValid(LocalError):
    """The answer does not fit; nothing has changed. ``problems``: one sentence per field name."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        told = "; ".join(f"{name}: {problem}" if name else problem for name, problem in problems.items())
        super().__init__(f"The answer does not fit the form. {told}")
        self.problems = dict(problems)


def read(elicitation: Elicitation, submission: Submission) -> Answer:
    """The answer that a submission is. Raises :class:`NotValid`; ``LocalError`` when it is no submission."""
    if submission.action == "decline":
        return Decline()
    if submission.action == "cancel":
        return Cancel(State.DISMISSED.value)
    if submission.action != "accept":
        raise NotValid({"": f'"action" must be accept, decline or cancel, not {submission.action!r}.'})
    if not isinstance(elicitation, FormElicitation):
        return _consent(elicitation, submission)
    schema = elicitation.schema
    untold: dict[str, str] = {}
    if submission.content is not None:
        if not isinstance(submission.content, Mapping):
            raise LocalError('"content" must be an object with the names of the fields.')
        draft = schema.fill(submission.content)
    else:
        draft = wire.draft_from_page(schema, submission.draft)
        # A program that sends content has read its own lines; a person may not have seen what they type.
        untold = {} if submission.secrets else dict.fromkeys(typed_secrets(schema, draft), UNTOLD)
    reading = schema.read(draft)
    if reading.content is None or untold:
        raise NotValid({**untold, **reading.problems})
    return Accept(reading.content)


def typed_secrets(schema: RequestedSchema, draft: Mapping[str, Any]) -> list[str]:
    """The names of the fields that ask for a secret and hold what the server did not put there."""
    start = schema.initial
    return [
        each.name
        for each in schema.fields
        if each.sensitive and draft.get(each.name) not in (None, "", start[each.name])
    ]


def _consent(elicitation: UrlElicitation, submission: Submission) -> Accept:
    if submission.channel not in ("page", "terminal", ""):
        # Opening an address takes a person: no script, no kernel and no API consents for them.
        raise NotValid({"": "Only a person can agree to open an address, by their own click."})
    if elicitation.report.level == "danger" and not submission.confirmed:
        raise NotValid({"": "This address needs a second confirmation."})
    return Accept()
