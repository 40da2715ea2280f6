"""The gate: what holds for a host at this moment, from outside: policy file, overrides and blocks, each as it is now."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from lyra.core.fragments import cut_fragments
from lyra.core.identity import host_of
from lyra.core.rejections import BlockRules
from lyra.providers.policy_file import PolicyFile
from lyra.providers.public_suffixes import is_public_suffix
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.bench import Bench, Holding
from lyra.workflows.check import CheckRequest, check, search
from lyra.workflows.domain_gate import PolicyGate
from lyra.workflows.feedback import FeedbackRequest, Governance, give_feedback
from lyra.workflows.ingest import read_library
from lyra.workflows.judging import Finder, embed_missing
from lyra.workflows.materials import collect
from tests.fakes import LIBRARY, FakeClock, KeywordStance, MemoryReader, document, make_bench

CLAIM = "Daily walking lowers blood pressure in adults."
TEXTS = {
    "https://good.example.org/a": "Daily walking lowers blood pressure in adults, we found.",
    "https://bad.example.net/b": "Daily walking lowers blood pressure in adults, they say.",
    "https://worse.example.net/c": "Daily walking never lowers blood pressure in adults.",
}


def policy_file(home: Path) -> PolicyFile:
    home.mkdir(exist_ok=True)
    return PolicyFile(home / "domains.yaml", FakeClock(datetime(2040, 1, 1, tzinfo=UTC), tick=timedelta(0)))


@pytest.fixture
def governed(home: Path, clock: FakeClock) -> Iterator[EvidenceStore]:
    with open_store(home, clock, Random(7), policy=policy_file(home)) as opened:
        yield opened


@pytest.fixture
def reading(governed: EvidenceStore, reader: MemoryReader) -> Bench:
    for number, (url, text) in enumerate(TEXTS.items()):
        reader.put(f"{number}.txt", document(text, f"url:{url}"))
    reader.put("own.txt", "Daily walking lowers blood pressure in adults, says my own note.")
    governed.library.add_root(LIBRARY)
    return make_bench(governed, reader)


def say(store: EvidenceStore, action: str, pattern: str) -> None:
    governance = Governance(store, BlockRules(), is_public_suffix)
    give_feedback(governance, FeedbackRequest(action, domain_pattern=pattern, reason="because"))


def hosts(bench: Bench, task_id: str) -> set[str]:
    found = {host_of(edge.url) for one in collect(bench.store, task_id).claims for edge in one.evidence}
    return {host for host in found if host}


def test_a_page_without_a_host_is_allowed_with_full_weight(governed: EvidenceStore) -> None:
    decision = PolicyGate(governed).decide(None)
    assert (decision.allowed, decision.weight, decision.host) == (True, 1.0, None)


@pytest.mark.parametrize("spelling", ["BAD.example.net", "bad.example.net.", "ｂａｄ.example.net"])
def test_every_spelling_of_a_host_is_the_same_host(governed: EvidenceStore, spelling: str) -> None:
    say(governed, "domain_block", "bad.example.net")
    assert PolicyGate(governed).decide(spelling).block_reason == "manual"


def test_a_change_of_the_file_takes_effect_at_the_next_question(governed: EvidenceStore, home: Path) -> None:
    gate, path = PolicyGate(governed), home / "domains.yaml"
    assert gate.decide("bad.example.net").allowed
    path.write_text("denylist: [{domain: example.net, reason: spam}]\n", encoding="utf-8")
    assert gate.decide("bad.example.net").block_reason == "denylist"
    draft = home / "draft"
    draft.write_text("user_overrides: [{domain: bad.example.net, domain_category: trusted, qps: 3}]\n", encoding="utf-8")
    draft.replace(path)
    decision = gate.decide("bad.example.net")
    assert (decision.allowed, decision.category, decision.weight, decision.qps) == (True, "trusted", 0.75, 3.0)


def test_an_override_made_by_another_process_takes_effect_at_the_next_question(
    governed: EvidenceStore, home: Path, clock: FakeClock
) -> None:
    gate = PolicyGate(governed)
    assert gate.decide("bad.example.net").allowed
    with open_store(home, clock, Random(8)) as other:
        say(other, "domain_block", "*.example.net")
        assert not gate.decide("bad.example.net").allowed
        say(other, "domain_clear_override", "*.example.net")
    assert gate.decide("bad.example.net").allowed


def test_a_broken_file_leaves_the_last_good_policy_in_force(governed: EvidenceStore, home: Path, clock: FakeClock) -> None:
    gate, path = PolicyGate(governed), home / "domains.yaml"
    path.write_text("denylist: [{domain: example.net}]\n", encoding="utf-8")
    gate.policy()
    path.write_text("denylist:\n  - domain: [\n", encoding="utf-8")
    state = gate.policy()
    assert (state.origin, state.problem and state.problem.params["line"]) == ("last_good", 3)
    assert not gate.decide("bad.example.net").allowed
    with open_store(home, clock, Random(9), policy=policy_file(home)) as fresh:
        assert PolicyGate(fresh).policy().origin == "last_good"
        assert not PolicyGate(fresh).decide("bad.example.net").allowed
    path.write_text("denylist: []\n", encoding="utf-8")
    assert gate.decide("bad.example.net").allowed


def test_a_file_that_was_never_good_leaves_the_shipped_policy_in_force(governed: EvidenceStore, home: Path) -> None:
    (home / "domains.yaml").write_text("nonsense: 1\n", encoding="utf-8")
    gate = PolicyGate(governed)
    assert gate.policy().origin == "last_good"
    assert gate.decide("www.mhlw.go.jp").category == "government"


def test_a_file_taken_away_is_no_longer_the_last_good_one(governed: EvidenceStore, home: Path, clock: FakeClock) -> None:
    path = home / "domains.yaml"
    path.write_text("denylist: [{domain: example.net}]\n", encoding="utf-8")
    PolicyGate(governed).policy()
    path.unlink()
    PolicyGate(governed).policy()
    path.write_text("nonsense: 1\n", encoding="utf-8")
    with open_store(home, clock, Random(9), policy=policy_file(home)) as fresh:
        assert PolicyGate(fresh).decide("bad.example.net").allowed


def test_a_blocked_domain_gives_no_new_edge_and_keeps_those_it_has(reading: Bench) -> None:
    before = check(reading, CheckRequest((CLAIM,))).materials
    task = before.task.task_id
    assert hosts(reading, task) == {"good.example.org", "bad.example.net", "worse.example.net"}
    say(reading.store, "domain_block", "*.example.net")
    after = collect(reading.store, task)
    assert after.claims[0].values == before.claims[0].values
    other = "Daily walking lowers the blood pressure of adults."
    fresh = check(reading, CheckRequest((other,)))
    assert hosts(reading, fresh.materials.task.task_id) == {"good.example.org"}
    say(reading.store, "domain_unblock", "worse.example.net")
    search(reading, fresh.materials.task.task_id, [])
    assert hosts(reading, fresh.materials.task.task_id) == {"good.example.org", "worse.example.net"}


def test_the_denylist_keeps_a_library_document_from_being_judged(reading: Bench, home: Path) -> None:
    (home / "domains.yaml").write_text("denylist: [{domain: bad.example.net}]\n", encoding="utf-8")
    task = check(reading, CheckRequest((CLAIM,))).materials.task.task_id
    assert hosts(reading, task) == {"good.example.org", "worse.example.net"}


class BlocksMeanwhile(KeywordStance):
    """A model during whose work somebody blocks a domain."""

    def __init__(self, store: EvidenceStore) -> None:
        super().__init__()
        self.store = store

    def judge(self, pairs):  # type: ignore[no-untyped-def]
        say(self.store, "domain_block", "bad.example.net")
        return super().judge(pairs)


def test_a_domain_blocked_while_the_model_works_gives_no_edge(reading: Bench) -> None:
    task = check(replace(reading, stance=BlocksMeanwhile(reading.store)), CheckRequest((CLAIM,))).materials.task.task_id
    assert hosts(reading, task) == {"good.example.org", "worse.example.net"}


def test_text_that_also_stands_on_an_allowed_page_is_judged_and_shown_there(reading: Bench, reader: MemoryReader) -> None:
    (text,) = [text for url, text in TEXTS.items() if "bad" in url]
    reader.put("copy.txt", document(text, "url:https://mirror.example.org/b"))
    say(reading.store, "domain_block", "bad.example.net")
    task = check(reading, CheckRequest((CLAIM,))).materials.task.task_id
    assert hosts(reading, task) == {"good.example.org", "mirror.example.org", "worse.example.net"}


def test_nothing_is_extracted_from_a_blocked_domain(reading: Bench) -> None:
    say(reading.store, "domain_block", "*.example.net")
    task = reading.store.tasks.create("blood pressure", None, [LIBRARY])
    search(reading, task.task_id, ["walking blood pressure"])
    origins = {claim.origin_domain for claim in reading.store.tasks.claims(task.task_id)}
    assert origins <= {"good.example.org", None}


def test_library_documents_weigh_the_same_whatever_host_they_name(reading: Bench) -> None:
    task = reading.store.tasks.create("question", None, [LIBRARY])
    job = reading.store.jobs.acquire(reading.store.jobs.add("check", task.task_id).job_id, "worker")
    assert job is not None
    read_library(reading, [LIBRARY], lambda: None)
    reading.store.searching.open_scope([LIBRARY])
    embed_missing(reading, Holding(reading.store, job))
    weights = {item.category_weight for item in Finder(reading)._weighed(reading.store.searching.candidates({1: (1.0, 1.0)}))}
    assert weights == {1.0}


def test_a_page_from_the_network_is_ranked_by_the_weight_of_its_host(reading: Bench, home: Path) -> None:
    (home / "domains.yaml").write_text(
        "user_overrides: [{domain: web.example.org, domain_category: trusted}]\n", encoding="utf-8"
    )
    store = reading.store
    texts = {"https://web.example.org/1": "Fetched words one.", "https://other.example.org/2": "Fetched words two."}
    for url, text in texts.items():
        store.pages.register(document(text, f"url:{url}"), url, cut_fragments(text, ()))
    seqs = [int(str(row[0])) for row in store.database.rows("SELECT fragment_seq FROM fragments ORDER BY fragment_seq")]
    found = Finder(reading)._weighed(store.searching.candidates(dict.fromkeys(seqs, (1.0, 1.0))))
    assert {item.text: item.category_weight for item in found} == {"Fetched words one.": 0.75, "Fetched words two.": 0.30}


def test_the_category_of_a_source_is_that_of_the_policy(reading: Bench, home: Path) -> None:
    (home / "domains.yaml").write_text("allowlist: [{domain: example.org, domain_category: academic}]\n", encoding="utf-8")
    (claim,) = check(reading, CheckRequest((CLAIM,))).materials.claims
    categories = {edge.url.split("/")[2]: edge.source_domain_category for edge in claim.evidence if edge.url.startswith("http")}
    assert categories == {
        "good.example.org": "academic",
        "bad.example.net": "unverified",
        "worse.example.net": "unverified",
    }
