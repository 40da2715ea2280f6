"""Questions of PubMedQA and their answers as claims about the conclusion that answers them, and claims of our own.

The set of questions made from titles says yes (`rel` 1) or no (`rel` 0) beside each conclusion; the other one has `answer`
(yes, no or maybe) and `long_answer`. A question becomes a statement where its verb is known and its subject is whole; others
are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from training.own_blocks import MARKS
from training.records import NEUTRAL, REFUTES, SUPPORTS, Pair, read_jsonl

VERBS = """affect alter ameliorate attenuate cause change confer contribute correlate decrease depend determine differ enhance
exhibit explain express facilitate fail have help identify impact impair improve increase indicate induce influence inhibit
interact lead limit maintain mediate mimic modify modulate need offer play potentiate predict prevent prolong promote
protect provide raise reduce reflect regulate remain represent require restore result reveal reverse stimulate
suggest support suppress trigger undergo vary worsen activate block delay disrupt preserve produce stabilize
accelerate aggravate augment diminish eliminate elevate exacerbate exert generate guide minimize occur relieve
respond shorten sustain tolerate weaken""".split()
PREDICATES = """associated related correlated linked affected altered required necessary essential involved influenced mediated
increased decreased reduced elevated impaired improved effective useful safe feasible superior inferior predictive reliable
dependent independent sufficient beneficial important common more less better worse higher lower greater
responsible able capable accurate valid appropriate needed indicated justified due equivalent comparable similar different
predicted determined regulated expressed caused induced characterized accompanied followed protected down-regulated
up-regulated upregulated downregulated overexpressed prevalent frequent adequate inversely independently significantly
negatively positively strongly still also always really only""".split()
DO = re.compile(r"^(does|do)\s+(.+?)\s+(" + "|".join(VERBS) + r")\b(.*)$", re.IGNORECASE)
BE = re.compile(r"^(is|are|was|were)\s+(.+?)\s+((?:" + "|".join(PREDICATES) + r")\b.*)$", re.IGNORECASE)
ENDINGS = re.compile(r"(?:s|x|ch|sh|o)$")
# A subject that ends in one of these was cut too early, and the rest is no predicate.
CUT = re.compile(
    r"\b(?:of|in|on|at|by|for|with|to|from|between|among|during|after|before|and|or|when|than|as|the|an?)$", re.IGNORECASE
)


def third_person(verb: str) -> str:
    """ "affect" -> "affects"."""
    if verb == "have":
        return "has"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if ENDINGS.search(verb) else "s")


def statements(question: str) -> tuple[str, str] | None:
    """What a yes/no question asks, said and denied ("Does X help Y?" -> "X helps Y.", "X does not help Y."), or None."""
    text = " ".join(question.partition(" : ")[0].strip().rstrip("?").split())
    if found := DO.match(text):
        does, who, verb, rest = found.groups()
        said = f"{who} {third_person(verb.lower()) if does.lower() == 'does' else verb.lower()}{rest}"
        denied = f"{who} {does.lower()} not {verb.lower()}{rest}"
    elif found := BE.match(text):
        verb, who, rest = found.groups()
        said, denied = f"{who} {verb.lower()} {rest}", f"{who} {verb.lower()} not {rest}"
    else:
        return None
    if CUT.search(who) or re.search(r"[\[\]]", text):
        return None
    return said[0].upper() + said[1:] + ".", denied[0].upper() + denied[1:] + "."


def answered(data: Path) -> list[Pair]:
    """All pairs of a conclusion and the statements it answers."""
    rows = [(r["query"], r["doc"], "yes" if r["rel"] else "no") for r in conclusions(data)]
    rows += [(r["query"], r["long_answer"], r["answer"]) for r in read_jsonl(data / "retrieval" / "pubmedqa-l.jsonl.gz")]
    labels = {"yes": (SUPPORTS, REFUTES), "no": (REFUTES, SUPPORTS), "maybe": (NEUTRAL, NEUTRAL)}
    return [
        Pair(text, said, label, "pubmed-answer", "en")
        for question, text, answer in rows
        for said, label in zip(statements(question) or (), labels[answer], strict=False)
    ]


def conclusions(data: Path) -> list[dict[str, Any]]:
    """The rows that `own/pubmed_claims.txt` names by their place, from 0 on."""
    return list(read_jsonl(data / "retrieval" / "pubmedqa-ni-qa.jsonl.gz"))


def claimed(data: Path, path: Path) -> list[Pair]:
    """Claims of our own about those conclusions: `# row`, then claims marked as in `own_blocks.py`; Japanese in `…_ja.txt`."""
    source, lang = ("own-pubmed_ja", "x") if path.stem.endswith("_ja") else ("own-pubmed", "en")
    rows, pairs, text = conclusions(data), [], ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark, _, rest = line.strip().partition(" ")
        if mark == "#":
            text = rows[int(rest)]["doc"]
        elif mark in MARKS and rest:
            pairs.append(Pair(text, rest, MARKS[mark], source, lang))
        elif mark:
            raise ValueError(f"{path.name}, line {number}: cannot be read: {line[:60]}")
    return pairs
