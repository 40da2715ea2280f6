"""Looking into the graph: by text, by a named view, or by a statement of one's own. Writes nothing."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from lyra.core.errors import InvalidInput, NotFound
from lyra.core.passages import Passage
from lyra.store.evidence_store import EvidenceStore
from lyra.store.queries.records import QueryLimits, Table
from lyra.store.queries.views import VIEWS, Parameter, View
from lyra.workflows.bench import Bench
from lyra.workflows.check import check_question
from lyra.workflows.judging import Finder, vector_version

MAX_ROWS = 10_000
MAX_PASSAGES = 200
_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?([eE][+-]?\d{1,2})?", re.ASCII)
_PARAMETER = re.compile(r"[A-Za-z_]\w{0,63}", re.ASCII)

Given = Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """Passages, best first, and how much was searched: all fragments of the scope by word, those with a vector by meaning."""

    passages: tuple[Passage, ...]
    fragments: int
    with_vectors: int


def find_view(name: str) -> View:
    """Return a view, or raise InvalidInput with the names there are."""
    if name not in VIEWS:
        nearest = get_close_matches(name, list(VIEWS), n=1, cutoff=0.0)[0]
        raise InvalidInput("unknown_view", name=name, nearest=nearest, known=", ".join(VIEWS))
    return VIEWS[name]


def run_view(store: EvidenceStore, name: str, given: Given, limit: int) -> Table:
    """Return at most `limit` rows of a named view.

    Raises InvalidInput for an unknown view or parameter (naming those there are), a value out of range or a parameter
    that is missing; NotFound for a task or page that does not exist.
    """
    view = find_view(name)
    _check_limit(limit, MAX_ROWS)
    known = {parameter.name: parameter for parameter in view.parameters}
    for word in given:
        if word not in known:
            raise InvalidInput("unknown_view_parameter", view=name, name=word, known=", ".join(known))
    with store.reading():
        values = [_value(store, view, parameter, given.get(parameter.name)) for parameter in view.parameters]
        if name == "near_duplicates":
            return store.queries.near_duplicates(view, values, limit)
        return store.queries.view(view, values, limit)


def run_sql(store: EvidenceStore, sql: str, given: Given, limits: QueryLimits) -> Table:
    """Run one reading statement in a process of its own and return its rows; see `lyra.store.queries.sandbox`.

    A parameter is bound to the `:name` of the statement; a text that is a number is bound as one.
    """
    _check_limit(limits.rows, MAX_ROWS)
    for name in given:
        if not _PARAMETER.fullmatch(name):
            raise InvalidInput("query_parameter_name", name=name)
    bound = {name: _as_number(value) if isinstance(value, str) else value for name, value in given.items()}
    return store.queries.statement(sql, bound, limits)


def search_text(bench: Bench, text: str, task_id: str | None, limit: int) -> TextAnswer:
    """Return the passages that speak about a text, by words and by meaning, best first.

    Looks through everything stored, or through the documents and the evidence of one task. A fragment that was never
    embedded is found by its words alone. Raises InvalidInput for a text without words, NotFound for an unknown task.
    """
    asked = check_question(text)
    _check_limit(limit, MAX_PASSAGES)
    searching = bench.store.searching
    if task_id is None:
        fragments = searching.open_whole_scope()
    else:
        bench.store.tasks.get(task_id)
        fragments = searching.open_task_scope(task_id, bench.store.tasks.roots(task_id))
    most = max(limit, bench.limits.lexical_candidates)
    limits = replace(bench.limits, lexical_candidates=most, vector_candidates=max(limit, bench.limits.vector_candidates))
    ranked = Finder(replace(bench, limits=limits)).asked(asked, limit)
    return TextAnswer(
        passages=tuple(searching.passages(ranked)),
        fragments=fragments,
        with_vectors=fragments - searching.count_without_vector(vector_version(bench)),
    )


def _check_limit(limit: int, most: int) -> None:
    if not 1 <= limit <= most:
        raise InvalidInput("bad_limit", value=limit, low=1, high=most)


def _value(store: EvidenceStore, view: View, parameter: Parameter, given: str | float | None) -> str | int | float | None:
    if given is None:
        if parameter.required:
            raise InvalidInput("view_parameter_missing", view=view.name, name=parameter.name)
        return parameter.default
    if parameter.kind == "task":
        return store.tasks.get(str(given)).task_id
    if parameter.kind == "page":
        if not store.queries.page_exists(str(given)):
            raise NotFound("unknown_page", page_id=given)
        return str(given)
    number = _as_number(given) if isinstance(given, str) else given
    fits = isinstance(number, int if parameter.kind == "whole" else (int, float)) and not isinstance(number, bool)
    if not fits or not parameter.low <= float(number) <= parameter.high:
        low, high = f"{parameter.low:g}", f"{parameter.high:g}"
        raise InvalidInput("bad_view_parameter", view=view.name, name=parameter.name, value=given, low=low, high=high)
    return number


def _as_number(text: str) -> str | int | float:
    """Return the number that a text is, or the text."""
    if not _NUMBER.fullmatch(text):
        return text
    if text.lstrip("+-").isdigit():
        return int(text)
    value = float(text)
    return value if math.isfinite(value) else text
