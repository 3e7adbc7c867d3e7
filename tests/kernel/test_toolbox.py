"""A connected server and its tools, as code in a notebook uses them."""

from __future__ import annotations

import asyncio
import copy
import inspect
import re
from typing import Any

import mcp_types as types
import pytest
from jupyter_process import JupyterProcess, wait_until
from kernel_client import Cell, KernelClient
from mcp.server.lowlevel import Server

from jupyter_mcp_elicit import Accept, Decline, LocalError, RemoteError, connect
from jupyter_mcp_elicit.demo.bistro import bistro_server
from jupyter_mcp_elicit.kernel.toolbox import McpServer, Tool, Tools

HOSTILE = "\x1b[2J\u202e<script>alert(1)</script>$x^2$ $y$"


def run(story: Any) -> Any:
    return asyncio.run(story)


def echo_server(*tools: types.Tool) -> Server[Any]:
    """A server whose tools give back the arguments that they get."""

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(tools))

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        return types.CallToolResult(
            content=[types.TextContent(text=params.name)], structured_content=params.arguments or {}
        )

    return Server("echo", on_list_tools=list_tools, on_call_tool=call_tool)


def tool(properties: Any = None, required: Any = None, name: str = "go", description: str = "") -> Tool:
    return Tool(name, description, {"type": "object", "properties": properties, "required": required})


# One tool


@pytest.mark.parametrize(
    ("properties", "required", "signature"),
    [
        ({"a": {}, "b": {}}, ["b"], "(*, b, a=None)"),
        ({"a": {"default": 2}, "b": {"default": "x"}}, [], "(*, a=2, b='x')"),
        ({"two words": {}, "class": {}, "3d": {}, "None": {}, "ok": True}, ["class"], "(*, ok=None)"),
        ({"a": {}}, [["a"], None, {"a": 1}], "(*, a=None)"),
        ({"a": {}}, "a", "(*, a=None)"),
        (["a"], None, "()"),
        (None, None, "()"),
    ],
)
def test_a_tools_arguments_are_keyword_parameters_whatever_its_schema_says(
    properties: Any, required: Any, signature: str
) -> None:
    assert str(tool(properties, required).signature) == signature


def test_a_schema_without_anything_has_no_arguments() -> None:
    assert str(Tool("go", "", {}).signature) == "()"


# All tools


def test_tools_are_listed_with_their_arguments_and_what_they_do() -> None:
    tools = Tools([tool({"party": {}}, ["party"], "book", "Books.\nA table.\n\nMore."), tool()])
    assert repr(tools) == "book(*, party)  Books. A table.\ngo()  "
    html = tools._repr_html_()
    assert "<code>book</code>" in html
    assert "<code>(*, party)</code>" in html


def test_no_tools_are_said_to_be_none() -> None:
    assert repr(Tools()) == "This server has no tools."


def test_hostile_words_of_a_tool_are_text_in_every_form() -> None:
    nasty = tool({"a": {"default": HOSTILE}}, [], HOSTILE, HOSTILE)
    tools = Tools([nasty])
    for shown in (repr(tools), tools._repr_html_()):
        assert not {"\x1b", "\u202e"} & set(shown)
    assert "<script" not in tools._repr_html_()
    assert re.match(r'<table class="[^"]*mathjax_ignore', tools._repr_html_())


def test_tools_without_end_in_their_words_are_cut() -> None:
    tools = Tools([tool({f"a{n}": {"default": "x" * 100} for n in range(100)}, [], "n" * 1000, "d" * 1000)])
    assert len(repr(tools)) < 500


# A connected server


def connected(*answers: Any) -> Any:
    return connect(bistro_server(), answers=list(answers))


def test_a_server_says_what_it_is_and_has() -> None:
    server = run(connected())
    assert repr(server).startswith("<MCP server 'bistro': todays_menu, book_table, ")
    assert "todays_menu(" in repr(server.tools)
    assert server.tools._repr_html_().count("<tr>") == len(list(server.tools)) + 1
    server.close()


def test_hostile_tool_names_do_nothing_in_reprs_and_messages() -> None:
    nasty = types.Tool(name=HOSTILE, description=HOSTILE, input_schema={"type": "object"})
    server = run(connect(echo_server(nasty), answers=[]))
    with pytest.raises(AttributeError) as caught:
        server.tools.nothing  # noqa: B018
    for shown in (repr(server), repr(server.tools), str(caught.value), server.tools[HOSTILE].__doc__):
        assert not {"\x1b", "\u202e"} & set(shown)
    assert run(server.tools[HOSTILE]()).text == HOSTILE
    server.close()


def test_a_tool_is_a_function_with_its_signature_and_description() -> None:
    server = run(connected())
    book = server.tools.book_table
    assert book.__name__ == "book_table"
    assert "party" in inspect.signature(book).parameters
    assert "table" in book.__doc__
    assert inspect.iscoroutinefunction(book)
    server.close()


