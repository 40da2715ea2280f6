"""Label Studio's JSON: tasks with annotations, read as one case per annotator and as single labels; written for import."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lyra.cases.fields import CASE_FIELDS, CLAIM_FIELDS, SOURCE_FIELDS, Kind
from lyra.cases.model import Annotation, claim_unit, source_unit
from lyra.cases.shape import with_source_list
from lyra.core.errors import InvalidInput

# `sources.0.source_role`, `sources[0].source_role`, or `source_role_1` counting from 1.
_PLACED = re.compile(r"(sources|claims)(?:\.|\[)(\d{1,3})\]?\.([a-z_]+)")
_COUNTED = re.compile(r"([a-z_]+?)_(\d{1,3})")
_VALUES = ("choices", "text", "rating", "number", "taxonomy", "datetime")
_FLAT = frozenset(("annotation_id", "annotator"))
# What the flat form says of the annotation itself, beside the data of the task and the answers.
_FLAT_OWN = _FLAT | {"lead_time", "created_at", "updated_at"}
# What a person fills in, and what of it is a label: an explanation in words is measured by nobody.
_ANSWERS = (Kind.LABEL, Kind.TEXT, Kind.FLAG)
_FIELDS = {None: CASE_FIELDS, "sources": SOURCE_FIELDS, "claims": CLAIM_FIELDS}
_MAX_ITEMS = 200
MODEL_VERSION = "given"


def is_export(item: object) -> bool:
    """Return whether an element of a list is a task of Label Studio, in either of its two JSON forms."""
    if not isinstance(item, dict):
        return False
    nested = isinstance(item.get("data"), dict) and any(name in item for name in ("annotations", "completions", "predictions"))
    return nested or item.keys() >= _FLAT


def project_of(item: Mapping[str, Any]) -> str | None:
    """Return the project a task belongs to, where the export says it."""
    project = item.get("project")
    return str(project) if isinstance(project, (int, str)) else None


def refuse_mixed(projects: set[str], path: str) -> None:
    """Raise InvalidInput where the tasks of several projects are mixed: their labels may mean different things."""
    if len(projects) > 1:
        raise InvalidInput("cases_mixed_projects", path=path, projects=", ".join(sorted(projects)[:10]))


def cases_of(item: Mapping[str, Any]) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Yield (annotator, case) for each annotation of a task; a task without one gives its data alone."""
    data, annotations = _data(item), list(_annotations(item))
    for annotation in annotations:
        yield _rater(annotation.get("completed_by")), _labelled(data, annotation)
    if not annotations:
        yield None, data


def annotations_of(item: Mapping[str, Any], nameless: str) -> Iterator[Annotation]:
    """Yield every single label of a task, with who gave it and how long the task took.

    `nameless` is who labelled where the export does not say.
    """
    data = _data(item)
    unit = str(data["id"])
    for annotation in _annotations(item):
        rater, seconds = _rater(annotation.get("completed_by")) or nameless, _seconds(annotation.get("lead_time"))
        for name, value in _results(annotation):
            group, position, field = _place(name)
            known = _FIELDS[group].get(field)
            if known is not None and known.kind is not Kind.LABEL:
                continue
            if group == "sources":
                where = source_unit(unit, _key(data, group, position))
            elif group == "claims":
                where = claim_unit(unit, _key(data, group, position))
            else:
                where = unit
            yield Annotation(rater, where, field, value, seconds)


def _is_flat(item: Mapping[str, Any]) -> bool:
    return item.keys() >= _FLAT and "data" not in item


