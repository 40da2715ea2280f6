"""A pair as the stance model should see it: in one language where that can be had, with its cues."""

from collections.abc import Mapping
from dataclasses import dataclass

from lyra.core.cues.across import gloss
from lyra.core.cues.english import english_cues
from lyra.core.cues.japanese import japanese_cues
from lyra.core.language import detect_language

ENGLISH, JAPANESE, ACROSS = "en", "ja", "cross"


@dataclass(frozen=True, slots=True)
class Reading:
    """The two texts to judge, the manner they were read in (`en`, `ja` or `cross`), and their cues."""

    evidence: str
    claim: str
    manner: str
    cues: Mapping[str, float]


def read(evidence: str, claim: str) -> Reading:
    """Return one sentence of evidence and one claim with their cues.

    A Japanese claim against an English sentence is read in English where its words are known, else as it stands.
    """
    if detect_language(claim) != JAPANESE:
        return Reading(evidence, claim, ENGLISH, english_cues(evidence, claim))
    if detect_language(evidence) != ENGLISH:
        return Reading(evidence, claim, JAPANESE, japanese_cues(evidence, claim))
    english = gloss(claim)
    if english is None:
        return Reading(evidence, claim, JAPANESE, japanese_cues(evidence, claim))
    return Reading(evidence, english, ACROSS, english_cues(evidence, english))
