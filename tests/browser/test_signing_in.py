"""A person signs in to an MCP server: the card, the way to the authorization server, and the way back."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from authorization_server import AuthorizationServer, authorization_server
from jupyter_process import JupyterProcess

from .conftest import OpenNotebook

pytestmark = pytest.mark.browser

CALL = 'library = await connect("library")\nprint((await library.call_tool("shelf")).text)'


@pytest.fixture
def library(jupyter: JupyterProcess) -> Iterator[AuthorizationServer]:
    """In mcp.json for the time of one test."""
    servers = json.loads((jupyter.root / "config" / "mcp.json").read_text("utf-8"))["mcpServers"]
    with authorization_server() as running:
        jupyter.configure({**servers, "library": {"url": running.url}})
        yield running
        jupyter.configure(servers)


def test_a_person_signs_in_on_a_page_that_comes_back_by_itself(
    open_notebook: OpenNotebook, library: AuthorizationServer, jupyter: JupyterProcess
) -> None:
    page = open_notebook(CALL)
    card = page.run_cell(1).url(1).wait()
    assert "wants you to sign in" in card.live.inner_text()
    assert library.seen["authorize"] == 0
    # This machine is Jupyter's own: another port of it needs a second yes.
    card.live.get_by_role("checkbox").check()
    other = card.open()
    other.wait_for_url("**/mcp-elicit/oauth/callback?**")
    assert "has come back, and your notebook goes on" in other.inner_text("body")
    assert other.evaluate("window.opener === null")
    other.close()
    page.page.bring_to_front()
    page.expect_output(1, "Moby-Dick")
    card.expect_record("completed")
    assert library.seen["code"] == 1
    page.save()
    saved = (jupyter.notebooks / page.name).read_text("utf-8")
    assert not [each for each in library.secrets if each in saved]
