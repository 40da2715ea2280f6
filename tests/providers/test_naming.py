"""Works and people named in text."""

import pytest

from lyra.core.records import Identifier
from lyra.providers.naming import author_names, named_works, own_doi


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see https://doi.org/10.5555/ABC.1.", [("doi", "10.5555/abc.1")]),
        ("(doi:10.5555/a(1)2)", [("doi", "10.5555/a(1)2")]),
        ("論文（10.5555/x）を参照", [("doi", "10.5555/x")]),
        ("at http://Example.org/a/?utm_source=x, twice http://example.org/a", [("url", "http://example.org/a")]),
        ("https://publisher.example.org/doi/10.5555/q", [("url", "https://publisher.example.org/doi/10.5555/q")]),
        ("see https://arxiv.org/abs/2101.00001v2 now", [("arxiv", "2101.00001")]),
        ("nothing here, not even 10.5 or http://", []),
    ],
)
def test_works_are_found_once_each_without_the_punctuation_around_them(text: str, names: list[tuple[str, str]]) -> None:
    assert named_works(text) == [Identifier(*name) for name in names]


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("Journal, DOI: 10.5555/A.1", "10.5555/a.1"),
        ("https://dx.doi.org/10.5555/b", "10.5555/b"),
        ("10.5555/unmarked", None),
    ],
)
def test_a_documents_own_doi_must_be_presented_as_one(text: str, doi: str | None) -> None:
    assert own_doi(text) == doi


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        (["Jane Doe; John Smith"], ("Jane Doe", "John Smith")),
        (["Jane Doe and John Smith"], ("Jane Doe", "John Smith")),
        (["Z. Placeholder, H. Specimen, L. Sample"], ("Z. Placeholder", "H. Specimen", "L. Sample")),
        (["Doe, Jane", "Smith, John"], ("Doe, Jane", "Smith, John")),
        (["仮名 次郎、標本 三郎"], ("仮名 次郎", "標本 三郎")),
        (["Institute for Illustrative Health, Guideline Group"], ("Institute for Illustrative Health, Guideline Group",)),
        (["(anonymous)", "", "https://example.org/jane"], ()),
    ],
)
def test_author_fields_become_names(fields: list[str], names: tuple[str, ...]) -> None:
    assert author_names(fields) == names
