"""Answers of queries, and pages of materials, as JSON-ready values; a part of the presenter."""

from typing import TYPE_CHECKING

from lyra.core.messages import render
from lyra.interfaces.presenter import Json, document, locator_json

if TYPE_CHECKING:  # what stands behind them takes time to import that a command without it must not pay
    from lyra.core.passages import Passage
    from lyra.store.queries.records import Cell, Table
    from lyra.store.queries.views import View
    from lyra.workflows.materials import MaterialsPage
    from lyra.workflows.query import TextAnswer

_SHOWN = frozenset({"confidence", "uncertainty", "controversy"})
_SHOWN_DECIMALS = 3
_EXACT_DECIMALS = 6


def page_json(page: "MaterialsPage") -> Json:
    """Return what a page of materials is a page of, and the cursor of the next one."""
    return {
        "order": page.order,
        "claims_shown": len(page.materials.claims),
        "claims_total": page.total,
        "next": page.following,
    }


def view_json(name: str, parameters: dict[str, object], table: "Table") -> Json:
    """Return the answer of a named view; numbers are rounded as everywhere."""
    return document(view=name, parameters=parameters, **_table_json(table, view_rows(table)))


def view_rows(table: "Table") -> list[list[object]]:
    """Return the rows of a view with its numbers rounded as everywhere."""
    return [[_rounded(column, cell) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows]


def sql_json(table: "Table") -> Json:
    """Return the answer of a statement, its values as they are."""
    return document(**_table_json(table, sql_rows(table)))


def sql_rows(table: "Table") -> list[list[object]]:
    """Return the rows of a statement, its values as they are."""
    return [[_plain(cell) for cell in row] for row in table.rows]


def _table_json(table: "Table", rows: list[list[object]]) -> Json:
    return {
        "columns": list(table.columns),
        "rows": rows,
        "truncated": table.truncated,
        "cut_cells": table.cut_cells,
    }


def text_json(text: str, task_id: str | None, answer: "TextAnswer") -> Json:
    """Return the answer of a text search."""
    return document(
        text=text,
        task_id=task_id,
        fragments_searched=answer.fragments,
        fragments_with_vectors=answer.with_vectors,
        passages=[passage_json(passage) for passage in answer.passages],
    )


def passage_json(passage: "Passage") -> Json:
    """Return one passage that was found."""
    return {
        "fragment_id": passage.fragment_id,
        "score": round(passage.score, _EXACT_DECIMALS),
        "quote": passage.quote,
        "locator": locator_json(passage.locator),
        "page_id": passage.page_id,
        "url": passage.url,
        "title": passage.title,
        "year": passage.year,
        "published_on": passage.published_on,
        "doi": passage.doi,
        "retracted": passage.retracted,
        "judged_pairs": passage.judged_pairs,
    }


def views_json(views: "list[View]", lang: str) -> Json:
    """Return every named view with its parameters and columns."""
    return document(
        views=[
            {
                "name": view.name,
                "detail": render(f"view.{view.name}", lang),
                "parameters": [
                    {
                        "name": parameter.name,
                        "kind": parameter.kind,
                        "required": parameter.required,
                        "default": parameter.default,
                        "low": parameter.low if parameter.kind in ("number", "whole") else None,
                        "high": parameter.high if parameter.kind in ("number", "whole") else None,
                    }
                    for parameter in view.parameters
                ],
                "columns": list(view.columns),
            }
            for view in views
        ]
    )


def _rounded(column: str, cell: "Cell") -> object:
    if isinstance(cell, float):
        return round(cell, _SHOWN_DECIMALS if column in _SHOWN else _EXACT_DECIMALS)
    return _plain(cell)


def _plain(cell: "Cell") -> object:
    return cell if cell is None or isinstance(cell, (str, int, float)) else {"blob_bytes": cell.size}
