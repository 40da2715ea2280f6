"""A pair as the stance model should see it: in one language where that can be had, with its cues."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

from lyra.core.cues.across import gloss
from lyra.core.cues.english import english_cues
from lyra.core.cues.japanese import japanese_cues
from lyra.core.language import detect_language

ENGLISH, JAPANESE, ACROSS = "en", "ja", "cross"
MANNERS = (ENGLISH, JAPANESE, ACROSS)


@dataclass(frozen=True, slots=True)
class Reading:
    """The two texts to judge, the manner they were read in (`en`, `ja` or `cross`), and their cues if asked for."""

    evidence: str
    claim: str
    manner: str
    cues: Mapping[str, float]


def read(evidence: str, claim: str, weighed: Container[str] = MANNERS) -> Reading:
    """Return one sentence of evidence and one claim, with their cues if those are weighed in this manner of reading.

    A Japanese claim against an English sentence is read in English where its words are known, else as it stands.
    """
    manner, read_as = ENGLISH, claim
    if detect_language(claim) == JAPANESE:
        english = gloss(claim) if detect_language(evidence) == ENGLISH else None
        manner, read_as = (JAPANESE, claim) if english is None else (ACROSS, english)
    if manner not in weighed:
        return Reading(evidence, read_as, manner, {})
    cues = japanese_cues if manner == JAPANESE else english_cues
    return Reading(evidence, read_as, manner, cues(evidence, read_as))
