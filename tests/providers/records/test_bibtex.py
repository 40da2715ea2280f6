"""BibTeX as it comes: LaTeX, strings, broken braces, keys twice, any encoding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import DocumentProblem
from lyra.providers.records.latex import LONGEST_DECODED, plain_text
from tests.providers.records.reading import documents, names, records

ARTICLE = r"""@string{jos = "Journal of " # {Sleep}}
@article{smith2020,
  title     = {The {Sleep} of {\'E}tudes},
  author    = {M{\"u}ller, Ann and {Health and Care Board} and others},
  journal   = jos # ", Series B",
  year      = 2020,
  month     = mar,
  day       = 5,
  doi       = {10.1000/a\_B},
  pmid      = {12345},
  eprint    = {2101.00001},
  archivePrefix = {arXiv},
  url       = {https://example.org/a_b},
  abstract  = {Sleep fell by 41% in adults.

A second paragraph.}
}
"""


def test_an_entry_becomes_a_document_with_all_it_says() -> None:
    (found,) = documents(ARTICLE, "a.bib")
    assert (found.title, found.authors) == ("The Sleep of Études", ("Müller, Ann", "Health and Care Board"))
    assert (found.venue, found.published_on) == ("Journal of Sleep, Series B", "2020-03-05")
    assert found.text == "Sleep fell by 41% in adults.\n\nA second paragraph."
    assert [(section.heading, section.start, section.end) for section in found.sections] == [("Abstract", 0, len(found.text))]
    assert names(found) == {("doi", "10.1000/a_b"), ("pmid", "12345"), ("url", "https://example.org/a_b")}
    assert found.notes == ()


def test_an_arxiv_id_beside_a_journals_doi_names_another_version_of_the_work() -> None:
    (found,) = documents(ARTICLE, "a.bib")
    assert [(name.kind, name.value) for name in found.versions] == [("arxiv", "2101.00001")]


def test_a_preprint_carries_its_arxiv_id_as_its_own() -> None:
    (alone,) = documents("@misc{a, title={T}, eprint={2101.00001v2}}", "a.bib")
    (registered,) = documents("@misc{a, title={T}, doi={10.48550/arXiv.2101.00001}}", "a.bib")
    assert names(alone) == {("arxiv", "2101.00001")}
    assert names(registered) == {("arxiv", "2101.00001"), ("doi", "10.48550/arxiv.2101.00001")}
    assert alone.versions == registered.versions == ()


def test_a_record_without_an_abstract_is_still_a_document_and_says_so() -> None:
    (found,) = documents("@book{a, title={A title}, author={Lee, B}}", "a.bib")
    assert (found.text, found.sections, found.notes) == ("", (), ("abstract_missing",))


def test_an_entry_whose_braces_do_not_match_is_named_and_the_others_are_read() -> None:
    content = "@misc{good, title={One}}\n@article{broken, title={Never {closed, year=2020\n@misc{after, title={Two}}\n"
    first, broken, last = records(content, "a.bib")
    assert (broken.key, broken.line, broken.code) == ("broken", 2, "record_broken")
    assert [record.document and record.document.title for record in (first, last)] == ["One", "Two"]


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("@misc{a, title={x} year={y}}", "record_broken"),
        ("@misc{a title={x}}", "record_broken"),
        ('@misc{a, title = "x}', "record_broken"),
        ("@misc{a, title={x", "record_broken"),
        ("@misc{a,}", "record_empty"),
    ],
)
def test_an_entry_that_cannot_be_used_says_why(entry: str, code: str) -> None:
    assert [record.code for record in records(entry, "a.bib")] == [code]


def test_two_entries_of_one_key_are_both_read() -> None:
    found = records("@misc{a, title={One}}\n@misc{a, title={Two}}", "a.bib")
    assert [(record.key, record.document and record.document.title) for record in found] == [("a", "One"), ("a", "Two")]


def test_of_a_field_that_stands_twice_the_first_counts_and_a_note_says_so() -> None:
    (found,) = documents("@misc{a, title={One}, title={Two}}", "a.bib")
    assert (found.title, found.notes) == ("One", ("field_repeated", "abstract_missing"))


def test_comments_preambles_and_what_stands_between_entries_are_passed_over() -> None:
    content = 'Some words.\n@comment{x}\n@preamble{"y"}\n@misc{a, title={One}}@misc(b, title={Two})\n% more'
    assert [record.key for record in records(content, "a.bib")] == ["a", "b"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"Stra{\ss}e \& \"Uber \c{c}a", "Straße & Über ça"),
        (r"H$_2$O --- 5\,mg", "H$_2$O — 5 mg"),
        (r"\href{https://example.org}{a link} \mbox{kept}", "a link kept"),
        ("by 50% in all, 100\\% sure", "by 50% in all, 100% sure"),
        (r"\textbraceleft{}x\textbraceright{} \textbackslash{} \textless{}", "{x} \\ <"),
        ("plain 山田", "plain 山田"),
    ],
)
def test_latex_is_read_as_text(written: str, read: str) -> None:
    assert " ".join((plain_text(written) or "").split()) == read


def test_latex_that_is_too_long_or_too_deep_is_kept_as_written_with_a_note() -> None:
    deep = "{" * 3000 + "x" + "}" * 3000
    assert plain_text(deep) is None
    assert plain_text("\\'e" * LONGEST_DECODED) is None
    (found,) = documents(f"@misc{{a, title={{T}}, abstract={{\\'e {deep}}}}}", "a.bib")
    assert "latex_kept" in found.notes
    assert "x" in found.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932", "euc_jp", "iso2022_jp"])
def test_japanese_is_read_in_any_of_its_encodings(encoding: str) -> None:
    # The katakana ボ and ソ hold a brace and a backslash in Shift_JIS.
    content = "@article{m, author={山田 太郎}, title={ボブの猫とソフト開発}, abstract={猫は昼に眠る。ソフトの話ではない。}}\n"
    (found,) = documents(content.encode(encoding), "a.bib")
    assert (found.title, found.authors) == ("ボブの猫とソフト開発", ("山田 太郎",))


def test_entries_in_different_encodings_are_each_read_in_their_own() -> None:
    content = "@misc{a, title={Die Übung macht müde}}\n".encode("latin-1") + "@misc{b, title={Çédille 猫}}\n".encode()
    assert [found.title for found in documents(content, "a.bib")] == ["Die Übung macht müde", "Çédille 猫"]


def test_an_abstract_of_ten_megabytes_is_refused_by_name_and_the_rest_is_read() -> None:
    content = f"@misc{{big, title={{T}}, abstract={{{'word ' * 2_000_000}}}}}\n@misc{{ok, title={{Fine}}}}"
    big, fine = records(content, "a.bib")
    assert (big.key, big.code) == ("big", "record_text_too_long")
    assert fine.document is not None


def test_an_entry_above_the_limit_is_passed_over_without_being_held() -> None:
    lines = "\n".join(["words and words"] * 500)
    big, fine = records(f"@misc{{big, title={{T}}, abstract={{{lines}}}}}\n@misc{{ok, title={{Fine}}}}", "a.bib", largest=2_000)
    assert (big.key, big.code) == ("big", "record_too_large")
    assert fine.document is not None


def test_a_file_without_entries_is_refused() -> None:
    with pytest.raises(DocumentProblem) as problem:
        records("no entries here", "a.bib")
    assert problem.value.code == "records_missing"


@given(st.text(alphabet='@{}(),="#\\%$ab \n1', max_size=80))
def test_whatever_stands_in_a_file_an_entry_after_it_is_read(noise: str) -> None:
    found = records(f"{noise}\n@article{{last, title={{The last one}}}}\n", "a.bib")
    assert found[-1].document is not None
    assert found[-1].document.title == "The last one"
