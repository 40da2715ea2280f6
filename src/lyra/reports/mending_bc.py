"""How findings of layers B and C are mended: confidences come down, rows, flags and notes are added."""

from dataclasses import replace

from lyra.reports import phrases
from lyra.reports.builder import warnings_section
from lyra.reports.document import Edit
from lyra.reports.draft import Correction, Draft, Finding, mark
from lyra.reports.insertion import after_claims_before, block_at, end_of, in_verification, into_rules, row_edit
from lyra.reports.layer_a import labelled_item
from lyra.reports.layer_b import BLOCK, RULE_OF_CHECK
from lyra.reports.layer_c import connection_notes
from lyra.reports.model import Claim, ClaimType
from lyra.reports.places import connection_ids, mismatches
from lyra.reports.rendering import adverse_result, floor_text, precedence_text, rule_row, table, warning_row
from lyra.reports.scale import LOWEST, WITHOUT_INDUSTRY_FIT


def _claim(draft: Draft, finding: Finding) -> Claim:
    claim = None if finding.claim_id is None else draft.structured.claim(finding.claim_id)
    if claim is None:
        raise ValueError(f"{finding.check} is about no claim")
    return claim


def lowered(claim: Claim, confidence: int) -> Claim:
    """Return a claim with a lower confidence; the figures of its parameters come down with it."""
    parameters = tuple(
        one if one.confidence is None else replace(one, confidence=min(one.confidence, confidence)) for one in claim.parameters
    )
    before = claim.rule_evaluation.confidence
    delta = claim.verification.confidence_delta if before is None else confidence - before
    verification = replace(claim.verification, final_confidence=confidence, confidence_delta=delta)
    return replace(claim, verification=verification, parameters=parameters)


def _lower(draft: Draft, claim: Claim, confidence: int, reason: str) -> Correction | None:
    if claim.confidence <= confidence:
        return None
    after = lowered(claim, confidence)
    corrected = draft.with_claims([after])
    edits = tuple(one.edit for one in mismatches(draft.report, corrected.structured))
    return Correction(f"{claim.confidence}%", f"{confidence}%", reason, edits, (after,), alone=True)


def mend_b7(draft: Draft, finding: Finding) -> Correction | None:
    """Bring a contradicted claim to 10, wherever its value shows."""
    return _lower(draft, _claim(draft, finding), LOWEST, "事実誤認（ルール9）のため10%とした")


def mend_b8(draft: Draft, finding: Finding) -> Correction | None:
    """Bring a 90 without industry fit to 70, wherever it shows."""
    return _lower(draft, _claim(draft, finding), WITHOUT_INDUSTRY_FIT, "業界構造との強い合致（ルール11）がないため70%とした")


def mend_c1(draft: Draft, finding: Finding) -> Correction | None:
    """Bring a claim to the cap of its rejection patterns, wherever its value shows."""
    claim = _claim(draft, finding)
    cap = draft.knowledge.cap(claim.verification.pattern_rejections)
    names = "、".join(claim.verification.pattern_rejections)
    return None if cap is None else _lower(draft, claim, cap, f"却下パターン{names}の上限{cap}%に合わせた")


def mend_rule_row(draft: Draft, finding: Finding) -> Correction | None:
    """Add the row that an adverse judgement asks for."""
    claim = _claim(draft, finding)
    section = draft.report.section(claim.id)
    adverse = adverse_result(claim, RULE_OF_CHECK[finding.check])
    if section is None or adverse is None:
        return None
    text = rule_row(adverse, draft.knowledge, mark(finding.check))
    edit, alone = into_rules(draft.report, section, text)
    return Correction(
        phrases.NONE, text, f"ルール{adverse.rule}の判定（{adverse.verdict}）が示されていなかった", (edit,), alone=alone
    )


