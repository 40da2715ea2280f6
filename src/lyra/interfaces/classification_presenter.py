"""Classified cases as JSON-ready values, lines for people, and cases with what is certain filled in."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from lyra.cases.classification.case import CaseClaimView, CaseSourceView, ClassifiedCase
from lyra.cases.classification.claim import ClassifiedClaim
from lyra.cases.classification.flow import Walk
from lyra.cases.shape import with_source_list
from lyra.core.messages import render
from lyra.interfaces.presenter import Json
from lyra.interfaces.untrusted import on_one_line, shortened

_SHOWN_TEXT = 100


def classified_json(found: ClassifiedCase, lang: str) -> Json:
    """Return one classified case."""
    proposal = found.proposal
    return {
        "id": on_one_line(found.case_id) or None,
        "sources": [_source_json(view, lang) for view in found.sources],
        "claims": [_claim_json(view, lang) for view in found.claims],
        "claims_from_text": found.claims_from_text,
        "proposal": {
            "source_class": proposal.source_class.value,
            "outcome_status": proposal.outcome_status,
            "unverified_reason": proposal.unverified_reason,
            "verification_confidence": proposal.verification_confidence,
            "outcome": proposal.outcome,
            "needs_person": proposal.asks is not None,
            "asks": proposal.asks,
        },
        "questions": list(questions(found, lang)),
    }


def _walk_json(walked: Walk, lang: str) -> Json:
    return {
        "value": walked.label,
        "needs_person": walked.needs_person,
        "asks": walked.asks,
        "trail": [
            {
                "question": step.question,
                "detail": render(f"question.{step.question}", lang),
                "answer": step.answer.value,
                "certain": step.answer.certain,
                "because": step.answer.because,
                "found": on_one_line(step.answer.detail),
            }
            for step in walked.trail
        ],
    }


def _source_json(view: CaseSourceView, lang: str) -> Json:
    given, found = view.given, view.found
    return {
        "key": view.key,
        "url": given.url,
        "read_url": found.read_url,
        "access": found.access,
        "source_role": _walk_json(found.role, lang),
        "primary_type": found.primary_type,
        "coi_status": _walk_json(found.coi, lang),
        "given": {"source_role": given.source_role, "primary_type": given.primary_type, "coi_status": given.coi_status},
    }


def _claim_json(view: CaseClaimView, lang: str) -> Json:
    return {
        "key": view.key,
        "text": view.claim.text,
        "claim_type": _walk_json(view.claim.walk, lang),
        "given": view.given,
        "parts": [_part_json(part) for part in view.parts] if view.is_compound else [],
        "use": _walk_json(view.use, lang),
    }


def _part_json(part: ClassifiedClaim) -> Json:
    return {
        "text": part.text,
        "start": part.start,
        "end": part.end,
        "value": part.walk.label,
        "needs_person": part.walk.needs_person,
    }


def questions(found: ClassifiedCase, lang: str) -> Iterator[Json]:
    """Yield what a person has to answer, once for each label, in the order of the case; given labels raise no question."""
    for source in found.sources:
        about = f"sources[{source.key}]"
        if source.given.source_role is None:
            yield from _question(f"{about}.source_role", source.found.role.asks, lang)
        if source.given.coi_status is None:
            yield from _question(f"{about}.coi_status", source.found.coi.asks, lang)
    for claim in found.claims:
        if claim.given is None:
            yield from _question(f"claims[{claim.key}].claim_type", claim.claim.walk.asks, lang)
    yield from _question("outcome_status", found.proposal.asks, lang)


def _question(about: str, asks: str | None, lang: str) -> Iterator[Json]:
    if asks is not None:
        yield {"about": on_one_line(about), "question": asks, "detail": render(f"question.{asks}", lang)}


def classified_lines(found: ClassifiedCase, lang: str, *, trail: bool) -> Iterator[str]:
    """Yield one classified case as lines for a person."""
    yield on_one_line(found.case_id) or "-"
    for source in found.sources:
        yield from _source_lines(source, lang, trail)
    suffix = f" {render('text.classify_from_text', lang)}" if found.claims_from_text else ""
    for claim in found.claims:
        text = shortened(on_one_line(claim.claim.text), _SHOWN_TEXT)
        kind = claim.given or claim.claim.walk.label
        yield "  " + render("text.classify_claim", lang, key=shortened(on_one_line(claim.key), 40), kind=kind, text=text) + suffix
        if claim.given is None:
            yield from _open_lines(claim.claim.walk, lang, trail)
        for part in claim.parts if claim.is_compound else ():
            shown = shortened(on_one_line(part.text), _SHOWN_TEXT)
            yield "    " + render("text.classify_part", lang, kind=part.walk.label, text=shown)
        yield "    " + render("text.classify_use", lang, use=render(f"use.{claim.use.label}", lang))
    yield from _proposal_lines(found, lang)


def _source_lines(view: CaseSourceView, lang: str, trail: bool) -> Iterator[str]:
    found = view.found
    kind = f" ({found.primary_type})" if found.primary_type else ""
    shown = shortened(on_one_line(view.key), _SHOWN_TEXT)
    yield "  " + render("text.classify_source", lang, key=shown, role=found.role.label, type=kind, coi=found.coi.label)
    for given, walked in ((view.given.source_role, found.role), (view.given.coi_status, found.coi)):
        if given is None:
            yield from _open_lines(walked, lang, trail)
        elif given != walked.label:
            yield "    " + render("text.classify_given", lang, value=given)


def _open_lines(walked: Walk, lang: str, trail: bool) -> Iterator[str]:
    for step in walked.trail if trail else ():
        detail = f": {shortened(on_one_line(step.answer.detail), 60)}" if step.answer.detail else ""
        question = render(f"question.{step.question}", lang)
        line = render(
            "text.classify_step", lang, question=question, answer=step.answer.value, because=step.answer.because, detail=detail
        )
        yield f"    {line}{'' if step.answer.certain else ' ?'}"
    if walked.asks is not None:
        yield "    " + render("text.classify_ask", lang, question=render(f"question.{walked.asks}", lang))


def _proposal_lines(found: ClassifiedCase, lang: str) -> Iterator[str]:
    proposal = found.proposal
    if proposal.outcome_status is None:
        yield "  " + render("text.classify_open", lang)
    else:
        labels = {"status": proposal.outcome_status, "reason": proposal.unverified_reason}
        rest = {"confidence": proposal.verification_confidence, "outcome": proposal.outcome}
        yield "  " + render("text.classify_case", lang, **labels, **rest)
    if proposal.asks is not None:
        yield "    " + render("text.classify_ask", lang, question=render(f"question.{proposal.asks}", lang))


def filled_in(raw: Mapping[str, Any], found: ClassifiedCase) -> dict[str, Any]:
    """Return the case of a file with the labels that are certain; whatever is there stays. Open questions set needs_review."""
    case = with_source_list(copy.deepcopy(dict(raw)))
    given = case.get("sources")
    listed = [one for one in given if _has_address(one)] if isinstance(given, list) else []
    for one, view in zip(listed, found.sources, strict=True):
        _fill_source(one, view)
    if found.claims_from_text:
        case["claims"] = [_new_claim(view) for view in found.claims]
    else:
        told = [one for one in case.get("claims") or [] if isinstance(one, dict)]
        for one, claim in zip(told, found.claims, strict=True):
            _fill_certain(one, "claim_type", claim.claim.walk)
    proposal = found.proposal
    if proposal.asks is None and not case.get("outcome_status"):
        for name in ("outcome_status", "unverified_reason", "verification_confidence"):
            _fill(case, name, str(getattr(proposal, name)))
    if next(questions(found, "en"), None) is not None:
        case["needs_review"] = True
    return case


def _has_address(source: object) -> bool:
    return isinstance(source, dict) and isinstance(source.get("url"), str) and bool(source["url"].strip())


def _fill_source(source: dict[str, Any], view: CaseSourceView) -> None:
    _fill_certain(source, "source_role", view.found.role)
    if source.get("source_role") == view.found.role.label and view.found.primary_type:
        _fill(source, "primary_type", view.found.primary_type.value)
    _fill_certain(source, "coi_status", view.found.coi)
    if view.found.access is not None:
        _fill(source, "access", view.found.access.value)


def _fill_certain(record: dict[str, Any], name: str, walked: Walk) -> None:
    if not walked.needs_person:
        _fill(record, name, walked.label)


def _new_claim(view: CaseClaimView) -> dict[str, Any]:
    claim: dict[str, Any] = {"text": view.claim.text}
    if not view.claim.walk.needs_person:
        claim["claim_type"] = view.claim.walk.label
    return claim


def _fill(record: dict[str, Any], name: str, value: str) -> None:
    if record.get(name) in (None, ""):
        record[name] = value
