"""A report as one self-contained HTML page: text, checks, corrections, pictures. No script, nothing loaded."""
