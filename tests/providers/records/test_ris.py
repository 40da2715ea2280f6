"""RIS with ends and without, with other spacing, and with nothing in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import DocumentProblem
from tests.providers.records.reading import documents, names, records

ARTICLE = """TY  - JOUR
ID  - smith2020
TI  - Evening coffee and sleep
AU  - Smith, Ann
AU  - Lee, Bo
T2  - Journal of Sleep
PY  - 2020
DA  - 2020/03//
DO  - 10.1000/a
UR  - https://example.org/a;https://example.org/b
AN  - 12345
DB  - PubMed
AB  - Evening coffee shortens sleep.
It does so in adults.
ER  -
"""


def test_a_record_becomes_a_document_with_all_it_says() -> None:
    (record,) = records(ARTICLE, "a.ris")
    found = record.document
    assert found is not None
    assert (record.key, found.title, found.authors) == ("smith2020", "Evening coffee and sleep", ("Smith, Ann", "Lee, Bo"))
    assert (found.venue, found.published_on) == ("Journal of Sleep", "2020-03")
    assert found.text == "Evening coffee shortens sleep. It does so in adults."
    assert names(found) >= {("doi", "10.1000/a"), ("pmid", "12345"), ("url", "https://example.org/a")}


def test_records_without_ends_are_read_and_noted() -> None:
    content = "TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\nER  - \nTY  - GEN\nT1  - Three"
    found = documents(content, "a.ris")
    assert [document.title for document in found] == ["One", "Two", "Three"]
    assert ["record_unended" in document.notes for document in found] == [True, False, True]


def test_a_record_that_says_nothing_is_named_by_its_line() -> None:
    empty, fine = records("TY  - JOUR\nER  - \nTY  - JOUR\nTI  - Fine\nER  - ", "a.ris")
    assert (empty.line, empty.code) == (1, "record_empty")
    assert fine.document is not None


def test_line_ends_of_any_system_and_a_byte_order_mark_are_taken() -> None:
    for end in ("\n", "\r\n", "\r"):
        (found,) = documents(b"\xef\xbb\xbf" + ARTICLE.replace("\n", end).encode(), "a.ris")
        assert found.published_on == "2020-03"


def test_a_retracted_work_says_so_in_its_note_or_its_title() -> None:
    marked = "TY  - JOUR\nTI  - One\nN1  - retracted\nER  - \nTY  - JOUR\nTI  - RETRACTED: Two\nER  - "
    assert [document.retracted for document in documents(marked, "a.ris")] == [True, True]


def test_a_bare_home_address_is_the_name_of_no_work() -> None:
    (found,) = documents("TY  - ELEC\nTI  - News\nUR  - https://example.org/\nER  - ", "a.ris")
    assert names(found) == set()


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(DocumentProblem) as problem:
        records("", "a.ris")
    assert problem.value.code == "empty_file"


@given(st.text(alphabet="TYERAUB  -\n;1猫", max_size=60))
def test_whatever_stands_in_a_file_a_record_after_it_is_read(noise: str) -> None:
    assert records(f"{noise}\nTY  - JOUR\nTI  - The last one\nER  - \n", "a.ris")[-1].document is not None
