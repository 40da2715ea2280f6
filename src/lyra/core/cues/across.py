"""A Japanese claim in plain English words, so that it can be judged against an English sentence."""


def gloss(claim_ja: str) -> str | None:
    """Return the claim as English words in English order, or None where too little of it is known."""
    return None
