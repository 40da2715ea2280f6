"""A report under verification, what is found in it, and what is done about it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lyra.reports import phrases
from lyra.reports.document import Edit
from lyra.reports.knowledge import Knowledge
from lyra.reports.model import Claim, Structured
from lyra.reports.sections import Report, parse_report


@dataclass(frozen=True, slots=True)
class EarlierClaim:
    """A claim of a report that was saved before: what C-4 compares with."""

    ticker: str
    research_id: str
    claim: str
    confidence: int
    pattern_matches: frozenset[str]
    pattern_rejections: frozenset[str]


@dataclass(frozen=True, slots=True)
class Draft:
    """The structured data, the report, and the knowledge they are checked by."""

    structured: Structured
    report: Report
    knowledge: Knowledge
    earlier: tuple[EarlierClaim, ...] = ()

    def with_claims(self, claims: Iterable[Claim]) -> "Draft":
        """Return the draft with claims in the place of those of the same id."""
        changed = {claim.id: claim for claim in claims}
        if not changed:
            return self
        kept = tuple(changed.get(claim.id, claim) for claim in self.structured.claims)
        return replace(self, structured=replace(self.structured, claims=kept))

    def with_edits(self, edits: Iterable[Edit]) -> "Draft":
        """Return the draft with its report edited and parsed anew."""
        made = [edit for edit in edits if self.report.document.text[edit.start : edit.end] != edit.text]
        return replace(self, report=parse_report(self.report.document.edited(made))) if made else self


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect: the check that found it, the claim (None for the report as a whole), which side of it, and in words."""

    check: str
    claim_id: int | None
    details: str
    aspect: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """What mends a finding: edits of the report, claims of the data, and both states in words.

    `alone` says that the edits make room that other corrections of the same check may then use: they wait for it.
    """

    before: str
    after: str
    reason: str
    edits: tuple[Edit, ...] = ()
    claims: tuple[Claim, ...] = ()
    alone: bool = False


def mark(check: str) -> str:
    """Return the annotation of a corrected Warning, by which a later run and a reader know it."""
    return f"{phrases.ANNOTATION} {check}"
