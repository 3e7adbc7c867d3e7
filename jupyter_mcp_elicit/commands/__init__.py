"""What ``jupyter mcp-elicit`` can do: one file for each command, with its options and what it runs."""
