"""The canonical index of papers: merged by name, filled from one another, versions linked and never merged."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lyra.core.paper_index import PaperIndex
from lyra.core.works import Item, Work
from lyra.core.works_json import item_json, read_item, read_work, work_json
from tests.fakes import named

S2 = Work(
    "semantic_scholar", "a1", "Green tea and systolic blood pressure trial", named("doi:10.5555/a"), None, ("Ann Smith",), "2021"
)
OA = Work(
    "openalex",
    "W1",
    "Green tea & systolic blood pressure, trial",
    named("doi:10.5555/a", "pmid:7"),
    "Abstract.",
    (),
    "2021-04-12",
)
NAMES = named("doi:10.5555/a", "doi:10.5555/b", "pmid:1", "arxiv:2101.00001")


def test_descriptions_with_one_doi_are_one_work_whose_gaps_are_filled() -> None:
    index = PaperIndex()
    assert index.add(OA) is index.add(S2)
    work = index.entries[0].work
    assert (work.source, work.title, work.abstract) == ("semantic_scholar", S2.title, "Abstract.")
    assert (work.authors, work.published_on) == (("Ann Smith",), "2021-04-12")
    assert set(work.identifiers) == set(named("doi:10.5555/a", "pmid:7"))


def test_a_retraction_that_one_service_knows_is_kept() -> None:
    index = PaperIndex()
    index.add_all([S2, replace(OA, retracted=True)])
    assert index.entries[0].work.retracted


def test_without_a_doi_title_first_author_and_year_make_the_work() -> None:
    index = PaperIndex()
    bare = replace(S2, identifiers=(), source_id="b")
    other = replace(bare, source="openalex", source_id="W2", title="Green tea and systolic blood-pressure trial!")
    assert index.add(bare) is index.add(other)
    assert index.add(replace(other, source_id="W3", published_on="2019")) is not index.entries[0]
    assert index.add(replace(other, source_id="W4", authors=("Bob Jones",))) is not index.entries[0]


def test_a_preprint_and_its_journal_version_are_linked_and_not_merged() -> None:
    index = PaperIndex()
    preprint = replace(
        S2, source="openalex", source_id="W9", identifiers=named("doi:10.48550/arxiv.2101.00001", "arxiv:2101.00001")
    )
    journal = replace(S2, identifiers=named("doi:10.5555/a", "arxiv:2101.00001"))
    first, second = index.add(journal), index.add(preprint)
    assert first is not second
    assert index.versions(first) == [second]


def test_a_work_without_a_doi_joins_the_one_that_has_it() -> None:
    index = PaperIndex()
    first = index.add(S2)
    assert index.add(replace(S2, source="openalex", source_id="W5", identifiers=())) is first
    assert index.find(named("doi:10.5555/a")[0]) is first


texts = st.none() | st.text(min_size=1, max_size=20)
works = st.builds(
    Work,
    source=st.sampled_from(["semantic_scholar", "openalex", "other"]),
    source_id=st.text(max_size=5),
    title=st.sampled_from(["Tea and blood pressure in adults", "Coffee and sleep of young people", "x"]),
    identifiers=st.lists(st.sampled_from(NAMES), max_size=2, unique_by=lambda one: one.kind).map(tuple),
    abstract=texts,
    authors=st.sampled_from([(), ("Ann Smith",), ("B. Jones", "Ann Smith")]),
    published_on=st.sampled_from([None, "2020", "2021-03", "2021-03-05"]),
    citation_count=st.none() | st.integers(0, 10**6),
    retracted=st.booleans(),
    references=st.lists(st.text(max_size=4), max_size=2).map(tuple),
)


@given(st.lists(works, max_size=12))
def test_every_work_has_one_entry_and_no_entry_two_dois_from_one_service(given_works: list[Work]) -> None:
    index = PaperIndex()
    entries = [index.add(work) for work in given_works]
    assert len(index) == len({id(entry) for entry in entries})
    for entry in index.entries:
        assert entry.work.title in {work.title for work in given_works}
        for told in entry.told.values():
            dois = {one.value for one in told.identifiers if one.kind == "doi"}
            assert not dois or entry.identifier("doi") in dois


@given(works)
def test_works_and_items_are_read_back_as_they_were_written(work: Work) -> None:
    assert read_work(work_json(work)) == work
    item = Item("searxng", "Title", None, "", work.identifiers, None, work)
    assert read_item(item_json(item)) == item
