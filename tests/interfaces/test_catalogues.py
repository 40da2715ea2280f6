"""Messages: both languages say the same things, and every code the program uses has a sentence."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lyra
from lyra.cases.agreement import COEFFICIENTS, OF_A_LABEL, UNDEFINED_REASONS
from lyra.cases.classification.case import ASK_OUTCOME
from lyra.cases.classification.flow import charts
from lyra.cases.fields import Kind
from lyra.cases.findings import RULES, VARIANTS, Finding, Severity
from lyra.cases.model import Access
from lyra.cases.ratings import Level
from lyra.core.calibration_fit import FitReason
from lyra.core.domain_ruling import BLOCK_REASONS
from lyra.core.messages import LANGUAGES, PLACE, codes, render
from lyra.core.model_card import MODEL_KINDS
from lyra.core.pages import Wall
from lyra.core.prompts import PLACES
from lyra.core.records import JobStatus, ProviderStatus, Relation, TaskStatus
from lyra.core.verification import ReasonCode
from lyra.interfaces.mcp.failures import ARGUMENT_KINDS
from lyra.interfaces.mcp.groups import GROUPS
from lyra.interfaces.mcp.prompts import PROMPTS
from lyra.interfaces.mcp.resources import KINDS
from lyra.reports.assumptions import CODES as ASSUMPTIONS
from lyra.reports.checks import Severity as CheckSeverity
from lyra.store.evidence_store import _COUNTED
from lyra.store.queries.views import VIEWS
from lyra.workflows.feedback import ACTIONS
from lyra.workflows.gather.understanding import BUILT_IN, BY_LLM, MIXED
from lyra.workflows.interventions import GIVEN_UP, HANDED_IN, RETRIED

SOURCES = sorted(Path(str(lyra.__file__)).parent.rglob("*.py"))
ERRORS = {"LyraError", "InvalidInput", "NotFound", "ConfigError", "StoreError", "ModelError", "HubError", "LeaseLost"}
MESSAGE_CODE = re.compile(r"(?:error|help|label|text|progress|doctor)\.[a-z_0-9]+")
EVENTS = (
    "found judged rejudged corrected rejected restored retraction_seen blocked block_lifted promoted category_changed"
    " page_quarantined page_released domain_block domain_unblock domain_clear_override"
).split()
LENS_CODES = (
    "claim_restore page_release denylist_edit rate_falls override_clear domain_unblock more_sources refutation_gone".split()
)

LEDGER = ("read", "unchanged", "skipped", "failed", "removed")


def places(code: str, lang: str) -> set[str]:
    raw = render(code, lang)
    return set(PLACE.findall(raw))


def calls() -> Iterator[tuple[Path, ast.Call, str]]:
    """Every call in the source whose function has a name, with that name."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                yield path, node, node.func.id if isinstance(node.func, ast.Name) else node.func.attr


def constants(node: ast.expr) -> list[str]:
    """The texts an argument can be: a constant, or either side of a condition."""
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def used() -> Iterator[tuple[str, set[str] | None, str]]:
    """(code, the parameters given to it or None where they cannot be told, where) for every message in the source."""
    for path, call, name in calls():
        where = f"{path.name}:{call.lineno}"
        given_names = {keyword.arg for keyword in call.keywords}
        parameters = None if None in given_names else {name for name in given_names if name}
        first = constants(call.args[0]) if call.args else []
        if name in ERRORS:
            yield from ((f"error.{code}", parameters, where) for code in first)
        elif name == "DocumentProblem":
            yield from ((f"document.{code}", parameters, where) for code in first)
        elif name in ("say", "render"):
            yield from ((code, parameters, where) for code in first)


def dynamic() -> set[str]:
    """Codes that are put together from values."""
    words = {*Relation, *TaskStatus, *JobStatus, *ReasonCode, *LEDGER, "no_evidence"}
    words |= {f"count_{status}" for status in (*LEDGER, "records", "records_failed", "records_removed", "quarantined")}
    words |= {f"count_of_{table}" for table in _COUNTED}
    words |= {f"{name}_{kind}" for name in ("model", "model_kind") for kind in MODEL_KINDS}
    words |= {f"model_origin_{origin}" for origin in ("shipped", "disk", "hub")}
    words |= {f"event_{kind}" for kind in EVENTS} | {"risk_high", "risk_low"}
    words |= {code.partition(".")[2] for code in codes() if code.startswith("label.lens_")}
    texts = {f"model_used_{kind}" for kind in MODEL_KINDS}
    texts |= {f"calibration_fit_{reason}" for reason in FitReason} | {"calibration_applied", "calibration_rolled_back"}
    words |= {f"calibration_{kind}" for kind in ("before", "temperature", "isotonic")}
    texts |= {f"done_{action}" for action in ACTIONS} | {f"block_{reason}" for reason in BLOCK_REASONS}
    texts |= {f"policy_{origin}" for origin in ("shipped", "file", "last_good")} | {f"lens_{code}" for code in LENS_CODES}
    reasons = ("same_text", "same_work", "near_duplicate", "common_source")
    views = {f"view.{name}" for name in VIEWS} | server_codes()
    return (
        (
            views
            | {f"label.{word}" for word in words}
            | {f"text.{text}" for text in texts}
            | {f"text.link_{one}" for one in reasons}
        )
        | of_cases()
        | of_reports()
        | dynamic_of_agreement()
        | dynamic_of_gathering()
    )


