"""What readers hand over beside the visible text, and what a scan of a page may find: text that was meant to steer a model."""

from dataclasses import dataclass

# Where a text stood that no reader of the page sees.
HIDDEN, INVISIBLE, COMMENT, ATTRIBUTE, METADATA = "hidden", "invisible", "comment", "attribute", "metadata"
VISIBLE = "visible"


@dataclass(frozen=True, slots=True)
class Unseen:
    """A text that stands in a document where its readers do not see it. It is scanned, never stored as evidence.

    `place` is `hidden` (by style, size, colour or position), `invisible` (in characters without a glyph), `comment`,
    `attribute` or `metadata`.
    """

    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One dangerous pattern. `family` names its kind, `place` where it stood (visible, hidden, comment …), `excerpt` shows it."""

    family: str
    place: str
    excerpt: str
