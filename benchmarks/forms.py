"""(b) parse + draft + read, against building the form with ipywidgets-jsonschema."""

from __future__ import annotations

from measure import Row, at_most, median_ms
from schemas import draft_of, schema_of


def rows() -> list[Row]:
    from ipywidgets_jsonschema import Form

    from jupyter_mcp_elicit.core import RequestedSchema

    found = []
    for fields in (10, 200):
        schema, draft = schema_of(fields), draft_of(fields)

        def ours(schema: dict = schema, draft: dict = draft) -> None:
            parsed = RequestedSchema.parse(schema)
            reading = parsed.read({**parsed.initial, **draft})
            assert reading.content is not None, reading.problems

        def theirs(schema: dict = schema) -> None:
            for widget in (form := Form(schema)).widget.children:
                widget.close()
            del form

        mine = median_ms(ours, times=50)
        other = median_ms(theirs, times=10)
        what = f"(b) parse, draft, read, {fields} fields"
        found.append(at_most(what, mine, other, "ipywidgets-jsonschema builds", 1 / 50))
    return found
