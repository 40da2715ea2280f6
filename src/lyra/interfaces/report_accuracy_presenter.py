"""What `lyra report accuracy`, `feedback`, `factcheck` and `run` answer, as JSON-ready values and as lines for people."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from lyra.core.messages import render
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.report_presenter import assumptions_json
from lyra.reports.accuracy import Block, FailureReason
from lyra.reports.accuracy_report import Accuracy, Full
from lyra.reports.feedback import feedback_json
from lyra.reports.human_markdown import UNREAD
from lyra.reports.matching import Matching
from lyra.reports.results import statistics
from lyra.workflows.fact_check import CheckedClaim, FactChecked
from lyra.workflows.report_accuracy import FeedbackFiles, MeasuredFiles
from lyra.workflows.report_files import VerifiedFiles


def measured_json(files: MeasuredFiles, page: Path | None) -> Json:
    """Return the answer of `lyra report accuracy`: the report that was written, and where."""
    written = {"accuracy": str(files.path), "page": None if page is None else str(page)}
    read_from = {"structured": str(files.data), "human": None if files.human is None else str(files.human)}
    reading = assumptions_json(files.assumptions)
    return {**document(), **files.written, "read": read_from, "written": written, "assumptions": reading}


def feedback_answer(files: FeedbackFiles, source: str) -> Json:
    """Return the answer of `lyra report feedback`."""
    return {**document(), **feedback_json(files.feedback, source), "written": str(files.path)}


def fact_check_json(checked: FactChecked, task_id: str, written: Path | None) -> Json:
    """Return the answer of `lyra report factcheck`."""
    counts = Counter(one.status.value for one in checked.claims)
    return document(
        ticker=checked.structured.ticker,
        task_id=task_id,
        checked=[_checked(one) for one in checked.claims],
        status_counts={name: counts[name] for name in ("verified", "contradicted", "unverifiable", "not_checked")},
        written=None if written is None else str(written),
    )


def _checked(one: CheckedClaim) -> Json:
    weighed, near = one.weighed, one.suggestion
    suggested = near and {"task_claim_id": near.task_claim_id, "text": near.text, "similarity": round(near.similarity, 3)}
    return {
        "id": one.claim.id,
        "claim_type": one.claim.claim_type.value,
        "claim": one.claim.claim,
        "status": one.status.value,
        "task_claim_id": one.task_claim_id,
        "matched_by": one.matched_by,
        "suggested": suggested,
        "supporting_sources": weighed.supporting if weighed else 0,
        "refuting_sources": weighed.refuting if weighed else 0,
        "evidence": list(weighed.edge_ids) if weighed else [],
    }


def run_answer(verified: VerifiedFiles, measured: MeasuredFiles, written: Mapping[str, Path | None], saved: str | None) -> Json:
    """Return the answer of `lyra report run`: what each step came to, and every file."""
    structured = verified.verified.structured
    return document(
        ticker=structured.ticker,
        research_id=structured.research_id,
        verification={"overall_status": verified.verified.status, **statistics(verified.verified.corrected)},
        accuracy=_accuracy_summary(measured.accuracy),
        written={name: None if path is None else str(path) for name, path in written.items()},
        report_id=saved,
        assumptions=assumptions_json(verified.assumptions),
    )


def _accuracy_summary(accuracy: Accuracy) -> Json:
    return {
        "mode": accuracy.mode,
        "passed": accuracy.passed,
        "overall_verdict": None if accuracy.full is None else "pass" if accuracy.full.verdict.passed else "fail",
        "simplified_status": accuracy.simplified.overall_status,
    }


def accuracy_lines(accuracy: Accuracy, lang: str) -> list[str]:
    """Return the result in words, one line each: the deciding mode first."""
    verdict = render("label.accuracy_pass" if accuracy.passed else "label.accuracy_fail", lang)
    lines = [render(f"text.accuracy_{accuracy.mode}", lang, ticker=accuracy.structured.ticker, verdict=verdict)]
    if accuracy.full is not None:
        lines += _full_lines(accuracy.full, lang)
    simplified = accuracy.simplified
    counts = {"warnings": simplified.warning_count, "critical": simplified.critical_count}
    status = render(f"label.simplified_{simplified.overall_status}", lang)
    return [*lines, render("text.accuracy_simplified_status", lang, status=status, **counts)]


def human_lines(files: MeasuredFiles, lang: str) -> list[str]:
    """Return what had to be assumed of the person's file, one line each, and which scores could not be read."""
    full = files.accuracy.full
    codes = {UNREAD: "text.human_unread"}
    return [
        render(codes.get(one.taken, "text.human_read"), lang, path=files.human, line=one.path, found=one.found, taken=one.taken)
        for one in (full.source.evaluation.assumptions if full else ())
    ]


def _full_lines(full: Full, lang: str) -> list[str]:
    lines = []
    for name, matching in (("advantages", full.advantages), ("connections", full.connections)):
        lines.append(_block_line(render(f"label.accuracy_{name}", lang), matching, lang))
    lines += [reason_sentence(reason, lang) for reason in full.verdict.reasons]
    if full.held_out.scores or full.held_out.patterns:
        patterns = ", ".join(full.held_out.patterns) or "–"
        lines.append(
            render(
                "text.accuracy_held_out", lang, ticker=full.held_out.ticker, count=len(full.held_out.scores), patterns=patterns
            )
        )
    if full.revalued:
        unknown = render("label.accuracy_not_known", lang)
        values = ((one.claim_id, one.verified, unknown if one.measured is None else one.measured) for one in full.revalued)
        changed = ", ".join(f"{claim}: {verified} → {measured}" for claim, verified, measured in values)
        lines.append(render("text.accuracy_revalued", lang, claims=changed))
    return lines


def _block_line(name: str, matching: Matching, lang: str) -> str:
    block = Block(matching.comparisons)
    counts = {
        "matched": len(matching.comparisons),
        "unmatched": len(matching.unmatched_ai),
        "missing": len(matching.missing_in_ai),
    }
    if block.mean is None or block.signed_mean is None:
        return render("text.accuracy_block_empty", lang, name=name, **counts)
    figures = {"mean": f"{float(block.mean):.1f}", "largest": block.largest, "bias": f"{float(block.signed_mean):+.1f}"}
    return render("text.accuracy_block", lang, name=name, review=len(matching.review), **counts, **figures)


def reason_sentence(reason: FailureReason, lang: str) -> str:
    """Return why a comparison did not pass."""
    name = "" if reason.block is None else render(f"label.{reason.block}", lang)
    value, limit = (None if one is None else f"{float(one):g}" for one in (reason.value, reason.limit))
    if reason.value is not None:
        value = f"{float(reason.value):.1f}"
    return render(f"text.accuracy_failed_{reason.code}", lang, name=name, value=value, limit=limit)
