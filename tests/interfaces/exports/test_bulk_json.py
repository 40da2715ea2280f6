"""A large task as a stream: the very document that the presenter makes, claim by claim."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.core.errors import NotFound
from lyra.core.gathering import SearchReport
from lyra.core.records import ModelInfo, ProviderReport, ProviderStatus, Span
from lyra.core.sentences import split_sentences
from lyra.interfaces.cli import materials as command
from lyra.interfaces.exports import bulk_json
from lyra.interfaces.exports.bulk_json import BulkWriter, stream_materials
from lyra.interfaces.presenter import claim_json, materials_json
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.workflows.materials import collect
from tests.fakes import FakeClock, document, named, stance
from tests.interfaces.terminal import Terminal

MODEL = ModelInfo(kind="stance", name='keyword "quoted"', version="1", calibration_version="c1")
TOPICS = "rain barley snow roads coffee sleep walking pressure trees heat 雨 大麦".split()


def fill(store: EvidenceStore, rng: Random, claims: int) -> str:
    """A task with plain claims, and with every kind that is not plain."""
    fragments: list[tuple[str, str]] = []
    for number in range(24):
        words = [f"{rng.choice(TOPICS)}{rng.randrange(40)}" for _ in range(16)]
        if number % 6 == 5 and fragments:  # a lightly edited copy
            words = [*fragments[-1][1].split()[:-1], "edited."]
        text = " ".join(words[:8]).capitalize() + ".\n" + "  ".join(words[8:]) + " “end”."
        made = replace(
            document(text, *([f"doi:10.1000/{number}"] if number % 3 else [])),
            title=[None, f"Page {number} on \\ “things”", "One work in two versions here"][number % 3],
            authors=("Ann Smith",) if number % 4 else (),
            published_on=[None, "2019", "2020-05-01"][number % 3],
            retracted=number % 11 == 10,
            references=named("doi:10.1000/1") if number % 7 == 6 else (),
        )
        store.pages.register(made, f"https://site{number % 5}.example.org/{number}", [Span(0, len(text))])
        if number % 8 == 7:  # the same text elsewhere
            store.pages.register(replace(made, identifiers=()), f"file:///copy/{number}", [Span(0, len(text))])
        (fragment,) = store.database.rows("SELECT fragment_id, fragment_text FROM fragments ORDER BY fragment_seq DESC LIMIT 1")
        fragments.append((str(fragment[0]), str(fragment[1])))
    task_id = store.tasks.create('A "question"\nwith more', None, []).task_id
    origins = [(fragments[0][0], store.pages.first_page(fragments[0][0])) if n % 9 == 8 else (None, None) for n in range(claims)]
    made_claims = store.tasks.add_claims(task_id, [f"Claim “{number}”." for number in range(claims)], origins)
    for claim in made_claims:
        judged = {}
        for fragment_id, text in rng.sample(fragments, rng.randint(0, 7)):
            decisive = rng.choice([None, *split_sentences(text)])
            relation = rng.choice(["supports", "refutes", "neutral", "supports"])
            judged[fragment_id] = stance(relation, rng.choice([0.5, 0.9, rng.random()]), decisive)
        store.edges.add(claim, judged, MODEL, "job_1")
    store.retractions.apply("job_1")
    store.database.run("UPDATE edges SET edge_human_corrected = 1 WHERE rowid % 17 = 3")
    store.database.run("UPDATE pages SET is_pointer = 1 WHERE rowid % 8 = 2")
    store.database.run("UPDATE pages SET quarantined_at = '2026-02-01T00:00:00Z' WHERE rowid % 8 = 5")
    store.database.run("UPDATE claims SET claim_adoption_status = 'not_adopted' WHERE claim_position % 13 = 5")
    return task_id


def streamed(store: EvidenceStore, task_id: str) -> Any:
    return json.loads(b"".join(stream_materials(store, task_id, "en")))


def presented(store: EvidenceStore, task_id: str) -> Any:
    return json.loads(json.dumps(materials_json(collect(store, task_id), "en")))


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([0, 1, 7, 30]))
def test_the_stream_is_the_document_of_the_presenter(seed: int, claims: int) -> None:
    with TemporaryDirectory() as folder, open_store(Path(folder), FakeClock(), Random(1)) as store:
        task_id = fill(store, Random(seed), claims)
        assert streamed(store, task_id) == presented(store, task_id)


def test_the_stream_says_how_the_sources_of_the_last_search_answered(store: EvidenceStore) -> None:
    task_id = fill(store, Random(5), 3)
    asked = ProviderReport("openalex", ProviderStatus.THROTTLED, endpoint="https://api.example.org", hosts=("api.example.org",))
    store.gathered.keep_report("job_2", task_id, SearchReport((asked,), {"extract_claims": "built_in"}))
    found = streamed(store, task_id)
    assert found == presented(store, task_id)
    assert ([one["name"] for one in found["providers"]], found["paths"]) == (["openalex"], {"extract_claims": "built_in"})


def test_plain_claims_are_told_from_pieces_and_others_by_the_presenter(store: EvidenceStore) -> None:
    task_id = fill(store, Random(3), 60)
    with store.reading():
        writer = BulkWriter(store, task_id, "en")
        b"".join(writer.write())
    assert writer.plain > 10
    assert writer.told > 10


def test_pieces_that_differ_from_the_presenter_are_not_used(store: EvidenceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    task_id = fill(store, Random(3), 20)
    monkeypatch.setattr(bulk_json, "claim_json", lambda material: {**claim_json(material), "a_new_field": 1})
    found = streamed(store, task_id)
    assert len(found["claims"]) == 20
    assert all(claim["a_new_field"] == 1 for claim in found["claims"])


def test_a_task_of_many_chunks_is_told_in_order(store: EvidenceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_json, "_CLAIMS_PER_CHUNK", 7)
    monkeypatch.setattr(bulk_json, "_INTERVALS_AT_ONCE", 5)
    monkeypatch.setattr(bulk_json, "_KEPT", 3)
    task_id = fill(store, Random(4), 40)
    assert streamed(store, task_id) == presented(store, task_id)


def test_an_unknown_task_is_refused_before_anything_is_written(store: EvidenceStore) -> None:
    with pytest.raises(NotFound):
        next(stream_materials(store, "task_none", "en"))


def test_a_large_task_comes_on_one_line_and_a_small_one_laid_out(
    terminal: Terminal, library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = terminal.run("check", "Cats sleep most of the day.", "Dogs bark.", "--library", library, "--json").json["task_id"]
    small = terminal.run("materials", task, "--json")
    monkeypatch.setattr(command, "LARGE", 1)
    large = terminal.run("materials", task, "--json")
    assert large.json == small.json
    assert (large.out.count("\n"), small.out.count("\n") > 10) == (1, True)
    written = terminal.run("materials", task, "--out", tmp_path / "result.json", "--json").json
    assert (written["format"], written["text"]) == ("json", None)
    assert json.loads((tmp_path / "result.json").read_bytes()) == small.json
    assert terminal.run("materials", task, "--out", tmp_path / "result.json").code == 0  # its own result may be replaced
    latin = Terminal(terminal.home, encoding="latin-1")
    assert latin.run("materials", task, "--json").json == small.json
