"""The questions that a language model may answer, each with a way to do without it.

How relevant is a paper, is a link a citation, what does a text claim, and, for people alone, what is it about. A model that
answers unreadably, or not at all, is an event, and so is an answer that holds instructions, our own prompt or a foreign
address; the search goes on without it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lyra.core.citation_filter import NEUTRAL, relevance_of
from lyra.core.citation_links import is_citation
from lyra.core.claim_input import check_claim, printable
from lyra.core.claimworthy import propose_claims
from lyra.core.dangerous.output import FOREIGN_URL, check_form
from lyra.core.errors import InvalidInput, WebProblem
from lyra.core.identifiers import SCHOLARLY
from lyra.core.identity import normalise_text
from lyra.core.pages import Link
from lyra.core.ports import Embedder, Llm, Reranker
from lyra.core.prompts import SYSTEM, fill
from lyra.core.records import ProviderStatus

RELEVANCE, CITATIONS, CLAIMS, SUMMARIES = "relevance_evaluation", "detect_citation", "extract_claims", "summarise_page"
BY_LLM, BUILT_IN, MIXED = "llm", "built_in", "mixed"
_SCORE: Mapping[str, object] = {"type": "number"}
_YES_OR_NO: Mapping[str, object] = {"type": "string", "enum": ["YES", "NO"]}
_CLAIM = {
    "type": "object",
    "properties": {"claim": {"type": "string", "maxLength": 1000}, "quote": {"type": "string", "maxLength": 3000}},
    "required": ["claim", "quote"],
    "additionalProperties": False,
}
_CLAIM_LIST: Mapping[str, object] = {
    "type": "object",
    "properties": {"claims": {"type": "array", "maxItems": 20, "items": _CLAIM}},
    "required": ["claims"],
    "additionalProperties": False,
}
_SUMMARY: Mapping[str, object] = {
    "type": "object",
    "properties": {"summary": {"type": "string", "minLength": 1, "maxLength": 1_000}},
    "required": ["summary"],
    "additionalProperties": False,
}
_MAX_TEXT = 6_000
_MALFORMED = "malformed_answer"

Note = Callable[[str, Mapping[str, object]], None]


@dataclass(slots=True)
class Understanding:
    """Asks the model where there is one, and falls back where it fails. `paths` says by which way each question was answered.

    `note` writes an event. A model that cannot be reached is not asked again in this search, nor one that there is no time
    for: `is_late` says when.
    """

    llm: Llm | None
    prompts: Mapping[str, str]
    embedder: Embedder
    reranker: Reranker | None
    note: Note
    is_late: Callable[[], bool] = lambda: False
    calls: int = 0
    status: ProviderStatus = ProviderStatus.OK
    paths: dict[str, str] = field(default_factory=dict)

    @property
    def way(self) -> str:
        """How claims are proposed: by which model, or by rules."""
        return BUILT_IN if self.llm is None else f"{self.llm.info.name}/{self.llm.info.version}"

    def relevances(self, query: str, source: str, texts: Sequence[str]) -> list[float]:
        """Return how useful each text is for answering a query, in [0, 1]; never whether it supports anything."""
        built_in: list[float] | None = None
        found: list[float] = []
        for text in texts:
            said = self._ask(RELEVANCE, _SCORE, query=query, source_abstract=source[:_MAX_TEXT], target_abstract=text[:_MAX_TEXT])
            if said is _UNREADABLE:
                found.append(NEUTRAL)
            elif said is None:
                built_in = built_in if built_in is not None else self._scored(query, texts)
                found.append(built_in[len(found)])
            else:
                found.append(relevance_of(said))
        return found

    def _scored(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score without a model that writes: by the re-ranker, or by nearness where there is none."""
        if self.reranker is not None:
            return self.reranker.score(query, texts)
        vectors = self.embedder.embed([query, *texts])
        return [min(1.0, max(0.0, float(value))) for value in vectors[1:] @ vectors[0]]

    def citations(self, links: Sequence[Link], page_url: str) -> list[Link]:
        """Return the links that refer to a source. One that names a work by its identifier does; nobody is asked."""
        found = []
        for link in links:
            said: object = None
            if link.target.kind not in SCHOLARLY:
                said = self._ask(CITATIONS, _YES_OR_NO, context=link.context, url=link.url, link_text=link.anchor)
            answered = said in ("YES", "NO")
            if said == "YES" or (not answered and is_citation(link, page_url)):
                found.append(link)
        return found

    def claims(self, text: str, limit: int) -> list[tuple[str, float]]:
        """Return at most `limit` claims that a text makes, with a score each, best first.

        What a model proposes is taken only with words of the text that it stands on.
        """
        said = self._ask(CLAIMS, _CLAIM_LIST, text=text[:_MAX_TEXT])
        if not isinstance(said, dict):
            return [(proposal.text, proposal.score) for proposal in propose_claims(text, limit)]
        whole = normalise_text(text)
        found: dict[str, float] = {}
        for one in said["claims"]:
            quote = normalise_text(str(one["quote"]))
            if quote and quote in whole and _usable(str(one["claim"]), whole):
                found.setdefault(check_claim(str(one["claim"])), 1.0)
        return list(found.items())[:limit]

    def summary(self, text: str) -> str | None:
        """Return what a text is about, for people to read; None where no model says so in a way that can be shown."""
        said = self._ask(SUMMARIES, _SUMMARY, text=text[:_MAX_TEXT])
        if not isinstance(said, dict) or not _has_known_addresses(str(said["summary"]), normalise_text(text)):
            return None
        return " ".join(printable(str(said["summary"])).split()) or None

    def _ask(self, use: str, schema: Mapping[str, object], **values: str) -> object:
        """Return what the model says; `_UNREADABLE` where it cannot be read, None where there is none to ask."""
        if self.llm is None or self.status is not ProviderStatus.OK or self.is_late():
            self._take(use, BUILT_IN)
            return None
        try:
            self.calls += 1
            said = self.llm.answer(fill(self.prompts[use], values), schema)
        except WebProblem as problem:
            self._take(use, BUILT_IN)
            self.note("llm_fallback", {"use": use, "code": problem.code, "endpoint": self.llm.address})
            if problem.code == _MALFORMED:
                return _UNREADABLE
            if problem.code != "prompt_too_long":
                self.status = problem.status
            return None
        ours = f"{SYSTEM}\n\n{self.prompts[use]}"
        families = sorted({one.family for one in check_form(ours, said, list(values.values()))})
        if families:
            self.note("llm_answer_suspect", {"use": use, "findings": families, "endpoint": self.llm.address})
        if families and families != [FOREIGN_URL]:  # a claim with a foreign address is left out by itself
            self._take(use, BUILT_IN)
            return _UNREADABLE
        self._take(use, BY_LLM)
        return said

    def _take(self, use: str, path: str) -> None:
        self.paths[use] = path if self.paths.get(use, path) == path else MIXED


class _Unreadable:
    """Stands for an answer that could not be read, also when it was asked for again."""


_UNREADABLE = _Unreadable()


def _usable(claim: str, text: str) -> bool:
    """Return whether a proposed claim may be taken: a plain sentence, with no address that the text does not have."""
    try:
        check_claim(claim)
    except InvalidInput:
        return False
    return _has_known_addresses(claim, text)


def _has_known_addresses(said: str, text: str) -> bool:
    return all(word in text for word in said.split() if "://" in word or word.lower().startswith("www."))
