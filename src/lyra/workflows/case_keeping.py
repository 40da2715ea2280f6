"""Keeping cases in the store: their content, and the labels of whoever gave them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lyra.cases.reading import labels_of
from lyra.cases.shape import read_case
from lyra.core.case_records import KeptAnnotation
from lyra.core.errors import InvalidInput

if TYPE_CHECKING:
    from lyra.cases.reading import Row
    from lyra.store.evidence_store import EvidenceStore


@dataclass(frozen=True, slots=True)
class Keeping:
    """On whose behalf cases are kept, and why; `made_by` is the command. What a machine proposed is nobody's label."""

    made_by: str
    who: str | None = None
    why: str | None = None
    labels: bool = True


@dataclass(frozen=True, slots=True)
class Kept:
    """How many cases and labels were new or changed."""

    cases: int
    labels: int


def keep_cases(store: "EvidenceStore", rows: Iterable["Row"], keeping: Keeping, path: str) -> Kept:
    """Keep every case of a file, all or none; what is there already adds nothing.

    Labels are kept where somebody is named for them: in the file, or in `keeping`. Of a case that several people
    labelled, the last one's content is the case's, and everybody's labels are kept.
    """
    cases = labels = 0
    seen: set[tuple[str | None, str]] = set()
    with store.transaction():
        for row in rows:
            shaped = read_case(row.data)
            if not shaped.case.id:
                raise InvalidInput("cases_no_id", place=f"{path}:{row.number}")
            who = row.rater or keeping.who
            if (who, shaped.case.id) in seen:
                raise InvalidInput("cases_twice", path=path, row=row.number, id=shaped.case.id)
            seen.add((who, shaped.case.id))
            content = json.dumps(row.data, ensure_ascii=True, sort_keys=True)
            cases += store.cases.save(shaped.case.id, content, keeping.made_by, who, keeping.why)
            if who is not None and keeping.labels:
                given = (one for one in labels_of(shaped.case, who) if one.value is not None)
                labels += store.cases.annotate(
                    KeptAnnotation(one.unit, one.field, one.rater, one.value, one.lead_time, keeping.why) for one in given
                )
    return Kept(cases, labels)
