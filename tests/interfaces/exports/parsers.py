"""Small readers of BibTeX and RIS, strict about structure: what they cannot read is broken."""

import re
from dataclasses import dataclass

_ENTRY = re.compile(r"@(\w+)\{([^\s,{}]+),\s*")
_FIELD = re.compile(r"(\w+)\s*=\s*")
_TAG = re.compile(r"([A-Z][A-Z0-9])  - (.*)")
_COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textbraceleft{}": "{",
    r"\textbraceright{}": "}",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    **{f"\\{character}": character for character in "$&#%_"},
}
_COMMAND = re.compile("|".join(map(re.escape, _COMMANDS)))


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of BibTeX, its values as they are written."""

    kind: str
    key: str
    fields: dict[str, str]


def plain(value: str) -> str:
    """What a value of BibTeX shows. Fails where a character with a meaning of its own is left."""
    rest = _COMMAND.sub("", value)
    assert not re.search(r"[\\{}$&#%_~^]", rest), rest
    return _COMMAND.sub(lambda match: _COMMANDS[match[0]], value)


def read_bibtex(text: str) -> list[Entry]:
    """Read entries as BibTeX does: outside of them everything up to an @ is passed over."""
    entries, position = [], 0
    while (position := text.find("@", position)) >= 0:
        head = _ENTRY.match(text, position)
        assert head, text[position : position + 40]
        position, fields = head.end(), dict[str, str]()
        while text[position] != "}":
            name = _FIELD.match(text, position)
            assert name, text[position : position + 40]
            value, position = _value(text, name.end())
            assert name[1] not in fields
            fields[name[1]] = value
            position += len(text[position:]) - len(text[position:].lstrip(", \n"))
        entries.append(Entry(head[1], head[2], fields))
        position += 1
    return entries


def _value(text: str, start: int) -> tuple[str, int]:
    if text[start] != "{":
        end = text.index(",", start)
        return text[start:end], end
    depth = 0
    for position in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[position], 0)  # braces count, whatever stands before them
        if depth == 0:
            return text[start + 1 : position], position + 1
    raise AssertionError("a value without an end")


def read_ris(text: str) -> list[list[tuple[str, str]]]:
    """Read records: lines of tag and value, from TY to ER."""
    records: list[list[tuple[str, str]]] = []
    inside = False
    assert not text or text.endswith("\r\n")
    for line in text.split("\r\n"):
        if not line:
            assert not inside
            continue
        assert line.splitlines() == [line]
        match = _TAG.fullmatch(line)
        assert match, line
        assert (match[1] == "TY") is not inside
        if not inside:
            records.append([])
        inside = match[1] != "ER"
        records[-1].append((match[1], match[2]))
    assert not inside
    return records
