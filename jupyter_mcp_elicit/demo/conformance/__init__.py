"""The tools that the official MCP conformance suite calls; no student ever sees them.

They ask through the bistro's own ``Visit``, so what the suite says of them holds for the bistro too.
Only what the bistro never does (sampling, roots, several questions in one round) is written out here.
"""
