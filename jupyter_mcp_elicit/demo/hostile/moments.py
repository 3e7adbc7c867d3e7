"""The right thing at the wrong time: too early, too often, too late, too many, or from nowhere."""

from __future__ import annotations

import time

from .call import Call
from .trick import LEGACY, MODERN, STDIO, Trick, form, page

COMPLETE = "notifications/elicitation/complete"
NAME = {"type": "string", "title": "Name"}

#: Seconds that the server itself waits for a person.
OWN_PATIENCE = 1.0


def _complete(call: Call, *ids: object) -> None:
    for each in ids:
        call.notify(COMPLETE, {} if each is None else {"elicitationId": each})


def _early(call: Call) -> None:
    name = f"early-{call.id}"
    _complete(call, name, "nobody", 7, None)
    asked = call.push(page("https://shop.example/early", elicitation_id=name))
    _complete(call, name, name)
    call.tell([call.wait(asked)])


def _repeated(call: Call) -> None:
    name = f"repeated-{call.id}"
    asked = call.push(page("https://shop.example/repeated", elicitation_id=name))
    answer = call.wait(asked)
    _complete(call, *([name] * 1000), "nobody")
    call.tell([answer])


def _unasked(call: Call) -> None:
    call.tell("Thank you, that was all.")
    call.push(form("While you are here: your name?", name=NAME))


def _flood(call: Call) -> None:
    asked = [call.push(form(f"Question {number}?", name=NAME)) for number in range(500)]
    call.tell([call.wait(each) for each in asked])


def _twins(call: Call) -> None:
    name = f"twin-{call.id}"
    for message in ("The first?", "The second?"):
        call.push(form(message, name=NAME), name)
    call.tell([call.wait(name), call.wait(name)])


def _withdrawn(call: Call) -> None:
    asked = call.push(form("Quick, your name?", name=NAME))
    time.sleep(0.3)
    call.notify("notifications/cancelled", {"requestId": asked, "reason": "never mind"})
    answer = call.wait(asked, OWN_PATIENCE)
    call.tell(["withdrawn", answer])


def _impatient(call: Call) -> None:
    asked = call.push(form("You have one second: your name?", name=NAME))
    if call.wait(asked, OWN_PATIENCE) is None:
        call.fail(-32000, "You were too slow.")
    else:
        call.tell("quick")


def _endless(call: Call) -> None:
    count = int(call.state or "0")
    call.round({"again": form(f"Round {count + 1}: are you sure?")}, str(count + 1))


def _foreign(call: Call) -> None:
    request = {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}}
    call.send(
        {
            "id": call.id,
            "result": {
                "resultType": "input_required",
                "requestState": "x",
                "inputRequests": {
                    "form": {"method": "elicitation/create", "params": form("Name?", name=NAME)},
                    "other": request,
                },
            },
        }
    )


MOMENTS: tuple[Trick, ...] = (
    Trick(
        "early_completion",
        "Says that a page was completed before it is asked for, before it is opened, and for nobody's page.",
        "take it as no consent and no completion.",
        run=_early,
        eras=(LEGACY,),
    ),
    Trick(
        "repeated_completion",
        "Says a thousand times that a page was completed.",
        "hear it once.",
        run=_repeated,
        eras=(LEGACY,),
    ),
    Trick(
        "unasked_question",
        "Asks when no call is running.",
        "say that nothing the person did caused it, or refuse it.",
        run=_unasked,
        eras=(LEGACY,),
        transports=(STDIO,),
    ),
    Trick(
        "flood",
        "Five hundred questions in one call.",
        "show a few, refuse the rest with -32600, and keep every other server answerable.",
        run=_flood,
        eras=(LEGACY,),
    ),
    Trick(
        "twin_ids",
        "Two questions with one id.",
        "give each the answer that was given to it, or none.",
        run=_twins,
        eras=(LEGACY,),
    ),
    Trick(
        "withdrawn_question",
        "Takes its question back before anybody can read it.",
        "take the form away, say so, and send no answer that nobody gave.",
        run=_withdrawn,
        eras=(LEGACY,),
    ),
    Trick(
        "impatient",
        "Gives a person one second, and fails the call.",
        "take the form away with the call, and say why.",
        run=_impatient,
        eras=(LEGACY,),
    ),
    Trick(
        "endless_rounds",
        "Asks again in every round, without end.",
        "stop after a bounded number of rounds.",
        run=_endless,
        eras=(MODERN,),
    ),
    Trick(
        "spinning_rounds",
        "Asks nothing, and wants to be called again at once, for ever.",
        "pause between the rounds, and stop after a bounded number.",
        run=lambda call: call.round({}, "again"),
        eras=(MODERN,),
    ),
    Trick(
        "huge_state",
        "A requestState of a megabyte.",
        "refuse it, and carry nothing of it along.",
        run=lambda call: call.round({"name": form("Name?", name=NAME)}, "x" * 1_000_000),
        eras=(MODERN,),
    ),
    Trick(
        "undeclared_request",
        "A round that also asks for something that the client never offered.",
        "answer nothing of the round, and fail the call.",
        run=_foreign,
        eras=(MODERN,),
    ),
)
