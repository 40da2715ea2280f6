"""Governance from the outside: feedback, lenses, traces and the status, as somebody at a terminal sees them."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lyra.core.page_safety import Finding
from lyra.core.rejections import BlockRules
from lyra.store.evidence_store import DATABASE_NAME, open_store
from lyra.workflows.quarantine import quarantine
from tests.fakes import SystemClock
from tests.interfaces.terminal import Ran, Terminal

CLAIM = "Cats sleep most of the day."
PAGES = {
    "a.md": ("https://www.nature.com/cats", "2015", "Cats sleep most of the day in winter, a trial says."),
    "b.md": ("https://blog.example.net/cats", "2024", "Cats never sleep most of the day, says our blog."),
    "c.md": ("https://news.example.net/cats", "2023-04", "Reporters found that cats sleep most of the day in barns."),
}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    for name, (url, date, text) in PAGES.items():
        (folder / name).write_text(f"---\ntitle: {name}\nurl: {url}\ndate: {date}\n---\n{text}\n", encoding="utf-8")
    return folder


@pytest.fixture
def task(terminal: Terminal, sources: Path) -> str:
    return str(terminal.run("check", CLAIM, "--library", sources, "--json").json["task_id"])


def claim_of(terminal: Terminal, task: str) -> Any:
    return terminal.run("materials", task, "--json").json["claims"][0]


def edge_of(terminal: Terminal, task: str, host: str) -> Any:
    return next(edge for edge in claim_of(terminal, task)["evidence"] if host in edge["url"])


def status_of(terminal: Terminal) -> Any:
    return terminal.run("status", "--json").json


def test_a_blocked_domain_is_shown_with_all_that_is_behind_it(terminal: Terminal, task: str) -> None:
    assert terminal.run("feedback", "domain_block", "*.example.net", "--reason", "copies others").code == 0
    shown = {item["domain"]: item for item in status_of(terminal)["blocked_domains"]}
    assert set(shown) == {"blog.example.net", "news.example.net"}
    item = shown["blog.example.net"]
    assert (item["domain_block_reason"], item["domain_unblock_risk"], item["block_rule"]) == ("manual", "low", "override")
    assert (item["original_domain_category"], item["reason"], item["restore_via"]) == (
        "unverified",
        "copies others",
        "feedback(domain_unblock)",
    )
    assert item["override"]["decision"] == "block" and not item["override"]["is_overridden"]
    assert item["override"]["matched_pattern"] == "*.example.net"
    assert item["blocked_at"] and item["cause_id"] == item["override"]["rule_id"]
    (rule,) = status_of(terminal)["domain_overrides"]
    assert (rule["domain_pattern"], rule["decision"], rule["reason"]) == ("*.example.net", "block", "copies others")


def test_an_unblock_rule_lifts_the_denylist_and_both_stay_visible(terminal: Terminal, task: str) -> None:
    (terminal.home / "domains.yaml").write_text("denylist: [{domain: example.net, reason: spam}]\n", encoding="utf-8")
    (denied,) = [one for one in status_of(terminal)["blocked_domains"] if one["domain"] == "blog.example.net"]
    assert (denied["is_blocked"], denied["domain_block_reason"]) == (True, "denylist")
    terminal.run("feedback", "domain_unblock", "blog.example.net", "--reason", "read it, it is fine")
    shown = {item["domain"]: item for item in status_of(terminal)["blocked_domains"]}
    assert (shown["blog.example.net"]["is_blocked"], shown["news.example.net"]["is_blocked"]) == (False, True)
    assert shown["blog.example.net"]["override"]["is_overridden"]
    assert "unblocked as blog.example.net" in terminal.run("status", "--lang", "en").out


def test_a_broken_policy_file_is_shown_with_its_line_and_takes_nothing_down(terminal: Terminal, task: str) -> None:
    path = terminal.home / "domains.yaml"
    path.write_text("denylist: [{domain: blog.example.net}]\n", encoding="utf-8")
    status_of(terminal)
    path.write_text("denylist:\n  - domain: a.example.net\n    qps: -1\n", encoding="utf-8")
    policy = status_of(terminal)["domain_policy"]
    assert (policy["origin"], policy["problem"]["code"], policy["problem"]["line"]) == ("last_good", "policy_unknown_key", 3)
    assert [item["domain"] for item in status_of(terminal)["blocked_domains"]] == ["blog.example.net"]
    for lang in ("en", "ja"):
        assert "3" in terminal.run("status", "--lang", lang).out
    assert terminal.run("check", CLAIM, "--json").code == 0


def test_the_policy_in_force_can_be_shown_and_the_shipped_one_be_copied(terminal: Terminal) -> None:
    assert "shipped" in terminal.run("config", "domains", "--lang", "en").out
    shipped = terminal.run("config", "domains", "--shipped").out
    terminal.home.mkdir(exist_ok=True)
    (terminal.home / "domains.yaml").write_text(shipped, encoding="utf-8")
    shown = terminal.run("config", "domains", "--json").json
    assert (shown["origin"], shown["problem"], shown["wikipedia_mode"]) == ("file", None, "follow_citations")
    assert shown["entries"]["allowlist"] > 10


def test_a_correction_changes_the_numbers_of_the_next_read(terminal: Terminal, task: str) -> None:
    before, edge = claim_of(terminal, task), edge_of(terminal, task, "blog.example.net")
    answer = terminal.run("feedback", "edge_correct", edge["edge_id"], "neutral", "--reason", "off topic", "--json").json
    assert (answer["changed"], answer["undo"], answer["task_id"]) == (True, None, task)
    after, corrected = claim_of(terminal, task), edge_of(terminal, task, "blog.example.net")
    assert after["beta"] == pytest.approx(before["beta"] - edge["nli_confidence"])
    assert (corrected["relation"], corrected["nli_confidence"], corrected["edge_human_corrected"]) == ("neutral", 1.0, True)
    assert (corrected["edge_correction_reason"], before["verification_status"], after["verification_status"]) == (
        "off topic",
        "pending",
        "verified",
    )


def test_a_rejected_claim_is_shown_as_such_and_can_be_restored(terminal: Terminal, task: str) -> None:
    claim = claim_of(terminal, task)["claim_id"]
    rejected = terminal.run("feedback", "claim_reject", claim, "--reason", "too vague", "--lang", "en")
    assert f"lyra feedback claim_restore {claim}" in rejected.out
    shown = claim_of(terminal, task)
    assert (shown["claim_adoption_status"], shown["claim_rejection_reason"]) == ("not_adopted", "too vague")
    assert "not adopted" in terminal.run("materials", task, "--lang", "en").out
    terminal.run("feedback", "claim_restore", claim)
    assert claim_of(terminal, task)["claim_rejected_at"] is None


def test_a_page_in_quarantine_is_listed_and_released(terminal: Terminal, task: str) -> None:
    page = edge_of(terminal, task, "nature.com")["page_id"]
    with open_store(terminal.home, SystemClock(), Random()) as store:
        quarantine(store, BlockRules(), page, [Finding("instruction", "comment", "obey me\x1b[31m")], "job_1")
    (listed,) = status_of(terminal)["quarantined_pages"]
    assert (listed["page_id"], listed["findings"][0]["excerpt"]) == (page, "obey me[31m")
    edge = edge_of(terminal, task, "nature.com")
    assert edge["excluded_reason"] == "quarantined"
    assert "obey me" in terminal.run("status").out
    assert "quarantined" in terminal.run("materials", task).out
    assert terminal.run("library", "release", page).code == 2
    assert terminal.run("library", "release", page, "--reason", "a paper about injection").code == 0
    assert status_of(terminal)["quarantined_pages"] == []
    assert [event["event_type"] for event in terminal.run("trace", "domain", "www.nature.com", "--json").json["events"]] == [
        "page_quarantined",
        "page_released",
    ]


@pytest.mark.parametrize("name", ["contradictions", "not_adopted"])
def test_a_lens_shows_its_opinion_and_leaves_the_file_as_it_was(terminal: Terminal, task: str, name: str) -> None:
    path = terminal.home / DATABASE_NAME
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    answer = terminal.run("lens", name, task, "--json").json
    assert (answer["lens"], answer["task_id"]) == (name, task)
    assert answer["items"]
    for lang in ("en", "ja"):
        assert terminal.run("lens", name, task, "--lang", lang).out.count("\n") > 5
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_the_contradiction_lens_calls_a_blog_against_a_journal_what_it_looks_like(terminal: Terminal, task: str) -> None:
    items = terminal.run("lens", "contradictions", task, "--json").json["items"]
    kinds = {side["domain"]: item["contradiction_type"] for item in items for side in item["sides"]}
    assert kinds["www.nature.com"] == "misinformation"
    assert kinds["news.example.net"] == "methodology"


def test_a_recovery_condition_is_a_code_with_a_sentence(terminal: Terminal, task: str) -> None:
    claim = claim_of(terminal, task)["claim_id"]
    terminal.run("feedback", "claim_reject", claim, "--reason", "no")
    (item,) = terminal.run("lens", "not_adopted", task, "--json", "--lang", "en").json["items"]
    first = item["recovery"]["conditions"][0]
    assert (first["code"], claim in first["detail"]) == ("claim_restore", True)


def test_a_trace_leads_from_a_number_to_its_causes(terminal: Terminal, task: str) -> None:
    claim = claim_of(terminal, task)
    edge = edge_of(terminal, task, "blog.example.net")["edge_id"]
    cause = terminal.run("feedback", "edge_correct", edge, "neutral", "--json").json["cause_id"]
    traced = terminal.run("trace", "claim", claim["claim_id"], "--json").json
    assert {one["edge_id"] for one in traced["contributions"]} == {one["edge_id"] for one in claim["evidence"]}
    assert [event["cause_id"] for event in traced["events"] if event["event_type"] == "corrected"] == [cause]
    assert terminal.run("trace", "edge", edge, "--json").json["correction_id"] == cause
    for kind, name in (("claim", claim["claim_id"]), ("edge", edge), ("domain", "blog.example.net")):
        for lang in ("en", "ja"):
            ran = terminal.run("trace", kind, name, "--lang", lang)
            assert (ran.code, ran.err) == (0, "")
    said = terminal.run("trace", "edge", edge).out
    assert cause in said
    assert "corrected by a person" in said


def test_a_trace_of_a_domain_is_in_words(terminal: Terminal, task: str) -> None:
    page_id = edge_of(terminal, task, "blog.example.net")["page_id"]
    with open_store(terminal.home, SystemClock(), Random(1)) as store:
        quarantine(store, BlockRules(dangerous_min_pages=1), page_id, [Finding("override", "hidden", "Ignore it all.")], "job_1")
    said = terminal.run("trace", "domain", "blog.example.net").out
    assert "Ignore it all. (override, hidden)" in said
    assert "Reason: dangerous pattern, pages: 1" in said
    assert "{'" not in said


def test_a_lens_speaks_the_language_of_its_reader(terminal: Terminal, task: str) -> None:
    japanese = (
        terminal.run("lens", "not_adopted", task, "--lang", "ja").out
        + terminal.run("lens", "contradictions", task, "--lang", "ja").out
    )
    assert not {"supports", "refutes", "conflicting_evidence", "insufficient_evidence"} & set(japanese.split())


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("feedback", "domain_block", "*.com", "--reason", "x"), "pattern_public_suffix"),
        (("feedback", "domain_block", "a b.com", "--reason", "x"), "pattern_malformed"),
        (("feedback", "domain_block", "example.com"), "reason_missing"),
        (("feedback", "domain_block", "example.com", "--reason", "x" * 100_000), "reason_too_long"),
        (("feedback", "domain_block"), "missing_argument"),
        (("feedback", "domain_blok", "example.com"), "unknown_command"),
        (("feedback", "claim_reject", "claim_0", "--reason", "x"), "unknown_claim"),
        (("feedback", "claim_restore", "claim_0"), "unknown_claim"),
        (("feedback", "edge_correct", "edge_0", "neutral"), "unknown_edge"),
        (("feedback", "edge_correct", "edge_0", "maybe"), "bad_correct_relation"),
        (("lens", "astrology", "task_0"), "unknown_lens"),
        (("lens", "contradictions", "task_0"), "unknown_task"),
        (("trace", "claim", "claim_0"), "unknown_claim"),
        (("trace", "edge", "edge_0"), "unknown_edge"),
        (("trace", "domain", "nobody.example"), "unknown_domain"),
        (("trace", "domain", "\u202e\x00"), "unknown_domain"),
        (("library", "release", "page_0", "--reason", "x"), "unknown_page"),
    ],
)
def test_bad_input_ends_in_one_sentence_in_both_languages(
    terminal: Terminal, task: str, words: tuple[str, ...], code: str
) -> None:
    before = status_of(terminal)["domain_overrides"]
    for lang in ("en", "ja"):
        ran = terminal.run(*words, "--lang", lang)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert terminal.run(*words, "--json").json["error"]["code"] == code
    assert status_of(terminal)["domain_overrides"] == before


def test_a_lens_on_a_home_without_a_store_says_so(terminal: Terminal) -> None:
    ran = terminal.run("lens", "contradictions", "task_0", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "no_store")
    assert not terminal.home.exists()


def test_the_rule_that_blocks_is_a_setting_and_the_status_shows_which_one_fired(terminal: Terminal, sources: Path) -> None:
    strict = replace(terminal, environ={"LYRA_SOURCE_VERIFICATION_HIGH_REJECTION_MIN_SAMPLES": "1"})
    task = strict.run("task", "new", "cats", "--library", sources, "--json").json["task_id"]
    claims = strict.run("search", task, "cats sleep most of the day", "--json").json["claims"]
    for claim in claims:
        strict.run("feedback", "claim_reject", claim["claim_id"], "--reason", "no")
    fired = {item["domain"]: item for item in status_of(strict)["blocked_domains"]}
    assert fired
    assert {(item["domain_block_reason"], item["block_rule"]) for item in fired.values()} == {("high_rejection_rate", "rate")}
    assert "www.nature.com" not in fired
    assert all(item["domain_claim_combined_rejection_rate"] == 1.0 and item["affected_claims"] for item in fired.values())
    assert status_of(strict)["block_rules"]["high_rejection_min_samples"] == 1
    rates = {item["domain"] for item in status_of(strict)["domain_rates"]}
    assert "www.nature.com" in rates
    assert terminal.run("config", "show").code == 0
    bad = replace(terminal, environ={"LYRA_SOURCE_VERIFICATION_HIGH_REJECTION_RULE": "chance"}).run("status")
    assert bad.code == 2


def test_categories_change_no_number_of_a_check(terminal: Terminal, task: str, sources: Path) -> None:
    def numbers(text: str) -> Any:
        home = terminal.home.with_name(hashlib.sha256(text.encode()).hexdigest()[:8])
        home.mkdir()
        (home / "domains.yaml").write_text(text, encoding="utf-8")
        other = replace(terminal, home=home)
        claim = other.run("check", CLAIM, "--library", sources, "--json").json["claims"][0]
        keys = ("confidence", "alpha", "beta", "verification_status", "reason_code", "independent_sources")
        return {key: claim[key] for key in keys}, {edge["source_domain_category"] for edge in claim["evidence"]}

    found = [
        numbers(f"allowlist: [{{domain: example.net, domain_category: {name}}}]\n")
        for name in ("primary", "academic", "low", "unverified")
    ]
    assert len({json.dumps(one[0], sort_keys=True) for one in found}) == 1
    assert len({tuple(sorted(one[1])) for one in found}) > 1


def test_json_is_the_one_thing_on_stdout(terminal: Terminal, task: str) -> None:
    ran: Ran = terminal.run("feedback", "domain_block", "例え.jp", "--reason", "試し", "--json")
    assert ran.json["domain_pattern"] == "xn--r8jz45g.jp"
    assert ran.err == ""