def test_completion_offers_the_tools_and_a_tool_that_does_not_exist_is_absent() -> None:
    server = run(connected())
    assert "book_table" in dir(server.tools)
    assert [each.name for each in server.tools] == [each.name for each in run(server.list_tools())]
    assert not hasattr(server.tools, "book_tabel")
    assert not hasattr(server.tools, "_ipython_display_")
    with pytest.raises(AttributeError, match=r'has no tool "book_tabel" \(it has: todays_menu, book_table'):
        server.tools.book_tabel  # noqa: B018
    with pytest.raises(LocalError, match=r'has no tool "book_tabel"\. list_tools\(\) reads them anew'):
        server.tools["book_tabel"]
    assert copy.copy(server.tools).todays_menu is not None
    server.close()


def test_a_tool_whose_name_is_no_identifier_is_reached_by_its_name() -> None:
    odd = types.Tool(name="get-it", input_schema={"type": "object", "properties": {"class": {}, "a b": {}}})
    server = run(connect(echo_server(odd), answers=[]))
    assert dir(server.tools) == []
    result = run(server.tools["get-it"](**{"class": 1, "a b": 2}))
    assert result.structured_content == {"class": 1, "a b": 2}
    server.close()


def test_awaiting_calling_blocking_and_by_function_give_the_same() -> None:
    echo = types.Tool(name="echo", input_schema={"type": "object", "properties": {"n": {"type": "integer"}}})
    server = run(connect(echo_server(echo), answers=[]))
    results = [
        run(server.call_tool("echo", {"n": 1})),
        server.call("echo", {"n": 1}),
        run(server.tools.echo(n=1)),
    ]
    assert [each.structured_content for each in results] == [{"n": 1}] * 3
    assert run(server.call_tool("echo")).structured_content == {}
    server.close()


@pytest.mark.parametrize("arguments", [[], "party", 4])
def test_arguments_that_are_no_dict_are_refused_before_anything_is_sent(arguments: Any) -> None:
    server = McpServer("nowhere", None)  # type: ignore[arg-type]  # nothing may reach it
    with pytest.raises(LocalError, match="A tool's arguments are a dict, not"):
        run(server.call_tool("go", arguments))
    with pytest.raises(LocalError, match="A tool's arguments are a dict, not"):
        server.call("go", arguments)


def test_scripted_answers_serve_one_call_after_another() -> None:
    server = run(connected(Accept({"size": "large"}), Decline()))
    assert "large" in run(server.call_tool("order_coffee", {"milk": "oat"})).text
    assert "large" not in server.call("order_coffee", {"milk": "oat"}).text
    assert server.forms == ()
    server.close()


def test_what_the_server_refuses_is_its_own_error() -> None:
    server = run(connected())
    with pytest.raises(RemoteError, match="Unknown tool"):
        run(server.call_tool("no_such_tool"))
    assert server.forms == ()
    server.close()


# The forms of running calls


def says(cell: Cell, words: str) -> None:
    """Waits for ``words``: what a cell prints may come after its reply."""
    wait_until(lambda: words in cell.text or None, f"{words!r} in {cell.text!r}", 10)


def test_the_form_of_a_running_call_can_be_filled_in_and_sent_by_code(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run("from jupyter_mcp_elicit import *\nimport asyncio\nbistro = await connect('bistro')")
    kernel.run("call = asyncio.ensure_future(bistro.call_tool('order_coffee', {'milk': 'oat'}))")
    [card] = jupyter.wait_for_cards()
    kernel.run("while not bistro.forms:\n    await asyncio.sleep(0.01)")
    says(kernel.run("[form] = bistro.forms\nprint(form.card['id'], form.state)"), "pending")
    refused = kernel.run("form.fill(size='huge')")
    says(refused, "has no such option")
    sent = kernel.run("form.fill(size='large')\nform.submit()\nprint(form.state, form.draft, bistro.forms)")
    says(sent, "accepted {'size': None} ()")
    says(kernel.run("print(await call)"), "large")
    assert jupyter.card(card["id"])["outcome"]["channel"] == "kernel"


def test_standard_controls_of_a_running_call_go_when_it_is_answered_elsewhere(
    jupyter: JupyterProcess, kernel: KernelClient
) -> None:
    kernel.run("from jupyter_mcp_elicit import *\nimport asyncio\nbistro = await connect('bistro')")
    kernel.run("from ipywidgets.widgets.widget import _instances\nbefore = len(_instances)")
    kernel.run("call = asyncio.ensure_future(bistro.call_tool('order_coffee', {'milk': 'oat'}))")
    [card] = jupyter.wait_for_cards()
    kernel.run("while not bistro.forms:\n    await asyncio.sleep(0.01)")
    shown = kernel.run("controls = bistro.forms[0].controls()\ncontrols")
    says(shown, "<Controls>")
    assert jupyter.answer(card["id"], "decline")[0] == 200
    kernel.run("_ = await call")
    says(kernel.run("print(len(_instances) == before)"), "True")
