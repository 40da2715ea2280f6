"""Which of several models reads a pair, by the languages that each says it reads."""

from collections.abc import Sequence

from lyra.core.records import ModelInfo

UNDETERMINED = "und"


def reads(model: ModelInfo, *languages: str) -> bool:
    """Return whether a model reads texts in all these languages. One that names no language reads every one."""
    return not model.languages or set(languages) <= set(model.languages)


def choose_judge(specialists: Sequence[ModelInfo], claim_language: str, fragment_language: str) -> int | None:
    """Return the first specialist that reads both sides of a pair; None leaves the pair to the general judge.

    A side whose language is not known asks for nothing. Where neither is known, no specialist is better than the
    general judge.
    """
    known = {claim_language, fragment_language} - {UNDETERMINED}
    if not known:
        return None
    return next((place for place, model in enumerate(specialists) if reads(model, *known)), None)
