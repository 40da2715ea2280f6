"""What a use case works with: the store and the ports, chosen once by the composition root."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lyra.core.calibration import CalibratedStance
from lyra.core.domain_decision import DomainGate
from lyra.core.model_choice import choose_judge
from lyra.core.ports import DocumentReader, Embedder, PageScanner, Progress, Reranker, StanceModel
from lyra.core.records import Job, ModelInfo
from lyra.core.rejections import BlockRules
from lyra.store.evidence_store import EvidenceStore

if TYPE_CHECKING:  # what lies behind it works on a bench, too
    from lyra.workflows.gather.reach import Reach


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a use case goes. `top_k` fragments are judged per claim."""

    top_k: int = 20
    lexical_candidates: int = 100
    vector_candidates: int = 100
    search_fragments: int = 10
    search_claims: int = 8


@dataclass(frozen=True, slots=True)
class Bench:
    """The store, the models and the readers of one process. `owner` names it in leases.

    `gate` says which domains may be used, `rules` when one is blocked automatically; `scanner` looks for dangerous
    patterns in what is read. `specialists` judge the pairs in the languages they name, in order; `stance` all others.
    `providers` are asked where none are named; `reach` opens the network when it is first needed.
    """

    store: EvidenceStore
    reader: DocumentReader
    embedder: Embedder
    stance: StanceModel
    reranker: Reranker | None
    progress: Progress
    limits: Limits
    owner: str
    gate: DomainGate
    rules: BlockRules = field(default_factory=BlockRules)
    scanner: PageScanner | None = None
    specialists: tuple[StanceModel, ...] = ()
    providers: tuple[str, ...] = ()
    uses_llm: bool = False
    reach: "Callable[[], Reach] | None" = None

    def judge_of(self, claim_language: str, fragment_language: str) -> StanceModel:
        """Return the model that judges a pair in these languages, with the calibrator that is in force now."""
        place = choose_judge([one.info for one in self.specialists], claim_language, fragment_language)
        return calibrated_model(self.store, self.stance if place is None else self.specialists[place])

    def models(self) -> tuple[ModelInfo, ...]:
        """Return the models at work, the general judge first."""
        others = (self.embedder, *((self.reranker,) if self.reranker else ()), *self.specialists)
        return tuple(self.store.calibrations.named(info) for info in (self.stance.info, *(one.info for one in others)))


def calibrated_model(store: EvidenceStore, model: StanceModel) -> StanceModel:
    """Return a model with the calibrator that is in force for it at this moment; itself where there is none."""
    calibration = store.calibrations.in_force(model.info)
    return model if calibration is None else CalibratedStance(model, calibration)


@dataclass(frozen=True, slots=True)
class Holding:
    """A job this process holds. Every write of the job calls `guard` in its transaction."""

    store: EvidenceStore
    job: Job

    def guard(self, done: int | None = None, total: int | None = None) -> None:
        """Extend the lease and note progress; raises LeaseLost when the job is no longer ours."""
        self.store.jobs.guard(self.job, done, total)