def dynamic_of_gathering() -> set[str]:
    """Codes of gathering that are put together from values."""
    counted = {"found", "completed", "citations", "fetched", "calls", "blocked", "needs_person"}
    words = {f"count_{name}" for name in counted} | {f"provider_{status}" for status in ProviderStatus}
    words |= {"provider_pages", "provider_llm"} | {f"wall_{wall}" for wall in Wall} | {f"use_{use}" for use in PLACES}
    words |= {f"intervention_{status}" for status in ("pending", "resolved", "skipped")}
    words |= {f"path_{path}" for path in (BY_LLM, BUILT_IN, MIXED)}
    outcomes = {f"text.intervention_{outcome}" for outcome in (RETRIED, HANDED_IN, GIVEN_UP)}
    return {f"label.{word}" for word in words} | outcomes | {f"web.wall_{wall}" for wall in Wall}


def of_cases() -> set[str]:
    """Codes about cases: a sentence for each rule and variant, words for what became of a source and for events."""
    found = [Finding(rule, "", variant) for rule in RULES for variant in VARIANTS.get(rule, (None,))]
    words = {f"access_{access}" for access in Access} | {"access_not_opened", "archive_found", "archive_not_found"}
    words |= {f"severity_{severity}" for severity in Severity} | {f"case_{kind}" for kind in ("saved", "labelled", "decided")}
    asked = {"classify_source", "not_fetched", "outage", "not_final", "no_error_type", "suggested_outcome"}
    labels = {f"label.{word}" for word in words} | {f"question.{code}" for code in asked}
    kinds = {f"kind.{kind}" for kind in Kind if kind is not Kind.LABEL}
    return labels | kinds | {one.code for one in found} | {one.hint_code for one in found}


def dynamic_of_agreement() -> set[str]:
    """Codes of agreement, adjudication and classification that are put together from values."""
    columns = ("coefficient", "value", "interval95")
    names = {*COEFFICIENTS, *OF_A_LABEL, *columns, *(f"level_{level}" for level in Level)}
    asked = {question for chart in charts().values() for question in chart.steps} | {ASK_OUTCOME}
    found = {f"label.agreement_{name}" for name in names} | {f"text.agreement_undefined_{why}" for why in UNDEFINED_REASONS}
    return found | {f"question.{one}" for one in asked} | {f"use.{label}" for label in charts()["use_of_claim"].labels()}


def of_reports() -> set[str]:
    """Codes about reports that are put together from values."""
    words = {f"report_{status}" for status in ("pass", "pass_with_corrections", "fail")}
    words |= {f"severity_{severity}" for severity in CheckSeverity} | {
        f"report_{head}" for head in ("check", "severity", "finding")
    }
    words |= {f"accuracy_{head}" for head in ("claim", "ai", "human", "deviation", "class", "text", "advantages", "connections")}
    words |= {f"accuracy_{head}" for head in ("check", "name", "severity", "status", "found", "wanted")}
    words |= {
        "advantage_accuracy",
        "cagr_accuracy",
        *(f"simplified_{status}" for status in ("pass", "pass_with_warnings", "fail")),
    }
    texts = {"accuracy_full", "accuracy_simplified"}
    failures = ("no_match", "mean_deviation", "max_deviation", "share_over_20", "direction_bias")
    texts |= {f"accuracy_failed_{reason}" for reason in failures}
    texts |= {f"feedback_{problem}" for problem in ("several_scores", "several_boxes", "off_scale")}
    assumed = {f"assumption.{code}" for code in ASSUMPTIONS}
    return {f"label.{word}" for word in words} | {f"text.{text}" for text in texts} | assumed


def server_codes() -> set[str]:
    """The codes of tools, prompts and advice, put together from their names."""
    tools = [tool.name for group in GROUPS.values() for tool in group()]
    found = {f"tool.{name}" for name in tools} | {f"tool.{name}_title" for name in tools}
    found |= {f"tool.resource_{kind}" for kind in KINDS} | {f"text.mcp_argument_{kind}" for kind in {*ARGUMENT_KINDS.values()}}
    for prompt in PROMPTS.values():
        found |= {f"prompt.{prompt.name}{ending}" for ending in ("", "_title", "_about")}
        found |= {f"prompt.argument_{name}" for name in prompt.arguments}
    raised = {code for code, _, _ in used()}
    return found | {code for code in codes() if f"error.{code.removeprefix('text.mcp_next_')}" in raised}


