"""When to ask again, and after how long. Pure: the caller waits."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
# A server that says "come back next year" is believed, but no sum may overflow because of it.
_LONGEST_SECONDS = 10 * 365 * 86_400.0


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header (a number, or a date) asks to wait, never negative; None if unreadable."""
    text = (value or "").strip()
    if re.fullmatch(r"[0-9]{1,12}(?:\.[0-9]{1,6})?", text):
        return min(float(text), _LONGEST_SECONDS)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max(0.0, (aware - now).total_seconds()), _LONGEST_SECONDS)


def pause_before(attempt: int, chance: float) -> float:
    """Return the pause before attempt number `attempt` (2 is the first repetition), with full jitter from `chance` in [0, 1).

    Exponential with full jitter: clients that failed together do not come back together.
    """
    ceiling = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** max(0, attempt - 2))
    return ceiling * (0.5 + 0.5 * chance)
