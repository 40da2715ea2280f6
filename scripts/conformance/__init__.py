"""Checks the server against the official conformance suite and the Inspector. Not a part of the tests: it needs Node."""
