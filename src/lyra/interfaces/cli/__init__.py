"""The `lyra` command: parse, call one use case, present."""
