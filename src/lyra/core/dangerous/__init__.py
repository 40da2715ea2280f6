"""Dangerous patterns: text that was planted to steer a model, on pages and in a model's own answers."""
