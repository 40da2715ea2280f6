"""Use cases, one module each. Synchronous; they reach documents and models through ports."""
