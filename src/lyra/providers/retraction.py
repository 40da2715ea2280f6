"""Signs, in a document itself, that the work was retracted."""

import re
from collections.abc import Sequence

from lyra.core.records import Section
from lyra.core.sentences import split_sentences

_TITLE = re.compile(
    r"\W*(?:retracted(?:\s+article|\s+paper)?\s*(?:[:：\]】)]|[-–—]\s)|retracted\s+article\b|withdrawn\s*[:：]|\[retracted|【撤回】|\[撤回\]|撤回(?:論文)?\s*[:：])",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\W*(?:retraction\s+(?:notice|note|statement)|notice\s+of\s+retraction|撤回(?:の?(?:お知らせ|通知|告知|公告)|について)|論文撤回)\W*",
    re.IGNORECASE,
)
_GIVES_REASON = re.compile(
    r"\b(?:because|due to|reasons?|owing to|concerns?|following|errors?|misconduct|fabricat|falsif)|ため|理由|により|によって",
    re.IGNORECASE,
)
_MAX_REASON = 600


def title_says_retracted(title: str | None) -> bool:
    """Return whether a title is marked as that of a retracted work (a retraction notice's own title is not)."""
    return title is not None and _TITLE.match(title) is not None


def retraction_notice(text: str, sections: Sequence[Section], title: str | None) -> str | None:
    """Return the sentence of the document's retraction notice that gives the reason, else its first; None without one.

    A document that *is* a notice, going by its title, is about another work and gives None.
    """
    for section in sections:
        if section.heading and section.heading != title and _NOTICE.fullmatch(section.heading):
            body = text[section.start : section.end]
            found = [body[low:high] for low, high in split_sentences(body)]
            reasons = [sentence for sentence in found if _GIVES_REASON.search(sentence)]
            return next(iter(reasons + found), "")[:_MAX_REASON] or None
    return None
