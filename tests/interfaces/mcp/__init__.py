"""The server for AI clients, met with the official client."""
