"""From bytes to text: which encoding a file is in, Japanese ones included."""

import codecs
import re
from dataclasses import dataclass

from lyra.core.errors import DocumentProblem
from lyra.core.page_safety import Unseen
from lyra.providers.cleaning import clean_text
from lyra.providers.notes import BYTES_REPLACED, MIXED_ENCODINGS, NUL_REMOVED
from lyra.providers.unseen import invisible_messages

MAX_CHARS = 5_000_000

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Names as pages write them, and the superset that is really meant. A name that is not here is not followed: Python knows
# codecs (utf-7, idna, unicode_escape) that would read harmless bytes as something else.
_DECLARED = {
    name: encoding
    for encoding, names in (
        ("utf-8", "utf-8 utf8"),
        ("utf-16", "utf-16"),
        ("cp932", "shift-jis sjis x-sjis windows-31j cp932 ms932"),
        ("euc_jp", "euc-jp x-euc-jp eucjp"),
        ("iso2022_jp", "iso-2022-jp"),
        ("cp1252", "iso-8859-1 latin1 us-ascii ascii windows-1252 cp1252"),
        ("iso8859_15", "iso-8859-15"),
        ("cp1250", "windows-1250"),
        ("iso8859_2", "iso-8859-2"),
        ("cp1251", "windows-1251 cp1251"),
        ("koi8_r", "koi8-r"),
        ("gb18030", "gb2312 gbk gb18030"),
        ("big5", "big5"),
        ("cp949", "euc-kr"),
    )
    for name in names.split()
}
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,30})", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{2,30})", re.IGNORECASE)
_ISO_2022_JP = re.compile(rb"\x1b(?:\$[@B]|\([BJI])")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_SAMPLE = 20_000
_MAX_CONTROL_SHARE = 0.02
_MAX_NUL_SHARE = 0.1
_FEW_NULS = 3
_MAX_REPLACED_SHARE = 0.01
_UTF16_SIDE_SHARE = 0.3
_ACCEPTED = 0.3
_DECLARED_BONUS = 0.2

