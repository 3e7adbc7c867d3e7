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


@dataclass(frozen=True, slots=True, repr=False)
class Submission:
    """The action, and for ``accept`` a page's draft (pairs) or a script's content (a mapping).

    ``answer_id`` is made by the sender, so that a repeated request is known again.
    ``confirmed``: the person agreed a second time, where an address is dangerous.
    """

    action: str
    draft: object = None
    content: Mapping[str, Any] | None = None
    channel: Channel = "page"
    by: str = ""
    answer_id: str = ""
    confirmed: bool = False


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
    if submission.content is not None:
        if not isinstance(submission.content, Mapping):
            raise LocalError('"content" must be an object with the names of the fields.')
        draft = schema.fill(submission.content)
    else:
        draft = wire.draft_from_page(schema, submission.draft)
    reading = schema.read(draft)
    if reading.content is None:
        raise NotValid(reading.problems)
    return Accept(reading.content)


def _consent(elicitation: UrlElicitation, submission: Submission) -> Accept:
    if submission.channel not in ("page", "terminal", ""):
        # Opening an address takes a person: no script, no kernel and no API consents for them.
        raise NotValid({"": "Only a person can agree to open an address, by their own click."})
    if elicitation.report.level == "danger" and not submission.confirmed:
        raise NotValid({"": "This address needs a second confirmation."})
    return Accept()
