"""The reason that a person gives for a decision."""

from lyra.core.claim_input import printable
from lyra.core.errors import InvalidInput

MAX_REASON_CHARS = 2_000


def check_reason(reason: str | None) -> str:
    """Return a reason fit to be stored and shown, or raise InvalidInput when it is missing, says nothing or is too long."""
    said = printable(reason or "").strip()
    if not any(character.isalnum() for character in said):
        raise InvalidInput("reason_missing")
    if len(said) > MAX_REASON_CHARS:
        raise InvalidInput("reason_too_long", length=len(said), limit=MAX_REASON_CHARS)
    return said
