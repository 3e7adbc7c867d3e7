"""What ``jupyter mcp-elicit doctor`` looks at: one small check a file, which changes nothing."""
