"""Many documents at once: the same store as one by one, whatever they share."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from lyra.core.records import Document, Identifier, Span
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.store.page_batches import Registration
from lyra.store.pages import Sighting
from tests.contents import contents, faults
from tests.fakes import FakeClock, document, named

TEXTS = (
    "Rain helps the barley grow. Snow does not.",
    "Snow covers the roads in winter.",
    "犬は知らない人に吠える。猫は昼間に寝る。",
    "Coffee at night; sleep is short: snake_case, l'été & more!",
)
NAMES = ("doi:10.1000/a", "doi:10.1000/b", "pmid:1", "arxiv:2101.00001", "url:https://example.org/x", "url:https://example.org/y")


@st.composite
def registrations(draw: st.DrawFn) -> Registration:
    text = draw(st.sampled_from(TEXTS))
    middle = text.find(" ") if " " in text else 4
    spans = draw(st.sampled_from([[Span(0, len(text))], [Span(0, middle), Span(middle + 1, len(text), "Results", 2)], []]))
    made = Document(
        text=text,
        sections=(),
        title=draw(st.sampled_from([None, "A study of rain and barley", "雨と大麦についての研究報告"])),
        authors=draw(st.sampled_from([(), ("Ann Smith", "Bo"), ("山田太郎",)])),
        published_on=draw(st.sampled_from([None, "2020-05"])),
        venue=draw(st.sampled_from([None, "A journal"])),
        identifiers=named(*draw(st.lists(st.sampled_from(NAMES), max_size=3, unique=True))),
        references=named(*draw(st.lists(st.sampled_from(NAMES), max_size=2, unique=True))),
        retracted=draw(st.booleans()) and draw(st.booleans()),
        extractor="fake/1",
    )
    return made, draw(st.sampled_from(["file:///one", "file:///two", "https://elsewhere.example.org/three"])), spans


def filled(folder: str, batches: list[list[Registration]], *, together: bool) -> tuple[object, list[object], list[object]]:
    with open_store(Path(folder) / str(together), FakeClock(), Random(1)) as store:
        sightings: list[Sighting] = []
        for batch in batches:
            if together:
                sightings += store.page_batches.register(batch)
            else:
                sightings += [store.pages.register(made, url, list(spans)) for made, url, spans in batch]
        assert faults(store) == []
        told = [(one.new_page, one.new_version, one.new_fragments, one.new_occurrences) for one in sightings]
        return contents(store), list(told), further(store)


def further(store: EvidenceStore) -> list[object]:
    rows = store.database.rows
    return [
        rows("SELECT url, authors, published_on, venue, work_key FROM pages ORDER BY url"),
        rows(
            "SELECT i.identifier_kind, i.identifier_value, p.url FROM resource_index i JOIN pages p USING (page_id) ORDER BY 1, 2"
        ),
        rows("SELECT section, page_number, char_start FROM extracted_from ORDER BY 3, 1, 2"),
        rows("SELECT domain, domain_category FROM domains ORDER BY domain"),
        rows("SELECT event_type, count(*) FROM event_log GROUP BY 1"),
        [
            rows("SELECT count(*) FROM fragment_index WHERE fragment_index MATCH ?", (word,))
            for word in ("barley", "snake", "吠え")
        ],
    ]


def without_spaces(value: object) -> str:
    return repr(value).replace('", "', '","')


@settings(max_examples=60)
@given(st.lists(st.lists(registrations(), max_size=6), max_size=3))
def test_a_batch_gives_what_its_documents_give_one_by_one(batches: list[list[Registration]]) -> None:
    with TemporaryDirectory() as folder:
        at_once, one_by_one = filled(folder, batches, together=True), filled(folder, batches, together=False)
    assert at_once[:2] == one_by_one[:2]
    assert without_spaces(at_once[2]) == without_spaces(one_by_one[2])


def test_a_large_batch_is_one_transaction(store: EvidenceStore) -> None:
    made = [(document(f"Text number {number}.", f"doi:10.1000/{number}"), "", [Span(0, 14)]) for number in range(1_200)]
    found = store.page_batches.register(made)
    assert len({one.page_id for one in found}) == 1_200
    assert store.database.count("SELECT count(*) FROM resource_index") == 1_200
    assert all(not one.new_page for one in store.page_batches.register(made))


def test_a_reference_to_a_page_of_a_batch_becomes_a_citation(store: EvidenceStore) -> None:
    citing = Document(text="I cite.", sections=(), identifiers=named("doi:10.1000/z"), references=named("doi:10.1000/new"))
    store.pages.register(citing, "", [Span(0, 7)])
    store.page_batches.register([(document("I am cited.", "doi:10.1000/new"), "", [Span(0, 11)])])
    assert store.database.count("SELECT count(*) FROM cites") == 1


def test_an_empty_batch_changes_nothing(store: EvidenceStore) -> None:
    assert store.page_batches.register([]) == []
    assert Identifier("doi", "x") not in store.page_batches._known_names(set())
