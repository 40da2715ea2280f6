"""How a passage is read: as a whole and a few sentences at a time, and which of them decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lyra.core.fragments import MAX_TOKENS, estimate_tokens
from lyra.core.records import Relation, Stance
from lyra.core.sentences import split_sentences
from lyra.models.shares import Shares, mean
from lyra.models.window import CHARACTERS_PER_TOKEN, visible

# Fragments hold a handful of sentences. A text of a thousand one-word "sentences" must not cost a thousand runs.
MAX_SENTENCES = 32
# Read together. Sentences need their neighbours ("the drug", "this group"), and what is longer dilutes what decides.
WINDOW = 3
# The most outspoken of several windows is outspoken by chance more often than one read alone: what it says together with the
# whole must be this likely.
LEAST_OF_SEVERAL = 0.55
# Below it, no window can make up for what the whole says: the middle of the two stays below LEAST_OF_SEVERAL.
LEAST_OF_THE_WHOLE = 2 * LEAST_OF_SEVERAL - 1

# How many tokens a text may really have for each estimated one.
UNDERESTIMATE = 1.25

Span = tuple[int, int]
Pair = tuple[str, str]
Judged = Mapping[Pair, Shares]


@dataclass(frozen=True, slots=True)
class Passage:
    """A fragment beside a claim, with where its sentences, its windows of a few sentences and its wide windows lie.

    A wide window holds as much as a fragment does: most passages are one.
    """

    text: str
    claim: str
    sentences: Sequence[Span]
    windows: Sequence[Span]
    wide: Sequence[Span]

    def pair(self, span: Span) -> Pair:
        """Return what is read with the claim."""
        return self.text[span[0] : span[1]], self.claim

    def closely(self, judged: Judged) -> list[Span]:
        """Return the windows still to be read once the wide ones are: those of a wide one that may take a side."""
        if len(self.windows) == 1:
            return []
        open_ = [whole for whole in self.wide if _may_take_a_side(judged[self.pair(whole)])]
        wanted = [window for window in self.windows if any(_inside(window, whole) for whole in open_)]
        return [window for window in wanted if self.pair(window) not in judged]

    def outspoken(self, judged: Judged) -> tuple[Stance, Span]:
        """Return the stance of the passage and the window that decides (the first of equals).

        Of several windows, each counts with the wide one around it, the middle of the two. The one that makes a side likeliest
        decides, and that must be likely enough: a window that contradicts the whole does not hide one that agrees with it.
        """
        if len(self.windows) == 1:
            return judged[self.pair(self.windows[0])].stance(), self.windows[0]
        found = [
            (mean(judged[self.pair(whole)], judged[self.pair(window)]), window)
            for whole in self.wide
            for window in self.windows
            if _inside(window, whole) and _may_take_a_side(judged[self.pair(whole)])
        ]
        found = found or [(judged[self.pair(whole)], whole) for whole in self.wide]
        shares, window = max(found, key=lambda one: one[0].calibrated[one[0].side])
        return shares.stance(LEAST_OF_SEVERAL), window

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
        return replace(stance, decisive=max(spans, key=lambda span: alone[self.pair(span)].calibrated[stance.label]))


def passage(text: str, claim: str, max_tokens: int) -> Passage:
    """Return how a fragment is read with a claim, as far as the model sees it."""
    sentences = _sentences(text, max_tokens)
    windows = _windows(sentences)
    return Passage(text, claim, sentences, windows, _wide(text, windows, _room(claim, max_tokens)))


def _may_take_a_side(shares: Shares) -> bool:
    return shares.calibrated[shares.side] >= LEAST_OF_THE_WHOLE


def _inside(window: Span, whole: Span) -> bool:
    return whole[0] <= window[0] and window[1] <= whole[1]


def _sentences(text: str, max_tokens: int) -> list[Span]:
    """Return where the sentences lie, as far as they are judged; the whole text if there are not several."""
    offset, end_of_window = visible(text, max_tokens)
    found = split_sentences(text[offset:end_of_window])[:MAX_SENTENCES]
    return [(start + offset, end + offset) for start, end in found] if len(found) > 1 else [(0, len(text))]


def _windows(spans: Sequence[Span]) -> list[Span]:
    """Return where the windows lie, each sharing a sentence with the one before; a last single sentence joins it."""
    starts = range(0, max(1, len(spans) - 1), WINDOW - 1)
    return [(spans[i][0], spans[min(i + WINDOW, len(spans)) - 1][1]) for i in starts]


def _wide(text: str, windows: Sequence[Span], room: float) -> list[Span]:
    """Return where the wide windows lie: neighbouring windows together, as many as there is room for."""
    found: list[Span] = []
    for start, end in windows:
        if found and estimate_tokens(text[found[-1][0] : end]) <= room:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _room(claim: str, max_tokens: int) -> float:
    """Return how much is read at a time, in estimated tokens: what a fragment holds, but no more than the model surely sees."""
    claim_tokens = min(estimate_tokens(claim[: max_tokens * CHARACTERS_PER_TOKEN]), max_tokens // 2)
    return min(MAX_TOKENS, (max_tokens - claim_tokens) / UNDERESTIMATE)
