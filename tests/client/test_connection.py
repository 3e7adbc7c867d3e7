from __future__ import annotations

import pytest

from jupyter_mcp_elicit.core.elicitation import Accept, Asker, Cancel, Cause, Decline, FormElicitation

from .conftest import AskerAt, Person, connected, on_a_loop, text_of

pytestmark = pytest.mark.timeout(60)


@pytest.mark.parametrize("era", ["2025-06-18", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
@on_a_loop
async def test_each_answer_reaches_the_server_in_each_era(
    era: str, transport: str, asker_at: AskerAt
) -> None:
    person = Person(Accept({"name": "Ada"}), Decline(), Cancel())
    spec = asker_at(transport, era=era)
    async with connected(spec, person) as connection:
        for heard in ("accept Ada", "decline", "cancel"):
            result = await connection.call_tool("ask_any", {"who_hint": "there"}, token="t")
            assert heard in text_of(result)
    assert connection.protocol_version == era
    linked = "during" if transport == "stdio" and era != "2026-07-28" else "caused"
    for asked in person.asked:
        assert isinstance(asked, FormElicitation)
        assert asked.message == "Who is there?"
        assert [(each.name, each.kind, each.required) for each in asked.schema.fields] == [
            ("name", "string", True)
        ]
        assert asked.asker == Asker(
            "asker", "server", spec.transport, "The Asker" if era != "2026-07-28" else ""
        )
        place = {"round": 1, "number": 1, "of": 1} if era == "2026-07-28" else {}
        assert asked.cause == Cause("ask_any", '{"who_hint": "there"}', linked, **place)
    assert person.tokens == ["t"] * 3
