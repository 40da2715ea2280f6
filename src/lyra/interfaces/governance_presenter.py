"""How sources are governed, feedback, and histories, as JSON-ready values and as words."""

from collections.abc import Iterable
from dataclasses import fields
from typing import TYPE_CHECKING

from lyra.core.domain_ruling import Ruling
from lyra.core.errors import ConfigError
from lyra.core.messages import render
from lyra.core.oversight import BlockedDomain, Oversight, PolicyState, QuarantinedPage
from lyra.core.rejections import Rejections
from lyra.core.trail import Contribution, TrailEvent
from lyra.interfaces.presenter import Json, document

if TYPE_CHECKING:  # the command line imports this module for its help, too
    from lyra.workflows.feedback import FeedbackAnswer, FeedbackRequest

RESTORE_VIA = "feedback(domain_unblock)"
_DECIMALS = 6
_SHOWN_EXCERPT_CHARS = 80
_SHOWN_FINDINGS = 3


def oversight_json(oversight: Oversight, lang: str) -> Json:
    """Return the fields of `status` that tell how sources are governed."""
    rules = oversight.rules
    return {
        "blocked_domains": [_blocked_json(one, lang) for one in oversight.blocked],
        "domain_overrides": [
            {
                "rule_id": rule.rule_id,
                "domain_pattern": rule.domain_pattern,
                "decision": rule.decision,
                "reason": rule.reason,
                "created_at": rule.created_at,
                "updated_at": rule.updated_at,
            }
            for rule in oversight.overrides
        ],
        "domain_rates": [{"domain": name, **rates_json(counts)} for name, counts in oversight.rejections.items()],
        "quarantined_pages": [_page_json(page) for page in oversight.quarantined],
        "domain_policy": policy_json(oversight.policy, oversight.policy_path, lang),
        "block_rules": {one.name: getattr(rules, one.name) for one in fields(rules)},
    }


def policy_json(state: PolicyState, path: str | None, lang: str) -> Json:
    """Return which policy is in force, and what is wrong with its file."""
    return {"path": path, "origin": state.origin, "problem": _problem_json(state.problem, lang)}


def _problem_json(problem: ConfigError | None, lang: str) -> Json | None:
    if problem is None:
        return None
    return {"code": problem.code, "line": problem.params.get("line"), "detail": problem.sentence(lang)}


def _blocked_json(blocked: BlockedDomain, lang: str) -> Json:
    ruling = blocked.ruling
    leading = ruling.signals[0]
    return {
        "domain": blocked.domain,
        "is_blocked": not ruling.decision.allowed,
        "domain_block_reason": leading.reason,
        "block_reasons": [signal.reason for signal in ruling.signals],
        "block_rule": leading.rule,
        "domain_unblock_risk": ruling.unblock_risk,
        "blocked_at": leading.blocked_at,
        "cause_id": leading.cause_id,
        "original_domain_category": leading.original_category or ruling.category,
        "reason": leading.facts.get("reason"),
        "detail": block_sentence(ruling, lang),
        **rates_json(blocked.rejections),
        "restore_via": RESTORE_VIA,
        "affected_claims": list(blocked.affected_claims),
        "override": override_json(ruling),
    }


def override_json(ruling: Ruling) -> Json:
    """Return the override that holds for a domain; without one every value but the first is null."""
    rule = ruling.override
    return {
        "is_overridden": rule is not None and rule.decision == "unblock",
        "decision": rule and rule.decision,
        "matched_pattern": rule and rule.domain_pattern,
        "rule_id": rule and rule.rule_id,
        "reason": rule and rule.reason,
        "updated_at": rule and rule.updated_at,
    }


def rates_json(counts: Rejections) -> Json:
    """Return the three rejection rates of a domain and the number of claims behind them."""
    return {
        "claim_count": counts.claims,
        "domain_claim_security_rejection_rate": round(counts.domain_claim_security_rejection_rate, _DECIMALS),
        "domain_claim_manual_rejection_rate": round(counts.domain_claim_manual_rejection_rate, _DECIMALS),
        "domain_claim_combined_rejection_rate": round(counts.domain_claim_combined_rejection_rate, _DECIMALS),
    }


def block_sentence(ruling: Ruling, lang: str) -> str:
    """Return why a domain is blocked, in words."""
    leading = ruling.signals[0]
    facts = {name: value for name, value in leading.facts.items() if value is not None}
    values = {"reason": "–", "pattern": "–", "dangerous_pages": "?", "claims": "?", "combined_rejected": "?", **facts}
    return render(f"text.block_{leading.reason}", lang, **values, rule=leading.rule)


