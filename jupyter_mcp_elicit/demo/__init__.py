"""A small bistro that asks: the MCP server of the notebooks, the docs and many tests.

``python -m jupyter_mcp_elicit.demo`` serves it over stdio, ``--http`` over streamable HTTP.
It speaks 2025-06-18, 2025-11-25 and 2026-07-28, and needs nothing but the MCP SDK.
"""
