"""Checked cases as JSON-ready values and lines: the proposal, what became of each source, the evidence behind each claim."""

from collections.abc import Iterator
from typing import Any

from lyra.cases.deciding import ClaimProposal, Question
from lyra.cases.model import ArchiveSearch, works
from lyra.cases.proposing import proposed_case
from lyra.core.messages import render
from lyra.core.source_reading import in_words
from lyra.interfaces.case_presenter import shown_id
from lyra.interfaces.presenter import Json
from lyra.interfaces.untrusted import on_one_line, shortened
from lyra.workflows.case_check import CheckedCase
from lyra.workflows.case_sources import Attempt

_SHOWN_TEXT = 160


def checked_json(checked: CheckedCase, lang: str) -> Json:
    """Return a checked case: the proposed labels with the ids of the evidence, and the questions left for a person."""
    proposal = checked.proposal
    return {
        "id": on_one_line(checked.case.id),
        "task_id": checked.task_id,
        "outcome_status": _value(proposal.status),
        "verification_confidence": _value(proposal.confidence),
        "unverified_reason": _value(proposal.reason),
        "outcome": _value(proposal.outcome),
        "error_type": _value(proposal.error_type),
        "error_description": proposal.error_description,
        "suggested_outcome": _value(proposal.suggested_outcome),
        "recommended_action": proposal.recommended_action,
        "evidence": list(proposal.edge_ids),
        "other_evidence": list(checked.other_edge_ids),
        "claims": [_claim_json(checked, number, one) for number, one in enumerate(proposal.claims)],
        "sources": [_source_json(one) for source in checked.case.sources for one in works(source)],
        "attempts": [attempt_json(one, lang) for one in checked.attempts],
        "questions": [_question_json(one, lang) for one in proposal.questions],
    }


def _claim_json(checked: CheckedCase, number: int, claim: ClaimProposal) -> Json:
    text = checked.case.claims[number].text if checked.case.claims else checked.case.text
    return {
        "claim_id": checked.claim_ids[number],
        "text": text,
        "outcome_status": claim.status.value,
        "verification_confidence": _value(claim.confidence),
        "unverified_reason": _value(claim.why),
        "evidence": list(claim.edge_ids),
    }


def _source_json(one: Any) -> Json:
    return {
        "url": one.url,
        "source_role": _value(one.source_role),
        "primary_type": _value(one.primary_type),
        "coi_status": _value(one.coi_status),
        "verification_confidence": _value(getattr(one, "verification_confidence", None)),
        "access": _value(one.access),
        "archive_search": _value(one.archive_search),
    }


def attempt_json(attempt: Attempt, lang: str) -> Json:
    """Return one attempt to open a source."""
    return {
        "url": attempt.url,
        "access": attempt.access.value,
        "archive_search": attempt.archive.value,
        "place": attempt.place,
        "detail": on_one_line(in_words(attempt.detail, lang)),
        "page_id": attempt.page_id,
    }


def _question_json(question: Question, lang: str) -> Json:
    return {"code": question.code, "question": question_sentence(question, lang)}


def question_sentence(question: Question, lang: str) -> str:
    """Return a question for a person."""
    params = {name: in_words(value, lang) for name, value in question.params.items()}
    return on_one_line(render(f"question.{question.code}", lang, **params))


def written_case(checked: CheckedCase, at: str) -> dict[str, Any]:
    """Return the case as it is written and kept: with the proposed labels and the record of the check.

    The record is the same whoever made it: what was said of a source stands there in English.
    """
    record = {
        "checked_at": at,
        "task_id": checked.task_id,
        "evidence": list(checked.proposal.edge_ids),
        "attempts": [attempt_json(one, "en") for one in checked.attempts],
        "questions": [one.code for one in checked.proposal.questions],
    }
    return proposed_case(checked.raw, checked.case, checked.proposal, record)


def checked_lines(checked: CheckedCase, lang: str) -> Iterator[str]:
    """Yield a checked case as lines for a person."""
    proposal = checked.proposal
    status = proposal.status.value if proposal.status else render("text.cases_no_proposal", lang)
    parts = {"confidence": proposal.confidence, "reason": proposal.reason, "error": proposal.error_type}
    shown = {name: f", {value.value}" if value else "" for name, value in parts.items()}
    yield render("text.cases_proposal", lang, id=shown_id(checked.case.id), status=status, **shown)
    for source in checked.case.sources:
        for one in works(source):
            if one.url:
                yield _source_line(one, lang)
    for claim, told in zip(proposal.claims, checked.case.claims, strict=False):
        text = shortened(on_one_line(told.text), _SHOWN_TEXT)
        yield render("text.cases_proposal_claim", lang, status=claim.status.value, text=text)
    for question in proposal.questions:
        yield render("text.cases_proposal_person", lang, question=question_sentence(question, lang))


def _source_line(one: Any, lang: str) -> str:
    access = render(f"label.access_{'not_opened' if one.access is None else one.access.value}", lang)
    looked = one.archive_search in (ArchiveSearch.FOUND, ArchiveSearch.NOT_FOUND)
    archive = f", {render(f'label.archive_{one.archive_search.value}', lang)}" if looked else ""
    url = shortened(on_one_line(one.url), _SHOWN_TEXT)
    role = f"{one.source_role.value}, " if one.source_role else ""
    return render("text.cases_proposal_source", lang, url=url, role=role, access=access, archive=archive)


def _value(label: Any) -> str | None:
    return None if label is None else str(label.value)
