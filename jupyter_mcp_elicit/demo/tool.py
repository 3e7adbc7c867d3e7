"""What a tool of the bistro is, and what it says back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types

from .asking import Visit
from .house import House


@dataclass(frozen=True)
class Reply:
    """A text for people and, beside it, ``status`` and facts for programs."""

    text: str
    status: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    failed: bool = False

    @classmethod
    def not_answered(cls, tool: str, so: str, **facts: Any) -> Reply:
        """The end of every question that was closed twice: nothing changed, and when to come back."""
        text = f"No answer came, so {so}. Call {tool} again whenever you like."
        return cls(text, "not answered", {"retry": tool, **facts})

    def result(self) -> types.CallToolResult:
        return types.CallToolResult(
            content=[types.TextContent(text=self.text)],
            structured_content={"status": self.status, **self.facts},
            is_error=self.failed,
        )


@dataclass(frozen=True)
class BistroTool:
    """``run(visit, house, arguments)`` gets arguments that fit ``input_schema``."""

    name: str
    title: str
    description: str
    run: Callable[[Visit, House, dict[str, Any]], Awaitable[Reply]]
    arguments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    required: tuple[str, ...] = ()

    @property
    def input_schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: dict(spec) for name, spec in self.arguments.items()},
        }
        if self.required:
            schema["required"] = list(self.required)
        return schema

    def listed(self) -> types.Tool:
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=self.input_schema,
            output_schema={
                "type": "object",
                "properties": {"status": {"type": "string"}},
                "required": ["status"],
            },
        )
