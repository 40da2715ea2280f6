"""The MCP server: the same use cases as the command, for a client that is a model. Nothing here is loaded by other commands."""
