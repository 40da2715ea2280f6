"""Japanese documents as they come: older encodings, ruby, garbled text."""

from pathlib import Path

import pytest

from lyra.core.errors import DocumentProblem
from lyra.core.records import Document, FileStamp
from lyra.providers.html import read_html
from lyra.providers.library import LibraryReader
from lyra.providers.markdown import read_markdown
from lyra.providers.notes import GARBLED_PASSAGES

SENTENCE = "骨粗しょう症の患者は増えている。専門家は、予防が大切だと述べた。"


def read(path: Path, content: bytes) -> Document:
    path.write_bytes(content)
    status = path.stat()
    return LibraryReader().read(FileStamp(str(path), status.st_size, status.st_mtime_ns), path.parent)


@pytest.mark.parametrize("encoding", ["shift_jis", "cp932", "euc_jp", "iso2022_jp", "utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["text.txt", "page.html", "notes.md"])
def test_every_japanese_encoding_is_read_in_every_format(tmp_path: Path, name: str, encoding: str) -> None:
    body = f"<html><body><p>{SENTENCE}</p></body></html>" if name == "page.html" else f"{SENTENCE}\n"
    document = read(tmp_path / name, body.encode(encoding))
    assert SENTENCE in document.text
    assert GARBLED_PASSAGES not in document.notes


RUBY = (
    "<ruby>骨粗鬆症<rp>（</rp><rt>こつそしょうしょう</rt><rp>）</rp></ruby>の<ruby><rb>患者</rb><rtc><rt>かんじゃ</rt></rtc></ruby>は"
    "<ruby>増<rt>ふ</rt></ruby>えている。"
)


def test_the_readings_of_ruby_are_no_part_of_the_text() -> None:
    page = f"<html><body><article><h1>題</h1>{'<p>' + RUBY + '</p>'}<p>{SENTENCE * 6}</p></article></body></html>"
    assert "骨粗鬆症の患者は増えている。" in read_html(page.encode(), "page.html").text.split("\n")
    assert read_markdown(f"# 題\n\n{RUBY}\n".encode(), "notes.md").text == "題\n\n骨粗鬆症の患者は増えている。"


@pytest.mark.parametrize("read_as", ["cp932", "cp1252", "latin-1"])
def test_a_garbled_document_is_refused_and_says_so(tmp_path: Path, read_as: str) -> None:
    with pytest.raises(DocumentProblem) as refusal:
        read(tmp_path / "old.txt", (SENTENCE * 5).encode().decode(read_as, "replace").encode())
    assert (refusal.value.code, refusal.value.status) == ("garbled_text", "failed")


def test_a_document_with_some_garbled_lines_is_read_with_a_note(tmp_path: Path) -> None:
    garbled = SENTENCE.encode().decode("cp932", "replace")
    document = read(tmp_path / "mixed.txt", f"{SENTENCE * 12}\n\n{garbled}\n".encode())
    assert GARBLED_PASSAGES in document.notes


def test_a_garbled_record_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    garbled = SENTENCE.encode().decode("cp932", "replace")
    path = tmp_path / "works.ris"
    path.write_text(
        f"TY  - JOUR\nTI  - 題名\nAB  - {SENTENCE}\nER  - \nTY  - JOUR\nTI  - {garbled}\nAB  - {garbled}\nER  - \n", "utf-8"
    )
    status = path.stat()
    found = list(LibraryReader().records(FileStamp(str(path), status.st_size, status.st_mtime_ns), tmp_path))
    assert [(record.document is not None, record.code) for record in found] == [(True, None), (False, "record_garbled")]
