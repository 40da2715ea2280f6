"""Lines that are headings, in text without markup."""

import re

_NAMES = re.compile(
    r"(?:abstract|summary|introduction|background|objectives?|aims?|(?:materials? and )?methods?|methodology|participants|data"
    r"|results?|findings|discussion|conclusions?|interpretation|limitations?|references|bibliography|acknowledge?ments?|appendix"
    r"|funding|conflicts? of interest|retraction (?:notice|note)|results and discussion|related work|supplementary material"
    r"|要旨|要約|概要|抄録|はじめに|緒言|序論|背景|目的|(?:対象と)?方法|調査の?(?:概要|方法)|結果|結果と考察|考察|結論|おわりに|まとめ|謝辞"
    r"|参考文献|引用文献|文献|付録|利益相反|限界|撤回のお知らせ)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:第[\d一二三四五六七八九十]+[章節部]|(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,4})[.．)]?)[\s\u3000]+(?=\S)"
)
_ENDS_SENTENCE = re.compile(r"[.。．!！?？,、，;；]$")
_LIST_MARK = re.compile(r"[-*+•・●○|]\s?|[(（]?\d{1,2}[)）]")
_MAX_LENGTH = 90
_MAX_SHORT = 60
_MAX_SHORT_WORDS = 9
_MAX_WORDS = 14


def is_heading(line: str) -> bool:
    """Return whether a line that stands alone reads as a heading: a usual section name, numbered, or all in capitals."""
    text = line.strip().strip("【】■◆●")
    if not text or len(text) > _MAX_LENGTH or len(text.split()) > _MAX_WORDS:
        return False
    numbered = _NUMBERED.match(text)
    name = text[numbered.end() :] if numbered else text
    if _NAMES.fullmatch(name.rstrip(":：.．")):
        return True
    if _ENDS_SENTENCE.search(name) or not any(map(str.isalpha, name)):
        return False
    return (numbered is not None and not name[:1].islower()) or (name.isupper() and len(name) > 3)  # noqa: PLR2004


def is_numbered(line: str) -> bool:
    """Return whether a line opens with a section or list number."""
    return _NUMBERED.match(line.strip()) is not None


def is_short_title(line: str) -> bool:
    """Return whether a line alone between blank lines is short enough for a heading and does not read as a sentence."""
    text = line.strip()
    short = len(text) <= _MAX_SHORT and len(text.split()) <= _MAX_SHORT_WORDS
    return short and any(map(str.isalpha, text)) and not (_ENDS_SENTENCE.search(text) or _LIST_MARK.match(text))
