"""The Jupyter server extension: the MCP client that outlives a busy kernel."""
