"""Ground truth: a pair of texts, what a model said of it at first, and the right answer that a person gave."""

from dataclasses import dataclass

from lyra.core.records import Relation


@dataclass(frozen=True, slots=True)
class NliSample:
    """One correction with text snapshots. `probabilities` are the model's for supports, refutes and neutral, in that order."""

    correction_id: str
    edge_id: str
    claim_id: str
    task_id: str
    premise: str
    hypothesis: str
    predicted_label: Relation
    predicted_confidence: float
    predicted_raw: float
    probabilities: tuple[float, float, float]
    model: str
    model_version: str
    calibration_version: str | None
    correct_label: Relation
    reason: str | None
    corrected_at: str
