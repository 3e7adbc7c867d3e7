"""MCP connections of one owner: configuration, trust, transports, and the questions that servers ask."""
