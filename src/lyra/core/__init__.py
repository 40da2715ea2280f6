"""Pure core: records, rules and arithmetic. Nothing here reads a file, a clock or a database."""