def _page_json(page: QuarantinedPage) -> Json:
    return {
        "page_id": page.page_id,
        "url": page.url,
        "title": page.title,
        "domain": page.domain,
        "quarantined_at": page.quarantined_at,
        "cause_id": page.cause_id,
        "findings": [{"family": one.family, "place": one.place, "excerpt": one.excerpt} for one in page.findings],
    }


def oversight_rows(oversight: Oversight, lang: str) -> list[tuple[str, str]]:
    """Return what `status` shows of governance: nothing where nothing is out of the ordinary."""

    def say(code: str, **params: object) -> str:
        return render(code, lang, **params)

    rows = []
    for one in oversight.blocked:
        ruling, words = one.ruling, block_sentence(one.ruling, lang)
        if ruling.decision.allowed and ruling.override is not None:
            words += say("text.overridden_by", pattern=ruling.override.domain_pattern, reason=ruling.override.reason)
        risk = say(f"label.risk_{ruling.unblock_risk}")
        rows.append((say("label.blocked_domain"), f"{one.domain}: {words} · {say('label.unblock_risk')}: {risk}"))
    for rule in oversight.overrides:
        words = say("text.override_line", pattern=rule.domain_pattern, decision=rule.decision, reason=rule.reason)
        rows.append((say("label.override"), words))
    for page in oversight.quarantined:
        excerpt = page.findings[0].excerpt[:_SHOWN_EXCERPT_CHARS] if page.findings else "?"
        rows.append((say("label.quarantined"), f"{page.page_id} {page.title or page.url}: {excerpt}"))
    if oversight.policy.problem is not None:
        rows.append((say("label.policy"), f"{oversight.policy.problem.sentence(lang)} {say('text.last_good_policy')}"))
    elif oversight.policy.origin == "file":
        rows.append((say("label.policy"), str(oversight.policy_path)))
    return rows


def feedback_json(answer: "FeedbackAnswer") -> Json:
    """Return the answer of `feedback`."""
    return document(
        **request_json(answer.request),
        changed=answer.changed,
        cause_id=answer.cause_id,
        task_id=answer.task_id,
        domains=list(answer.domains),
        undo=None if answer.undo is None else request_json(answer.undo),
    )


def request_json(request: "FeedbackRequest") -> Json:
    """Return an action with the arguments it takes."""
    return {one.name: getattr(request, one.name) for one in fields(request)}


def event_json(event: TrailEvent) -> Json:
    """Return one event of a trail."""
    return {
        "at": event.at,
        "source": event.source,
        "event_type": event.event_type,
        "cause_id": event.cause_id,
        "payload": dict(event.payload),
    }


def contribution_json(one: Contribution) -> Json:
    """Return one edge behind a number."""
    shown = {field.name: getattr(one, field.name) for field in fields(one)}
    return {**shown, "nli_confidence": round(one.nli_confidence, _DECIMALS)}


def contribution_line(one: Contribution, lang: str) -> str:
    """Return one edge behind a number in words."""
    return render(
        "text.trace_edge_corrected" if one.edge_human_corrected else "text.trace_edge",
        lang,
        edge=one.edge_id,
        relation=render(f"label.{one.relation}", lang),
        weight=f"{one.nli_confidence:.6f}",
        model=one.model,
        cause=one.correction_id or one.cause_id,
    )


def event_lines(events: Iterable[TrailEvent], lang: str) -> list[tuple[str, str]]:
    """Return a trail in words: when, and what happened, with the cause."""
    lines = []
    for event in events:
        facts = ", ".join(
            f"{name}={_short(value)}" for name, value in sorted(event.payload.items()) if value not in (None, "", [])
        )
        cause = render("text.cause", lang, cause=event.cause_id) if event.cause_id else ""
        lines.append((f"{event.at[:19].replace('T', ' ')} {render(f'label.event_{event.event_type}', lang)}", f"{facts}{cause}"))
    return lines


def _short(value: object) -> str:
    if isinstance(value, list) and value and all(isinstance(one, dict) and "excerpt" in one for one in value):
        return " / ".join(_short(f"{one['excerpt']} ({one['family']}, {one['place']})") for one in value[:_SHOWN_FINDINGS])
    shown = str(value)
    return shown if len(shown) <= _SHOWN_EXCERPT_CHARS else f"{shown[:_SHOWN_EXCERPT_CHARS]}…"
