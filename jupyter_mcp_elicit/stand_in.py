"""What a policy says to a question in a person's place, checked as a person's answer is."""

from __future__ import annotations

import logging

from .core.elicitation import Accept, Answer, Cancel, Elicitation, FormElicitation
from .core.errors import LocalError
from .core.lifecycle import State
from .core.submission import NotValid, Submission, read
from .core.text import quoted
from .policy import Nobody, Policy

log = logging.getLogger(__name__)


def consult(policy: Policy, asked: Elicitation) -> tuple[Answer | None, str]:
    """Its answer, or ``None`` to leave the question to a person; and what went wrong, or ``""``.

    Never raises: a policy that does not fit is the caller's mistake, and the server only hears "cancel".
    """
    trouble = policy.why if isinstance(policy, Nobody) else ""
    try:
        answer = policy.answer(asked)
        if answer is not None and not isinstance(answer, Cancel):
            content = (answer.content if isinstance(answer, Accept) else None) or {}
            answer = read(asked, Submission(answer.action, content=content, channel="policy"))
    except NotValid as error:
        return Cancel(State.NOT_SHOWN.value), _misfit(asked, error)
    except LocalError as error:
        return Cancel(State.NOT_SHOWN.value), str(error)
    except Exception as error:
        log.exception("The policy %s failed", policy.name)
        return Cancel(State.NOT_SHOWN.value), f"The policy failed: {type(error).__name__}."
    return answer, trouble


def _misfit(asked: Elicitation, error: NotValid) -> str:
    """What is wrong with a policy's answer, without a word of it: this goes into cards."""
    fields = {each.name for each in asked.schema.fields} if isinstance(asked, FormElicitation) else set()
    told = [
        sentence
        if not name
        else f"{quoted(name)} does not fit."
        if name in fields
        else "A field is not known."
        for name, sentence in error.problems.items()
    ]
    return f"The answer was not used. {' '.join(dict.fromkeys(told))}"
