"""Identifiers of works in text and addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.identifiers import identifiers_in_address, identifiers_in_text, normalise_pmcid, scholarly
from lyra.core.records import Identifier


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see doi:10.5555/ABC.1, and https://doi.org/10.5555/abc.1.", [("doi", "10.5555/abc.1")]),
        ("PMID: 12345678 and PMCID: PMC7654321", [("pmid", "12345678"), ("pmcid", "PMC7654321")]),
        ("PubMed ID 12345678; PMC 1234567", [("pmid", "12345678"), ("pmcid", "PMC1234567")]),
        ("arXiv:2101.00001v3 [cs.CL], arXiv:hep-th/9901001", [("arxiv", "2101.00001"), ("arxiv", "hep-th/9901001")]),
        ("（doi:10.5555/kiz.2022.0021）と述べた", [("doi", "10.5555/kiz.2022.0021")]),
        ("https://onlinelibrary.example.org/doi/full/10.1002/abc.123", [("doi", "10.1002/abc.123")]),
        ("call 12345678, version 2101.00001, 10.5 percent, 1.10.5555/x", []),
        ("https://pubmed.ncbi.nlm.nih.gov/12345678/", [("pmid", "12345678")]),
    ],
)
def test_works_are_found_in_running_text(text: str, names: list[tuple[str, str]]) -> None:
    assert identifiers_in_text(text) == [Identifier(*name) for name in names]


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("https://doi.org/10.5555/x(1)2", ["doi:10.5555/x(1)2", "url:https://doi.org/10.5555/x(1)2"]),
        (
            "https://journal.example.org/doi/abs/10.1000/xyz?utm_source=a",
            ["doi:10.1000/xyz", "url:https://journal.example.org/doi/abs/10.1000/xyz"],
        ),
        (
            "https://journal.example.org/doi/10.1000/xyz/full",
            ["doi:10.1000/xyz", "url:https://journal.example.org/doi/10.1000/xyz/full"],
        ),
        (
            "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123456/",
            ["pmcid:PMC123456", "url:https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123456"],
        ),
        (
            "https://pmc.ncbi.nlm.nih.gov/articles/PMC123456/pdf/x.pdf",
            ["pmcid:PMC123456", "url:https://pmc.ncbi.nlm.nih.gov/articles/PMC123456/pdf/x.pdf"],
        ),
        ("https://europepmc.org/article/MED/123456", ["pmid:123456", "url:https://europepmc.org/article/MED/123456"]),
        ("https://arxiv.org/pdf/2101.00001v2.pdf", ["arxiv:2101.00001", "url:https://arxiv.org/pdf/2101.00001v2.pdf"]),
        ("http://example.org/news", ["url:http://example.org/news"]),
        ("ftp://example.org/10.5555/x", []),
        ("nothing", []),
    ],
)
def test_an_address_names_the_work_it_is_about_and_itself(url: str, names: list[str]) -> None:
    assert [f"{name.kind}:{name.value}" for name in identifiers_in_address(url)] == names


def test_only_names_of_works_are_asked_for() -> None:
    names = [Identifier("url", "http://example.org"), Identifier("doi", "10.5555/a"), Identifier("doi", "10.5555/a")]
    assert scholarly(names) == [Identifier("doi", "10.5555/a")]


@pytest.mark.parametrize(("text", "value"), [("PMC12", "PMC12"), ("12", "PMC12"), ("pmcid: PMC12", "PMC12"), ("PMCX", None)])
def test_pmcids_have_one_spelling(text: str, value: str | None) -> None:
    assert normalise_pmcid(text) == value


@given(st.text(max_size=300))
def test_no_text_breaks_the_search(text: str) -> None:
    for name in [*identifiers_in_text(text), *identifiers_in_address(f"https://{text}")]:
        assert name.value
