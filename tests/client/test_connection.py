from __future__ import annotations

import pytest

from jupyter_mcp_elicit.core.elicitation import Accept, Asker, Cancel, Cause, Decline, FormElicitation

from .conftest import HttpPeer, Person, connected, on_a_loop, spec_of, text_of

pytestmark = pytest.mark.timeout(40)

ERAS = ["2025-06-18", "2025-11-25", "2026-07-28"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("answer", "heard"),
    [(Accept({"name": "Ada"}), "accept Ada"), (Decline(), "decline"), (Cancel(), "cancel")],
    ids=["accept", "decline", "cancel"],
)
@pytest.mark.parametrize("transport", ["stdio", "http"])
@on_a_loop
async def test_each_answer_reaches_the_server_in_each_era(
    era: str, answer: object, heard: str, transport: str, http_asker: HttpPeer
) -> None:
    person = Person(answer)
    spec = spec_of("asker", era=era) if transport == "stdio" else http_asker.spec(era=era)
    async with connected(spec, person) as connection:
        result = await connection.call_tool("ask_any", {"who_hint": "there"}, token="t")
    assert heard in text_of(result)
    assert connection.protocol_version == era
    [asked] = person.asked
    assert isinstance(asked, FormElicitation)
    assert asked.message == "Who is there?"
    assert asked.asker == Asker("asker", "server", spec.transport, "The Asker" if era != "2026-07-28" else "")
    linked = "during" if transport == "stdio" and era != "2026-07-28" else "caused"
    assert asked.cause == Cause("ask_any", '{"who_hint": "there"}', linked)
    assert person.tokens == ["t"]
