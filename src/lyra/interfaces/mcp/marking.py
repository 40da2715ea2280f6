"""Answers as a client gets them: structured content, the same as text, and marks around what others wrote."""

import mcp_types as types

from lyra.core.messages import render
from lyra.interfaces.mcp.fitting import written
from lyra.interfaces.presenter import Json

ERROR_KEY = "io.github.lyra-evidence/error"


def untrusted_json(fields: tuple[str, ...], lang: str) -> Json:
    """Return the field that says which others hold text of documents, pages and files, and how to take it."""
    return {"notice": render("text.mcp_untrusted", lang), "fields": list(fields)}


def result_of(answer: Json, *, fence: str | None, lang: str) -> types.CallToolResult:
    """Return an answer as a result. With `fence`, a word nobody can guess, its text stands between two marks."""
    content: list[types.ContentBlock] = [_text(written(answer))]
    if fence is not None:
        content = [_text(opening(fence, lang)), *content, _text(closing(fence))]
    return types.CallToolResult(content=content, structured_content=answer)


def failed(error: Json) -> types.CallToolResult:
    """Return a failure as a result: JSON in its text, and under a name of our own in its metadata.

    It has no structured content: clients check that against the schema of the answer, also where there is none.
    """
    return types.CallToolResult(content=[_text(written(error))], is_error=True, _meta={ERROR_KEY: error["error"]})


def opening(fence: str, lang: str) -> str:
    """Return the mark before text of others."""
    return f"{render('text.mcp_untrusted', lang)}\n<<<untrusted-data {fence}>>>"


def closing(fence: str) -> str:
    """Return the mark after text of others."""
    return f"<<<end of untrusted-data {fence}>>>"


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
