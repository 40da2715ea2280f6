"""What a scan of a page may find: text that was meant to steer a model."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One dangerous pattern. `family` names its kind, `place` where it stood (visible, hidden, comment …), `excerpt` shows it."""

    family: str
    place: str
    excerpt: str
