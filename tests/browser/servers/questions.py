"""What the asker asks: by the name of its tool, a message and a requested schema."""

from __future__ import annotations

from typing import Any

#: Markup that would run or load, a link in three dialects, formulas, and text that reads backwards.
MARKUP = '<img src="https://evil.test/a.png" onerror="window.pwned=1"><script>window.pwned=1</script>'
LINK = '<a href="https://evil.test/">here</a> [here](https://evil.test/) https://evil.test/login'
FORMULA = r"$x^2$ \(y\) \[z\] $$w$$"
BIDI = "gpj.\u202eexe\u200b"

MANY = [f"option {number}" for number in range(120)]


def _asked(message: str, required: list[str] | None = None, **fields: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": fields, "required": required or []}
    return {"message": message, "requestedSchema": schema}


QUESTIONS: dict[str, dict[str, Any]] = {
    "hostile": _asked(
        f"{MARKUP}\n{LINK}\n{FORMULA}\n{BIDI}\n**bold** _it_",
        text={
            "type": "string",
            "title": f"T {MARKUP} {FORMULA}",
            "description": f"D {MARKUP} {LINK} {FORMULA} {BIDI}",
        },
        pick={"type": "string", "title": LINK, "enum": [MARKUP, FORMULA, BIDI]},
        ticks={
            "type": "array",
            "items": {"anyOf": [{"const": "a", "title": MARKUP}, {"const": "b", "title": "Submit"}]},
        },
    ),
    # A name that a formula could hide in: the record names the tool after the answer, too.
    "$x$": _asked("Sure?"),
    "exact": _asked(
        "How many?",
        big={"type": "integer", "title": "Big", "default": 2**53 + 1},
        typed={"type": "integer", "title": "Typed"},
        share={"type": "number", "title": "Share", "default": 0.1},
        maybe={"type": "boolean", "title": "Maybe"},
        kept={"type": "string", "title": "Kept", "default": " two  blanks "},
    ),
    "names": {
        "message": "Names that JavaScript keeps for itself",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "__proto__": {"type": "string", "title": "Proto"},
                "constructor": {"type": "string", "title": "Constructor"},
            },
            "required": ["__proto__"],
        },
    },
    "kinds": _asked(
        "One of each",
        line={"type": "string", "title": "Line"},
        lines={"type": "string", "title": "Lines", "maxLength": 2000},
        secret={"type": "string", "title": "Password"},
        whole={"type": "integer", "title": "Whole"},
        day={"type": "string", "title": "Day", "format": "date"},
        moment={"type": "string", "title": "Moment", "format": "date-time"},
        sure={"type": "boolean", "title": "Sure"},
        few={"type": "string", "title": "Few", "enum": ["b", "x", "dd"]},
        several={"type": "string", "title": "Several", "enum": MANY[:9]},
        many={"type": "string", "title": "Many", "enum": MANY},
        ticks={"type": "array", "title": "Ticks", "items": {"type": "string", "enum": ["a", "b"]}},
        long_ticks={"type": "array", "title": "Long ticks", "items": {"type": "string", "enum": MANY[:20]}},
    ),
    "secret": _asked("Your key?", key={"type": "string", "title": "API key"}),
}