def mend_b9(draft: Draft, finding: Finding) -> Correction | None:
    """Add the warning to a section, or the row among the warnings."""
    claim, report = _claim(draft, finding), draft.report
    section = report.section(claim.id)
    if finding.aspect == BLOCK:
        if section is None:
            return None
        text = "\n".join([*phrases.QUARTERLY_BLOCK, f"> {mark('B-9')}"])
        intro = section.whole.blocks[0] if section.whole.blocks and section.whole.blocks[0].kind == "paragraph" else None
        line = intro.end if intro else section.whole.heading.end
        return Correction(
            phrases.NONE,
            phrases.QUARTERLY_BLOCK[0],
            "四半期レビュー由来の注意書きがなかった",
            (block_at(report.document, line, text),),
        )
    row = f"{warning_row(claim).removesuffix(' |')} {mark('B-9')} |"
    reason = "四半期レビュー由来の主張が警鐘事項になかった"
    if report.warnings is not None:
        return Correction(phrases.NONE, row, reason, (row_edit(report, report.warnings, claim.id, row),))
    return Correction(phrases.NONE, row, reason, (_warnings_table(draft, row),), alone=True)


def _warnings_table(draft: Draft, row: str) -> Edit:
    report, made = draft.report, table(phrases.WARNINGS_HEAD, [row])
    part = report.part(phrases.SOURCES_CHECKED)
    if part is not None:
        said = next((block for block in part.blocks if block.text.strip() == phrases.NO_QUARTERLY), None)
        if said is not None:
            return report.document.replace_lines(said.line, said.end, made)
        return block_at(report.document, part.heading.end, made)
    warnings = report.part(phrases.WARNINGS)
    under = f"### {phrases.SOURCES_CHECKED}\n\n{made}"
    if warnings is not None:
        return block_at(report.document, warnings.heading.end, under)
    rest = warnings_section(draft.structured).partition(f"### {phrases.WARNING_ASSESSMENT}")[2].rstrip("\n")
    whole = f"## {phrases.WARNINGS}\n\n{under}\n\n### {phrases.WARNING_ASSESSMENT}{rest}"
    return after_claims_before(report, phrases.WARNINGS, whole)


def mend_c2(draft: Draft, finding: Finding) -> Correction | None:
    """Note that a claim lies below the floor of its high patterns; its value stays."""
    claim = _claim(draft, finding)
    text = f"{floor_text(draft.structured, claim, draft.knowledge)} {mark('C-2')}"
    return _noted(draft, claim, text, "高評価パターンの下限を下回っていた")


def mend_c3(draft: Draft, finding: Finding) -> Correction | None:
    """Note that rejections go first, and the value that follows."""
    claim = _claim(draft, finding)
    text = f"{precedence_text(draft.structured, claim, draft.knowledge)} {mark('C-3')}"
    return _noted(draft, claim, text, "却下と高評価の優先順位が示されていなかった")


def _noted(draft: Draft, claim: Claim, text: str, reason: str) -> Correction | None:
    edit = (
        _section_note(draft, claim, text)
        if claim.claim_type is ClaimType.COMPETITIVE_ADVANTAGE
        else _table_note(draft, claim, text)
    )
    return Correction(phrases.NONE, text, reason, (edit,), alone=True) if edit else None


def _section_note(draft: Draft, claim: Claim, text: str) -> Edit | None:
    section = draft.report.section(claim.id)
    if section is None:
        return None
    patterns = labelled_item(section, phrases.PATTERNS)
    if patterns is not None:
        return draft.report.document.insert_lines(end_of(draft.report.document, patterns), f"  - {text}")
    return in_verification(draft.report, section, f"- **{phrases.PATTERNS}**:\n  - {text}")


def _table_note(draft: Draft, claim: Claim, text: str) -> Edit | None:
    shown, document = draft.report.section_4, draft.report.document
    if shown is None:
        return None
    line = f"- {claim.name}: {text}"
    noted = [item for item in connection_notes(draft) if connection_ids(item.text)]
    if noted:
        return document.insert_lines(end_of(document, noted[-1]), line)
    return block_at(document, shown.end, line)
