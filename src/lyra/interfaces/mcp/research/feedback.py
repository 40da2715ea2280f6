"""feedback: right answers from people, each with a reason."""

from lyra.core.domain_patterns import check_pattern, matches
from lyra.core.messages import render
from lyra.interfaces.governance_presenter import feedback_json
from lyra.interfaces.mcp.arguments import Feedback
from lyra.interfaces.mcp.calls import Call
from lyra.interfaces.mcp.desk import Desk
from lyra.interfaces.mcp.shapes_status import FeedbackAnswer
from lyra.interfaces.mcp.toolbox import Hints, Tool
from lyra.interfaces.presenter import Json
from lyra.workflows.domain_gate import PolicyGate
from lyra.workflows.feedback import FeedbackRequest, give_feedback

_UNBLOCK = "domain_unblock"


async def feedback(call: Call, given: Feedback) -> Json:
    """Do what a person says; unblocking a domain of high risk needs the person's word."""
    if given.action == _UNBLOCK and given.domain_pattern and not given.confirm:
        pattern = given.domain_pattern
        risky = await call.in_thread(lambda: _risky_domains(call.desk, pattern))
        if risky:
            names = render("text.list_separator", call.desk.lang).join(risky[:5])
            await call.confirmed(False, render("text.mcp_ask_unblock", call.desk.lang, domains=names))
    return await call.in_thread(lambda: _give(call.desk, given))


def _give(desk: Desk, given: Feedback) -> Json:
    request = FeedbackRequest(
        given.action, given.domain_pattern, given.claim_id, given.edge_id, given.correct_relation, given.reason
    )
    with desk.governance() as governance:
        return feedback_json(give_feedback(governance, request))


def _risky_domains(desk: Desk, pattern: str) -> list[str]:
    """Return the domains of high risk that a pattern would unblock."""
    with desk.governance() as governance:
        store = governance.store
        wanted = check_pattern(pattern, governance.is_public_suffix)
        gate = PolicyGate(store)
        known = {*store.domains.all(), *store.blocks.all(), wanted.removeprefix("*.")}
        found = sorted(domain for domain in known if matches(wanted, domain))
        rulings = {domain: gate.explain(domain) for domain in found}
    return [domain for domain, ruling in rulings.items() if not ruling.decision.allowed and ruling.unblock_risk == "high"]


FEEDBACK = Tool("feedback", Feedback, FeedbackAnswer, Hints(read_only=False, destructive=True), feedback)