def _data(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the case that a task shows, with an id and its sources as a list of objects."""
    if _is_flat(item):
        data = {name: value for name, value in item.items() if name not in _FLAT_OWN and not _is_answer(name)}
    else:
        data = {name: value for name, value in item["data"].items() if not name.startswith("_")}
    if not str(data.get("id") or "").strip():
        data["id"] = str(item.get("id", ""))
    return with_source_list(data)


def _is_answer(name: str) -> bool:
    """Return whether a column of the flat form is an answer: a field that people fill in, at its place."""
    group, _, field = _place(name)
    known = _FIELDS[group].get(field)
    return known is not None and known.kind in _ANSWERS and field not in ("text", "url", "title")


def _key(data: Mapping[str, Any], group: str, position: int) -> str:
    """Return what a source or claim of a task is called: the same as when the case is read from any other file."""
    items = data.get(group)
    item = items[position] if isinstance(items, list) and position < len(items) else None
    found = (item.get("id") or (item.get("url") if group == "sources" else None)) if isinstance(item, dict) else None
    return str(found or position + 1)


def _annotations(item: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if _is_flat(item):
        results = [_result(name, value) for name, value in item.items() if _is_answer(name)]
        yield {"completed_by": item["annotator"], "lead_time": item.get("lead_time"), "result": results}
        return
    given = item.get("annotations") or item.get("completions") or []
    for annotation in given if isinstance(given, list) else []:
        if isinstance(annotation, dict) and not annotation.get("was_cancelled") and not annotation.get("skipped"):
            yield annotation


def _rater(who: object) -> str | None:
    if isinstance(who, dict):
        who = who.get("email") or who.get("username") or who.get("id")
    return None if who is None else str(who)


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _results(annotation: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    """Yield (name of the control, value) for each answer; several choices are joined by a semicolon."""
    given = annotation.get("result")
    for result in given if isinstance(given, list) else []:
        if not isinstance(result, dict) or not isinstance(result.get("value"), dict):
            continue
        for kind in _VALUES:
            if kind in result["value"]:
                yield str(result.get("from_name", "")), _joined(result["value"][kind])
                break


def _joined(value: object) -> str | None:
    if isinstance(value, list):
        parts = [" / ".join(map(str, one)) if isinstance(one, list) else str(one) for one in value]
        return "; ".join(parts) or None
    return str(value) if value not in (None, "") else None


def _place(name: str) -> tuple[str | None, int, str]:
    """Return (list, position, field) of what a control labels; no list for a field of the case itself."""
    if match := _PLACED.fullmatch(name):
        return match[1], int(match[2]), match[3]
    if name not in CASE_FIELDS and (match := _COUNTED.fullmatch(name)) and int(match[2]):
        if match[1] in SOURCE_FIELDS:
            return "sources", int(match[2]) - 1, match[1]
        if match[1] in CLAIM_FIELDS:
            return "claims", int(match[2]) - 1, match[1]
    if name not in CASE_FIELDS and name in SOURCE_FIELDS:
        return "sources", 0, name
    if name not in CASE_FIELDS and name in CLAIM_FIELDS:
        return "claims", 0, name
    return None, 0, name


def _labelled(data: Mapping[str, Any], annotation: Mapping[str, Any]) -> dict[str, Any]:
    case = dict(data)
    for name, value in _results(annotation):
        group, position, field = _place(name)
        if group is None:
            case[field] = value == "true" if field == "needs_review" else value
        elif position < _MAX_ITEMS:
            given = case.get(group)
            items = [dict(one) if isinstance(one, dict) else {} for one in given] if isinstance(given, list) else []
            items += [{} for _ in range(position + 1 - len(items))]
            items[position][field] = value
            case[group] = items
    return case


def task_of(case: Mapping[str, Any]) -> dict[str, Any]:
    """Return a task to import: the case as its data, the labels it has as a prediction that people can correct."""
    results = [_result(name, str(case[name])) for name in _LABELS_IN_ORDER if isinstance(case.get(name), str) and case[name]]
    for group, fields in (("sources", SOURCE_FIELDS), ("claims", CLAIM_FIELDS)):
        items = case.get(group)
        for position, item in enumerate(items if isinstance(items, list) else []):
            results += [
                _result(f"{group}.{position}.{name}", item[name])
                for name, field in fields.items()
                if field.kind is Kind.LABEL and isinstance(item, dict) and isinstance(item.get(name), str)
            ]
    return {"data": dict(case), "annotations": [], "predictions": [{"model_version": MODEL_VERSION, "result": results}]}


_LABELS_IN_ORDER = [name for name, field in CASE_FIELDS.items() if field.kind is Kind.LABEL]


def _result(name: str, value: object) -> dict[str, Any]:
    """Return an answer as the export of single annotations has it; the flat form writes several choices as an object."""
    if isinstance(value, dict):
        return {"from_name": name, "value": value}
    chosen = [] if value in (None, "") else [value]
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": chosen}}
