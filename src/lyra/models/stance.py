"""Whether a fragment supports or refutes a claim, by the stance network of the weights directory."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lyra.core.errors import ModelError
from lyra.core.language import detect_language
from lyra.core.records import ModelInfo, Relation, Stance
from lyra.models.opening import Lazy, LazySession
from lyra.models.passages import passage
from lyra.models.shares import Shares, shares_of
from lyra.models.weights import Doors, WeightSource

if TYPE_CHECKING:  # importing numpy and onnxruntime costs time that a command without judgements must not pay
    from lyra.models.doors import Said, TwoDoorSession
    from lyra.models.session import TextSession

KIND = "stance"
# A claim is one sentence; what is longer would crowd out the fragment it is judged by.
CLAIM_TOKENS = 96
_DEFAULT_LANGUAGE = "en"

_NOTHING = {Relation.SUPPORTS: 0.0, Relation.REFUTES: 0.0, Relation.NEUTRAL: 1.0}
_SAYS_NOTHING = Shares(_NOTHING, _NOTHING)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a network says of one pair: a logit per relation, and the key of the temperature that calibrates them.

    `guessed`: the network was so sure after its first layers that it was not asked further.
    """

    logits: Mapping[Relation, float]
    manner: str
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """How the stance network is fed and what its outputs mean."""

    max_tokens: int
    labels: tuple[Relation, ...]
    temperature: Mapping[str, float]
    doors: Doors | None

    @property
    def claim_tokens(self) -> int:
        """How much of a claim is read."""
        return min(CLAIM_TOKENS, self.max_tokens // 2)

    def by_doors(self, said: "Said") -> Heard:
        """Return what a network with two doors said: its answer, or its guess where that was enough."""
        values = said.guess if said.answer is None else said.answer
        return Heard(dict(zip(self.labels, values, strict=True)), said.manner, said.answer is None)

    def calibrated(self, heard: Heard) -> Shares:
        """Return what the logits of the network mean."""
        if heard.guessed and self.doors is not None:
            return shares_of(heard.logits, self.doors.temperature)
        temperature = self.temperature.get(heard.manner, self.temperature.get(_DEFAULT_LANGUAGE, 1.0))
        return shares_of(heard.logits, temperature)


_Pair = tuple[str, str]
Hear = Callable[[str, str], Heard]
_Each = Callable[[Callable[[_Pair], Shares], Sequence[_Pair]], list[Shares]]


class OnnxStance:
    """The `StanceModel` port on a local network. Safe to share between threads.

    Nothing is loaded before the first pair is judged. A pair gets the same numbers, bit for bit, whatever is judged
    beside it. The claim is read up to CLAIM_TOKENS tokens and the fragment as far as the window then reaches:
    fragments are cut to fit, so truncation is rare, and what lies beyond is not judged. Raises ModelError when the
    weights are missing, damaged or of another kind.
    """

    def __init__(self, weights: WeightSource, threads: int | None = None) -> None:
        self._weights = weights
        self._threads = threads
        self._session = LazySession(KIND, weights, threads)
        self._doors = Lazy(self._open_doors)
        self._reading = Lazy(lambda: reading_of(weights))

    def _open_doors(self) -> "TwoDoorSession":
        from lyra.models.doors import TwoDoorSession  # noqa: PLC0415 - see above

        return TwoDoorSession(self._weights, self._threads)

    @property
    def info(self) -> ModelInfo:
        """Name, version and calibration, read from the manifest alone."""
        return self._weights.info(KIND)

    def judge(self, pairs: Sequence[_Pair]) -> list[Stance]:
        """Return one stance per (fragment, claim) pair, in order.

        A fragment is read as a whole. One of more than three sentences that may take a side is read three sentences at a
        time as well, each such window sharing a sentence with the one before, and stands where the most outspoken window
        and the whole stand together (see `passages.py`). If that is a side, the sentences of the window are read alone,
        too, and the one that speaks most for the side is named as the decisive one.
        Where the fragment or the claim has no letter and no digit, nothing is said: neutral, with probability 1.
        A text that occurs more than once is judged once.
        """
        max_tokens = self._reading.open().max_tokens if pairs else 0
        passages = [passage(text, claim, max_tokens) for text, claim in pairs]
        wide = self._judged(found.pair(whole) for found in passages for whole in found.wide)
        judged = wide | self._judged(found.pair(window) for found in passages for window in found.closely(wide))
        alone = self._judged(found.pair(sentence) for found in passages for sentence in found.undecided(judged))
        return [found.stance(judged, alone) for found in passages]

    def judge_sentences(self, pairs: Sequence[_Pair]) -> list[Stance]:
        """Return one stance per (text, claim) pair, in order, each text read as one, whatever sentences it has."""
        judged = self._judged(pairs)
        return [judged[pair].stance() for pair in pairs]

    def _judged(self, pairs: Iterable[_Pair]) -> dict[_Pair, Shares]:
        distinct = list(dict.fromkeys(pairs))
        if not distinct:
            return {}
        reading = self._reading.open()
        each, hear = self._opened(reading)

        def judge_one(pair: _Pair) -> Shares:
            return judge_pair(hear, reading, *pair)

        return dict(zip(distinct, each(judge_one, distinct), strict=True))

    def _opened(self, reading: Reading) -> tuple[_Each, Hear]:
        if reading.doors is not None:
            doors = self._doors.open()
            return doors.each, lambda fragment, claim: reading.by_doors(doors.read(fragment, claim, reading.claim_tokens))
        session = self._session.open()
        return session.each, lambda fragment, claim: _hear(session, reading, fragment, claim)


def reading_of(weights: WeightSource) -> Reading:
    """Return how the judge of some weights is read. Raises ModelError for a description that does not fit a judge."""
    entry = weights.entry(KIND)
    if sorted(entry.labels) != sorted(Relation):
        raise ModelError("weights_manifest_broken", file=weights.described_in, reason=f"models.{KIND}.labels")
    if entry.temperature and _DEFAULT_LANGUAGE not in entry.temperature:
        raise ModelError("weights_manifest_broken", file=weights.described_in, reason=f"models.{KIND}.calibration")
    labels = tuple(Relation(label) for label in entry.labels)
    return Reading(entry.max_tokens, labels, entry.temperature, entry.doors)


def judge_pair(hear: Hear, reading: Reading, text: str, claim: str) -> Shares:
    """Return where one text stands to one claim, by a network that is asked through `hear`."""
    if not (_has_words(text) and _has_words(claim)):
        return _SAYS_NOTHING
    return reading.calibrated(hear(text, claim))


def _hear(session: "TextSession", reading: Reading, fragment: str, claim: str) -> Heard:
    logits = session.output(session.fit(fragment, reading.max_tokens, claim, reading.claim_tokens))
    if logits.shape != (len(reading.labels),):
        raise session.wrong_kind()
    return Heard(dict(zip(reading.labels, logits.tolist(), strict=True)), detect_language(claim))


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)