def test_both_languages_have_the_same_codes() -> None:
    assert codes("en") == codes("ja")


def test_both_languages_have_the_same_places() -> None:
    assert [code for code in codes("en") if places(code, "en") != places(code, "ja")] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_is_empty_or_has_stray_space(lang: str) -> None:
    for code in codes(lang):
        sentence = render(code, lang)
        assert sentence.strip()
        assert sentence == sentence.rstrip() or code in ("text.list_separator", "text.title_separator", "text.place_separator")


def test_japanese_sentences_are_japanese() -> None:
    kana = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
    errors = [code for code in codes("ja") if code.startswith(("error.", "document.", "web."))]
    assert [code for code in errors if not kana.search(render(code, "ja"))] == []


def test_an_english_error_is_one_line_that_ends_as_a_sentence() -> None:
    errors = [render(code) for code in codes() if code.startswith(("error.", "document.", "web."))]
    assert [sentence for sentence in errors if "\n" in sentence or not sentence.endswith((".", "?"))] == []


def test_every_code_in_the_source_has_a_sentence() -> None:
    assert [(code, where) for code, _, where in used() if code not in codes()] == []
    assert dynamic() - codes() == set()


def test_every_place_of_a_sentence_is_given_a_value_where_it_is_used() -> None:
    missing = [
        (code, where, places(code, "en") - parameters)
        for code, parameters, where in used()
        if parameters is not None and code in codes() and places(code, "en") - parameters
    ]
    assert missing == []


def test_every_help_code_in_the_source_has_a_sentence() -> None:
    found = {code for path in SOURCES for code in re.findall(r'"(help\.[a-z_]+)"', path.read_text(encoding="utf-8"))}
    assert found
    assert found - codes() == set()


def test_no_sentence_is_left_that_nothing_uses() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES).replace("'", '"')
    built = dynamic() | {code for code in codes() if code.startswith(("help.", "doctor."))}
    unused = [code for code in codes() - built if f'"{code}"' not in source and f'"{code.partition(".")[2]}"' not in source]
    assert sorted(unused) == []


@given(st.text(), st.text())
def test_a_value_is_put_in_as_it_is_whatever_it_looks_like(path: str, detail: str) -> None:
    sentence = render("error.broken_json", path=path, detail=detail)
    assert sentence == f"{path} is not valid JSON ({detail}): correct it at that place."


def test_a_value_that_looks_like_a_place_is_not_filled_in() -> None:
    assert render("error.broken_json", path="{detail}", detail="x").startswith("{detail} is not valid JSON (x)")


def test_an_unknown_language_reads_english() -> None:
    assert render("label.done", "fr") == "done"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", ["error.disk_full", "error.disk_failed", "error.interrupted"])
def test_what_cuts_work_off_advises_to_go_on_and_not_to_start_again(code: str, lang: str) -> None:
    assert "`lyra work`" in render(code, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_claim_of_mere_signs_is_not_called_empty(lang: str) -> None:
    sentence = render("error.empty_claim", lang)
    assert "empty" not in sentence and "空" not in sentence


# One Japanese word per concept; what stands on the right was found in its place.
ONE_WORD = {
    "ライブラリ": "ライブラリー",
    "ディレクトリ": "ディレクトリー",
    "フォルダー": "フォルダ(?!ー)",
    "パラメーター": "パラメータ(?!ー)",
    "ポインター": "ポインタ(?!ー)",
    "エッジ": "(?<![周身])辺",
    "確信度": "信頼度",
    "ホーム": "(?<!リ)ストア",
    "情報源": "(?<!オープン)(?<!リ)ソース(?!コード)",
    "すでに": "既に",
    "誰": "だれ",
    "確認してください": "確かめてください",
    "ではありませんか。": "のことですか",
    ": ": "：",
}


@pytest.mark.parametrize(("word", "instead"), ONE_WORD.items())
def test_one_japanese_word_is_used_for_one_thing(word: str, instead: str) -> None:
    assert [code for code in sorted(codes()) if re.search(instead, render(code, "ja"))] == [], f"say {word}"


def test_japanese_and_latin_letters_or_places_are_set_apart_everywhere() -> None:
    touching = re.compile(r"[ぁ-んァ-ヶ一-龥][{0-9A-Za-z]|[}0-9A-Za-z%][ぁ-んァ-ヶ一-龥]")
    # Names of the report's own columns, and places that are filled with Japanese.
    terms = re.compile(r"CAGR接続|\{where\}|\{verdict\}")
    found = {code: touching.findall(terms.sub("", render(code, "ja"))) for code in sorted(codes())}
    assert {code: pairs for code, pairs in found.items() if pairs and not code.endswith("_examples")} == {}
