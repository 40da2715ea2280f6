"""The shipped judge: one network with two doors, one for English words and one for pieces of Japanese and English.

Its layers lie in two graphs. The first gives a guess and the states behind it, the second turns the states into the answer,
and a third turns pieces into what the first takes in place of words. A pair runs alone, without padding. Each graph is opened
when a pair first needs it: English alone never loads the pieces, and a pair that the guess settles never loads the rest.

Importing this module costs what onnxruntime and numpy cost; the judge imports it when it first runs.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from lyra.core.errors import ModelError
from lyra.core.language import detect_language
from lyra.models.opening import Lazy
from lyra.models.session import Graph, available_threads, cut_pair, open_tokenizer, run_each
from lyra.models.weights import PIECES, PIECES_TOKENIZER, REST, TOKENIZER, Doors, WeightSource
from lyra.models.window import plain

Item = TypeVar("Item")
Result = TypeVar("Result")

KIND = "stance"
ENGLISH, JAPANESE, ACROSS = "en", "ja", "x"
_LABELS = 3
# [CLS] fragment [SEP] [SEP] claim [SEP] in words, <s> fragment </s> <s> claim </s> in pieces.
_BORDERS = 4


@dataclass(frozen=True, slots=True)
class _Tokens:
    """A tokenizer with the numbers of its borders and of what it does not know."""

    tokenizer: Tokenizer
    begin: int
    end: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Said:
    """What the network says of one pair, in the order of its labels: a guess, and the answer unless the guess was enough."""

    manner: str
    guess: tuple[float, ...]
    answer: tuple[float, ...] | None


def manner_of(fragment: str, claim: str) -> str:
    """Return the manner in which a pair is read: `ja` for two Japanese texts, `x` for one, `en` for all others."""
    japanese = [detect_language(text) == JAPANESE for text in (fragment, claim)]
    return JAPANESE if all(japanese) else ACROSS if any(japanese) else ENGLISH


def guess_is_enough(guess: Sequence[float], neutral: int, manner: str, doors: Doors) -> bool:
    """Return whether a guess is so sure of neutral (the label at that place) that the pair need not be read further."""
    least = doors.neutral.get(manner, 1.0)
    if least >= 1.0:
        return False
    highest = max(guess)
    powers = [math.exp((logit - highest) / doors.temperature) for logit in guess]
    return powers[neutral] / math.fsum(powers) >= least


class TwoDoorSession:
    """The network, opened part by part as pairs need it. Safe to share between threads.

    Raises ModelError when a part is missing, damaged, or not what it should be; the file is named.
    """

    def __init__(self, weights: WeightSource, threads: int | None) -> None:
        self._weights = weights
        self._entry = weights.entry(KIND)
        if self._entry.doors is None:
            raise ModelError("weights_manifest_broken", file=weights.described_in, reason=f"models.{KIND}.{REST}")
        self._doors = self._entry.doors
        self._neutral = self._entry.labels.index("neutral")
        self._threads = max(1, threads or available_threads())
        self._word_tokens = self._tokenizer(TOKENIZER, "[CLS]", "[SEP]", "[UNK]")
        self._piece_tokens = self._tokenizer(PIECES_TOKENIZER, "<s>", "</s>", "<unk>")
        self._first = self._graph(KIND, {"input_ids", "given"}, {"guess", "states"})
        self._rest = self._graph(REST, {"states"}, {"logits"})
        self._piece_words = self._graph(PIECES, {"input_ids"}, {"words"})

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """Return `work` of each item, in order, several at a time; see `session.run_each`."""
        return run_each(work, items, self._threads, KIND)

    def read(self, fragment: str, claim: str, claim_tokens: int, *, to_the_end: bool = False) -> Said:
        """Return what the network says of a pair; `to_the_end` reads on where the guess would be enough.

        The claim is cut to `claim_tokens` tokens, the fragment to what is left of the window.
        """
        manner = manner_of(fragment, claim)
        texts = plain(fragment, self._entry.max_tokens), plain(claim, claim_tokens)
        ids, given = self._words(*texts, claim_tokens) if manner == ENGLISH else self._pieces(*texts, claim_tokens)
        first = self._first.open()
        guess, states = first.run(("guess", "states"), {"input_ids": ids, "given": given})
        guessed = _row(first, guess)
        if not to_the_end and guess_is_enough(guessed, self._neutral, manner, self._doors):
            return Said(manner, guessed, None)
        rest = self._rest.open()
        (logits,) = rest.run(("logits",), {"states": states})
        return Said(manner, guessed, _row(rest, logits))

    def _words(self, fragment: str, claim: str, claim_tokens: int) -> "tuple[NDArray[np.int64], NDArray[np.float32]]":
        """Return the ids of an English pair, with nothing given beside them."""
        tokens = self._word_tokens.open()
        first, second = cut_pair(tokens.tokenizer, fragment, self._entry.max_tokens - _BORDERS, claim, claim_tokens)
        ids = [tokens.begin, *first.ids, tokens.end, tokens.end, *(second.ids if second else ()), tokens.end]
        # The embedder that shares the tokenizer knows more tokens than this network.
        known = [number if number < self._doors.vocabulary else tokens.unknown for number in ids]
        width = self._first.open().inputs["given"][-1]
        if not isinstance(width, int):
            raise self._first.open().wrong_kind()
        return np.array([known], dtype=np.int64), np.zeros((1, 1, width), dtype=np.float32)

    def _pieces(self, fragment: str, claim: str, claim_tokens: int) -> "tuple[NDArray[np.int64], NDArray[np.float32]]":
        """Return the vectors of a pair in pieces, given in place of words."""
        tokens = self._piece_tokens.open()
        parts = cut_pair(tokens.tokenizer, fragment, self._entry.max_tokens - _BORDERS, claim, claim_tokens)
        # To the library these borders are pieces like others: written in a text they are not a border but unknown.
        borders = tokens.begin, tokens.end
        first, second = ([tokens.unknown if n in borders else n for n in part.ids] if part else [] for part in parts)
        ids = np.array([[tokens.begin, *first, tokens.end, tokens.begin, *second, tokens.end]], dtype=np.int64)
        (words,) = self._piece_words.open().run(("words",), {"input_ids": ids})
        return np.full_like(ids, self._doors.vocabulary), words

    def _graph(self, part: str, inputs: set[str], outputs: set[str]) -> Lazy[Graph]:
        def make() -> Graph:
            graph = Graph(KIND, self._weights.path(part), unpacked=True)
            if graph.inputs.keys() != inputs or set(graph.outputs) != outputs:
                raise graph.wrong_kind()
            return graph

        return Lazy(make)

    def _tokenizer(self, part: str, *special: str) -> Lazy[_Tokens]:
        def make() -> _Tokens:
            path = self._weights.path(part)
            tokenizer = open_tokenizer(path)
            ids = [number for token in special if (number := tokenizer.token_to_id(token)) is not None]
            if len(ids) != len(special):
                raise ModelError("model_bad_tokenizer", file=path, detail=" ".join(special))
            return _Tokens(tokenizer, *ids)

        return Lazy(make)


def _row(graph: Graph, values: "NDArray[np.float32]") -> tuple[float, ...]:
    """Return the logits of the only pair of a run."""
    if values.shape != (1, _LABELS):
        raise graph.wrong_kind()
    return tuple(values[0].tolist())
