"""The cues of an English sentence and an English claim."""

from lyra.core.cues.names import blank


def english_cues(evidence: str, claim: str) -> dict[str, float]:
    """Return every cue for one sentence of evidence and one claim; deterministic, and never fails on any text."""
    cues = blank()
    wanted, there = set(claim.casefold().split()), set(evidence.casefold().split())
    cues["overlap"] = len(wanted & there) / len(wanted) if wanted else 0.0
    return cues
