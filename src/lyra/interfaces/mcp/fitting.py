"""Keeping answers short: how large one is on the wire, and what is left out when it is too large.

An answer travels twice, as text and as structured content, because clients read one or the other; both count.
"""

import json

from lyra.interfaces.presenter import Json

KILOBYTE = 1_000
# The frame around an answer: marks, ids, the server's name and the JSON-RPC envelope.
FRAME_BYTES = 2_000
LONGEST_TEXT = 2_000
_SHORT_TEXT = 400
_SHORT_LIST = 8
_ELLIPSIS = "…"
# Room for the names of what was cut.
_NAMES_BYTES = 400


def size_on_wire(value: object) -> int:
    """Return how many bytes a value takes in an answer, as structured content and again as text."""
    plain = written(value)
    return len(plain.encode()) + len(json.dumps(plain, ensure_ascii=False).encode())


def written(value: object) -> str:
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def budget_of(max_kb: int) -> int:
    """Return how many bytes an answer of at most `max_kb` may take without its frame."""
    return max_kb * KILOBYTE - FRAME_BYTES


def cut_texts(value: object, longest: int = LONGEST_TEXT) -> object:
    """Return a value with every text shortened to `longest` characters, the cut marked."""
    if isinstance(value, str):
        return value if len(value) <= longest else value[: longest - 1] + _ELLIPSIS
    if isinstance(value, dict):
        return {name: cut_texts(inner, longest) for name, inner in value.items()}
    if isinstance(value, list):
        return [cut_texts(inner, longest) for inner in value]
    return value


def fit_lists(answer: Json, names: tuple[str, ...], budget: int) -> tuple[Json, dict[str, int]]:
    """Return an answer that fits: of the named lists (`a.b` is a list inside), the largest are shortened from the end.

    Says how many entries of each are left out.
    """
    shown = dict(answer)
    omitted: dict[str, int] = {}
    while size_on_wire(shown) > budget:
        found = [(size_on_wire(inner), name) for name in names if (inner := _at(shown, name))]
        if not found:
            shown = _shortened(shown)
            break
        _, name = max(found)
        entries = _at(shown, name)
        kept = entries[: len(entries) // 2]
        omitted[name] = omitted.get(name, 0) + len(entries) - len(kept)
        shown = _with(shown, name, kept)
    return shown, omitted


def _shortened(answer: Json) -> Json:
    cut = cut_texts(answer, _SHORT_TEXT)
    return cut if isinstance(cut, dict) else answer


def _at(answer: Json, name: str) -> list[object]:
    value: object = answer
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


def _with(answer: Json, name: str, entries: list[object]) -> Json:
    head, _, rest = name.partition(".")
    if not rest:
        return {**answer, head: entries}
    inner = answer[head]
    return {**answer, head: _with(inner, rest, entries) if isinstance(inner, dict) else inner}


def fit_claim(claim: Json, budget: int) -> Json:
    """Return a claim that fits, shortened step by step; `cut` names what was shortened.

    Evidence that can be spared goes first; `evidence_omitted` counts it.
    """
    room, cut = budget - _NAMES_BYTES, set[str]()
    for step in (_cut_evidence_facts, _drop_evidence, _cut_groups, _cut_claim_text):
        if size_on_wire(claim) <= room:
            break
        claim = step(claim, room, cut)
    return {**claim, "cut": sorted(cut)}


def _cut_evidence_facts(claim: Json, room: int, cut: set[str]) -> Json:
    """Shorten lists and texts inside the evidence that no reader needs whole, such as three thousand authors."""

    def shorter(edge: Json) -> Json:
        kept = dict(edge)
        for name, value in edge.items():
            if isinstance(value, list) and len(value) > _SHORT_LIST:
                kept[name] = value[:_SHORT_LIST]
                cut.add(f"evidence.{name}")
            elif name != "quote" and isinstance(value, str) and len(value) > _SHORT_TEXT:
                kept[name] = cut_texts(value, _SHORT_TEXT)
                cut.add(f"evidence.{name}")
        return kept

    return {**claim, "evidence": [shorter(edge) for edge in dicts(claim["evidence"])]}


def _drop_evidence(claim: Json, room: int, cut: set[str]) -> Json:
    edges = dicts(claim["evidence"])
    before, size = len(edges), size_on_wire(claim)
    while edges and size > room:
        # Inside a text each piece takes as many bytes as by itself, but for its two quotation marks.
        size -= size_on_wire(edges.pop(_weakest(edges))) - 2
        cut.add("evidence")
    omitted = claim["evidence_omitted"]
    return {**claim, "evidence": edges, "evidence_omitted": before - len(edges) + (omitted if isinstance(omitted, int) else 0)}


def _weakest(edges: list[Json]) -> int:
    """Return which piece can be spared: a neutral one, else the last of the side that has more, so that both stay seen."""
    sides: dict[object, list[int]] = {}
    for position, edge in enumerate(edges):
        sides.setdefault(edge["relation"], []).append(position)
    fuller = max(sides, key=lambda relation: (relation == "neutral", len(sides[relation])))
    return sides[fuller][-1]


def _cut_groups(claim: Json, room: int, cut: set[str]) -> Json:
    independent = claim["independent"]
    if not isinstance(independent, dict):
        return claim
    groups, before = dicts(independent["groups"]), independent["groups_omitted"]
    kept = [
        {name: value[:_SHORT_LIST] if isinstance(value, list) else value for name, value in group.items()}
        for group in groups[:_SHORT_LIST]
    ]
    if kept != groups:
        cut.add("independent.groups")
    return {**claim, "independent": {**independent, "groups": kept, "groups_omitted": before + len(groups) - len(kept)}}


def _cut_claim_text(claim: Json, room: int, cut: set[str]) -> Json:
    short = cut_texts(claim["text"])
    if short != claim["text"]:
        cut.add("text")
    return {**claim, "text": short}


def dicts(value: object) -> list[Json]:
    """Return the objects of a list."""
    return [inner for inner in value if isinstance(inner, dict)] if isinstance(value, list) else []
