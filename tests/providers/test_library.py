"""The local library: every file is read, or says why not."""

import os
import socket
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from lyra.core.errors import DocumentProblem, InvalidInput, NotFound
from lyra.core.messages import LANGUAGES
from lyra.core.ports import DocumentReader
from lyra.core.records import FileStamp
from lyra.providers.library import LibraryReader, ReaderLimits

TEXT = "Vitamin D lowered the risk of fractures in older adults."
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = (tmp_path / "library").resolve()
    folder.mkdir()
    return folder


def names(root: Path, reader: DocumentReader | None = None) -> list[str]:
    return [str(Path(stamp.path).relative_to(root.resolve())) for stamp in (reader or LibraryReader()).scan(root)]


def problem(root: Path, name: str, limits: ReaderLimits | None = None) -> DocumentProblem:
    """The problem with one file; its sentence is complete in both languages."""
    reader = LibraryReader(limits)
    stamp = next(stamp for stamp in reader.scan(root) if Path(stamp.path).name == name)
    with pytest.raises(DocumentProblem) as caught:
        reader.read(stamp, root)
    for language in LANGUAGES:
        sentence = caught.value.sentence(language)
        assert stamp.path in sentence
        assert "{" not in sentence
    return caught.value


def outcome(root: Path, name: str, limits: ReaderLimits | None = None) -> tuple[str, str]:
    found = problem(root, name, limits)
    return found.code, found.status


def write_pdf(path: Path, text: str = TEXT) -> None:
    canvas = Canvas(str(path))
    canvas.drawString(70, 700, text)
    canvas.save()


def test_every_kind_of_document_is_read(library: Path) -> None:
    for ending in ("txt", "text", "md", "markdown"):
        (library / f"a.{ending}").write_text(TEXT)
    for ending in ("html", "htm", "xhtml"):
        (library / f"b.{ending}").write_text(f"<html><body><p>{TEXT}</p></body></html>")
    write_pdf(library / "c.PDF")
    reader = LibraryReader()
    stamps = list(reader.scan(library))
    assert len(stamps) == 8
    assert {reader.read(stamp, library).text for stamp in stamps} == {TEXT}
    assert all(reader.is_document(stamp.path) for stamp in stamps)


