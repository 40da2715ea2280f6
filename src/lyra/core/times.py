"""Time as text: UTC, RFC 3339 with microseconds, so that text order is time order."""

from datetime import UTC, datetime


def to_text(moment: datetime) -> str:
    """Return an aware moment as RFC 3339 in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def from_text(text: str) -> datetime:
    """Return the moment that `to_text` wrote."""
    return datetime.fromisoformat(text)