_NON_ASCII = re.compile(r"[^\x00-\x7f]")
_WEIGHTS = (
    (re.compile(r"[\u3041-\u309f]"), 1.0),
    (re.compile(r"[\u30a1-\u30ff]"), 0.8),
    (re.compile(r"[\u3000-\u3020\uff01-\uff5e]"), 0.7),
    (re.compile(r"[\uff61-\uff9f]"), -0.8),
    (re.compile(r"[\x80-\x9f\ue000-\uf8ff\ufffd]"), -2.0),
    (
        re.compile(
            r"(?<=[A-Za-z])[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f\u2019]|[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f](?=[a-z])"
        ),
        0.8,
    ),
    (
        re.compile(
            r"(?<!\S)[\u201c\u2018\u2013\u2014\u2022\u00a3\u00a9]|[\u201d\u2019\u2026\u00b0\u00ae\u2122](?!\S)|(?<=\d)[\u2013\u00b0\u00b1]"
        ),
        0.8,
    ),
)
_THREE_BYTE = re.compile(r"[\u0800-\uffff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_COMMON_KANJI_WEIGHT = 0.5
_LEVEL_1_ROWS = range(0xB0, 0xD0)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with the encoding it was in; `notes` say what had to be left out, `unseen` what it said invisibly."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()
    unseen: tuple[Unseen, ...] = ()


def declared_charset(data: bytes) -> str | None:
    """Return the charset that an HTML or XML file declares in its first kilobytes, as written; None if it does not."""
    match = _XML_ENCODING.match(data[:1024].lstrip()) or _META_CHARSET.search(data[:4096])
    return match[1].decode("ascii") if match else None


def decode(data: bytes, declared: str | None = None) -> Decoded | None:
    """Return the text of `data`, cleaned, or None where it is binary or no encoding fits.

    A byte-order mark decides; then what is valid UTF-8 is UTF-8; a declared charset is believed unless another
    one reads clearly better. Deterministic. The result never holds NULs or lone surrogates.
    """
    found = _marked(data) or _with_nuls(data)
    if found is None and b"\0" not in data and not _is_binary(data):
        found = _seven_bit_japanese(data) or _strict(data, "utf-8") or _by_line(data) or _legacy(data, declared)
    if found is None:
        return None
    return Decoded(clean_text(found.text), found.encoding, found.notes, invisible_messages(found.text))


def decode_document(data: bytes, where: str, max_chars: int, declared: str | None = None) -> Decoded:
    """Return the text of a document's file. Raises DocumentProblem `undecodable`, or `text_too_long` above `max_chars`."""
    found = decode(data, declared)
    if found is None:
        raise DocumentProblem("undecodable", path=where)
    if len(found.text) > max_chars:
        raise DocumentProblem("text_too_long", path=where, limit=max_chars)
    return found


def _strict(data: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None


def _forgiving(data: bytes, encoding: str) -> Decoded | None:
    """Decode with the few broken bytes of a damaged file replaced, and say so; None where they are not few."""
    text = data.decode(encoding, "replace")
    replaced = text.count("\ufffd")
    if replaced > max(1, _MAX_REPLACED_SHARE * len(text)):
        return None
    return Decoded(text, encoding, (BYTES_REPLACED,) if replaced else ())


def _marked(data: bytes) -> Decoded | None:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _forgiving(data[len(mark) :], encoding)
    return None


def _with_nuls(data: bytes) -> Decoded | None:
    """Decode data that holds NULs: UTF-16 without a mark, or clean UTF-8 with stray ones, which are left out."""
    nuls = data.count(0)
    if not nuls:
        return None
    for side, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        here, there = data[side::2].count(0), data[1 - side :: 2].count(0)
        found = _strict(data, encoding) if there * 20 <= here else None
        if (
            found
            and not _is_binary(found.text.encode())
            and (here > _UTF16_SIDE_SHARE * len(data) / 2 or _is_written(found.text))
        ):
            return found
    rest = data.replace(b"\0", b"")
    if nuls > max(_FEW_NULS, _MAX_NUL_SHARE * len(data)) or _is_binary(rest):
        return None
    found = _strict(rest, "utf-8")
    return Decoded(found.text, found.encoding, (NUL_REMOVED,)) if found else None


def _is_binary(data: bytes) -> bool:
    sample = data[:_SAMPLE]
    return len(_CONTROL.findall(sample)) > _MAX_CONTROL_SHARE * len(sample)


def _seven_bit_japanese(data: bytes) -> Decoded | None:
    return _strict(data, "iso2022_jp_ext") if _ISO_2022_JP.search(data[:_SAMPLE]) else None


def _by_line(data: bytes) -> Decoded | None:
    """Decode a file put together from UTF-8 and Japanese legacy parts; None where it is not clearly such a file."""
    lines = [(line, _strict(line, "utf-8")) for line in data.split(b"\n")]
    utf8 = "\n".join(found.text for _, found in lines if found)
    if not _THREE_BYTE.search(utf8) or not _is_written(utf8):
        return None
    rest = b"\n".join(line for line, found in lines if found is None)
    encoding = next((name for name in ("cp932", "euc_jp") if (text := _strict(rest, name)) and _is_written(text.text)), None)
    if encoding is None:
        return None
    return Decoded(
        "\n".join(found.text if found else line.decode(encoding) for line, found in lines), "utf-8", (MIXED_ENCODINGS,)
    )


def _legacy(data: bytes, declared: str | None) -> Decoded | None:
    """Choose among the 8-bit encodings by how plausible the text is that each gives."""
    named = _DECLARED.get((declared or "").strip().lower().replace("_", "-"))
    best: tuple[float, Decoded] | None = None
    for encoding in dict.fromkeys((named or "cp932", "cp932", "euc_jp", "cp1252")):
        found = _strict(data, encoding)
        if found is None:
            continue
        plausible = _plausibility(found.text) + (_DECLARED_BONUS if encoding == named else 0.0)
        if best is None or plausible > best[0]:
            best = plausible, found
    if best and best[0] >= _ACCEPTED:
        return best[1]
    if named and (found := _strict(data, named)):
        return found
    return _forgiving(data, "utf-8") or _statistical(data)


def _statistical(data: bytes) -> Decoded | None:
    # Weak on short Japanese text, which is why it comes last.
    import charset_normalizer  # noqa: PLC0415 - slow to import, rarely needed

    guess = charset_normalizer.from_bytes(data[: 5 * _SAMPLE]).best()
    return _forgiving(data, guess.encoding) if guess and guess.encoding != "utf_8" else None


def _plausibility(text: str) -> float:
    """Return how much the non-ASCII part of a text looks like Japanese or Western European writing, about -2 to 1."""
    sample = text[:_SAMPLE]
    unusual = len(_NON_ASCII.findall(sample))
    if not unusual:
        return 1.0
    weighed = sum(weight * len(pattern.findall(sample)) for pattern, weight in _WEIGHTS)
    common = sum(map(_is_common_kanji, _HAN.findall(sample)))
    return (weighed + _COMMON_KANJI_WEIGHT * common) / unusual


def _is_written(text: str) -> bool:
    return _plausibility(text) > _ACCEPTED


def _is_common_kanji(character: str) -> bool:
    encoded = character.encode("euc_jp", "ignore")
    return bool(encoded) and encoded[0] in _LEVEL_1_ROWS
