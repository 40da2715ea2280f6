"""Results that Lyra wrote itself: told apart from sources, so that no result ever becomes evidence for itself."""

MARKDOWN_MARK = "<!-- lyra result: not a source -->"
BIBTEX_MARK = "% lyra result: not a source"
RIS_MARK = "DB  - Lyra"
CSL_SOURCE = "Lyra"
CRATE_MARK = "#lyra-result"
CSV_HEAD = "claim_id,text,language,finding,"
_JSON_MARK = '"schema_version"'
_HEAD_CHARS = 400


def is_own_result(text: str) -> bool:
    """Return whether a text is a result that Lyra wrote, in any of its formats, from its first lines."""
    head = text.removeprefix("\ufeff").lstrip()[:_HEAD_CHARS]
    if head.startswith((MARKDOWN_MARK, BIBTEX_MARK, CSV_HEAD)):
        return True
    if head.startswith("TY  - "):
        return RIS_MARK in head.splitlines()[:2]
    if head.startswith("["):  # a list of sources that is empty tells nothing of who wrote it, and nothing is lost with it
        return f'"source": "{CSL_SOURCE}"' in head or head.strip() == "[]"
    return head.startswith("{") and (_JSON_MARK in head or f'"@id": "{CRATE_MARK}"' in head)
