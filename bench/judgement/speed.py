"""How fast pairs are judged: 2,000 named pairs of SciFact dev on one and two threads, beside torch with the same architecture.

The pairs are the sentences of the abstracts that development claims cite, each with its claim, in the order of the files.
Torch, where it is installed, computes in float32, 32 pairs at a time as they come, each padded to 256 tokens.
"""

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from lyra.models.stance import OnnxStance
from lyra.models.weights import Weights
from training import sources
from training.reader import Judge

PAIRS = 2_000
_WARM = 8
Texts = list[tuple[str, str]]


def named_pairs(data: Path, count: int = PAIRS) -> Texts:
    """Return the pairs. Raises FileNotFoundError when the data set is not there."""
    corpus, claims = sources.scifact_corpus(data), sources.scifact_claims(data, "dev")
    found = [
        (sentence, claim["claim"]) for claim in claims for doc in claim["cited_doc_ids"] for sentence in corpus[doc]["abstract"]
    ]
    return found[:count]


def rates(models: Path, pairs: Texts, threads: int) -> tuple[float, float]:
    """Return pairs per second as the product judges, and with every pair read to the end."""
    judge = OnnxStance(Weights(models), threads)
    whole = Judge(models, threads)
    return _rate(judge.judge_sentences, pairs), _rate(whole.read, pairs)


def _rate(work: Callable[[Texts], Sequence[object]], pairs: Texts) -> float:
    work(pairs[:_WARM])
    began = time.perf_counter()
    work(pairs)
    return len(pairs) / (time.perf_counter() - began)


def torch_rate(threads: int) -> float | None:
    """Return pairs per second of torch, or None where it is not installed."""
    if find_spec("torch") is None:
        return None
    # By name: torch is an extra, and nothing here is checked against it.
    return float(import_module("training.torch_speed").rate(threads))
