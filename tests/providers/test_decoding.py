"""Bytes become text, whatever they were written in."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lyra.core.errors import DocumentProblem
from lyra.providers.decoding import declared_charset, decode, decode_document

JAPANESE = ["ビタミンDは骨に良い。効果が確認された。", "日本語", "効果", "カタカナ", "東京都の人口", "骨折の予防に有効である"]


@pytest.mark.parametrize("text", JAPANESE)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "iso2022_jp", "utf-16"])
def test_japanese_is_read_in_every_encoding_even_when_short(text: str, encoding: str) -> None:
    found = decode(text.encode(encoding))
    assert found is not None
    assert found.text == text
    assert found.notes == ()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["Vitamin D\nlowers risk", "ビタミンD\nは骨に良い。"])
def test_utf_16_is_recognised_without_a_mark(text: str, encoding: str) -> None:
    found = decode(text.encode(encoding))
    assert found is not None
    assert (found.text, found.encoding) == (text, encoding)


@pytest.mark.parametrize(
    "text", ["Café au lait, naïve façade", "Der Müller für die Straße", "für", "smart “quotes” – it’s 5° ±3"]
)
def test_western_text_is_not_taken_for_japanese(text: str) -> None:
    found = decode(text.encode("cp1252"))
    assert found is not None
    assert found.text == text


@pytest.mark.parametrize(
    ("name", "codec"), [("windows-1251", "cp1251"), ("gb2312", "gb18030"), ("Shift_JIS", "cp932"), ("EUC-JP", "euc_jp")]
)
def test_a_declared_charset_is_believed(name: str, codec: str) -> None:
    text = "Привет, как дела? Это текст." if codec == "cp1251" else "長い文章 内容"
    found = decode(text.encode(codec), name)
    assert found is not None
    assert (found.text, found.encoding) == (text, codec)


def test_a_wrong_declaration_is_overruled_by_plain_utf_8() -> None:
    found = decode("骨折の予防".encode(), "shift_jis")
    assert found is not None
    assert (found.text, found.encoding) == ("骨折の予防", "utf-8")


@pytest.mark.parametrize("name", ["utf-7", "unicode_escape", "rot13", "base64", "no-such-charset"])
def test_a_dangerous_or_unknown_charset_is_not_followed(name: str) -> None:
    data = rb"+ADw-script+AD4- \u0041"
    found = decode(data, name)
    assert found is not None
    assert found.text == data.decode("ascii")


@pytest.mark.parametrize(
    ("page", "charset"),
    [
        (b'<meta charset="shift_jis">', "shift_jis"),
        (b'<META http-equiv=Content-Type content="text/html; charset=EUC-JP">', "EUC-JP"),
        (b'<?xml version="1.0" encoding="utf-8"?><html>', "utf-8"),
        (b"<html><body>charset=nothing</body>", None),
    ],
)
def test_the_charset_a_page_declares_is_found(page: bytes, charset: str | None) -> None:
    assert declared_charset(page) == charset


def test_stray_nuls_are_left_out_and_noted() -> None:
    found = decode(b"some \0text with a \0few of them")
    assert found is not None
    assert (found.text, found.notes) == ("some text with a few of them", ("nul_removed",))


@pytest.mark.parametrize(
    "data",
    [
        random.Random(7).randbytes(4000),
        b"\0\1\2\3" * 500,
        b"\1\0\2\0" * 500,
        b"\x89PNG\r\n\x1a\n" + b"\0" * 100 + bytes(range(256)),
    ],
)
def test_binary_data_is_no_text(data: bytes) -> None:
    assert decode(data) is None


def test_a_file_in_two_encodings_is_read_line_by_line() -> None:
    text = "骨折の予防に有効である。\n", "睡眠が短くなった。\n"
    found = decode(text[0].encode() + text[1].encode("cp932"))
    assert found is not None
    assert (found.text, found.notes) == ("".join(text), ("mixed_encodings",))


def test_a_text_cut_inside_a_character_is_read_and_noted() -> None:
    found = decode(("Vitamin D lowers the risk — " * 20).encode()[:-2])
    assert found is not None
    assert found.notes == ("bytes_replaced",)


def test_what_is_longer_than_the_limit_is_refused() -> None:
    with pytest.raises(DocumentProblem) as caught:
        decode_document(b"abcdef", "a.txt", 5)
    assert (caught.value.code, caught.value.params) == ("text_too_long", {"path": "a.txt", "limit": 5})


@given(st.binary(max_size=300))
def test_no_bytes_break_the_decoder_and_what_it_gives_can_be_stored(data: bytes) -> None:
    found = decode(data)
    if found is not None:
        assert "\0" not in found.text
        assert found.text.encode("utf-8").decode("utf-8") == found.text


@given(st.text(max_size=200))
def test_utf_8_always_comes_back_as_it_was(text: str) -> None:
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return
    found = decode(data)
    if found is not None and not found.notes and found.encoding == "utf-8":
        assert found.text == decode_document(data, "x", 1000).text
