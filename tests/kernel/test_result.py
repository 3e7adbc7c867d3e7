"""A tool's result as a notebook shows it: rich where that is safe, text where it is not."""

from __future__ import annotations

import base64
import json
from html.parser import HTMLParser
from typing import Any

import pytest

from jupyter_mcp_elicit.kernel.result import Result

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)><b>'\"&"
UNSEEN = "\x1b[2J\x1b]8;;https://evil.example\x07go\x9b31m\u202eback"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def image(data: str, kind: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "mimeType": kind, "data": data}


def bundle(*content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return Result({"content": list(content), **more})._repr_mimebundle_()


class Page(HTMLParser):
    """What a browser makes of the HTML: its elements and its text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_code_finds_all_that_the_tool_gave_back() -> None:
    result = Result(
        {
            "content": [text("one"), image("AA=="), text("two")],
            "structuredContent": {"a": 1},
            "isError": True,
            "_meta": {"k": "v"},
        }
    )
    assert result.text == "one\ntwo"
    assert result.content[1]["mimeType"] == "image/png"
    assert (result.structured_content, result.is_error, result.meta) == ({"a": 1}, True, {"k": "v"})


def test_a_result_of_nothing_says_so() -> None:
    result = Result({})
    assert (repr(result), str(result), result.text) == ("(nothing)", "", "")
    assert result._repr_mimebundle_() == {"text/plain": "(nothing)"}


def test_a_tool_that_failed_is_marked_in_words_and_to_the_eye() -> None:
    made = bundle(text("No table."), isError=True)
    assert made["text/plain"] == "The tool failed: No table."
    assert "border-left" in made["text/html"]
    assert "border-left" not in bundle(text("A table."))["text/html"]


def test_text_keeps_its_lines_and_is_no_markup() -> None:
    made = bundle(text(f"one\n  two\t{MARKUP}"))
    assert made["text/plain"] == f"one\n  two\t{MARKUP}"
    page = Page(made["text/html"])
    assert page.text == f"one\n  two\t{MARKUP}"
    assert [name for name, _ in page.elements] == ["div", "pre"]


@pytest.mark.parametrize(
    "block",
    [
        text(UNSEEN),
        image("", UNSEEN),
        {"type": "audio", "mimeType": UNSEEN, "data": ""},
        {"type": "resource_link", "name": UNSEEN, "uri": UNSEEN},
        {"type": "resource_link", "title": UNSEEN, "name": "n", "uri": "https://example.org"},
        {"type": "resource", "resource": {"uri": UNSEEN, "text": UNSEEN}},
        {"type": "resource", "resource": {"uri": UNSEEN, "blob": "AA=="}},
        {"type": UNSEEN, "more": [UNSEEN, MARKUP]},
    ],
)
def test_what_a_terminal_would_obey_or_an_eye_not_see_is_named_in_every_form(block: dict[str, Any]) -> None:
    result = Result({"content": [block]})
    made = result._repr_mimebundle_()
    for shown in (repr(result), str(result), made["text/plain"], made["text/html"]):
        assert not [char for char in shown if char in "\x1b\x07\x9b\u202e"]
    assert Page(made["text/html"]).all("script") == []


def test_the_text_itself_is_left_as_it_came() -> None:
    assert Result({"content": [text(UNSEEN)]}).text == UNSEEN


def test_structured_content_hides_nothing_in_plain_text_either() -> None:
    words = repr(Result({"structuredContent": {"name": "\u202eeve\x9b"}}))
    assert "[U+202E]" in words
    assert not set(words) & {"\u202e", "\x9b"}


@pytest.mark.parametrize("kind", ["image/png", "image/jpeg", "image/gif", "image/webp"])
def test_a_picture_is_shown(kind: str) -> None:
    encoded = base64.b64encode(PNG).decode()
    made = bundle(image(encoded, kind))
    assert made["text/plain"] == f"[image: {kind}]"
    assert Page(made["text/html"]).all("img")[0]["src"] == f"data:{kind};base64,{encoded}"


@pytest.mark.parametrize(
    "kind",
    ["image/svg+xml", "text/html", "IMAGE/PNG", "image/png;x", 'image/png" onload="alert(1)', "", None, 7],
)
def test_another_type_than_a_plain_picture_makes_no_data_url(kind: Any) -> None:
    source = bundle(image(base64.b64encode(b"<svg onload=alert(1)>").decode(), kind))["text/html"]
    page = Page(source)
    assert page.all("img") == []
    assert "data:" not in source
    assert page.text.startswith("[image: ")


@pytest.mark.parametrize("data", ["", "not base64!", "AA", "AA==\n", '"><script>', "é", None, 7])
def test_a_picture_that_is_none_is_named_in_words(data: Any) -> None:
    page = Page(bundle(image(data))["text/html"])
    assert page.all("img") == []
    assert page.text == "[image: image/png]"


def test_addresses_are_text_and_never_links() -> None:
    made = bundle(
        {"type": "resource_link", "title": "Menu", "name": "menu", "uri": "https://evil.example/?a=<b>"},
        {"type": "resource", "resource": {"uri": "file:///etc/passwd", "blob": "AA=="}},
        text("https://evil.example/"),
    )
    page = Page(made["text/html"])
    assert page.all("a") == []
    assert "[Menu: https://evil.example/?a=<b>]" in page.text
    assert "[file:///etc/passwd]" in page.text


def test_the_text_of_a_resource_is_shown() -> None:
    assert (
        bundle({"type": "resource", "resource": {"uri": "a:b", "text": "inside"}})["text/plain"] == "inside"
    )


def test_structured_content_alone_is_json() -> None:
    made = bundle(structuredContent={"count": 3})
    assert made["application/json"] == {"count": 3}
    assert json.loads(made["text/plain"]) == {"count": 3}
    assert "text/html" not in made


@pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"result": rows}])
def test_a_list_of_objects_is_a_table(wrap: Any) -> None:
    rows = [{"dish": "Soup", "price": 4.5}, {"dish": MARKUP, "vegan": True}]
    page = Page(bundle(structuredContent=wrap(rows))["text/html"])
    assert [name for name, _ in page.elements if name in ("th", "td")] == ["th"] * 3 + ["td"] * 6
    assert page.text == f"dishpriceveganSoup4.5{MARKUP}true"


def test_rows_in_a_cell_are_json_and_hide_nothing() -> None:
    page = Page(bundle(structuredContent=[{"a": {"b": [1, None]}, "c": UNSEEN, "d": None}])["text/html"])
    assert '{"b": [1, null]}' in page.text
    assert "[U+202E]" in page.text


def test_a_long_table_ends_and_says_so() -> None:
    page = Page(bundle(structuredContent=[{"n": n} for n in range(501)])["text/html"])
    assert len(page.all("td")) == 500
    assert page.text.startswith("the first 500 of 501")


@pytest.mark.parametrize(
    "value", [[], {}, [1, 2], [{}], [{"a": 1}, 2], {"a": 1}, {"a": [{"b": 1}], "c": 2}, "text", 7, None]
)
def test_what_is_no_list_of_objects_is_no_table(value: Any) -> None:
    assert "<table" not in bundle(text("words"), structuredContent=value)["text/html"]


def test_too_many_columns_are_no_table() -> None:
    assert "<table" not in bundle(text("w"), structuredContent=[{str(n): n for n in range(31)}])["text/html"]


def test_text_that_only_repeats_the_table_is_left_out() -> None:
    rows = [{"dish": "Soup"}]
    said = bundle(text(json.dumps(rows)), text("Enjoy!"), structuredContent=rows)
    assert Page(said["text/html"]).text == "Enjoy!dishSoup"
    assert json.dumps(rows) in said["text/plain"]


def test_text_that_nests_without_end_is_shown_as_text() -> None:
    deep = "[" * 100_000
    assert deep in bundle(text(deep), structuredContent=[{"a": 1}])["text/html"]


def test_text_without_end_is_cut_in_what_is_shown_only() -> None:
    result = Result({"content": [text("x" * 200_000)]})
    assert len(repr(result)) == 100_000
    assert len(result.text) == 200_000


def test_foreign_text_is_kept_from_being_set_as_formulas() -> None:
    for made in (bundle(text("$x^2$")), bundle(structuredContent=[{"a": "$x^2$ $y$"}])):
        assert "mathjax_ignore" in str(Page(made["text/html"]).elements[0][1]["class"])


def test_a_hint_on_how_to_make_the_call_work_is_shown_with_the_failure() -> None:
    failed = Result(
        {
            "content": [{"type": "text", "text": "no back-channel"}],
            "isError": True,
            "_meta": {"jupyter-mcp-elicit/hint": 'Set "era": "legacy" <here>.'},
        }
    )
    assert repr(failed) == 'The tool failed: no back-channel\nSet "era": "legacy" <here>.'
    assert "&lt;here&gt;" in failed._repr_mimebundle_()["text/html"]
