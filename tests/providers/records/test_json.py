"""CSL-JSON and OpenAlex: lists, lines and wrapped lists, with bad lines and hostile indexes."""

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import DocumentProblem
from lyra.providers.records import raw
from lyra.providers.records.facts import Place
from lyra.providers.records.json_works import MAX_POSITION, from_inverted_index
from lyra.providers.records.reading import read_records
from tests.providers.records.reading import documents, names, records

ITEM = {
    "id": "smith2020",
    "type": "article-journal",
    "title": 'A "title" with {braces} and [brackets]',
    "author": [
        {"family": "Smith", "given": "Ann"},
        {"literal": "Health Board"},
        {"family": "Berg", "non-dropping-particle": "van"},
    ],
    "issued": {"date-parts": [[2020, 3]]},
    "container-title": "Journal of Sleep",
    "DOI": "10.1000/A",
    "PMID": "12345",
    "abstract": "<jats:p>Sleep fell &amp; fell.</jats:p><jats:p>Twice.</jats:p>",
}
WORK: dict[str, Any] = {
    "id": "https://openalex.org/W1",
    "doi": "https://doi.org/10.1000/B",
    "title": "Caffeine and <i>sleep</i>",
    "publication_date": "2021-02-03",
    "authorships": [{"author": {"display_name": "Ann Smith"}}, {"raw_author_name": "B. Lee"}, {}],
    "primary_location": {"landing_page_url": "https://example.org/w1", "source": {"display_name": "Sleep"}},
    "locations": [{"landing_page_url": "http://arxiv.org/abs/2101.00001"}],
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/777"},
    "abstract_inverted_index": {"Caffeine": [0], "cuts": [1], "sleep": [2, 4], "and": [3]},
    "referenced_works": ["https://openalex.org/W2", "W3", "https://openalex.org/W1"],
    "is_retracted": True,
}


def test_a_csl_item_becomes_a_document_with_all_it_says() -> None:
    (found,) = documents(json.dumps([ITEM]), "a.json")
    assert found.title == ITEM["title"]
    assert found.authors == ("Smith, Ann", "Health Board", "van Berg")
    assert (found.venue, found.published_on, found.text) == ("Journal of Sleep", "2020-03", "Sleep fell & fell.\n\nTwice.")
    assert names(found) == {("doi", "10.1000/a"), ("pmid", "12345")}


def test_an_openalex_work_becomes_a_document_with_references_and_retraction() -> None:
    (record,) = records(json.dumps(WORK) + "\n", "a.jsonl")
    found = record.document
    assert found is not None
    assert (record.key, found.title, found.authors) == ("https://openalex.org/W1", "Caffeine and sleep", ("Ann Smith", "B. Lee"))
    assert (found.text, found.published_on, found.venue) == ("Caffeine cuts sleep and sleep", "2021-02-03", "Sleep")
    assert names(found) == {
        ("doi", "10.1000/b"),
        ("pmid", "777"),
        ("url", "https://example.org/w1"),
        ("url", "https://openalex.org/W1"),
    }
    assert [name.value for name in found.versions] == ["2101.00001"]
    assert [name.value for name in found.references] == ["https://openalex.org/W2", "https://openalex.org/W3"]
    assert (found.citation_source, found.retracted) == ("openalex", True)


def test_works_are_found_in_a_list_on_lines_and_in_an_answer_of_the_service() -> None:
    answer = json.dumps({"meta": {"count": 1, "x": [{"id": "no"}]}, "results": [WORK], "group_by": [{"id": "no"}]})
    for content, name in ((json.dumps([WORK], indent=2), "a.json"), (json.dumps(WORK), "a.jsonl"), (answer, "a.json")):
        assert [record.key for record in records(content, name)] == ["https://openalex.org/W1"]


def test_one_bad_line_is_named_and_the_rest_is_read() -> None:
    content = "\n".join([json.dumps(WORK), "{not json", "", "[1]", json.dumps(WORK | {"id": "https://openalex.org/W9"})])
    first, bad, listed, last = records(content, "a.jsonl")
    assert (bad.line, bad.code, listed.line, listed.code) == (2, "record_broken", 4, "record_broken")
    assert first.document is not None
    assert last.document is not None


def test_a_bad_item_of_a_list_is_named_with_its_line_and_the_rest_is_read() -> None:
    content = f'[{json.dumps(ITEM)},\n{{"id": 5, "title": nope}},\n{json.dumps(ITEM)}]'
    first, bad, last = records(content, "a.json")
    assert (bad.line, bad.code) == (2, "record_broken")
    assert first.document is not None
    assert last.document is not None


def test_a_list_that_breaks_off_gives_what_was_whole() -> None:
    first, cut = records(json.dumps([ITEM, ITEM])[:-30], "a.json")
    assert first.document is not None
    assert cut.code == "record_broken"


@pytest.mark.parametrize("position", [-1, MAX_POSITION + 1, 10**30, 1.5, True, "3", None])
def test_a_word_at_an_impossible_place_is_refused_by_name(position: object) -> None:
    work = WORK | {"abstract_inverted_index": {"sleep": [0], "odd": [position]}}
    fine, odd = records(f"{json.dumps(WORK)}\n{json.dumps(work)}", "a.jsonl")
    assert fine.document is not None
    assert odd.code in ("record_bad_index", "record_broken")  # a number beyond 64 bits is no JSON to the parser
    assert odd.line == 2


