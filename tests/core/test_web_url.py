"""One parser for web addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import InvalidInput
from lyra.core.web_url import WebUrl, join_web_url, parse_web_url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://Example.ORG", WebUrl("https", "example.org", 443, "/")),
        ("HTTP://example.org:8080/a?b=c#d", WebUrl("http", "example.org", 8080, "/a?b=c")),
        (" https://example.org/a b".strip().replace(" ", "%20"), WebUrl("https", "example.org", 443, "/a%20b")),
        ("https://例え.jp/茶", WebUrl("https", "xn--r8jz45g.jp", 443, "/%E8%8C%B6")),
        ("https://example.org.", WebUrl("https", "example.org", 443, "/")),
        ("https://example.org?q=1", WebUrl("https", "example.org", 443, "/?q=1")),
        ("http://[2606:4700:4700:0::1111]:81/", WebUrl("http", "2606:4700:4700::1111", 81, "/")),
        ("http://127.0.0.1/", WebUrl("http", "127.0.0.1", 80, "/")),
    ],
)
def test_an_address_is_read_into_its_parts(text: str, url: WebUrl) -> None:
    assert parse_web_url(text) == url
    assert parse_web_url(str(url)) == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://example.org",
        "http://",
        "http:///path",
        "http:example.org",
        "http://user@example.org/",
        "http://user:pass@example.org/",
        "http://127.0.0.1:6666\\@1.1.1.1/",
        "http://example.org\\.evil.org/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://0x7f.0.0.1/",
        "http://0x7f000001/",
        "http://127.1/",
        "http://127.0.0.01/",
        "http://example.org.0x/",
        "http://exa%6dple.org/",
        "http://127.0.0.1%00.example.org/",
        "http://example.org:0/",
        "http://example.org:65536/",
        "http://example.org:port/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://exam ple.org/",
        "http://example.org/\r\nHost: evil",
        "http://example..org/",
        "http://-example-/",
        "http://" + "a" * 5000 + ".org/",
        "http://\ud800.org/",
    ],
)
def test_what_parsers_disagree_about_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_web_url(text)


@pytest.mark.parametrize("digits", ["１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1"])
def test_digits_in_disguise_are_the_address_that_they_stand_for(digits: str) -> None:
    assert parse_web_url(f"http://{digits}/").host == "127.0.0.1"


@pytest.mark.parametrize(
    ("reference", "joined"),
    [
        ("b", "https://example.org/a/b"),
        ("/c?d", "https://example.org/c?d"),
        ("//other.org/x", "https://other.org/x"),
        ("http://other.org", "http://other.org/"),
    ],
)
def test_a_reference_is_joined_and_parsed_again(reference: str, joined: str) -> None:
    assert str(join_web_url(parse_web_url("https://example.org/a/"), reference)) == joined


@pytest.mark.parametrize("reference", ["file:///etc/passwd", "http://a@b/", "//[::1", "\\\\evil.org/", "http://0/"])
def test_a_reference_that_leads_to_no_plain_address_is_refused(reference: str) -> None:
    with pytest.raises(InvalidInput):
        join_web_url(parse_web_url("https://example.org/"), reference)


@given(st.text(max_size=60))
def test_any_text_is_an_address_that_reads_the_same_again_or_is_refused(text: str) -> None:
    for candidate in (text, f"http://{text}", f"https://example.org/{text}"):
        try:
            url = parse_web_url(candidate)
        except InvalidInput:
            continue
        assert parse_web_url(str(url)) == url
        assert str(url).isascii()
