"""`lyra trace`: from a number to what caused it."""

from typing import Annotated

import typer

from lyra.app import open_reading_store
from lyra.core.errors import EXIT_OK
from lyra.core.trail import TrailEvent
from lyra.interfaces.cli.feedback import ClaimArgument
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.governance_presenter import (
    block_sentence,
    contribution_json,
    contribution_line,
    event_json,
    event_lines,
    override_json,
)
from lyra.interfaces.presenter import claim_json, document
from lyra.interfaces.untrusted import on_one_line

_SHOWN = (
    "claim_id text confidence uncertainty controversy alpha beta evidence_count verification_status reason_code"
    " claim_adoption_status claim_rejection_reason claim_rejected_at"
).split()


def claim(call: Invocation, claim: ClaimArgument) -> int:
    """Show the history of a claim and the edges behind its numbers."""
    from lyra.workflows.trail import trace_claim  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        trail = trace_claim(store, claim)
    if call.as_json:
        numbers = {key: value for key, value in claim_json(trail.material).items() if key in _SHOWN}
        edges = [contribution_json(one) for one in trail.contributions]
        write_json(
            document(
                task_id=trail.material.claim.task_id,
                **numbers,
                contributions=edges,
                events=[event_json(event) for event in trail.events],
            )
        )
        return EXIT_OK
    values = trail.material.values
    write_text(on_one_line(trail.material.claim.text))
    write_text(
        call.say(
            "text.trace_numbers", confidence=f"{values.confidence:.3f}", alpha=f"{values.alpha:.6f}", beta=f"{values.beta:.6f}"
        )
    )
    for one in trail.contributions:
        write_text(f"  {contribution_line(one, call.lang)}")
    _write_events(call, trail.events)
    return EXIT_OK


def edge(call: Invocation, edge: Annotated[str, typer.Argument(metavar="EDGE_ID", help="help.argument_edge_id")]) -> int:
    """Show how an edge came about and who corrected it."""
    from lyra.workflows.trail import trace_edge  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        trail = trace_edge(store, edge)
    if call.as_json:
        events = [event_json(event) for event in trail.events]
        write_json(document(**contribution_json(trail.contribution), claim_id=trail.claim_id, events=events))
        return EXIT_OK
    write_text(contribution_line(trail.contribution, call.lang))
    _write_events(call, trail.events)
    return EXIT_OK


def domain(call: Invocation, domain: Annotated[str, typer.Argument(metavar="DOMAIN", help="help.argument_domain")]) -> int:
    """Show what holds for a domain and how it came to that."""
    from lyra.workflows.trail import trace_domain  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        trail = trace_domain(store, domain)
    ruling = trail.ruling
    decision = ruling.decision
    if call.as_json:
        write_json(
            document(
                domain=trail.domain,
                is_blocked=not decision.allowed,
                domain_category=decision.category,
                original_domain_category=ruling.category,
                category_source=ruling.category_source,
                category_weight=decision.weight,
                domain_block_reason=decision.block_reason,
                block_reasons=[signal.reason for signal in ruling.signals],
                domain_unblock_risk=ruling.unblock_risk if ruling.signals else None,
                override=override_json(ruling),
                events=[event_json(event) for event in trail.events],
            )
        )
        return EXIT_OK
    state = call.say("label.blocked" if not decision.allowed else "label.allowed")
    write_text(
        call.say("text.trace_domain", domain=trail.domain, state=state, category=ruling.category, source=ruling.category_source)
    )
    if decision.block_reason is not None:
        write_text(f"  {call.say('label.reason')}: {on_one_line(block_sentence(ruling, call.lang))}")
    _write_events(call, trail.events)
    return EXIT_OK


def _write_events(call: Invocation, events: tuple[TrailEvent, ...]) -> None:
    for when, what in event_lines(events, call.lang):
        write_text(f"  {when}  {on_one_line(what)}".rstrip())
