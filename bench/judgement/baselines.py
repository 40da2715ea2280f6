"""What costs nothing: the most common label, and counting shared words. A model has to beat both."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

_ENOUGH = 0.5
_WORD = re.compile(r"[a-z0-9]+|[\u3040-\u30ff\u4e00-\u9fff]")
_DENIES = re.compile(r"\b(?:no|not|never|none|neither|without|fail(?:s|ed)?|lack(?:s|ed)?)\b|ない|なかった|ず[、。]|不")


def majority(gold: Sequence[int]) -> list[int]:
    """Return the most common label for every pair."""
    return [Counter(gold).most_common(1)[0][0]] * len(gold)


def word_overlap(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """Return neutral for little overlap, else supports, or refutes where one side alone has a negation."""
    found = []
    for premise, claim in pairs:
        wanted = set(_WORD.findall(claim.lower()))
        shared = len(wanted & set(_WORD.findall(premise.lower()))) / max(1, len(wanted))
        differ = bool(_DENIES.search(premise.lower())) != bool(_DENIES.search(claim.lower()))
        found.append(2 if shared < _ENOUGH else (1 if differ else 0))
    return found


def macro_f1(said: Sequence[int], gold: Sequence[int]) -> float:
    """Return the mean F1 over the labels that occur."""
    guess, truth = np.array(said), np.array(gold)
    scores = []
    for label in sorted(set(gold)):
        hits = float(((guess == label) & (truth == label)).sum())
        scores.append(2 * hits / max(1.0, float((guess == label).sum() + (truth == label).sum())))
    return float(np.mean(scores))