@pytest.mark.parametrize("index", [5, [], {"a": 3}, {"a": {"b": 1}}])
def test_an_index_of_another_shape_is_refused(index: object) -> None:
    (odd,) = records(json.dumps(WORK | {"abstract_inverted_index": index}), "a.jsonl")
    assert odd.code == "record_bad_index"


def test_the_cost_of_an_index_follows_from_its_words_not_from_its_places() -> None:
    assert from_inverted_index({"b": [MAX_POSITION], "a": [0]}, Place("a", 1)) == "a b"


@given(st.lists(st.text(alphabet="abc猫", min_size=1, max_size=4), min_size=1, max_size=40))
def test_an_index_gives_the_text_it_was_made_from(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        index.setdefault(word, []).append(position)
    assert from_inverted_index(index, Place("a", 1)) == " ".join(words)


@pytest.mark.parametrize(
    "changes", [{"title": 5}, {"authorships": "x"}, {"ids": None}, {"primary_location": []}, {"locations": {}}]
)
def test_fields_of_other_types_are_no_failure(changes: dict[str, object]) -> None:
    (found,) = documents(json.dumps(WORK | changes), "a.jsonl")
    assert ("doi", "10.1000/b") in names(found)


def test_a_line_in_another_encoding_is_read_and_binary_is_named() -> None:
    shifted = json.dumps({"id": "1", "title": "猫は昼に眠るという報告", "type": "book"}, ensure_ascii=False).encode("cp932")
    content = shifted + b"\n" + b'{"title": "\x00\x01\x02\x03\x80\x81' + b"\xff" * 40 + b'"}\n'
    first, second = records(content, "a.jsonl")
    assert first.document is not None
    assert first.document.title == "猫は昼に眠るという報告"
    assert second.code in ("record_undecodable", "record_broken")


def test_a_line_above_the_limit_is_passed_over_without_being_held() -> None:
    big, fine = records(f'{{"title": "{"x" * 5000}"}}\n{json.dumps(WORK)}', "a.jsonl", largest=2_000)
    assert (big.line, big.code) == (1, "record_too_large")
    assert fine.document is not None


@pytest.mark.parametrize(
    ("content", "name", "code"),
    [
        ('{"schema_version": "1", "claims": []}', "a.json", "own_result"),
        ('{"name": "package", "version": "1"}', "a.json", "unsupported_type"),
        ("[1, 2, 3]", "a.json", "unsupported_type"),
        ('{"x": 1}\n{"x": 2}', "a.jsonl", "unsupported_type"),
        ("", "a.json", "empty_file"),
    ],
)
def test_json_that_holds_no_works_is_left_alone(content: str, name: str, code: str) -> None:
    with pytest.raises(DocumentProblem) as problem:
        records(content, name)
    assert problem.value.code == code


@given(st.lists(st.text(alphabet='ab"\\{}[]\n猫', max_size=12), min_size=1, max_size=5), st.integers(1, 50), st.booleans())
def test_items_are_cut_out_wherever_the_chunks_of_a_file_end(titles: list[str], chunk: int, indented: bool) -> None:
    items = [{"id": str(number), "type": "book", "title": f"T{title}"} for number, title in enumerate(titles)]
    content = json.dumps(items, indent=2 if indented else None, ensure_ascii=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raw, "CHUNK", chunk)
        found = records(content, "a.json")
    assert [record.key for record in found] == [item["id"] for item in items]
    lines = [content[: content.index(f'"id": "{number}"')].count("\n") + 1 for number in range(len(items))]
    assert [record.line for record in found] == [line - (1 if indented else 0) for line in lines]


class Growing(io.RawIOBase):
    """A file of many equal lines that are made as they are read."""

    def __init__(self, line: bytes, count: int) -> None:
        self._line, self._count = line, count
        self._left, self._rest = count, b""

    def seek(self, offset: int, whence: int = 0) -> int:
        self._left, self._rest = self._count, b""
        return 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while self._left and len(self._rest) < len(buffer):
            self._rest += self._line
            self._left -= 1
        given, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(given)] = given
        return len(given)


@pytest.mark.parametrize("name", ["a.jsonl", "a.bib", "a.ris"])
def test_memory_does_not_grow_with_the_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "CHUNK", 1 << 16)
    abstract = "word " * 4_000
    line = {
        "a.jsonl": json.dumps({"id": "1", "type": "book", "title": "T", "abstract": abstract}),
        "a.bib": f"@misc{{a, title={{T}}, abstract={{{abstract}}}}}",
        "a.ris": f"TY  - JOUR\nTI  - T\nAB  - {abstract}\nER  - ",
    }[name]
    file = Growing(f"{line}\n".encode(), 150)  # three megabytes
    tracemalloc.start()
    try:
        found = sum(record.document is not None for record in read_records(io.BufferedReader(file), name, 1 << 25, 5_000_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == 150
    assert peak < 1_500_000
