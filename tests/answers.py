"""Judgements of a simulated model beside right answers: as records, and as edges that somebody corrected."""

import math
from collections.abc import Iterable
from random import Random

from lyra.core.calibration import CLASSES, softened
from lyra.core.calibration_metrics import Answered
from lyra.core.identity import fragment_id
from lyra.core.records import ModelInfo, Span, Stance
from lyra.store.evidence_store import EvidenceStore
from tests.fakes import document

# How many of a claim's fragments are judged.
PER_CLAIM = 4


def simulated(count: int, temperature: float, seed: int = 1) -> list[Answered]:
    """Judgements of a model whose logits are `temperature` times what they should be: above 1, it is over-confident."""
    source = Random(seed)
    made = []
    for number in range(count):
        logits = [source.gauss(0, 1.5) for _ in CLASSES]
        total = math.fsum(map(math.exp, logits))
        first, second, third = (math.exp(value) / total for value in logits)
        truth = source.choices(CLASSES, (first, second, third))[0]
        shown = softened((first, second, third), 1 / temperature)
        made.append(Answered(shown, CLASSES[shown.index(max(shown))], truth, f"claim_{number // PER_CLAIM}"))
    return made


def answer_all(store: EvidenceStore, samples: Iterable[Answered], model: ModelInfo, mark: str = "a") -> None:
    """Store an edge for each sample, with the right answer that a person gave to it. `mark` keeps two calls apart."""
    with store.transaction():
        task = store.tasks.create("question", None, []).task_id
        claims = {}
        for number, sample in enumerate(samples):
            if sample.group not in claims:
                (claims[sample.group],) = store.tasks.add_claims(task, [f"Claim {mark} {sample.group}."])
            claim, text = claims[sample.group], f"Text {mark} number {number}."
            store.pages.register(document(text), f"file:///library/{mark}{number}", [Span(0, len(text))])
            judged = Stance(sample.label, *sample.probabilities, raw=sample.confidence)
            store.edges.add(claim, {fragment_id(text): judged}, model, "job_1")
            found = store.database.value("SELECT edge_id FROM edges WHERE fragment_id = ?", (fragment_id(text),))
            store.corrections.correct(store.corrections.edge(str(found)), sample.correct, None, f"feedback_{mark}_{number}")
