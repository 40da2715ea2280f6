"""Interfaces: parse, call one use case, present. One presenter makes the JSON that all of them share."""
