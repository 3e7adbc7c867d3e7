"""The kernel's side: call tools, show the form, wait. Imports neither jupyter_server nor mcp by itself."""
