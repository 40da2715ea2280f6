"""Checking cases: the boundary cases of the label definitions, end to end, with pages served on this machine."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from lyra.cases.deciding import RECOMMENDED_ACTION
from lyra.cases.model import Access, ArchiveSearch, works
from lyra.cases.validation import validate_case
from lyra.core.errors import InvalidInput
from lyra.core.records import JobStatus, Relation, Stance
from lyra.interfaces.case_check_presenter import checked_json, written_case
from lyra.workflows.bench import Bench
from lyra.workflows.case_check import CaseChecker, CheckedCase, prepare_library
from lyra.workflows.jobs import resume_jobs
from tests.case_sources import TableStance, html, served
from tests.fakes import LIBRARY, MemoryReader, document

TOYOTA = "https://toyota.co.jp/ir/annual-report.pdf"
WIKIPEDIA = "https://ja.wikipedia.org/wiki/エンロン"
FILING = "https://www.sec.gov/Archives/enron-8k.htm"
NEWSPAPER = "https://www.wsj.com/articles/enron-files"
THIRD = "https://www.nytimes.com/2001/12/03/enron.html"
NEWS = ("https://www.reuters.com/openai-restructuring", "https://www.nikkei.com/openai-henkaku")
GONE = "https://techcrunch.com/2020/xxx"


def checked(bench: Bench, case: dict[str, Any], pages: dict[str, str | int], *verdicts: tuple[str, str, Relation]) -> CheckedCase:
    judging = replace(bench, stance=TableStance(*verdicts))
    with served(pages) as reader:
        return CaseChecker(judging, [], reader).check(case)


def labels(result: CheckedCase) -> tuple[str | None, str | None, str | None, str | None]:
    shown = checked_json(result, "en")
    return tuple(shown[name] for name in ("outcome_status", "unverified_reason", "verification_confidence", "outcome"))  # type: ignore[return-value]


def source(url: str, role: str, coi: str, **more: Any) -> dict[str, Any]:
    return {"url": url, "source_role": role, "coi_status": coi, **more}


def about(*sources: dict[str, Any]) -> dict[str, Any]:
    return {"id": "a", "text": "a b c", "outcome": "Success", "sources": list(sources)}


# The boundary cases


def test_5_1_an_annual_report_confirms_a_figure_but_not_that_its_company_is_the_best(bench: Bench) -> None:
    figure, praise = "トヨタの2023年売上高は37兆円", "世界最高の自動車メーカー"
    case = {
        "id": "5.1",
        "text": "トヨタは2023年に世界最高の自動車メーカーになった",
        "outcome": "Success",
        "sources": [source(TOYOTA, "primary_source", "self", primary_type="annual_report")],
        "claims": [{"text": figure, "claim_type": "factual"}, {"text": praise, "claim_type": "evaluative"}],
    }
    page = html("統合報告書", "当社の2023年の売上高は37兆円でした。", "当社は世界最高の自動車メーカーです。")
    result = checked(bench, case, {TOYOTA: page}, ("37兆円", figure, Relation.SUPPORTS), ("世界最高", praise, Relation.SUPPORTS))
    assert labels(result) == ("unverified", "ambiguous", "low", "Unknown")
    shown = checked_json(result, "en")
    assert [(one["outcome_status"], one["verification_confidence"]) for one in shown["claims"]] == [  # type: ignore[attr-defined]
        ("verified_correct", "medium"),
        ("unverified", None),
    ]
    (only,) = result.case.sources
    found = (only.source_role, only.primary_type, only.coi_status, only.verification_confidence, only.access)
    assert found == ("primary_source", "annual_report", "self", "medium", "ok")
    assert len(result.proposal.edge_ids) >= 2


def test_5_2_wikipedia_is_descended_to_a_filing_and_a_newspaper(bench: Bench) -> None:
    claim = "エンロンは2001年に破綻した"
    case = {
        "id": "5.2",
        "text": "エンロン破綻（2001年）",
        "outcome": "Failure",
        "sources": [
            source(
                WIKIPEDIA,
                "pointer_only",
                "none",
                references=[
                    source(FILING, "primary_source", "none", primary_type="ir_filing"),
                    source(NEWSPAPER, "secondary_source", "none"),
                    {"url": THIRD},
                ],
            )
        ],
        "claims": [{"text": claim, "claim_type": "factual"}],
    }
    pages: dict[str, str | int] = {
        WIKIPEDIA: html("エンロン", "エンロンは破綻した。", links=[FILING, NEWSPAPER, THIRD]),
        FILING: html("Form 8-K", "On December 2, 2001 Enron Corp. filed a voluntary petition for bankruptcy."),
        NEWSPAPER: html("Enron", "Enron, once the seventh-largest company, collapsed into bankruptcy court on Sunday."),
        THIRD: html("Enron", "Enron went bankrupt."),
    }
    result = checked(
        bench,
        case,
        pages,
        ("petition", claim, Relation.SUPPORTS),
        ("collapsed", claim, Relation.SUPPORTS),
        ("破綻", claim, Relation.SUPPORTS),
    )
    assert labels(result) == ("verified_correct", None, "high", "Failure")
    (pointer,) = result.case.sources
    assert (pointer.source_role, pointer.coi_status) == ("pointer_only", "none")
    assert [(one.url, one.access) for one in pointer.references] == [(FILING, "ok"), (NEWSPAPER, "ok"), (THIRD, None)]
    assert THIRD not in {attempt.url for attempt in result.attempts}


def test_5_3_a_case_that_goes_on_is_ongoing_whatever_is_hoped_for(bench: Bench) -> None:
    case = {
        "id": "5.3",
        "text": "OpenAI社の企業変革（2024年〜）",
        "outcome": "Success",
        "sources": [source(url, "secondary_source", "none") for url in NEWS],
        "claims": [{"text": "変革成功", "claim_type": "evaluative"}],
    }
    pages: dict[str, str | int] = {
        NEWS[0]: html("OpenAI", "The restructuring of OpenAI is still under way."),
        NEWS[1]: html("OpenAI", "OpenAIの企業変革は現在も進行中で、結果は出ていない。"),
    }
    result = checked(bench, case, pages)
    assert labels(result) == ("unverified", "ongoing", "low", "Unknown")
    assert {(one.source_role, one.coi_status, one.verification_confidence) for one in result.case.sources} == {
        ("secondary_source", "none", "medium")
    }


def test_5_4_a_source_that_is_gone_is_recorded_as_such(bench: Bench) -> None:
    case = {
        "id": "5.4",
        "text": "スタートアップX社の急成長（2020年）",
        "outcome": "Success",
        "sources": [source(GONE, "secondary_source", "none")],
    }
    result = checked(bench, case, {})
    assert labels(result) == ("unverified", "source_unavailable", "none", "Unknown")
    assert result.proposal.recommended_action == RECOMMENDED_ACTION == "代替ソースの探索、または事例削除検討"
    (only,) = result.case.sources
    assert (only.access, only.archive_search, only.verification_confidence) == (Access.NOT_FOUND, ArchiveSearch.NOT_FOUND, "none")
    assert [(one.url, one.access, one.archive, one.detail) for one in result.attempts] == [
        (GONE, Access.NOT_FOUND, ArchiveSearch.NOT_FOUND, "HTTP 404")
    ]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_what_is_proposed_for_the_boundary_cases_breaks_no_rule(bench: Bench, number: int) -> None:
    cases: list[tuple[dict[str, Any], dict[str, str | int]]] = [
        (
            {"sources": [source(TOYOTA, "primary_source", "self")], "claims": [{"text": "a b c", "claim_type": "evaluative"}]},
            {TOYOTA: html("t", "a b c")},
        ),
        (
            {"sources": [source(WIKIPEDIA, "pointer_only", "none", references=[source(FILING, "primary_source", "none")])]},
            {WIKIPEDIA: html("t", "x"), FILING: html("t", "a b c")},
        ),
        ({"sources": [source(NEWS[0], "secondary_source", "none")]}, {NEWS[0]: html("t", "It is still under way.")}),
        ({"sources": [source(GONE, "secondary_source", "none")]}, {}),
    ]
    given, pages = cases[number - 1]
    case = {"id": str(number), "text": "a b c", "outcome": "Success", **given}
    result = checked(bench, case, pages, ("a b c", "a b c", Relation.SUPPORTS))
    written = written_case(result, "2026-03-01T12:00:00Z")
    assert [one for one in validate_case(written) if one.is_error] == []
    assert written["needs_review"] is True


# What a source can be


def test_without_a_reader_a_source_outside_the_library_is_not_fetched_and_nothing_is_proposed(bench: Bench) -> None:
    case = about(source(GONE, "secondary_source", "none"))
    result = CaseChecker(bench, []).check(case)
    assert [one.access for one in result.case.sources] == [Access.NOT_FETCHED]
    assert result.proposal.status is None
    assert [one.code for one in result.proposal.questions] == ["not_fetched"]
    assert written_case(result, "now")["sources"][0]["access"] == "not_fetched"


def test_what_a_person_recorded_stands_where_nothing_can_be_fetched(bench: Bench) -> None:
    gone = source(GONE, "secondary_source", "none", access="404", archive_search="not_found")
    result = CaseChecker(bench, []).check(about(gone))
    assert labels(result)[:3] == ("unverified", "source_unavailable", "none")
    seen = CaseChecker(bench, []).check(about(source(GONE, "secondary_source", "none", access="ok")))
    assert seen.proposal.status is None
    assert written_case(seen, "now")["sources"][0]["access"] == "ok"


def test_given_references_are_opened_even_where_the_pointer_is_not(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", document("Daily walking lowers blood pressure in adults.", "url:https://example.org/walk"))
    roots, _ = prepare_library(bench, [LIBRARY])
    given_reference = source("https://example.org/walk", "secondary_source", "none", access="ok")
    case = about(source(WIKIPEDIA, "pointer_only", "none", references=[given_reference]))
    result = CaseChecker(bench, roots).check(case | {"text": "Daily walking lowers blood pressure."})
    assert labels(result) == ("verified_correct", None, "medium", "Success")


def test_a_given_reference_without_a_role_takes_it_from_its_address_and_is_opened(bench: Bench) -> None:
    case = about(source(WIKIPEDIA, "pointer_only", "none", references=[{"url": NEWSPAPER}]))
    result = checked(bench, case, {WIKIPEDIA: 404, NEWSPAPER: 404})
    (pointer,) = result.case.sources
    assert [(one.source_role, one.access) for one in pointer.references] == [("secondary_source", "404")]


def test_a_source_in_the_library_is_read_there(bench: Bench, reader: MemoryReader) -> None:
    reader.put("a.txt", document("Daily walking lowers blood pressure in adults.", "url:https://example.org/walk"))
    roots, _ = prepare_library(bench, [LIBRARY])
    case = {
        "id": "a",
        "text": "Daily walking lowers blood pressure.",
        "outcome": "Success",
        "sources": [source("https://example.org/walk", "secondary_source", "none")],
    }
    result = CaseChecker(bench, roots).check(case)
    assert labels(result) == ("verified_correct", None, "medium", "Success")
    assert [one.place for one in result.attempts] == ["library"]


def test_an_outage_is_no_missing_source(bench: Bench) -> None:
    case = about(source(GONE, "secondary_source", "none"))
    result = checked(bench, case, {GONE: 503})
    assert result.proposal.status is None
    (asked,) = result.proposal.questions
    assert (asked.code, asked.params["detail"]) == ("outage", "HTTP 503")


@pytest.mark.parametrize(("code", "access"), [(402, Access.PAYWALL), (451, Access.REGION_BLOCKED), (410, Access.NOT_FOUND)])
def test_every_lasting_failure_makes_a_source_unavailable(bench: Bench, code: int, access: Access) -> None:
    case = about(source(GONE, "secondary_source", "none"))
    result = checked(bench, case, {GONE: code})
    assert labels(result)[:3] == ("unverified", "source_unavailable", "none")
    assert result.case.sources[0].access is access


def test_an_archived_copy_verifies(bench: Bench) -> None:
    case = about(source(GONE, "secondary_source", "none"))
    result = checked(bench, case, {f"https://archive.test/{GONE}": html("t", "a b c")}, ("a b c", "a b c", Relation.SUPPORTS))
    assert labels(result) == ("verified_correct", None, "medium", "Success")
    assert result.case.sources[0].access is Access.ARCHIVED


def test_a_rejected_source_is_not_opened(bench: Bench) -> None:
    case = {
        "id": "a",
        "text": "a b c",
        "outcome": "Success",
        "sources": [source("https://www.google.com/search?q=x", "rejected", "none")],
    }
    result = checked(bench, case, {})
    assert labels(result) == ("unverified", "no_source", "none", "Unknown")
    assert result.attempts == ()


def test_a_case_without_sources_has_no_source(bench: Bench) -> None:
    assert labels(checked(bench, {"id": "a", "text": "a b c", "outcome": "Success"}, {})) == (
        "unverified",
        "no_source",
        "none",
        "Unknown",
    )


def test_a_source_of_unknown_role_is_a_question(bench: Bench) -> None:
    somewhere = "https://somewhere.example/page"
    result = checked(bench, about({"url": somewhere}), {somewhere: html("t", "a b c")})
    assert result.proposal.status is None
    assert [one.code for one in result.proposal.questions] == ["classify_source"]


def test_labels_taken_from_an_address_are_for_a_person_to_confirm(bench: Bench) -> None:
    result = checked(bench, about({"url": GONE}), {GONE: html("t", "a b c")}, ("a b c", "a b c", Relation.SUPPORTS))
    assert labels(result) == ("verified_correct", None, "medium", "Success")
    assert (result.case.sources[0].source_role, result.case.sources[0].coi_status) == ("secondary_source", "none")
    assert [(one.code, one.params["url"]) for one in result.proposal.questions] == [("classify_source", GONE)]


def test_a_pointer_without_given_references_is_descended_to_those_on_its_page(bench: Bench) -> None:
    pages: dict[str, str | int] = {
        WIKIPEDIA: html("エンロン", "エンロンは破綻した。", links=[FILING, NEWSPAPER, "https://somewhere.example/blog"]),
        FILING: html("Form 8-K", "On December 2, 2001 Enron Corp. filed a voluntary petition for bankruptcy."),
        NEWSPAPER: html("Enron", "Enron, once the seventh-largest company, collapsed into bankruptcy court on Sunday."),
    }
    case = about({"url": WIKIPEDIA}) | {"text": "エンロン破綻", "outcome": "Failure"}
    result = checked(bench, case, pages, *((word, "エンロン", Relation.SUPPORTS) for word in ("petition", "collapsed")))
    assert labels(result) == ("verified_correct", None, "high", "Failure")
    opened = {one.url: (one.source_role, one.access) for one in result.case.sources[0].references}
    assert opened == {
        FILING: ("primary_source", "ok"),
        NEWSPAPER: ("secondary_source", "ok"),
        "https://somewhere.example/blog": (None, None),
    }


# What sources say


def test_a_contradiction_by_one_year_is_a_minor_error(bench: Bench) -> None:
    case = {
        "id": "a",
        "text": "X社は2002年に破綻した",
        "outcome": "Failure",
        "sources": [source(GONE, "secondary_source", "none")],
    }
    result = checked(bench, case, {GONE: html("t", "X社が破綻したのは2001年である。")}, ("2001", "2002", Relation.REFUTES))
    assert labels(result) == ("verified_incorrect", None, "medium", "Failure")
    shown = checked_json(result, "en")
    assert (shown["error_type"], shown["suggested_outcome"], shown["error_description"]) == (
        "minor_error",
        "Failure",
        "X社が破綻したのは2001年である。",
    )


def test_how_grave_another_contradiction_is_a_person_says(bench: Bench) -> None:
    case = about(source(GONE, "secondary_source", "none")) | {"text": "X社は成功した"}
    result = checked(bench, case, {GONE: html("t", "X社は失敗に終わった。")}, ("失敗", "成功", Relation.REFUTES))
    assert labels(result)[0] == "verified_incorrect"
    assert result.proposal.error_type is None
    assert [one.code for one in result.proposal.questions] == ["no_error_type", "suggested_outcome"]


def test_sources_that_disagree_are_ambiguous(bench: Bench) -> None:
    case = {
        "id": "a",
        "text": "a b c",
        "outcome": "Success",
        "sources": [source(url, "secondary_source", "none") for url in NEWS],
    }
    pages: dict[str, str | int] = {NEWS[0]: html("t", "yes a b c"), NEWS[1]: html("t", "no a b c")}
    result = checked(bench, case, pages, ("yes", "a b c", Relation.SUPPORTS), ("no ", "a b c", Relation.REFUTES))
    assert labels(result)[:3] == ("unverified", "ambiguous", "low")


def test_silent_sources_are_insufficient(bench: Bench) -> None:
    case = about(source(GONE, "secondary_source", "none"))
    assert labels(checked(bench, case, {GONE: html("t", "Something else altogether.")}))[:3] == (
        "unverified",
        "source_insufficient",
        "low",
    )


def test_two_copies_of_one_story_are_no_two_independent_sources(bench: Bench) -> None:
    story = "On Monday the company filed a petition for bankruptcy in the southern district, its lawyers said."
    case = {
        "id": "a",
        "text": "The company filed for bankruptcy",
        "outcome": "Failure",
        "sources": [source(NEWS[0], "primary_source", "none"), source(NEWS[1], "secondary_source", "none")],
    }
    pages: dict[str, str | int] = {url: html("t", story) for url in NEWS}
    result = checked(bench, case, pages, ("petition", "bankruptcy", Relation.SUPPORTS))
    assert labels(result)[2] == "medium"


def test_one_case_that_cannot_be_checked_says_why(bench: Bench) -> None:
    with pytest.raises(InvalidInput, match="no id"):
        CaseChecker(bench, []).check({"text": "a b c"})
    with pytest.raises(InvalidInput, match="no words"):
        CaseChecker(bench, []).check({"id": "a", "text": "…"})


def test_checking_a_kept_case_again_uses_its_task_and_judges_nothing_twice(bench: Bench) -> None:
    judge = TableStance(("a b c", "a b c", Relation.SUPPORTS))
    case = about(source(GONE, "secondary_source", "none"))
    with served({GONE: html("t", "a b c")}) as reader:
        checker = CaseChecker(replace(bench, stance=judge), [], reader)
        first = checker.check(case)
        bench.store.cases.save("a", "{}", "check")
        bench.store.cases.set_task("a", first.task_id)
        before = judge.pairs
        second = checker.check(case)
        assert reader.asked == [GONE]
    assert second.task_id == first.task_id
    assert second.proposal == first.proposal
    assert judge.pairs == before


def test_evidence_from_other_pages_of_the_library_is_shown_and_decides_nothing(bench: Bench, reader: MemoryReader) -> None:
    reader.put("other.txt", "Daily walking lowers blood pressure in adults.")
    roots, _ = prepare_library(bench, [LIBRARY])
    result = CaseChecker(bench, roots).check({"id": "a", "text": "Daily walking lowers blood pressure.", "outcome": "Success"})
    assert labels(result)[:3] == ("unverified", "no_source", "none")
    assert len(result.other_edge_ids) == 1
    assert [work.url for one in result.case.sources for work in works(one)] == []


def test_a_check_that_was_interrupted_is_finished_by_work(bench: Bench) -> None:
    class Interrupted(TableStance):
        def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
            raise KeyboardInterrupt

    case = about(source(GONE, "secondary_source", "none"))
    with served({GONE: html("t", "a b c")}) as web:
        with pytest.raises(KeyboardInterrupt):
            CaseChecker(replace(bench, stance=Interrupted()), [], web).check(case)
        judging = replace(bench, stance=TableStance(("a b c", "a b c", Relation.SUPPORTS)))
        (outcome,) = resume_jobs(judging)
        assert (outcome.status, outcome.new_edges) == (JobStatus.DONE, 1)
        assert labels(CaseChecker(judging, [], web).check(case))[0] == "verified_correct"
        assert web.asked == [GONE]
