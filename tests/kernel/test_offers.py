"""Prompts and resources under a running cell."""

from __future__ import annotations

import pytest

from jupyter_mcp_elicit.kernel.offers import Contents, Messages

pytestmark = pytest.mark.timeout(30)


def test_a_prompt_is_read_as_what_was_said_by_whom() -> None:
    text = {"type": "text", "text": "Hello\nthere"}
    prompt = Messages({"description": "Greets", "messages": [{"role": "user", "content": text}]})
    assert (prompt.text, prompt.description) == ("user: Hello\nthere", "Greets")
    assert prompt.messages[0]["content"] == text


def test_a_resource_is_read_as_its_text_and_its_blobs_are_named() -> None:
    blob = {"uri": "x://b", "mimeType": "image/png", "blob": "AA=="}
    resource = Contents({"contents": [{"uri": "x://a", "text": "one"}, blob]})
    assert resource.text == "one"
    assert repr(resource) == "one\n[image/png: x://b]"
    assert repr(Contents({})) == "(nothing)"


def test_server_text_stays_text() -> None:
    shown = Contents({"contents": [{"uri": "u", "text": "<b>\u202e"}]})._repr_mimebundle_()
    assert "&lt;b&gt;" in shown["text/html"]
    assert "\u202e" not in shown["text/html"] + shown["text/plain"]
