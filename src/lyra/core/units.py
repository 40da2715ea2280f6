"""Sizes as people give them."""

MEBIBYTE = 2**20
