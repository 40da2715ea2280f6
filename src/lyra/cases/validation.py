"""Validating cases: shape first, then the rules between the fields, then what only the whole file shows."""

from collections.abc import Mapping

from lyra.cases.findings import Finding
from lyra.cases.near import shown
from lyra.cases.rules import check_rules
from lyra.cases.shape import read_case


def validate_case(case: Mapping[str, object]) -> list[Finding]:
    """Return everything that is wrong with one case, in the order of its rules; an empty list for a sound one."""
    shaped = read_case(case)
    found = shaped.findings + check_rules(shaped.case, shaped.suspended)
    if len(found) > 1:
        found.sort(key=lambda finding: finding.rule)
    return found


class CaseValidator:
    """Validates the cases of one file after another, and notices an id that was there before.

    Several people's labels for one case are no duplicates: ids are told apart by rater.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[str | None, str], int] = {}

    def validate(self, case: Mapping[str, object], number: int, rater: str | None = None) -> list[Finding]:
        """Return the findings of one case; `number` is its row or position, to be named when its id comes again."""
        found = validate_case(case)
        identity = str(case.get("id") or "").strip()
        if identity:
            first = self._seen.setdefault((rater, identity), number)
            if first != number:
                params = {"value": shown(identity), "first": first}
                found.append(Finding("L05", "id", "duplicate_case", params))
                found.sort(key=lambda finding: finding.rule)
        return found
