"""The bistro's badly behaved twin: an MCP server that does what a client must bear.

``jupyter mcp-elicit demo-server --hostile`` serves it over stdio, with ``--http`` over streamable HTTP,
in the revisions 2025-06-18, 2025-11-25 and 2026-07-28. It speaks JSON-RPC by itself, since the MCP SDK
would refuse to send most of this. Each tool is one trick, in a table: what it does wrong, and what a
client must do. It reads no file, asks no other machine and keeps nothing.
"""
