"""query_evidence: by text, by a named view, or by a statement of one's own; read-only and bounded."""

from lyra.core.errors import InvalidInput
from lyra.core.units import MEBIBYTE
from lyra.interfaces.mcp.arguments import QueryEvidence
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.fitting import budget_of, cut_texts, fit_lists
from lyra.interfaces.mcp.marking import untrusted_json
from lyra.interfaces.mcp.shapes_status import QueryAnswer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.query_presenter import sql_json, text_json, view_json
from lyra.store.queries.records import QueryLimits
from lyra.workflows.query import run_sql, run_view, search_text

UNTRUSTED = ("found.passages[].quote", "found.passages[].title", "found.passages[].url", "table.rows")


async def query_evidence(call: Call, given: QueryEvidence) -> Json:
    """Look into the graph."""
    return await call.in_long_thread(lambda: _answer(call.desk, given))


def _answer(desk: Desk, given: QueryEvidence) -> Json:
    found, table = _look(desk, given)
    cut = cut_texts({"found": found, "table": table})
    answer = document(**cut if isinstance(cut, dict) else {}, untrusted=untrusted_json(UNTRUSTED, desk.lang))
    shown, omitted = fit_lists(answer, ("found.passages", "table.rows"), budget_of(given.max_kb))
    rows = shown["table"]
    if "table.rows" in omitted and isinstance(rows, dict):
        shown = {**shown, "table": {**rows, "truncated": "size"}}
    return {**shown, "omitted": omitted}


def _look(desk: Desk, given: QueryEvidence) -> tuple[Json | None, Json | None]:
    """Return what a text search found, or the table of a view or statement."""
    if sum(way is not None for way in (given.text, given.view, given.sql)) != 1:
        raise InvalidInput("mcp_query_what")
    if given.text is not None:
        return _passages(desk, given.text, given), None
    parameters = dict(given.parameters)
    if given.task_id is not None:
        parameters["task"] = given.task_id
    if given.view is not None:
        with desk.store() as store:
            table = run_view(store, given.view, parameters, given.limit)
        return None, _without_version(view_json(given.view, dict(parameters), table))
    query = desk.settings.query
    limits = QueryLimits(query.seconds, query.memory_mb * MEBIBYTE, given.limit)
    with desk.store() as store:
        table = run_sql(store, str(given.sql), parameters, limits)
    return None, {"view": None, "parameters": dict(parameters), **_without_version(sql_json(table))}


def _passages(desk: Desk, text: str, given: QueryEvidence) -> Json:
    if given.parameters:
        raise InvalidInput("query_parameter_unused", name=next(iter(given.parameters)))
    with desk.bench() as bench:
        return _without_version(text_json(text, given.task_id, search_text(bench, text, given.task_id, given.limit)))


def _without_version(answer: Json) -> Json:
    return {name: value for name, value in answer.items() if name != "schema_version"}


QUERY_EVIDENCE = Tool(
    "query_evidence", QueryEvidence, QueryAnswer, Hints(read_only=True, idempotent=True), query_evidence, UNTRUSTED
)
