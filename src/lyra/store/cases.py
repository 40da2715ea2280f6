"""Cases that are kept: their contents, the labels people gave, and the decisions where they differed."""

from collections.abc import Iterable, Iterator

from lyra.core.case_records import Adjudication, KeptAnnotation, KeptCase, Revision
from lyra.core.errors import NotFound
from lyra.core.times import from_text
from lyra.store.database import Row, Value, optional_text
from lyra.store.session import Session

_CASE = "SELECT case_id, content, task_id, created_at, updated_at FROM cases"


class Cases:
    """The kept cases. Nothing is overwritten without its former content staying as a revision."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def save(self, case_id: str, content: str, made_by: str, saved_by: str | None = None, reason: str | None = None) -> bool:
        """Keep a case; the same content again adds nothing. Returns whether anything changed."""
        now = self._session.now()
        with self._session.transaction():
            known = self._database.value("SELECT content FROM cases WHERE case_id = ?", (case_id,))
            if known == content:
                return False
            self._database.run(
                "INSERT INTO cases (case_id, content, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)"
                " ON CONFLICT (case_id) DO UPDATE SET content = ?2, updated_at = ?3",
                (case_id, content, now),
            )
            self._database.run(
                "INSERT INTO case_revisions (case_id, content, made_by, saved_by, reason, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                (case_id, content, made_by, saved_by, reason, now),
            )
        return True

    def set_task(self, case_id: str, task_id: str) -> None:
        """Remember the task in which the claims of a case were checked."""
        with self._session.transaction():
            self._database.run("UPDATE cases SET task_id = ? WHERE case_id = ?", (task_id, case_id))

    def get(self, case_id: str) -> KeptCase:
        """Return a kept case, or raise NotFound."""
        row = self._database.row(_CASE + " WHERE case_id = ?", (case_id,))
        if row is None:
            raise NotFound("unknown_case", case_id=case_id)
        return _case(row)

    def find(self, case_id: str) -> KeptCase | None:
        """Return a kept case, or None."""
        row = self._database.row(_CASE + " WHERE case_id = ?", (case_id,))
        return None if row is None else _case(row)

    def all(self) -> Iterator[KeptCase]:
        """Yield every kept case in order of id."""
        for row in self._database.rows(_CASE + " ORDER BY case_id"):
            yield _case(row)

    def revisions(self, case_id: str) -> list[Revision]:
        """Return every content a case has had, oldest first."""
        rows = self._database.rows(
            "SELECT case_id, content, made_by, saved_by, reason, created_at FROM case_revisions"
            " WHERE case_id = ? ORDER BY revision_seq",
            (case_id,),
        )
        return [
            Revision(str(row[0]), str(row[1]), str(row[2]), optional_text(row[3]), optional_text(row[4]), from_text(str(row[5])))
            for row in rows
        ]

    def annotate(self, annotations: Iterable[KeptAnnotation]) -> int:
        """Add labels; one that its rater gave last as well adds nothing. Returns how many are new. One transaction."""
        added = 0
        with self._session.transaction():
            now = self._session.now()
            for one in annotations:
                added += self._database.run(
                    "INSERT INTO case_annotations (unit, field, rater, value, lead_time, reason, created_at)"
                    " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE NOT EXISTS (SELECT 1 FROM ("
                    " SELECT value FROM case_annotations WHERE unit = ?1 AND field = ?2 AND rater = ?3"
                    " ORDER BY annotation_seq DESC LIMIT 1) WHERE value IS ?4)",
                    (one.unit, one.field, one.rater, one.value, one.lead_time, one.reason, now),
                )
        return added

    def annotations(self, unit: str | None = None, *, history: bool = False) -> list[KeptAnnotation]:
        """Return the labels, oldest first: of one unit or of all, the newest of each rater or, with `history`, every one."""
        newest = (
            " AND annotation_seq IN (SELECT max(annotation_seq) FROM case_annotations GROUP BY unit, field, rater)"
            if not history
            else ""
        )
        rows = self._database.rows(
            "SELECT unit, field, rater, value, lead_time, reason, created_at FROM case_annotations"
            f" WHERE (?1 IS NULL OR unit = ?1 OR unit LIKE ?2 ESCAPE '\\'){newest} ORDER BY annotation_seq",
            (unit, _parts_of(unit)),
        )
        return [
            KeptAnnotation(
                unit=str(row[0]),
                field=str(row[1]),
                rater=str(row[2]),
                value=optional_text(row[3]),
                lead_time=_number(row[4]),
                reason=optional_text(row[5]),
                created_at=from_text(str(row[6])),
            )
            for row in rows
        ]

    def adjudicate(self, decision: Adjudication) -> None:
        """Add the final word on a label."""
        with self._session.transaction():
            self._database.run(
                "INSERT INTO case_adjudications (unit, field, value, decided_by, reason, proposed_value, proposed_probability,"
                " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    decision.unit,
                    decision.field,
                    decision.value,
                    decision.decided_by,
                    decision.reason,
                    decision.proposed_value,
                    decision.proposed_probability,
                    self._session.now(),
                ),
            )

    def adjudications(self, unit: str | None = None, *, history: bool = False) -> list[Adjudication]:
        """Return the decisions, oldest first: the newest for each label or, with `history`, every one."""
        newest = (
            " AND adjudication_seq IN (SELECT max(adjudication_seq) FROM case_adjudications GROUP BY unit, field)"
            if not history
            else ""
        )
        rows = self._database.rows(
            "SELECT unit, field, value, decided_by, reason, proposed_value, proposed_probability, created_at"
            f" FROM case_adjudications WHERE (?1 IS NULL OR unit = ?1 OR unit LIKE ?2 ESCAPE '\\'){newest}"
            " ORDER BY adjudication_seq",
            (unit, _parts_of(unit)),
        )
        return [
            Adjudication(
                unit=str(row[0]),
                field=str(row[1]),
                value=str(row[2]),
                decided_by=str(row[3]),
                reason=str(row[4]),
                proposed_value=optional_text(row[5]),
                proposed_probability=_number(row[6]),
                created_at=from_text(str(row[7])),
            )
            for row in rows
        ]


def _parts_of(unit: str | None) -> str | None:
    """Return the pattern that the units of a case's sources and claims match."""
    if unit is None:
        return None
    escaped = unit.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"{escaped}#%"


def _number(value: Value) -> float | None:
    return None if value is None else float(value)  # the column is REAL


def _case(row: Row) -> KeptCase:
    case_id, content, task_id, created_at, updated_at = row
    return KeptCase(str(case_id), str(content), optional_text(task_id), from_text(str(created_at)), from_text(str(updated_at)))
