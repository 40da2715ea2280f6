"""Identity: which spellings name one page, one text, one work."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from lyra.core.identity import (
    content_hash,
    fragment_id,
    host_of,
    identify_link,
    new_id,
    new_ids,
    normalise_arxiv,
    normalise_doi,
    normalise_host,
    normalise_pmid,
    normalise_text,
    normalise_url,
    text_hash,
    work_key,
)
from lyra.core.records import Identifier
from tests.fakes import START

# Unpaired surrogates are no text; everything else may stand in a link somebody wrote.
characters = st.characters(exclude_categories=["Cs"])
pieces = st.text(characters | st.sampled_from("%/?&=#:;+. @aA1é本"), max_size=12)
addresses = st.builds(
    "{}://{}{}/{}?{}#{}".format,
    st.sampled_from(["http", "https", "HTTP", "Https"]),
    st.sampled_from(["example.org", "EXAMPLE.org.", "bücher.example", "日本語.example", "[2001:db8::1]", "10.0.0.1"]),
    st.sampled_from(["", ":80", ":443", ":8080"]),
    pieces,
    pieces,
    pieces,
)


# URLs


@pytest.mark.parametrize(
    ("written", "known_as"),
    [
        pytest.param("HTTP://Example.ORG/Path", "http://example.org/Path", id="scheme and host in lower case, path kept"),
        pytest.param("http://example.org:80/a", "http://example.org/a", id="default port of http"),
        pytest.param("https://example.org:443/a", "https://example.org/a", id="default port of https"),
        pytest.param("https://example.org:80/a", "https://example.org:80/a", id="a port that is not the default stays"),
        pytest.param("http://example.org:8080/a", "http://example.org:8080/a", id="any other port stays"),
        pytest.param("https://example.org/a#section-2", "https://example.org/a", id="fragment"),
        pytest.param("https://example.org/a/", "https://example.org/a", id="trailing slash"),
        pytest.param("https://example.org/", "https://example.org", id="root"),
        pytest.param("https://example.org?b=2&a=1", "https://example.org?a=1&b=2", id="parameters are sorted"),
        pytest.param("https://example.org?a=2&a=1", "https://example.org?a=1&a=2", id="repeated parameters stay"),
        pytest.param("https://example.org?q=", "https://example.org?q=", id="empty parameters stay"),
        pytest.param("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC", id="IDNA and percent-encoding"),
        pytest.param("https://日本語.example/頁", "https://xn--wgv71a119e.example/%E9%A0%81", id="Japanese host"),
        pytest.param("https://example。org/", "https://example.org", id="ideographic full stop"),
        pytest.param("https://example.org./a", "https://example.org/a", id="root label of the host"),
        pytest.param("https://user:secret@example.org/a", "https://example.org/a", id="credentials are never kept"),
        pytest.param("https://[2001:DB8::1]:443/a", "https://[2001:db8::1]/a", id="IPv6"),
        pytest.param(" https://example.org/a\n", "https://example.org/a", id="surrounding space"),
        pytest.param("https://example.org/a%20b%7ec", "https://example.org/a%20b~c", id="escapes in one spelling"),
        pytest.param("https://example.org/%e9%a0%81", "https://example.org/%E9%A0%81", id="escapes in upper case"),
        pytest.param("https://example.org/a b", "https://example.org/a%20b", id="what must be escaped is"),
        pytest.param("https://example.org/100%", "https://example.org/100%25", id="a bare percent sign"),
    ],
)
def test_a_url_has_one_spelling(written: str, known_as: str) -> None:
    assert normalise_url(written) == known_as


@pytest.mark.parametrize(
    "parameter",
    [
        "utm_source=x",
        "utm_campaign=a%20b",
        "UTM_Medium=y",
        "utm_x-y=1",
        "gclid=1",
        "fbclid=2",
        "msclkid=3",
        "mc_cid=4",
        "dclid=5",
    ],
)
def test_tracking_parameters_are_dropped(parameter: str) -> None:
    assert normalise_url(f"https://example.org/a?id=7&{parameter}") == "https://example.org/a?id=7"
    assert normalise_url(f"https://example.org/a?{parameter}") == "https://example.org/a"


@pytest.mark.parametrize("parameter", ["utm=1", "id=utm_source", "q=gclid", "xgclid=1"])
def test_other_parameters_are_kept(parameter: str) -> None:
    assert normalise_url(f"https://example.org/a?{parameter}") == f"https://example.org/a?{parameter}"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("https://example.org/a%2Fb", "https://example.org/a/b", id="an escaped slash is no slash"),
        pytest.param("https://example.org/a%2541", "https://example.org/aA", id="an escaped percent sign is no escape"),
        pytest.param("https://example.org/?q=%83e", "https://example.org/?q=%82e", id="queries in Shift_JIS"),
        pytest.param("https://example.org/%83e", "https://example.org/%82e", id="paths in Shift_JIS"),
        pytest.param("https://example.org/a?q=b%26c=d", "https://example.org/a?q=b&c=d", id="an escaped ampersand"),
    ],
)
def test_different_pages_keep_different_spellings(first: str, second: str) -> None:
    assert normalise_url(first) != normalise_url(second)


@given(addresses)
@example("http://example.org/%2525")
@example("http://example.org/%%341")
@example("http://example.org/?%FF=%FE&a+b=c%20d")
def test_normalising_twice_changes_nothing(address: str) -> None:
    once = normalise_url(address)
    assert normalise_url(once) == once


@given(st.text(characters | st.sampled_from("。．.-xnübüß"), min_size=1, max_size=20))
@example("example.org。")
@example("example.org.\u00ad")
def test_normalising_a_host_twice_changes_nothing(host: str) -> None:
    once = normalise_host(host)
    assert normalise_host(once) == once


@given(addresses)
def test_a_normalised_url_is_plain_ascii(address: str) -> None:
    assert normalise_url(address).isascii()


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["1", "2", "ü"])), max_size=5), st.data())
def test_the_order_of_parameters_does_not_matter(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    moved = data.draw(st.permutations(pairs))
    first, second = ("&".join(f"{key}={value}" for key, value in order) for order in (pairs, moved))
    assert normalise_url(f"https://example.org/?{first}") == normalise_url(f"https://example.org/?{second}")


@given(st.lists(st.text(characters, min_size=1).filter(lambda part: not {"/", "\0"} & set(part)), min_size=1, max_size=3))
def test_file_names_keep_their_identity(parts: list[str]) -> None:
    assume(all(part not in (".", "..") for part in parts))
    path = Path("/library", *parts)
    address = normalise_url(path.as_uri())
    assert normalise_url(address) == address
    assert address == normalise_url(Path(str(path)).as_uri())
    assert address != normalise_url(Path(f"{path}.copy").as_uri())


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.org:8080/a", "example.org"),
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("file:///library/a.txt", None),
        ("doi:10.1000/a", None),
        ("pmid:12345", None),
    ],
)
def test_only_web_addresses_have_a_host(url: str, host: str | None) -> None:
    assert host_of(url) == host


# DOI, arXiv, PubMed


@pytest.mark.parametrize(
    "written",
    [
        "10.1000/AbC.1",
        "doi:10.1000/abc.1",
        "DOI: 10.1000/abc.1",
        "https://doi.org/10.1000/abc.1",
        "http://dx.doi.org/10.1000/ABC.1",
        "https://www.doi.org/10.1000/abc.1",
        "https://doi.org/10.1000%2Fabc.1",
        " 10.1000/abc.1. ",
        "10.1000/abc.1;",
        "https://doi.org/10.1000/abc.1?utm_source=feed",
        "https://doi.org/10.1000/abc.1#abstract",
    ],
)
def test_a_doi_has_one_spelling(written: str) -> None:
    assert normalise_doi(written) == "10.1000/abc.1"


def test_a_doi_may_hold_any_sign() -> None:
    sici = "10.1002/(sici)1097-0258(19980815/30)17:15/16<1661::aid-sim968>3.0.co;2-2"
    assert normalise_doi(sici.upper()) == sici
    assert normalise_doi("https://doi.org/10.1002/a%3Cb%3E%23c") == "10.1002/a<b>#c"


@pytest.mark.parametrize(
    "written", ["", "10.1000", "10.1000/", "10.1000/.", "11.1000/a", "10.1/a", "10.1000/a b", "https://example.org/a"]
)
def test_what_is_no_doi_is_none(written: str) -> None:
    assert normalise_doi(written) is None


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="%"), max_size=20))
def test_normalising_a_doi_twice_changes_nothing(suffix: str) -> None:
    once = normalise_doi(f"https://doi.org/10.1000/{suffix}")
    assume(once is not None)
    assert once is not None
    assert normalise_doi(once) == once


@pytest.mark.parametrize(
    ("written", "known_as"),
    [
        ("2101.00001", "2101.00001"),
        ("arXiv:2101.00001v3", "2101.00001"),
        ("https://arxiv.org/abs/2101.00001v2", "2101.00001"),
        ("http://arxiv.org/pdf/2101.00001v2.pdf", "2101.00001"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("math.GT/0309136", "math.gt/0309136"),
        ("2101.001", None),
        ("https://example.org/abs/2101.00001", None),
        ("version 2101.00001", None),
    ],
)
def test_an_arxiv_id_has_one_spelling(written: str, known_as: str | None) -> None:
    assert normalise_arxiv(written) == known_as


@pytest.mark.parametrize(
    ("written", "known_as"),
    [
        ("31452104", "31452104"),
        ("PMID: 31452104", "31452104"),
        ("https://pubmed.ncbi.nlm.nih.gov/31452104/", "31452104"),
        ("PMC6745104", None),
        ("1234567890", None),
        ("12 34", None),
    ],
)
def test_a_pubmed_id_has_one_spelling(written: str, known_as: str | None) -> None:
    assert normalise_pmid(written) == known_as


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("https://doi.org/10.1000/ABC", Identifier("doi", "10.1000/abc")),
        ("https://arxiv.org/abs/2101.00001v2", Identifier("arxiv", "2101.00001")),
        ("https://pubmed.ncbi.nlm.nih.gov/31452104/", Identifier("pmid", "31452104")),
        ("https://Example.org/a/?utm_source=x", Identifier("url", "https://example.org/a")),
        ("https://doi.org/help", Identifier("url", "https://doi.org/help")),
        ("https://example.org/10.1000/abc", Identifier("url", "https://example.org/10.1000/abc")),
        ("mailto:somebody@example.org", None),
        ("#section-2", None),
        ("notes.html", None),
        ("http://[broken", None),
    ],
)
def test_a_link_names_the_strongest_identity_it_has(link: str, named: Identifier | None) -> None:
    assert identify_link(link) == named


# Texts


@pytest.mark.parametrize(
    ("written", "compared_as"),
    [
        pytest.param("ＡＢＣ　１２３", "ABC 123", id="full width"),
        pytest.param("ｶﾞﾝ", "ガン", id="half-width katakana"),
        pytest.param("ﬁne ½", "fine 1⁄2", id="ligatures and fractions"),
        pytest.param("e\u0301", "é", id="combining accents"),
        pytest.param("in\u00advis\u200bi\u200cb\u200dl\u2060e\ufeff", "invisible", id="zero-width characters"),
        pytest.param("  a\t\nb\u3000\u00a0c  ", "a b c", id="white space"),
        pytest.param("Case Stays", "Case Stays", id="case"),
    ],
)
def test_texts_are_compared_in_one_form(written: str, compared_as: str) -> None:
    assert normalise_text(written) == compared_as


@given(st.text())
def test_normalising_a_text_twice_changes_nothing(text: str) -> None:
    once = normalise_text(text)
    assert normalise_text(once) == once


@given(st.text())
def test_equal_normalised_texts_are_one_fragment(text: str) -> None:
    assert fragment_id(normalise_text(text)) == fragment_id(text)
    assert fragment_id(f" {text}\u200b\n") == fragment_id(text)
    assert text_hash(normalise_text(text)) == text_hash(text)


def test_different_texts_are_different_fragments() -> None:
    assert fragment_id("Dose increases risk.") != fragment_id("Dose increases risk")


def test_a_version_is_known_by_its_exact_text() -> None:
    assert content_hash("a b") != content_hash("a  b")
    assert text_hash("a b") == text_hash("a  b")


# Ids


@given(st.integers(0, 10**9), st.integers(1, 10**9), st.integers(0, 2**32))
def test_a_later_id_sorts_behind_an_earlier_one(offset: int, later: int, seed: int) -> None:
    rng = Random(seed)
    first = START + timedelta(milliseconds=offset)
    assert new_id("edge", first, rng) < new_id("edge", first + timedelta(milliseconds=later), rng)


def test_ids_of_the_same_moment_are_different() -> None:
    rng = Random(1)
    assert len({new_id("page", START, rng) for _ in range(10_000)}) == 10_000


@given(st.integers(0, 50), st.integers(0, 2**32))
def test_ids_of_one_moment_are_those_that_come_one_by_one(count: int, seed: int) -> None:
    rng = Random(seed)
    assert new_ids("page", START, Random(seed), count) == [new_id("page", START, rng) for _ in range(count)]


@given(st.floats(0, 7e9), st.integers(0, 2**32))
def test_an_id_holds_a_time_ordered_uuid(seconds: float, seed: int) -> None:
    moment = datetime.fromtimestamp(seconds, UTC)
    prefix, _, inside = new_id("claim", moment, Random(seed)).partition("_")
    uuid = UUID(hex=inside)
    assert prefix == "claim"
    assert (uuid.version, uuid.variant) == (7, "specified in RFC 4122")
    assert abs((uuid.int >> 80) - moment.timestamp() * 1000) <= 1


# Works


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(
            ("Effects of Sleep on Memory: A Trial", ("Jane Smith",)),
            ("Effects of sleep on memory - a trial.", ("Smith, J.",)),
            id="case, punctuation and the order of names",
        ),
        pytest.param(
            ("RETRACTED: Effects of sleep on memory", ("Smith, Jane",)),
            ("Effects of sleep on memory", ("J. Smith", "A. Other")),
            id="a retraction mark and further authors",
        ),
        pytest.param(
            ("Effects of sleep on memory", ("Christopher Ng",)), ("Effects of sleep on memory", ("Ng, C.",)), id="short surname"
        ),
        pytest.param(
            ("Effects of sleep on memory", ("Jin Lee",)), ("Effects of sleep on memory", ("Lee JH",)), id="initials behind"
        ),
        pytest.param(
            ("睡眠が記憶に与える影響の検討", ("山田 太郎",)), ("睡眠が記憶に与える影響の検討", ("山田太郎",)), id="Japanese names"
        ),
    ],
)
def test_versions_of_one_work_have_one_key(first: tuple[str, tuple[str, ...]], second: tuple[str, tuple[str, ...]]) -> None:
    assert work_key(*first) is not None
    assert work_key(*first) == work_key(*second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(
            ("Effects of sleep on memory", ("Jane Smith",)), ("Effects of sleep on memory", ("Ann Jones",)), id="author"
        ),
        pytest.param(("Effects of sleep on memory", ("Smith",)), ("Effects of sleep on appetite", ("Smith",)), id="title"),
    ],
)
def test_different_works_have_different_keys(first: tuple[str, tuple[str, ...]], second: tuple[str, tuple[str, ...]]) -> None:
    assert work_key(*first) != work_key(*second)


@pytest.mark.parametrize(
    ("title", "authors"),
    [
        pytest.param(None, ("Smith",), id="no title"),
        pytest.param("Effects of sleep on memory", (), id="no author"),
        pytest.param("Effects of sleep on memory", ("  ",), id="an empty author"),
        pytest.param("Annual report", ("Smith",), id="two words"),
        pytest.param("Introduction and methodology", ("Smith",), id="three long words"),
        pytest.param("年次報告書", ("山田太郎",), id="five characters"),
    ],
)
def test_what_is_too_common_has_no_key(title: str | None, authors: tuple[str, ...]) -> None:
    assert work_key(title, authors) is None
