"""Failures as a client reads them: a code, what is wrong, what to do next, and whether trying again can help."""

from difflib import get_close_matches

from pydantic import BaseModel, ValidationError

from lyra.core.errors import InvalidInput, LyraError, ModelError, NotFound, StoreError
from lyra.core.messages import codes, render
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.untrusted import on_one_line, shortened

_SHOWN_PROBLEMS = 8
_LONGEST_MESSAGE = 1_000
# What pydantic calls a mistake, and the sentence for it; anything else does not fit the schema.
ARGUMENT_KINDS = {
    "missing": "missing",
    "extra_forbidden": "unknown",
    "string_too_short": "too_short",
    "too_short": "too_short",
    "string_too_long": "too_long",
    "too_long": "too_long",
    "greater_than_equal": "out_of_range",
    "less_than_equal": "out_of_range",
    "finite_number": "out_of_range",
    "literal_error": "not_a_choice",
    "string_type": "wrong_type",
    "int_type": "wrong_type",
    "int_from_float": "wrong_type",
    "float_type": "wrong_type",
    "bool_type": "wrong_type",
    "list_type": "wrong_type",
    "dict_type": "wrong_type",
    "model_type": "wrong_type",
    "string_unicode": "not_unicode",
    "value_error": "unfit",
}
_UNFIT = "unfit"
# What a value should have been, in the words of JSON Schema.
_JSON_TYPES = {
    "string_type": "string",
    "int_type": "integer",
    "int_from_float": "integer",
    "float_type": "number",
    "bool_type": "boolean",
    "list_type": "array",
    "dict_type": "object",
    "model_type": "object",
}
# Failures of this kind name everything there is, so that there is nothing to look up.
_NAMES_ALL = "mcp_unknown_"
_BOUNDS = ("min_length", "max_length", "ge", "le", "expected")


def failure_json(error: LyraError, lang: str) -> Json:
    """Return a designed failure as the error of an answer."""
    message = shortened(on_one_line(error.sentence(lang)), _LONGEST_MESSAGE)
    return _error_json(error.code, message, _next_step(error, lang), retryable=isinstance(error, (StoreError, ModelError)))


def internal_json(lang: str) -> Json:
    """Return the error of an answer for a mistake of the program; what it was stays on the server."""
    error = LyraError("mcp_internal")
    return _error_json(error.code, error.sentence(lang), render("text.mcp_next_internal", lang), retryable=True)


def arguments_json(problem: ValidationError, model: type[BaseModel], tool: str, lang: str) -> Json:
    """Return the error of an answer for arguments that do not fit. Values that were given are never repeated."""
    found = [_argument(detail, model, lang) for detail in problem.errors(include_url=False, include_input=False)]
    shown = found[:_SHOWN_PROBLEMS]
    sentences = render("text.list_separator", lang).join(str(one["detail"]) for one in shown)
    error, step = InvalidInput("mcp_bad_arguments", tool=tool, problems=sentences), render("text.mcp_next_arguments", lang)
    return _error_json(error.code, shortened(error.sentence(lang), _LONGEST_MESSAGE), step, retryable=False, problems=shown)


def _error_json(code: str, message: str, next_step: str, *, retryable: bool, problems: list[Json] | None = None) -> Json:
    return document(
        error={"code": code, "message": message, "next_step": next_step, "retryable": retryable, "problems": problems or []}
    )


def step_after_failed_job(code: str | None, lang: str) -> str:
    """Return what to do about a job that failed for a reason of this code."""
    own = f"text.mcp_next_{code}"
    return render(own if own in codes(lang) else "text.mcp_after_failed", lang)


def _next_step(error: LyraError, lang: str) -> str:
    own = f"text.mcp_next_{error.code}"
    if own in codes(lang):
        return render(own, lang)
    if isinstance(error, NotFound) and not error.code.startswith(_NAMES_ALL):
        return render("text.mcp_next_not_found", lang)
    if isinstance(error, InvalidInput):
        return render("text.mcp_next_input", lang)
    return render("text.mcp_next_dependency", lang)


def _argument(detail: object, model: type[BaseModel], lang: str) -> Json:
    facts = detail if isinstance(detail, dict) else {}
    kind = ARGUMENT_KINDS.get(str(facts.get("type")), _UNFIT)
    place = ".".join(shortened(on_one_line(str(part)), 60) for part in facts.get("loc", ())) or "arguments"
    context = facts.get("ctx") or {}
    bound = next((str(context[name]) for name in _BOUNDS if name in context), _JSON_TYPES.get(str(facts.get("type")), ""))
    if kind == "unknown":
        known = sorted(model.model_fields)
        near = get_close_matches(place, known, n=1, cutoff=0.0)
        bound = near[0] if near else "–"
    words = render(f"text.mcp_argument_{kind}", lang, name=place, bound=bound)
    return {"argument": place, "code": kind, "detail": words}
