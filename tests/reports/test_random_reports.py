"""Whatever the data, a report that was built from it says what the data says; and verification mends the rest for good."""

from hypothesis import HealthCheck, Phase, given, settings

from lyra.reports.builder import build_report
from lyra.reports.reading import structured_from
from lyra.reports.resolution import resolve
from lyra.reports.validation import problems
from lyra.reports.verifying import Request, verify_report
from lyra.reports.writing import structured_json
from tests.reports.breaking import KNOWLEDGE, TIME, again, detected
from tests.reports.examples import Json
from tests.reports.strategies import any_report

INFO = {"B-4", "C-4"}
ALLOWED = {"A-3", "B-7", "B-8", "C-1", "C-2"} | INFO
# A report that fails is shown as it came: making it smaller takes minutes.
_SLOW = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)


@_SLOW
@given(any_report())
def test_a_built_report_breaks_only_what_its_data_breaks(value: Json) -> None:
    reading = structured_from(value)
    text = build_report(reading.structured, KNOWLEDGE)
    assert build_report(structured_from(value).structured, KNOWLEDGE) == text
    verified = verify_report(reading, text, Request(KNOWLEDGE, TIME))
    assert detected(verified) <= ALLOWED
    assert verified.corrected.remaining == ()
    assert problems(verified.results, "verification-results") == []
    assert problems(structured_json(verified.structured), "structured") == []
    second = again(verified)
    assert detected(second) <= INFO
    assert (second.report, second.structured) == (verified.report, verified.structured)


@_SLOW
@given(any_report())
def test_on_data_that_keeps_the_rules_there_are_only_notes(value: Json) -> None:
    for claim in value["claims"]:
        claim.pop("ai_comment", None)
    structured = structured_from(value).structured
    for claim in value["claims"]:
        record = structured.claim(claim["id"])
        if record and claim["claim_type"] != "factual_claim":
            resolution = resolve(structured, record, KNOWLEDGE)
            claim["verification"]["final_confidence"] = resolution.confidence
            if resolution.below_floor:
                claim["verification"]["pattern_matches"] = []
    reading = structured_from(value)
    text = build_report(reading.structured, KNOWLEDGE)
    verified = verify_report(reading, text, Request(KNOWLEDGE, TIME))
    assert detected(verified) <= INFO
    assert (verified.report, verified.status) == (text, "pass")
