"""BibTeX, RIS and CSL-JSON: every source once, with what is known of it, whatever its title holds."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.materials import Materials
from lyra.core.records import Evidence, Locator
from lyra.interfaces.exports.bibtex import bibtex
from lyra.interfaces.exports.csl import csl
from lyra.interfaces.exports.ris import ris
from lyra.interfaces.exports.sources import sources_of
from lyra.interfaces.untrusted import on_one_line
from tests.fakes import evidence
from tests.interfaces.exports.parsers import plain, read_bibtex, read_ris
from tests.interfaces.test_presenter import material, materials

ARTICLE = replace(
    evidence("edge_1", "supports", 0.9, "page_1"),
    title="The sleep of {cats} & dogs: 50% more_or_less",
    authors=("Müller, Ann", "Bob de Vries", "山田 太郎"),
    published_on="2021-03-05",
    doi="10.1000/a_b",
    venue="Journal of Sleep",
    url="https://doi.org/10.1000/a_b",
)
HOSTILE = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="{}\\\"',@%#$&_~^=\n\r\t\x00\x1b\u2028ER TY-ab山", max_size=40),
    st.just("}\n@article{x,"),
)


def found(*edges: Evidence) -> Materials:
    return materials(material(list(edges)))


def items(given_materials: Materials) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads(csl(given_materials))
    return read


# What an entry says


def test_an_article_is_told_whole_in_bibtex() -> None:
    (entry,) = read_bibtex(bibtex(found(ARTICLE)))
    assert (entry.kind, entry.key) == ("article", "muller2021sleep")
    assert {name: plain(value) for name, value in entry.fields.items() if name not in ("doi", "url")} == {
        "author": "Müller, Ann and Bob de Vries and 山田 太郎",
        "title": ARTICLE.title,
        "journal": "Journal of Sleep",
        "year": "2021",
        "month": "mar",
        "day": "5",
    }
    assert (entry.fields["doi"], entry.fields["url"]) == ("10.1000/a_b", "https://doi.org/10.1000/a_b")


def test_an_article_is_told_whole_in_ris() -> None:
    (record,) = read_ris(ris(found(ARTICLE)))
    assert record == [
        ("TY", "JOUR"),
        ("DB", "Lyra"),
        ("ID", "muller2021sleep"),
        ("AU", "Müller, Ann"),
        ("AU", "Bob de Vries"),
        ("AU", "山田 太郎"),
        ("TI", ARTICLE.title),
        ("T2", "Journal of Sleep"),
        ("PY", "2021"),
        ("DA", "2021/03/05/"),
        ("DO", "10.1000/a_b"),
        ("UR", "https://doi.org/10.1000/a_b"),
        ("ER", ""),
    ]


def test_an_article_is_told_whole_in_csl() -> None:
    assert items(found(ARTICLE)) == [
        {
            "source": "Lyra",
            "id": "muller2021sleep",
            "type": "article-journal",
            "title": ARTICLE.title,
            "author": [{"family": "Müller", "given": "Ann"}, {"literal": "Bob de Vries"}, {"literal": "山田 太郎"}],
            "issued": {"date-parts": [[2021, 3, 5]]},
            "container-title": "Journal of Sleep",
            "DOI": "10.1000/a_b",
            "URL": "https://doi.org/10.1000/a_b",
        }
    ]


@pytest.mark.parametrize(
    ("published_on", "bib", "day", "parts"),
    [
        ("2021", {"year": "2021"}, "2021///", [2021]),
        ("2021-03", {"year": "2021", "month": "mar"}, "2021/03//", [2021, 3]),
        (None, {}, None, None),
    ],
)
def test_a_date_keeps_its_precision(published_on: str | None, bib: dict[str, str], day: str | None, parts: Any) -> None:
    dated = found(replace(ARTICLE, published_on=published_on))
    fields = read_bibtex(bibtex(dated))[0].fields
    assert {name: fields[name] for name in ("year", "month", "day") if name in fields} == bib
    assert dict(read_ris(ris(dated))[0]).get("DA") == day
    assert items(dated)[0].get("issued", {}).get("date-parts", [None])[0] == parts


def test_a_retracted_source_says_so() -> None:
    retracted = found(replace(ARTICLE, retracted=True))
    assert read_bibtex(bibtex(retracted))[0].fields["note"] == "retracted"
    assert ("N1", "retracted") in read_ris(ris(retracted))[0]
    assert items(retracted)[0]["note"] == "retracted"


@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        ({}, ("article", "JOUR", "article-journal")),
        ({"venue": None}, ("misc", "GEN", "document")),
        ({"doi": None}, ("misc", "ELEC", "webpage")),
        ({"doi": None, "url": "file:///papers/cats.md"}, ("misc", "GEN", "document")),
    ],
)
def test_the_type_follows_from_what_is_known(changes: dict[str, Any], kinds: tuple[str, str, str]) -> None:
    known = found(replace(ARTICLE, **changes))
    assert (read_bibtex(bibtex(known))[0].kind, dict(read_ris(ris(known))[0])["TY"], items(known)[0]["type"]) == kinds


def test_a_local_document_is_called_by_its_file_and_its_folder_stays_private() -> None:
    locator = Locator("version_1", "0", 0, 5, path="/papers/private/cats.md")
    local = found(replace(ARTICLE, title=None, doi=None, url="file:///papers/private/cats.md", locator=locator))
    for written in (bibtex(local), ris(local), csl(local)):
        assert "cats.md" in written
        assert "private" not in written


# Which sources, under which keys


def test_a_page_behind_several_quotes_is_one_source_and_neutral_pages_are_none() -> None:
    edges = [replace(evidence(f"edge_{n}", "refutes", 0.8, "page_1"), title="One") for n in range(3)]
    neutral = replace(evidence("edge_9", "neutral", 0.8, "page_2"), title="Two")
    two_claims = materials(material([*edges, neutral]), material(edges))
    assert [source.title for source in sources_of(two_claims)] == ["One"]


def test_without_sources_there_are_no_entries() -> None:
    assert read_bibtex(bibtex(found())) == []
    assert ris(found()) == ""
    assert items(found()) == []


def test_equal_keys_are_told_apart_and_an_older_page_keeps_its_own() -> None:
    pages = [replace(ARTICLE, edge_id=f"edge_{n}", page_id=f"page_{n}") for n in (3, 1, 2)]
    assert [source.key for source in sources_of(found(*pages))] == ["muller2021sleep", "muller2021sleep-2", "muller2021sleep-3"]
    assert [source.key for source in sources_of(found(*pages[1:]))] == ["muller2021sleep", "muller2021sleep-2"]


@pytest.mark.parametrize(
    ("title", "authors", "key"),
    [
        ("猫の睡眠", ("山田 太郎",), "source2021"),
        ("On a cat", ("Ann O'Neil",), "oneil2021on"),
        ("With Étude-like care", ("Smith J.",), "smith2021etude"),
        ("Sleep", (), "source2021sleep"),
    ],
)
def test_a_key_is_surname_year_and_word_in_plain_letters(title: str, authors: tuple[str, ...], key: str) -> None:
    assert [source.key for source in sources_of(found(replace(ARTICLE, title=title, authors=authors)))] == [key]


@pytest.mark.parametrize("name", ["Health and Care Board", "others", "Smith, J., Jr."])
def test_a_name_that_bibtex_would_take_apart_is_kept_whole(name: str) -> None:
    (entry,) = read_bibtex(bibtex(found(replace(ARTICLE, authors=(name, "Ann Smith")))))
    assert entry.fields["author"] == f"{{{name}}} and Ann Smith"


# Hostile documents


@given(HOSTILE, HOSTILE, st.lists(HOSTILE, max_size=3), HOSTILE, HOSTILE)
def test_nothing_that_a_document_says_breaks_the_structure(
    title: str, venue: str, authors: list[str], doi: str, path: str
) -> None:
    hostile = replace(ARTICLE, title=title, venue=venue, authors=tuple(authors), doi=doi, url=f"https://example.org/{path}")
    both = found(hostile, replace(ARTICLE, edge_id="edge_2", page_id="page_2"))
    shown = on_one_line(title) or None
    first, second = read_bibtex(bibtex(both))
    assert plain(first.fields["title"]) == (shown or plain(first.fields["title"]))
    assert plain(second.fields["title"]) == ARTICLE.title
    record, _ = read_ris(ris(both))
    assert [tag for tag, _ in record].count("TI") == 1
    assert [value for tag, value in record if tag == "AU"] == [line for line in map(on_one_line, authors) if line]
    assert dict(record)["TI"] == (shown or dict(record)["TI"])
    item, _ = items(both)
    assert item["title"] == (shown or item["title"])
