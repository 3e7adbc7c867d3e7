"""The JSON-Schema-Test-Suite, as far as it bears on flat forms.

Two editions are known: the pinned commit, and the older copy in the source distribution
of jsonschema. *Flat-shaped* is a group whose schema is one property's schema or an object
of such properties, of the keywords that a requested schema may have: the types but object
and null, text, number and list rules, ``enum``, ``const``, and ``oneOf`` or ``anyOf`` of
constants. Left out are four cases that say that a format is never asserted, for MCP's four
formats are asserted here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcp_elicit.core import RemoteError, RequestedSchema
from jupyter_mcp_elicit.core.check import fault
from jupyter_mcp_elicit.core.evaluator import Evaluator
from jupyter_mcp_elicit.core.field import NUMBER_KINDS, TEXT_KINDS, Field, Kind
from jupyter_mcp_elicit.core.formats import FORMATS
from jupyter_mcp_elicit.core.patterns import Allowance

COMMIT = "44401e0c046704b476ec9d2e2fccdaee618f259d"
SDIST = "jsonschema==4.26.0"

#: edition -> what the selector finds in it.
FORMAT_CASES = {COMMIT: 187, SDIST: 120}
FLAT = {COMMIT: (105, 665), SDIST: (101, 582)}
FIELD_CASES = {COMMIT: 280, SDIST: 205}
PATTERN_CASES = {COMMIT: 57, SDIST: 57}

ANNOTATIONS = {"$schema", "$comment", "title", "description", "default"}
RULES = {
    *("type", "enum", "const", "oneOf", "anyOf", "minLength", "maxLength", "pattern", "format"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("items", "minItems", "maxItems", "uniqueItems"),
}
#: Kind of a field -> what is checked for it.
HELD: dict[Kind, Any] = {
    **dict.fromkeys(TEXT_KINDS, str),
    **dict.fromkeys(NUMBER_KINDS, (int, float)),
    Kind.BOOLEAN: bool,
    Kind.CHOICE: (str, int, float),
    Kind.CHOICES: list,
}
NOT_ASSERTED = "string is only an annotation by default"


def is_property(schema: Any) -> bool:
    if not isinstance(schema, dict) or not set(schema) - ANNOTATIONS <= RULES:
        return False
    if schema.get("type") in ("object", "null"):
        return False
    options = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    if not all(isinstance(option, dict) and set(option) <= {"const", "title"} for option in options):
        return False
    return "items" not in schema or is_property(schema["items"])


def is_flat(schema: Any) -> bool:
    if is_property(schema):
        return True
    if not isinstance(schema, dict) or not set(schema) - ANNOTATIONS <= {"type", "properties", "required"}:
        return False
    return all(is_property(inner) for inner in schema.get("properties", {}).values())


def groups(*files: Path) -> Iterator[tuple[str, Any, list[dict[str, Any]]]]:
    for file in files:
        for group in json.loads(file.read_text(encoding="utf-8")):
            yield f"{file.name}: {group['description']}", group["schema"], group["tests"]


def field_of(schema: Any) -> Field | None:
    """The field that a property becomes, or ``None`` for what is no property or refused."""
    try:
        fields = RequestedSchema.parse({"properties": {"x": schema}}).fields if is_property(schema) else ()
    except RemoteError:
        return None
    return fields[0] if fields else None


def edition(suite: Path) -> str:
    return (suite / "edition").read_text()


def wrong(schema: Any, cases: list[dict[str, Any]]) -> list[str]:
    evaluator = Evaluator(schema)
    return [case["description"] for case in cases if evaluator.admits(case["data"]) is not case["valid"]]


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_is_told_as_the_suite_tells_it(suite: Path, name: str) -> None:
    failures = {
        group: failed
        for group, schema, cases in groups(suite / "optional" / "format" / f"{name}.json")
        if (failed := wrong(schema, cases))
    }
    assert failures == {}


def test_the_suite_has_as_many_format_cases_as_we_publish(suite: Path) -> None:
    files = (suite / "optional" / "format" / f"{name}.json" for name in FORMATS)
    assert sum(len(cases) for _, _, cases in groups(*files)) == FORMAT_CASES[edition(suite)]


def test_every_flat_shaped_case_of_the_suite_is_told_right(suite: Path) -> None:
    files = [
        *sorted(suite.glob("*.json")),
        *(suite / "optional" / "format" / f"{name}.json" for name in FORMATS),
    ]
    count, total, failures = 0, 0, {}
    for group, schema, cases in groups(*files):
        if is_flat(schema):
            cases = [case for case in cases if not _is_unasserted(schema, case)]
            count, total = count + 1, total + len(cases)
            failed = wrong(schema, cases)
            if failed:
                failures[group] = failed
    assert failures == {}
    assert (count, total) == FLAT[edition(suite)]


def _is_unasserted(schema: dict[str, Any], case: dict[str, Any]) -> bool:
    return schema.get("format") in FORMATS and case["description"].endswith(NOT_ASSERTED)


@pytest.mark.parametrize("name", ["bignum", "float-overflow", "non-bmp-regex"])
def test_optional_cases_are_told_right(suite: Path, name: str) -> None:
    for group, schema, cases in groups(suite / "optional" / f"{name}.json"):
        if is_flat(schema):
            assert (group, wrong(schema, cases)) == (group, [])


def test_patterns_are_ecma_262(suite: Path) -> None:
    total = 0
    for group, schema, cases in groups(suite / "optional" / "ecmascript-regex.json"):
        if is_flat(schema) and "pattern" in schema:
            total += len(cases)
            assert (group, wrong(schema, cases)) == (group, [])
    assert total == PATTERN_CASES[edition(suite)]


def test_the_checks_of_a_field_agree_with_the_suite(suite: Path) -> None:
    """Cases whose schema becomes a field, and whose value is of the kind that a form can hold for it."""
    files = [
        *sorted(suite.glob("*.json")),
        *(suite / "optional" / "format" / f"{name}.json" for name in FORMATS),
    ]
    checked, failures = 0, []
    for group, schema, cases in groups(*files):
        field = field_of(schema)
        for case in cases if field else ():
            if isinstance(case["data"], HELD[field.kind]) and not _is_unasserted(schema, case):
                checked += 1
                if (fault(field, case["data"], Allowance()) == "") is not case["valid"]:
                    failures.append((group, case["description"]))
    assert failures == []
    assert checked == FIELD_CASES[edition(suite)]
