"""The presenter: exactly the fields that are promised, and numbers that can be recomputed."""

import json
import math
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.confidence import confidence
from lyra.core.errors import InvalidInput
from lyra.core.materials import ClaimMaterial, Materials, assess
from lyra.core.records import (
    Claim,
    Evidence,
    LedgerEntry,
    ModelInfo,
    ProviderReport,
    ProviderStatus,
    Relation,
    Task,
    TaskStatus,
)
from lyra.interfaces.presenter import (
    claim_json,
    entry_sentence,
    evidence_json,
    materials_json,
    problem_lines,
    provider_json,
    run_json,
)
from tests.fakes import evidence

CLAIM_FIELDS = set(
    "claim_id text confidence uncertainty controversy interval alpha beta evidence_count supporting_count refuting_count"
    " neutral_count independent_sources refuting_sources independent verification_status reason_code claim_adoption_status"
    " evidence_years evidence evidence_omitted language origin finding claim_rejection_reason claim_rejected_at"
    " pointer_count excluded_count".split()
)
EVIDENCE_FIELDS = set(
    "edge_id relation nli_label nli_confidence nli_confidence_raw probabilities model model_version calibration_version quote"
    " decisive locator fragment_id page_id url title authors year published_on doi venue source_domain_category"
    " target_domain_category is_pointer excluded_reason retracted edge_human_corrected other_page_ids"
    " edge_correction_reason edge_corrected_at claim_language fragment_language".split()
)
LOCATOR_FIELDS = set("page_version_id content_hash start end section page_number path stale".split())
MOMENT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TASK = Task("task_1", "Does it?", None, TaskStatus.ACTIVE, MOMENT, MOMENT)


def material(edges: list[Evidence], claim: Claim | None = None) -> ClaimMaterial:
    counting = [(edge.relation.value, edge.nli_confidence) for edge in edges]
    return assess(claim or Claim("claim_1", "task_1", "It does.", "en"), confidence(counting), edges)


def materials(*claims: ClaimMaterial, providers: tuple[ProviderReport, ...] = ()) -> Materials:
    return Materials(TASK, claims, providers, ())


def test_a_claim_has_exactly_the_promised_fields() -> None:
    shown = claim_json(material([evidence("edge_1", "supports", 0.9)]))
    assert set(shown) == CLAIM_FIELDS
    assert shown["evidence_years"] == {"oldest": None, "newest": None}
    independent = shown["independent"]
    assert isinstance(independent, dict)
    assert set(independent) == {
        "confidence",
        "uncertainty",
        "controversy",
        "alpha",
        "beta",
        "sources",
        "refuting_sources",
        "groups",
    }
    assert set(independent["groups"][0]) == {"page_ids", "links", "edge_ids", "is_claim_origin", "supports", "refutes"}


def test_an_evidence_item_has_exactly_the_promised_fields() -> None:
    shown = evidence_json(evidence("edge_1", "refutes", 0.8))
    assert set(shown) == EVIDENCE_FIELDS
    assert isinstance(shown["locator"], dict)
    assert set(shown["locator"]) == LOCATOR_FIELDS
    assert shown["decisive"] is None
    assert isinstance(shown["probabilities"], dict)
    assert set(shown["probabilities"]) == {"supports", "refutes", "neutral"}


def test_the_decisive_sentence_is_told_by_its_place_in_the_quote() -> None:
    edge = replace(evidence("edge_1", "supports", 0.9), quote="First. Second.", decisive=(7, 14))
    assert evidence_json(edge)["decisive"] == {"start": 7, "end": 14}


def test_a_link_between_pages_says_why() -> None:
    edge = replace(evidence("edge_1", "supports", 0.9, "page_a"), other_page_ids=("page_b",))
    independent = claim_json(material([edge]))["independent"]
    assert isinstance(independent, dict)
    assert independent["groups"][0]["links"] == [{"first_page_id": "page_a", "second_page_id": "page_b", "reason": "same_text"}]


def test_a_claim_without_evidence_says_so() -> None:
    assert claim_json(material([]))["finding"] == "no_evidence"
    assert claim_json(material([evidence("edge_1", "neutral", 0.9)]))["finding"] == "no_evidence"
    assert claim_json(material([evidence("edge_1", "refutes", 0.9)]))["finding"] == "evidence"


def test_the_origin_of_an_extracted_claim_is_shown() -> None:
    extracted = Claim("claim_1", "task_1", "It does.", "en", origin_fragment_id="frag_1", origin_page_id="page_1")
    assert claim_json(material([], extracted))["origin"] == {"fragment_id": "frag_1", "page_id": "page_1"}
    assert claim_json(material([]))["origin"] is None


@given(st.lists(st.tuples(st.sampled_from(list(Relation)), st.floats(0, 1)), max_size=12))
def test_anyone_can_recompute_the_numbers_from_the_output(edges: list[tuple[Relation, float]]) -> None:
    shown = json.loads(json.dumps(claim_json(material([evidence(f"edge_{n}", r, w) for n, (r, w) in enumerate(edges)]))))
    sums = {
        relation: math.fsum(item["nli_confidence"] for item in shown["evidence"] if item["relation"] == relation)
        for relation in Relation
    }
    assert math.isclose(shown["alpha"], 1 + sums[Relation.SUPPORTS], abs_tol=1e-5)
    assert math.isclose(shown["beta"], 1 + sums[Relation.REFUTES], abs_tol=1e-5)
    assert math.isclose(shown["confidence"], shown["alpha"] / (shown["alpha"] + shown["beta"]), abs_tol=6e-4)
    assert shown["evidence_count"] == shown["supporting_count"] + shown["refuting_count"] + shown["neutral_count"] == len(edges)


