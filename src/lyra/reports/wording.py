"""Comments that somebody else words: what a proposal has to keep to, so that it may take the place of a composed one."""

import re
from collections.abc import Callable

from lyra.reports.derived import judgement
from lyra.reports.markup import one_line
from lyra.reports.model import JUDGEMENT_OF_RULE, RULES, Claim
from lyra.reports.tone import analyse

# From a claim, its confidence and the composed comment to another wording; None where there is none.
Writer = Callable[[Claim, int, str], str | None]

LONGEST = 300
FEWEST_SENTENCES, MOST_SENTENCES = 2, 3
_LOW, _HIGH = 30, 70
_SENTENCE = re.compile(r"[^。！？!?]+[。！？!?]")
_UNDERLINED = re.compile(r"</?u>")
_MARKS = re.compile(r"[<>\[\]|`#*\\]|https?:|www\.")
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


def judgements_text(claim: Claim) -> str:
    """Return what was judged of a claim, one line each: all that a comment may rest on."""
    made = ((JUDGEMENT_OF_RULE[rule], judgement(claim, rule)) for rule in RULES)
    lines = [f"{name}: {value}" for name, value in made if value is not None]
    return "\n".join([*lines, *(f"pattern: {one}" for one in claim.verification.pattern_rejections)]) or "なし"


def worded(claim: Claim, composed: str, writer: Writer | None) -> tuple[str, bool]:
    """Return the comment to write, and whether it is the writer's; one that does not fit gives way to the composed one."""
    proposed = one_line(writer(claim, claim.confidence, composed) or "") if writer else ""
    return (proposed, True) if fits(proposed, claim, composed) else (composed, False)


def fits(proposed: str, claim: Claim, composed: str) -> bool:
    """Return whether a proposal is two or three plain sentences in the tone of the confidence, with no figure of its own."""
    bare = _UNDERLINED.sub("", proposed)
    sentences = _SENTENCE.findall(bare)
    if not FEWEST_SENTENCES <= len(sentences) <= MOST_SENTENCES or "".join(sentences) != bare or len(bare) > LONGEST:
        return False
    if _MARKS.search(bare) or proposed.count("<u>") != proposed.count("</u>") or proposed.count("<u>") > 1:
        return False
    if set(_FIGURE.findall(bare)) - set(_FIGURE.findall(f"{claim.claim} {composed} {claim.confidence}")):
        return False
    tone = analyse(bare).polarity
    if claim.confidence >= _HIGH:
        return tone == "positive"
    return tone == "negative" if claim.confidence <= _LOW else tone in ("mixed", "neutral")
