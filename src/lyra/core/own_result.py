"""Results that Lyra wrote itself: told apart from sources, so that no result ever becomes evidence for itself."""

MARKDOWN_MARK = "<!-- lyra result: not a source -->"
_JSON_MARK = '"schema_version"'
_HEAD_CHARS = 400


def is_own_result(text: str) -> bool:
    """Return whether a text is a result that Lyra wrote, Markdown or JSON, from its first lines."""
    head = text.removeprefix("\ufeff").lstrip()[:_HEAD_CHARS]
    return head.startswith(MARKDOWN_MARK) or (head.startswith("{") and _JSON_MARK in head)