@pytest.mark.parametrize(("weight", "shown"), [(0.1234567, 0.123457), (2 / 3, 0.666667), (1.0, 1.0), (0.0000004, 0.0)])
def test_a_judgement_is_shown_with_six_decimals(weight: float, shown: float) -> None:
    assert evidence_json(evidence("edge_1", "supports", weight))["nli_confidence"] == pytest.approx(shown, abs=1e-12)


def test_confidence_uncertainty_and_interval_are_shown_with_three_decimals() -> None:
    shown = claim_json(
        material([evidence(f"edge_{n}", "supports", 0.9) for n in range(3)] + [evidence("edge_9", "refutes", 0.9)])
    )
    assert (shown["confidence"], shown["uncertainty"], shown["controversy"]) == (0.661, 0.184, 0.25)
    assert (shown["alpha"], shown["beta"]) == (3.7, 1.9)
    assert isinstance(shown["interval"], list)
    assert all(bound == round(bound, 3) for bound in shown["interval"])


def test_every_output_carries_its_schema_version() -> None:
    found = materials(material([]))
    assert materials_json(found)["schema_version"] == "1"
    assert run_json(found, "done", [], "en")["schema_version"] == "1"


def test_a_run_has_exactly_the_promised_fields() -> None:
    shown = run_json(materials(material([])), "stopped", [InvalidInput("empty_claim", where="a.csv:3: ")], "en")
    assert set(shown) == {
        "schema_version",
        "task_id",
        "status",
        "claims",
        "providers",
        "models",
        "endpoints",
        "paths",
        "page_summaries",
        "problems",
    }
    assert shown["status"] == "stopped"
    assert shown["endpoints"] == []
    assert shown["problems"] == [
        {"code": "empty_claim", "detail": "a.csv:3: The claim has no words: write a statement that can be true or false."}
    ]


def test_stored_materials_name_the_models_that_made_their_edges_and_not_the_rules() -> None:
    edges = [replace(evidence("edge_1", "supports", 0.9), model="old"), evidence("edge_2", "supports", 0.9)]
    edges += [evidence("edge_3", "supports", 0.9), replace(evidence("edge_4", "refutes", 0.9), model="retraction")]
    assert materials_json(materials(material(edges)))["models"] == {
        "stance": {"name": "keyword", "version": "1", "calibration_version": None}
    }


def test_the_models_of_a_run_are_shown_by_kind() -> None:
    found = replace(materials(material([])), models=(ModelInfo("stance", "s", "1", "c1"), ModelInfo("embedder", "e", "2")))
    assert run_json(found, "done", [], "en")["models"] == {
        "stance": {"name": "s", "version": "1", "calibration_version": "c1"},
        "embedder": {"name": "e", "version": "2", "calibration_version": None},
    }


def test_a_provider_tells_what_it_did_in_codes_and_in_words() -> None:
    entry = LedgerEntry("a.pdf", "failed", "damaged_pdf", {"path": "a.pdf"})
    report = ProviderReport("library", ProviderStatus.OK, "", None, {"failed": 1, "read": 2}, (entry,))
    english, japanese = provider_json(report, "en"), provider_json(report, "ja")
    assert set(english) == {"name", "status", "detail", "endpoint", "hosts", "counts", "problems"}
    assert english["detail"] == "2 read, 1 failed"
    assert english["counts"] == {"failed": 1, "read": 2}
    assert japanese["detail"] == "読み取り 2 件、失敗 1 件"
    for shown in (english, japanese):
        problems = shown["problems"]
        assert isinstance(problems, list)
        assert [(one["path"], one["status"], one["code"]) for one in problems] == [("a.pdf", "failed", "damaged_pdf")]


def test_a_ledger_code_of_another_version_is_shown_as_it_is() -> None:
    assert entry_sentence(LedgerEntry("a.pdf", "failed", "eaten_by_dog"), "en") == "a.pdf: eaten_by_dog"


def test_failures_come_first_and_kinds_that_are_never_read_share_a_line() -> None:
    entries = [LedgerEntry(f"{n}.py", "skipped", "unsupported_type", {"path": f"{n}.py", "suffix": ".py"}) for n in range(3)]
    entries += [LedgerEntry("a.csv", "skipped", "unsupported_type", {"path": "a.csv", "suffix": ".csv"})]
    entries += [LedgerEntry("big.txt", "skipped", "too_large", {"path": "big.txt", "limit": 64})]
    entries += [LedgerEntry("a.pdf", "failed", "damaged_pdf", {"path": "a.pdf"})]
    lines = problem_lines(entries, "en")
    assert lines[0].startswith("failed: a.pdf")
    assert lines[1].startswith("skipped: big.txt")
    assert lines[2:] == ["skipped: 4 files of kinds that are not read: .py (3), .csv (1)"]
    assert problem_lines([], "en") == []
