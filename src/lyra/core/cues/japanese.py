"""The cues of a Japanese sentence and a Japanese claim."""

from lyra.core.cues.names import blank


def japanese_cues(evidence: str, claim: str) -> dict[str, float]:
    """Return every cue for one sentence of evidence and one claim; deterministic, and never fails on any text."""
    cues = blank()
    wanted = {claim[i : i + 2] for i in range(len(claim) - 1)}
    there = {evidence[i : i + 2] for i in range(len(evidence) - 1)}
    cues["overlap"] = len(wanted & there) / len(wanted) if wanted else 0.0
    return cues
