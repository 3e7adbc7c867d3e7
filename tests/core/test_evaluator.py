from __future__ import annotations

import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

import jupyter_mcp_elicit.core as core
from jupyter_mcp_elicit.core import RequestedSchema
from jupyter_mcp_elicit.core.evaluator import Evaluator, Members


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (
            {"enum": [1, "a", None, [1], {"a": True}]},
            [1.0, "a", None, [1.0], {"a": True}],
            [True, "b", [True], {"a": 1}],
        ),
        ({"enum": Members([1, "a"])}, [1.0, "a"], [True, None, "1", [1]]),
        ({"uniqueItems": True}, [[1, True, "1"], [[1], [True]], "aa"], [[1, 1.0], [{"a": 1}, {"a": 1.0}]]),
        ({"multipleOf": 0.01}, [0.07, 1.1, 0, "x", True], [0.075]),
        ({"pattern": r"\p{L}"}, ["a", 5], ["1"]),
        ({"pattern": "(?P<"}, ["a"], []),
        (
            {"format": "date-time"},
            ["2026-12-01T09:30:00Z", 5],
            ["2026-12-01T09:30:00", "2026-12-01T09:30:00Z\n"],
        ),
        ({"format": "phone"}, ["anything"], []),
        ({"format": "ipv4"}, ["anything"], []),
    ],
)
def test_values_are_told_as_json_schema_means_it(
    schema: object, good: list[object], bad: list[object]
) -> None:
    evaluator = Evaluator(schema)
    assert [value for value in good if not evaluator.admits(value)] == []
    assert [value for value in bad if evaluator.admits(value)] == []


def test_a_fault_names_its_place_and_its_keyword() -> None:
    evaluator = Evaluator(
        {"properties": {"a": {"type": "array", "items": {"type": "string"}}}, "required": ["b"]}
    )
    assert set(evaluator.faults({"a": ["x", 1]})) == {(("a", 1), "type"), ((), "required")}


def test_nothing_is_ever_fetched() -> None:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        evaluator = Evaluator({"$ref": f"http://127.0.0.1:{server.server_port}/schema.json"})
        with pytest.raises(Exception, match="Unresolvable|schema.json"):
            evaluator.admits({})
        server.shutdown()
    assert asked == []


def test_many_options_are_checked_in_little_time() -> None:
    values = [f"v{n}" for n in range(20_000)]
    schema = RequestedSchema.parse({"properties": {"x": {"type": "array", "items": {"enum": values}}}})
    start = time.thread_time()
    assert schema.read({"x": values[::-1]}).content == {"x": values}
    assert time.thread_time() - start < 5


def test_importing_the_core_costs_nothing_until_an_answer_is_read() -> None:
    code = """
import sys
import jupyter_mcp_elicit.core as core
assert not {"jsonschema", "referencing", "jupyter_mcp_elicit.core.schema"} & sys.modules.keys()
schema = core.RequestedSchema.parse({"properties": {"x": {"type": "string", "default": "a"}}})
schema.initial, schema.fill({}), schema.compiled
assert not {"jsonschema", "referencing", "asyncio", "mcp", "pydantic"} & sys.modules.keys()
assert schema.read({"x": "b"}).content == {"x": "b"}
assert "jsonschema" in sys.modules
sys.exit(7)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == 7


def test_every_public_name_resolves_and_no_other() -> None:
    assert all(getattr(core, name).__name__ == name for name in core.__all__)
    assert set(core.__all__) <= set(dir(core))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = core.nothing
