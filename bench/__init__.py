"""Measurements of speed and quality; each prints one table."""