def test_files_come_in_a_stable_order_with_size_and_time(library: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a/b/c.txt", "a.txt", "あ.txt", "Z.txt"):
        (library / name).parent.mkdir(parents=True, exist_ok=True)
        (library / name).write_text(name)
    assert names(library) == ["Z.txt", "a/b/c.txt", "a/z.txt", "a.txt", "b.txt", "あ.txt"]
    stamp = next(iter(LibraryReader().scan(library)))
    status = (library / "Z.txt").stat()
    assert stamp == FileStamp(str(library / "Z.txt"), status.st_size, status.st_mtime_ns)


def test_hidden_names_are_passed_over(library: Path) -> None:
    (library / ".git").mkdir()
    (library / ".git" / "a.txt").write_text(TEXT)
    (library / ".hidden.txt").write_text(TEXT)
    (library / "seen.txt").write_text(TEXT)
    assert names(library) == ["seen.txt"]


def test_one_file_is_a_library_of_its_own(library: Path) -> None:
    (library / "a.txt").write_text(TEXT)
    (library / "b.txt").write_text(TEXT)
    (stamp,) = LibraryReader().scan(library / "a.txt")
    assert LibraryReader().read(stamp, library / "a.txt").text == TEXT


def test_the_home_sign_is_understood(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (library / "a.txt").write_text(TEXT)
    monkeypatch.setenv("HOME", str(library.parent))
    assert [stamp.path for stamp in LibraryReader().scan(Path("~/library"))] == [str(library / "a.txt")]


@pytest.mark.parametrize("name", ["gone", "gone/further", "a.txt/below"])
def test_a_root_that_does_not_exist_is_refused(library: Path, name: str) -> None:
    (library / "a.txt").write_text(TEXT)
    with pytest.raises(NotFound) as caught:
        list(LibraryReader().scan(library / name))
    assert (caught.value.code, caught.value.params) == ("path_missing", {"path": str(library / name)})
    assert "{" not in caught.value.sentence("en") + caught.value.sentence("ja")


def test_a_root_that_cannot_be_used_is_refused(library: Path) -> None:
    with pytest.raises(InvalidInput) as caught:
        list(LibraryReader().scan(Path("bad\0name")))
    assert caught.value.code == "path_unreadable"
    loop = library / "loop"
    loop.symlink_to(loop)
    with pytest.raises(InvalidInput) as caught:
        list(LibraryReader().scan(loop))
    assert caught.value.code in {"path_unreadable", "path_missing"}


@pytest.mark.parametrize("name", ["data.csv", "a.docx", "README", "x.txt.bak"])
def test_other_kinds_are_left_alone(library: Path, name: str) -> None:
    (library / name).write_text(TEXT)
    assert outcome(library, name) == ("unsupported_type", "skipped")
    assert not LibraryReader().is_document(name)


@pytest.mark.parametrize("name", ["a.txt", "a.pdf", "a.html", "a.md"])
def test_an_empty_file_says_so(library: Path, name: str) -> None:
    (library / name).touch()
    assert outcome(library, name) == ("empty_file", "failed")


def test_a_huge_file_is_never_opened(library: Path) -> None:
    (library / "huge.pdf").touch()
    os.truncate(library / "huge.pdf", 2 * 2**30)
    (library / "huge.pdf").chmod(0)
    assert outcome(library, "huge.pdf") == ("too_large", "skipped")


def test_a_text_above_the_limit_is_refused(library: Path) -> None:
    (library / "long.txt").write_text(TEXT * 10)
    (library / "long.html").write_text(f"<p>{TEXT * 10}</p>")
    limits = ReaderLimits(max_text_chars=300)
    assert outcome(library, "long.txt", limits) == ("text_too_long", "failed")
    assert outcome(library, "long.html", limits) == ("text_too_long", "failed")


@pytest.mark.parametrize(
    ("name", "content", "actual"),
    [
        ("a.pdf", b"<!DOCTYPE html><html><body>Not found</body></html>", "html"),
        ("a.pdf", b"PK\x03\x04 word", "zip"),
        ("a.html", b"%PDF-1.7 ...", "pdf"),
        ("a.txt", b"%PDF-1.7 ...", "pdf"),
        ("a.txt", b"  <html><head></head></html>", "html"),
        ("a.md", b"\x89PNG\r\n\x1a\n", "png"),
        ("a.txt", b"\x1f\x8b\x08\x00", "gzip"),
    ],
)
def test_a_file_that_is_something_else_says_what(library: Path, name: str, content: bytes, actual: str) -> None:
    (library / name).write_bytes(content)
    found = problem(library, name)
    assert (found.code, found.params["actual"]) == ("content_mismatch", actual)


@pytest.mark.parametrize("content", [b"not a pdf at all", b"%PDF-1.4\ntruncated"])
def test_a_damaged_pdf_says_so(library: Path, content: bytes) -> None:
    (library / "a.pdf").write_bytes(content)
    assert outcome(library, "a.pdf") == ("damaged_pdf", "failed")


def test_binary_data_in_a_text_file_is_undecodable(library: Path) -> None:
    (library / "a.txt").write_bytes(b"\0\1\2\3\4\5" * 400)
    assert outcome(library, "a.txt") == ("undecodable", "failed")


def test_a_file_of_white_space_holds_no_text(library: Path) -> None:
    (library / "a.txt").write_text(" \n\n ")
    assert outcome(library, "a.txt") == ("no_text", "failed")


def test_stray_nuls_do_not_cost_the_file(library: Path) -> None:
    (library / "a.txt").write_bytes(TEXT.encode() + b"\0")
    reader = LibraryReader()
    document = reader.read(next(iter(reader.scan(library))), library)
    assert (document.text, document.notes) == (TEXT, ("nul_removed",))


def test_a_link_out_of_the_library_is_not_followed(library: Path) -> None:
    outside = library.parent / "private"
    outside.mkdir()
    (outside / "secret.txt").write_text(TEXT)
    (library / "file.txt").symlink_to(outside / "secret.txt")
    (library / "folder.txt").symlink_to(outside)
    (library / "up.txt").symlink_to("../private/secret.txt")
    for name in ("file.txt", "folder.txt", "up.txt"):
        found = problem(library, name)
        assert (found.code, found.status) == ("outside_library", "skipped")
        assert str(found.params["target"]).startswith(str(outside))


def test_a_neighbour_whose_name_begins_like_the_library_is_outside(library: Path) -> None:
    (library.parent / "library2").mkdir()
    (library.parent / "library2" / "a.txt").write_text(TEXT)
    (library / "link.txt").symlink_to(library.parent / "library2" / "a.txt")
    assert outcome(library, "link.txt") == ("outside_library", "skipped")


def test_links_inside_the_library_are_read_once_per_name_and_loops_end(library: Path) -> None:
    (library / "sub").mkdir()
    (library / "sub" / "a.txt").write_text(TEXT)
    (library / "sub" / "loop").symlink_to(library)
    (library / "again").symlink_to(library / "sub")
    (library / "b.txt").symlink_to(library / "sub" / "a.txt")
    assert names(library) == ["b.txt", "sub/a.txt"]
    reader = LibraryReader()
    assert {reader.read(stamp, library).text for stamp in reader.scan(library)} == {TEXT}


@pytest.mark.parametrize("target", ["nowhere.txt", "self.txt"])
def test_a_link_to_nothing_is_unreadable(library: Path, target: str) -> None:
    (library / "self.txt").symlink_to(library / target)
    assert outcome(library, "self.txt") == ("unreadable", "failed")


def test_pipes_and_sockets_are_never_opened(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(library / "pipe.txt")
    monkeypatch.chdir(library)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.txt")
        assert outcome(library, "pipe.txt") == ("special_file", "skipped")
        assert outcome(library, "socket.txt") == ("special_file", "skipped")


def test_a_file_that_vanishes_or_changes_kind_after_the_scan_is_unreadable(library: Path) -> None:
    for name in ("gone.txt", "folder.txt"):
        (library / name).write_text(TEXT)
    reader = LibraryReader()
    folder, gone = reader.scan(library)
    (library / "gone.txt").unlink()
    (library / "folder.txt").unlink()
    (library / "folder.txt").mkdir()
    for stamp in (gone, folder):
        with pytest.raises(DocumentProblem) as caught:
            reader.read(stamp, library)
        assert caught.value.code == "unreadable"


def test_a_library_that_vanishes_after_the_scan_is_a_problem_of_its_files(library: Path) -> None:
    (library / "a.txt").write_text(TEXT)
    reader = LibraryReader()
    (stamp,) = reader.scan(library)
    (library / "a.txt").unlink()
    library.rmdir()
    with pytest.raises(DocumentProblem) as caught:
        reader.read(stamp, library)
    assert caught.value.code == "unreadable"


@pytest.mark.skipif(AS_ROOT, reason="nothing is unreadable to root")
def test_what_permissions_forbid_is_reported_and_the_rest_is_read(library: Path) -> None:
    (library / "closed").mkdir()
    (library / "secret.txt").write_text(TEXT)
    (library / "secret.txt").chmod(0)
    (library / "closed").chmod(0)
    try:
        assert names(library) == ["closed", "secret.txt"]
        assert outcome(library, "secret.txt") == ("unreadable", "failed")
        assert outcome(library, "closed") == ("unreadable", "failed")
    finally:
        (library / "closed").chmod(0o755)


def test_a_name_that_is_no_text_is_reported_in_a_form_that_can_be_stored(library: Path) -> None:
    try:
        (library / os.fsdecode(b"bad\xff.txt")).write_text(TEXT)
    except OSError:
        pytest.skip("this file system takes no such name")
    found = problem(library, "bad\ufffd.txt")
    assert found.code == "name_not_unicode"
    str(found.params["path"]).encode("utf-8")


def test_folders_deeper_than_the_stack_are_walked(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(library)
    for _ in range(300):
        Path("d").mkdir()
        os.chdir("d")
    Path("a.txt").write_text(TEXT)
    assert [stamp.path.count("/d/") > 0 for stamp in LibraryReader().scan(library)] == [True]
