"""A language model that words the comments which verification rewrites. What it proposes is checked like anybody's text."""

from collections.abc import Callable, Mapping

from lyra.core.errors import WebProblem
from lyra.core.ports import Llm
from lyra.core.prompts import fill
from lyra.reports.model import Claim
from lyra.reports.scale import CONFIDENCES, RANKS
from lyra.reports.wording import LONGEST, judgements_text

PROMPT = "rewrite_comment"
_FORM: Mapping[str, object] = {
    "type": "object",
    "properties": {"comment": {"type": "string", "maxLength": 2 * LONGEST}},
    "required": ["comment"],
    "additionalProperties": False,
}


class ModelWriter:
    """Asks a model for each comment. Where it cannot answer, `note` is told and the composed comment stands.

    A model that cannot be reached is asked once.
    """

    def __init__(self, llm: Llm, template: str, note: Callable[[WebProblem], None]) -> None:
        self._llm = llm
        self._template = template
        self._note = note
        self._reachable = True

    def __call__(self, claim: Claim, confidence: int, composed: str) -> str | None:
        """Return the model's wording of a comment, unchecked; None where there is none."""
        if not self._reachable:
            return None
        values = {
            "claim": claim.claim,
            "confidence": str(confidence),
            "rank": RANKS[min(CONFIDENCES, key=lambda value: abs(value - confidence))],
            "judgements": judgements_text(claim),
            "template": composed,
        }
        try:
            said = self._llm.answer(fill(self._template, values), _FORM)
        except WebProblem as problem:
            self._reachable = problem.code in ("malformed_answer", "prompt_too_long")
            self._note(problem)
            return None
        return str(said["comment"]) if isinstance(said, dict) else None
