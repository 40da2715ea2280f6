"""The fact check of a report from the evidence graph."""

import pytest

from lyra.core.errors import NotFound
from lyra.reports.fact_check import Weighed, status_of
from lyra.reports.model import Claim, ClaimType, FactCheck, RuleEvaluation, Structured, Verification
from lyra.workflows.bench import Bench
from lyra.workflows.check import CheckRequest, check
from lyra.workflows.fact_check import fact_check
from tests.fakes import LIBRARY, MemoryReader

WALKING = "Daily walking lowers blood pressure."


def weighed(supporting: int = 0, refuting: int = 0, judged: int = 3, *, verified: bool = False, human: bool = False) -> Weighed:
    return Weighed(supporting, refuting, judged, verified, human, ("edge_1",))


@pytest.mark.parametrize(
    ("evidence", "status"),
    [
        (None, "not_checked"),
        (weighed(judged=0), "not_checked"),
        (weighed(), "unverifiable"),
        (weighed(1), "unverifiable"),
        (weighed(2, verified=True), "verified"),
        (weighed(0, 1), "unverifiable"),  # one refuting source is too few
        (weighed(0, 2), "contradicted"),
        (weighed(1, 2), "unverifiable"),  # somebody supports it
        (weighed(1, 9), "unverifiable"),
        (weighed(3, 1, human=True), "contradicted"),  # a person's word
    ],
)
def test_contradicted_takes_two_refuting_sources_and_none_for_it_or_a_person(evidence: Weighed | None, status: str) -> None:
    assert status_of(evidence) == status


def fact(number: int, text: str) -> Claim:
    return Claim(number, ClaimType.FACTUAL_CLAIM, text)


def advantage(number: int, text: str, status: FactCheck | None = None) -> Claim:
    rules, verification = RuleEvaluation(confidence=50), Verification(fact_check_status=status, details="x" if status else "")
    return Claim(number, ClaimType.COMPETITIVE_ADVANTAGE, text, rule_evaluation=rules, verification=verification)


def structured(*claims: Claim) -> Structured:
    return Structured("XMPL", "", "r", "", "v", "", claims)


def task_on(bench: Bench, *claims: str) -> str:
    return check(bench, CheckRequest(claims, (LIBRARY,))).materials.task.task_id


def test_two_sources_verify_a_claim_with_their_evidence_ids(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", "A trial found that daily walking lowers blood pressure in older adults.")
    reader.put("b.txt", "Nurses who took up daily walking had blood pressure that it lowers by nine points, a survey says.")
    task = task_on(bench, WALKING)
    done = fact_check(bench.store, structured(fact(1, "Daily  walking lowers blood pressure."), advantage(2, WALKING)), task)
    one, two = done.structured.claims
    assert (one.verification_status, two.verification.fact_check_status) == ("verified", "verified")
    assert len(one.verification.evidence) == 2 and all(edge.startswith("edge_") for edge in one.verification.evidence)
    assert one.verification_attempted == (f"lyra:{task}",)
    assert two.verification.details == "独立した情報源のうち支持2件、反証0件。"


def test_two_refuting_sources_and_none_for_it_contradict(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", "In this trial daily walking did not change blood pressure, which it never lowers.")
    reader.put("b.txt", "A survey of nurses: daily walking lowers no blood pressure, and does not help.")
    (done,) = fact_check(bench.store, structured(advantage(1, WALKING)), task_on(bench, WALKING)).structured.claims
    assert done.verification.fact_check_status == "contradicted"


def test_a_claim_the_task_does_not_have_keeps_what_the_file_says(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", "Daily walking lowers blood pressure in older adults.")
    claims = structured(advantage(1, "Something else."), advantage(2, "Another thing.", FactCheck.VERIFIED), fact(3, "A fact."))
    one, two, three = fact_check(bench.store, claims, task_on(bench, WALKING)).structured.claims
    assert one.verification.fact_check_status == "not_checked"
    assert two == claims.claims[1]
    assert three.verification_status == "not_checked"


def test_confidences_are_not_touched(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", "Daily walking lowers blood pressure in older adults.")
    (one,) = fact_check(bench.store, structured(advantage(1, WALKING)), task_on(bench, WALKING)).structured.claims
    assert one.confidence == 50 and one.verification.final_confidence is None


def test_a_task_that_does_not_exist_is_refused(bench: Bench) -> None:
    with pytest.raises(NotFound):
        fact_check(bench.store, structured(fact(1, "x")), "task_none")
