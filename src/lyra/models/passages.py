"""How a passage is read: a few sentences at a time, and which of them decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lyra.core.records import Relation, Stance
from lyra.core.sentences import split_sentences
from lyra.models.window import visible

# Fragments hold a handful of sentences. A text of a thousand one-word "sentences" must not cost a thousand runs.
MAX_SENTENCES = 32
# Read together. Sentences need their neighbours ("the drug", "this group"), and what is longer dilutes what decides.
WINDOW = 3
# The most outspoken of several windows is outspoken by chance more often than one read alone: it must be likelier than not.
LIKELIER_THAN_NOT = 0.5

Span = tuple[int, int]
Pair = tuple[str, str]
Judged = Mapping[Pair, Stance]


@dataclass(frozen=True, slots=True)
class Passage:
    """A fragment beside a claim, with where its sentences and its windows of a few sentences lie."""

    text: str
    claim: str
    sentences: Sequence[Span]
    windows: Sequence[Span]

    def pair(self, span: Span) -> Pair:
        """Return what is read with the claim."""
        return self.text[span[0] : span[1]], self.claim

    def outspoken(self, judged: Judged) -> tuple[Stance, Span]:
        """Return the stance of the most outspoken window, the one least likely neutral (the first of equals).

        Of several windows, one that takes a side counts only where that side is likelier than not, unless none is so sure.
        """
        found = [(judged[self.pair(window)], window) for window in self.windows]
        sure = [one for one in found if one[0].label is Relation.NEUTRAL or one[0].nli_confidence >= LIKELIER_THAN_NOT]
        return min(sure if len(found) > 1 and sure else found, key=lambda one: one[0].neutral)

    def undecided(self, judged: Judged) -> list[Span]:
        """Return the sentences one of which decides: those of a window that takes a side, if there are several."""
        stance, (start, end) = self.outspoken(judged)
        if stance.label is Relation.NEUTRAL or len(self.sentences) == 1:
            return []
        return [span for span in self.sentences if start <= span[0] < end]

    def stance(self, judged: Judged, alone: Judged) -> Stance:
        """Return where the passage stands, with the sentence that, read alone, speaks most for that side."""
        stance, _ = self.outspoken(judged)
        spans = self.undecided(judged)
        if not spans:
            return stance
        return replace(stance, decisive=max(spans, key=lambda span: getattr(alone[self.pair(span)], stance.label.value)))


def passage(text: str, claim: str, max_tokens: int) -> Passage:
    """Return how a fragment is read with a claim, as far as the model sees it."""
    sentences = _sentences(text, max_tokens)
    return Passage(text, claim, sentences, _windows(sentences))


def _sentences(text: str, max_tokens: int) -> list[Span]:
    """Return where the sentences lie, as far as they are judged; the whole text if there are not several."""
    offset, end_of_window = visible(text, max_tokens)
    found = split_sentences(text[offset:end_of_window])[:MAX_SENTENCES]
    return [(start + offset, end + offset) for start, end in found] if len(found) > 1 else [(0, len(text))]


def _windows(spans: Sequence[Span]) -> list[Span]:
    """Return where the windows lie, each sharing a sentence with the one before; a last single sentence joins it."""
    starts = range(0, max(1, len(spans) - 1), WINDOW - 1)
    return [(spans[i][0], spans[min(i + WINDOW, len(spans)) - 1][1]) for i in starts]
