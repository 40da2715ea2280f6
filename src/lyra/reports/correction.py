"""Correcting a draft: findings in the order of writing, each mended where it can be, every change recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from lyra.reports.checks import BY_ID, CHECKS, COMMENT_CHECK, INPUT_ORDER, THEN, Check, Kind, all_findings
from lyra.reports.comments import compose
from lyra.reports.document import Edit
from lyra.reports.draft import Correction, Draft, Finding
from lyra.reports.layer_a import comment_of
from lyra.reports.markup import essence
from lyra.reports.mending_a import mend_a3, rewritten
from lyra.reports.model import Claim
from lyra.reports.scale import CONFIDENCES
from lyra.reports.wording import Writer


@dataclass(frozen=True, slots=True)
class Recorded:
    """One correction that was made."""

    check: str
    claim_id: int | None
    kind: Kind
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """A draft before and after: what was found, what was changed, what is left, and what passing checks note."""

    draft: Draft
    findings: dict[str, tuple[Finding, ...]]
    corrections: tuple[Recorded, ...]
    remaining: tuple[Finding, ...]
    notes: dict[str, str]


def correct(draft: Draft, *, rewrite: bool = True, writer: Writer | None = None) -> Corrected:
    """Return a draft with everything corrected that can be. Deterministic, and without effect on its own result.

    Values are judged as they came in, the rest as corrected. Without `rewrite` no comment is touched.
    A `writer` may word the comments of others that are rewritten; what does not fit gives way to the composed comment.
    """
    work = _Work(draft)
    at_first = {check: tuple(BY_ID[check].find(draft)) for check in INPUT_ORDER}
    for check in INPUT_ORDER:
        work.mend(BY_ID[check], at_first[check])
        if rewrite:
            work.compose_anew(check)
    findings = tuple(BY_ID[COMMENT_CHECK].find(work.draft))
    work.findings[COMMENT_CHECK] = findings
    if rewrite:
        work.mend(replace(BY_ID[COMMENT_CHECK], mend=partial(mend_a3, writer=writer)), findings)
    for check in THEN:
        work.mend(BY_ID[check], tuple(BY_ID[check].find(work.draft)))
    left = all_findings(work.draft)
    remaining = tuple(finding for check in CHECKS if check.kind for finding in left[check.id])
    ordered = {check.id: work.findings[check.id] for check in CHECKS}
    notes = {check.id: check.note(work.draft) for check in CHECKS}
    return Corrected(work.draft, ordered, tuple(work.records), remaining, notes)


class _Work:
    """A draft while it is being corrected."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.records: list[Recorded] = []
        self.findings: dict[str, tuple[Finding, ...]] = {}
        self._values = {claim.id: claim.confidence for claim in draft.structured.advantages}

    def mend(self, check: Check, findings: Sequence[Finding]) -> None:
        """Mend the findings of one check: as many at once as do not touch each other, then the rest anew."""
        self.findings[check.id] = tuple(findings)
        pending = list(findings)
        while pending:
            batch, waiting = self._batch(check, pending)
            for _, correction in batch:
                self.draft = self.draft.with_claims(correction.claims)
            self.draft = self.draft.with_edits([edit for _, correction in batch for edit in correction.edits])
            for finding, correction in batch:
                self._record(check, finding, correction)
            pending = self._still_open(check, waiting, batch)

    def _batch(self, check: Check, pending: Sequence[Finding]) -> tuple[list[tuple[Finding, Correction]], list[Finding]]:
        batch: list[tuple[Finding, Correction]] = []
        waiting: list[Finding] = []
        taken: list[Edit] = []
        closed = False
        for finding in pending:
            correction = None if closed else check.mend(self.draft, finding)
            if closed or (correction and ((correction.alone and batch) or _touch(correction.edits, taken))):
                waiting.append(finding)
            elif correction:
                batch.append((finding, correction))
                taken += correction.edits
                closed = correction.alone
        return batch, waiting

    def _still_open(self, check: Check, waiting: list[Finding], batch: list[tuple[Finding, Correction]]) -> list[Finding]:
        """Return what is left to mend. What the last correction mended along with its own is recorded under it, too."""
        if not waiting or not batch or check.id in INPUT_ORDER:
            return waiting if batch else []
        open_now = {(finding.claim_id, finding.aspect) for finding in check.find(self.draft)}
        for finding in waiting:
            if (finding.claim_id, finding.aspect) not in open_now:
                self._record(check, finding, batch[-1][1])
        return [finding for finding in waiting if (finding.claim_id, finding.aspect) in open_now]

    def _record(self, check: Check, finding: Finding, correction: Correction, kind: Kind | None = None) -> None:
        made = kind or check.kind
        if made is not None:
            words = (correction.before, correction.after, correction.reason)
            self.records.append(Recorded(check.id, finding.claim_id, made, *words))

    def compose_anew(self, check: str) -> None:
        """Write comments that this program composed anew where a correction has changed the confidence."""
        for claim in self.draft.structured.advantages:
            if claim.confidence == self._values[claim.id]:
                continue
            self._values[claim.id] = claim.confidence
            section = self.draft.report.section(claim.id)
            if section and is_own_comment(claim, comment_of(section)):
                reason = f"確信度の修正（{claim.confidence}%）に合わせて自動作成のコメントを作り直した"
                correction = rewritten(self.draft, claim, compose(claim, claim.confidence), reason)
                if correction:
                    self.draft = self.draft.with_claims(correction.claims).with_edits(correction.edits)
                    self._record(BY_ID[check], Finding(check, claim.id, reason), correction, Kind.COMMENT)


def is_own_comment(claim: Claim, comment: str) -> bool:
    """Return whether a comment, as a reader sees it, is one that this program composes for a claim."""
    composed = {essence(compose(claim, value).replace("<u>", "").replace("</u>", "")) for value in CONFIDENCES}
    return essence(comment) in composed


def _touch(edits: Sequence[Edit], taken: Sequence[Edit]) -> bool:
    """Return whether edits overlap others, or are the very same insertion."""
    return any(
        edit == other
        or (edit.start < other.end and other.start < edit.end)
        or (edit.start == other.start and edit.end == other.end != edit.start)
        for edit in edits
        for other in taken
    )
