"""Fragments: what is judged, and where it stands."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.fragments import MAX_TOKENS, cut_fragments, estimate_tokens
from lyra.core.records import Section, Span

SENTENCE = "Vitamin D lowered the risk of fractures in older adults by about nine percent in that trial."
JAPANESE = "ビタミンDの補充は高齢者の骨折の危険を九パーセントほど下げることが試験で示された。"


def whole(text: str, heading: str | None = None) -> list[Section]:
    return [Section(0, len(text), heading)]


def quotes(text: str, sections: list[Section]) -> list[str]:
    return [text[span.start : span.end] for span in cut_fragments(text, sections)]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("cat", 1), ("the cat sat", 3), ("hypercholesterolemia", 4), ("骨折", 2), ("2021", 1), ("123456", 2), ("a, b.", 4)],
)
def test_tokens_are_estimated_like_word_pieces(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(), st.text())
def test_the_estimate_grows_with_the_text(first: str, second: str) -> None:
    assert estimate_tokens(first) <= estimate_tokens(first + " " + second)


def test_an_abstract_that_fits_is_one_fragment() -> None:
    text = " ".join([SENTENCE] * 8)
    assert estimate_tokens(text) <= MAX_TOKENS
    assert cut_fragments(text, whole(text, "Abstract")) == [Span(0, len(text), "Abstract")]


@pytest.mark.parametrize("sentence", [SENTENCE + " ", JAPANESE])
def test_a_long_section_is_cut_into_even_runs_of_whole_sentences(sentence: str) -> None:
    text = (sentence * 25).strip()
    found = quotes(text, whole(text))
    sizes = [estimate_tokens(quote) for quote in found]
    assert all(quote.startswith(sentence[:7]) and quote.endswith(sentence.strip()[-1]) for quote in found)
    assert max(sizes) <= MAX_TOKENS
    assert max(sizes) - min(sizes) <= estimate_tokens(sentence)


def test_a_cut_falls_between_paragraphs_where_one_is_near() -> None:
    text = " ".join([SENTENCE] * 5) + "\n\n" + " ".join([SENTENCE] * 8)
    assert [quote.count("Vitamin") for quote in quotes(text, whole(text))] == [5, 8]


def test_fragments_never_cross_from_one_section_into_the_next() -> None:
    text = f"{SENTENCE}\n\nResults\n\n{SENTENCE}"
    results = text.index("Results")
    sections = [Section(0, len(SENTENCE), "Background", 1), Section(results, len(text), "Results", 2)]
    assert [(span.section, span.page_number) for span in cut_fragments(text, sections)] == [("Background", 1), ("Results", 2)]
    assert quotes(text, sections) == [SENTENCE, SENTENCE]


def test_a_heading_at_the_start_of_its_section_is_not_part_of_the_quote() -> None:
    text = f"Results\n\n{SENTENCE}"
    assert quotes(text, whole(text, "Results")) == [SENTENCE]


def test_a_first_sentence_that_begins_like_the_heading_stays_whole() -> None:
    text = "Results of the trial were better than expected."
    assert quotes(text, whole(text, "Results")) == [text]


def test_without_sections_the_whole_text_is_cut() -> None:
    assert quotes(SENTENCE, []) == [SENTENCE]


@pytest.mark.parametrize("text", ["* * *", "----------", "12", "Page 3", "図1", "…", "", "\n\n"])
def test_what_says_nothing_is_dropped(text: str) -> None:
    assert cut_fragments(text, whole(text)) == []


@pytest.mark.parametrize("heading", ["References", "REFERENCES", "7. Bibliography", "参考文献", "【文献】"])
def test_a_list_of_references_is_not_evidence(heading: str) -> None:
    assert cut_fragments(SENTENCE, whole(SENTENCE, heading)) == []


def test_one_sentence_above_the_limit_is_cut_between_clauses() -> None:
    text = "The trial showed that " + ", ".join(f"group number {n} improved a little" for n in range(60)) + "."
    found = quotes(text, whole(text))
    assert len(found) > 1
    assert all(estimate_tokens(quote) <= MAX_TOKENS and quote.endswith((",", ".")) for quote in found)


def test_a_run_of_characters_without_any_boundary_still_fits() -> None:
    text = "あ" * 900
    assert [len(quote) for quote in quotes(text, whole(text))] == [200, 200, 200, 200, 100]


PROSE = st.lists(
    st.sampled_from(
        [SENTENCE, JAPANESE, "Short one.", "\n\n", "\n", " ", "- item of a list", "word, " * 90, "漢字" * 130, "***", "(", "」"]
    ),
    max_size=25,
).map(" ".join)


@given(PROSE | st.text(), st.lists(st.integers(0, 4000), max_size=6))
def test_every_fragment_is_a_trimmed_slice_of_one_section_within_the_limit(text: str, marks: list[int]) -> None:
    bounds = sorted({0, len(text), *(mark % (len(text) + 1) for mark in marks)})
    sections = [Section(low, high, f"s{low}") for low, high in pairwise(bounds)]
    previous = 0
    for span in cut_fragments(text, sections):
        quote = text[span.start : span.end]
        owner = next(section for section in sections if section.start <= span.start < section.end)
        assert previous <= span.start < span.end <= owner.end
        assert span.section == owner.heading
        assert quote == quote.strip()
        assert estimate_tokens(quote) <= MAX_TOKENS + quote.count("*")
        previous = span.end
