"""`lyra feedback`: right answers from people, each with a reason."""

import shlex
from typing import Annotated

import typer

from lyra.app import block_rules, open_governance, open_reading_store
from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.cli.tree import Action
from lyra.interfaces.governance_presenter import feedback_json
from lyra.interfaces.presenter import document

PatternArgument = Annotated[str, typer.Argument(metavar="PATTERN", help="help.argument_pattern")]
ClaimArgument = Annotated[str, typer.Argument(metavar="CLAIM_ID", help="help.argument_claim_id")]
ReasonOption = Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="help.feedback_reason")]


def domain_block(call: Invocation, pattern: PatternArgument, *, reason: ReasonOption = None) -> int:
    """Block a domain."""
    return _give(call, "domain_block", domain_pattern=pattern, reason=reason)


def domain_unblock(call: Invocation, pattern: PatternArgument, *, reason: ReasonOption = None) -> int:
    """Use a domain whatever speaks against it."""
    return _give(call, "domain_unblock", domain_pattern=pattern, reason=reason)


def domain_clear_override(call: Invocation, pattern: PatternArgument, *, reason: ReasonOption = None) -> int:
    """Take a decision about a domain back."""
    return _give(call, "domain_clear_override", domain_pattern=pattern, reason=reason)


def claim_reject(call: Invocation, claim: ClaimArgument, *, reason: ReasonOption = None) -> int:
    """Do not adopt a claim."""
    return _give(call, "claim_reject", claim_id=claim, reason=reason)


def claim_restore(call: Invocation, claim: ClaimArgument, *, reason: ReasonOption = None) -> int:
    """Adopt a claim again."""
    return _give(call, "claim_restore", claim_id=claim, reason=reason)


def edge_correct(
    call: Invocation,
    edge: Annotated[str, typer.Argument(metavar="EDGE_ID", help="help.argument_edge_id")],
    relation: Annotated[str, typer.Argument(metavar="RELATION", help="help.argument_relation")],
    *,
    reason: ReasonOption = None,
) -> int:
    """Give an edge its right relation."""
    return _give(call, "edge_correct", edge_id=edge, correct_relation=relation, reason=reason)


ACTIONS: dict[str, Action] = {
    "domain_block": domain_block,
    "domain_unblock": domain_unblock,
    "domain_clear_override": domain_clear_override,
    "claim_reject": claim_reject,
    "claim_restore": claim_restore,
    "edge_correct": edge_correct,
}


def release(
    call: Invocation,
    page: Annotated[str, typer.Argument(metavar="PAGE_ID", help="help.argument_page")],
    *,
    reason: ReasonOption = None,
) -> int:
    """Let a page in quarantine count again."""
    from lyra.workflows.quarantine import release as release_page  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        cause_id = release_page(store, block_rules(call.settings), page, reason or "")
    if call.as_json:
        write_json(document(page_id=page, released=True, cause_id=cause_id))
    else:
        write_text(call.say("text.page_released", page=page))
    return EXIT_OK


def _give(call: Invocation, action: str, **arguments: str | None) -> int:
    from lyra.workflows.feedback import FeedbackRequest, give_feedback  # noqa: PLC0415 - help needs none of this

    with open_governance(call.settings) as governance:
        answer = give_feedback(governance, FeedbackRequest(action, **arguments))
    if call.as_json:
        write_json(feedback_json(answer))
        return EXIT_OK
    done = answer.request
    target = done.domain_pattern or done.claim_id or done.edge_id
    code = f"text.done_{action}" if answer.changed else "text.feedback_unchanged"
    lines = [call.say(code, target=target, relation=done.correct_relation)]
    lines += [call.say("text.domain_changed", domain=domain) for domain in answer.domains]
    if answer.undo is not None:
        undo = answer.undo
        words = [undo.action, str(undo.domain_pattern or undo.claim_id), *(["--reason", undo.reason] if undo.reason else [])]
        lines.append(call.say("text.undo", command=f"lyra feedback {shlex.join(words)}"))
    write_text("\n".join(lines))
    return EXIT_OK
