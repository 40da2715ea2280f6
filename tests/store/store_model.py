"""The store beside a plain model of it: whatever is done to both, they hold the same.

The model keeps dictionaries and sets and knows no SQL. Hypothesis does things to both in any order, through two
connections that are also closed and opened again, and compares after every step.
"""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, MultipleResults, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from lyra.core.confidence import confidence
from lyra.core.identity import fragment_id, normalise_text
from lyra.core.records import Claim, Document, FileStamp, Identifier, ModelInfo, Relation, Span, Stance, TaskStatus
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.store.library import FileState
from tests.contents import contents, faults
from tests.fakes import FakeClock, stance

ROOT = "/library"
MODEL = ModelInfo(kind="stance", name="keyword", version="1")
SENTENCES = [f"Sentence number {number} says something new." for number in range(4)]
CLAIMS = ["Sleep improves memory.", "  Sleep improves\u200b memory.", "Coffee shortens sleep.", "睡眠は記憶を改善する。"]
A, B, ONE, TWO, HERE, THERE = (
    Identifier(kind, value)
    for kind, value in [
        ("doi", "10.1000/a"),
        ("doi", "10.1000/b"),
        ("pmid", "1"),
        ("pmid", "2"),
        ("url", "https://example.org/a"),
        ("url", "https://example.org/b"),
    ]
)
# Names that agree, complete each other, and contradict each other.
NAMES = [(), (A,), (HERE,), (A, HERE), (B, HERE), (ONE, HERE), (TWO, HERE), (A, ONE), (B, THERE), (TWO, THERE)]
STRENGTH = {"doi": 0, "pmid": 1, "arxiv": 2, "url": 3}

Version = tuple[int, str]


@dataclass(slots=True)
class Model:
    """What the store should hold. Pages are numbers; a version is a page with a text; None is a file that failed."""

    owners: dict[Identifier, int] = field(default_factory=dict)
    dois: dict[int, str] = field(default_factory=dict)
    retracted: set[int] = field(default_factory=set)
    references: set[tuple[int, Identifier]] = field(default_factory=set)
    occurrences: dict[tuple[Version, int], str] = field(default_factory=dict)
    ledger: dict[str, Version | None] = field(default_factory=dict)
    tasks: dict[str, TaskStatus] = field(default_factory=dict)
    claims: dict[tuple[str, str], str] = field(default_factory=dict)
    edges: dict[tuple[str, str | int], tuple[Relation, float]] = field(default_factory=dict)
    notices: set[tuple[int, str | None]] = field(default_factory=set)
    pages: int = 0

    def see(self, path: str, document: Document) -> None:
        """A file was read."""
        names = sorted(set(document.identifiers), key=lambda name: (STRENGTH[name.kind], name.value))
        names = names or [Identifier("url", f"file://{path}")]
        page = self._known(names)
        if page is None:
            page, self.pages = self.pages, self.pages + 1
        for name in names:
            self.owners.setdefault(name, page)
        if names[0].kind == "doi":
            self.dois.setdefault(page, names[0].value)
        self.references |= {(page, name) for name in document.references}
        if document.retracted:
            self.retracted.add(page)
        for start, sentence in places(document.text):
            self.occurrences[(page, document.text), start] = sentence
        self.ledger[path] = (page, document.text)

    def _known(self, names: list[Identifier]) -> int | None:
        for name in names:
            page = self.owners.get(name)
            claimed = {other.kind for other, owner in self.owners.items() if owner == page}
            stronger = {other.kind for other in names if STRENGTH[other.kind] < STRENGTH[name.kind]}
            if page is not None and not claimed & stronger:
                return page
        return None

    def current(self) -> set[Version]:
        """The versions that lie in the library now."""
        return {version for version in self.ledger.values() if version is not None}

    def supported(self) -> dict[tuple[int, str], float]:
        """The strongest support of each claim by each retracted page."""
        found: dict[tuple[int, str], float] = {}
        for ((page, _), _), sentence in self.occurrences.items():
            for (claim_id, source), (relation, weight) in self.edges.items():
                if page in self.retracted and source == sentence and relation is Relation.SUPPORTS:
                    found[page, claim_id] = max(weight, found.get((page, claim_id), 0.0))
        return found

    def apply_retractions(self) -> int:
        """Notices refute what retracted pages support; returns how many edges are new."""
        before = len(self.edges)
        for (page, claim_id), weight in self.supported().items():
            known = self.edges.get((claim_id, page))
            if known is None:
                self.notices.add((page, self.dois.get(page)))
            self.edges[claim_id, page] = (Relation.REFUTES, max(weight, known[1] if known else 0.0))
        return len(self.edges) - before

    def cites(self) -> set[tuple[int, int]]:
        """Who cites whom, as far as both are known."""
        found = {(page, self.owners[name]) for page, name in self.references if name in self.owners}
        return {(citing, cited) for citing, cited in found if citing != cited}


def places(text: str) -> list[tuple[int, str]]:
    """Where each sentence of a text stands."""
    return [(text.index(sentence), sentence) for sentence in text.split("\n\n")]


documents = st.builds(
    Document,
    text=st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=2, unique=True).map("\n\n".join),
    sections=st.just(()),
    identifiers=st.sampled_from(NAMES),
    references=st.lists(st.sampled_from([A, B, ONE, THERE]), max_size=2, unique=True).map(tuple),
    retracted=st.sampled_from([False, True]),
)
paths = st.sampled_from([f"{ROOT}/a.txt", f"{ROOT}/b.txt", f"{ROOT}/c.txt"])
stances = st.builds(stance, st.sampled_from(list(Relation)), st.floats(0.0, 1.0))


class StoreMachine(RuleBasedStateMachine):
    """Does the same to the store and to the model."""

    tasks: Bundle[str] = Bundle("tasks")
    claims: Bundle[Claim] = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory(ignore_cleanup_errors=True)
        self.clock, self.model, self.changes = FakeClock(), Model(), 0
        self.stores = [self._open(), self._open()]
        self.stores[0].library.add_root(ROOT)

    def _open(self) -> EvidenceStore:
        return open_store(Path(self.folder.name), self.clock, Random(self.clock.now().microsecond))

    @property
    def store(self) -> EvidenceStore:
        """The two connections take turns."""
        self.stores.reverse()
        return self.stores[0]

    @initialize(target=tasks)
    def begin(self) -> str:
        return self.create_task()

    def create_task(self) -> str:
        task_id = self.store.tasks.create("question", None, [ROOT]).task_id
        self.model.tasks[task_id] = TaskStatus.ACTIVE
        return task_id

    @rule(target=tasks)
    def add_task(self) -> str:
        return self.create_task()

    @rule(target=claims, task_id=tasks, texts=st.lists(st.sampled_from(CLAIMS), min_size=1, max_size=3))
    def add_claims(self, task_id: str, texts: list[str]) -> MultipleResults[Claim]:
        added = self.store.tasks.add_claims(task_id, texts)
        expected = list(dict.fromkeys(normalise_text(text) for text in texts))
        assert [normalise_text(claim.text) for claim in added] == expected
        for claim, text in zip(added, expected, strict=True):
            assert self.model.claims.setdefault((task_id, text), claim.claim_id) == claim.claim_id
        return multiple(*added)

    @rule(path=paths, document=documents)
    def write_file(self, path: str, document: Document) -> None:
        self.changes += 1
        store = self.store
        with store.transaction():
            spans = [Span(start, start + len(sentence)) for start, sentence in places(document.text)]
            seen = store.pages.register(document, f"file://{path}", spans)
            state = FileState(status="read", page_id=seen.page_id, page_version_id=seen.page_version_id)
            store.library.record(ROOT, FileStamp(path, len(document.text), self.changes), state)
        self.model.see(path, document)

    @rule(path=paths)
    def remove_file(self, path: str) -> None:
        gone = self.store.library.mark_removed(ROOT, set(self.model.ledger) - {path})
        assert gone == ([path] if path in self.model.ledger else [])
        self.model.ledger.pop(path, None)

    @rule(path=paths)
    def fail_to_read_file(self, path: str) -> None:
        self.changes += 1
        state = FileState(status="failed", code="unreadable")
        self.store.library.record(ROOT, FileStamp(path, 0, self.changes), state)
        self.model.ledger[path] = None

    @rule(claim=claims, judged=st.dictionaries(st.sampled_from(SENTENCES), stances, min_size=1, max_size=4))
    def judge(self, claim: Claim, judged: dict[str, Stance]) -> None:
        seen = set(self.model.occurrences.values())
        known = {sentence: found for sentence, found in judged.items() if sentence in seen}
        new = {sentence for sentence in known if (claim.claim_id, sentence) not in self.model.edges}
        found = {fragment_id(sentence): judgement for sentence, judgement in known.items()}
        assert self.store.edges.add(claim, found, MODEL, "job_1") == len(new)
        for sentence in new:
            self.model.edges[claim.claim_id, sentence] = (known[sentence].label, known[sentence].nli_confidence)

    @rule()
    def apply_retractions(self) -> None:
        assert self.store.retractions.apply("job_1") == self.model.apply_retractions()

    @rule(task_id=consumes(tasks))
    def stop_task(self, task_id: str) -> None:
        self.store.tasks.stop(task_id)
        self.model.tasks[task_id] = TaskStatus.STOPPED

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.stores[0] = self._open()

    @invariant()
    def both_hold_the_same_graph(self) -> None:
        held, model = contents(self.store), self.model
        notice_pages = {page for page, _ in model.notices}
        assert held.sizes() == {
            "pages": model.pages + len(notice_pages),
            "fragments": len(set(model.occurrences.values())) + len(model.notices),
            "occurrences": len(model.occurrences) + len(model.notices),
            "cites": len(model.cites()),
            "claims": len(model.claims),
            "edges": len(model.edges),
        }
        current = model.current()
        stale = sum(version not in current for version, _ in model.occurrences)
        assert sum(bool(row[-1]) for row in held.occurrences) == stale

    @invariant()
    def confidences_are_those_of_the_pure_function(self) -> None:
        store = self.store
        for task_id, status in self.model.tasks.items():
            assert store.tasks.get(task_id).status is status
            found = store.edges.confidences(task_id)
            claims = [claim_id for (owner, _), claim_id in self.model.claims.items() if owner == task_id]
            assert sorted(found) == sorted(claims)
            for claim_id in claims:
                pure = confidence(edge for (claim, _), edge in self.model.edges.items() if claim == claim_id)
                assert (found[claim_id].alpha, found[claim_id].beta) == pytest.approx((pure.alpha, pure.beta), abs=1e-9)
                assert found[claim_id].confidence == pytest.approx(pure.confidence, abs=1e-9)
                assert found[claim_id].evidence_count == pure.evidence_count

    @invariant()
    def the_search_sees_what_lies_in_the_library_now(self) -> None:
        current = self.model.current()
        sentences = {sentence for (version, _), sentence in self.model.occurrences.items() if version in current}
        assert self.store.searching.open_scope([ROOT]) == len(sentences)

    def teardown(self) -> None:
        assert faults(self.store) == []
        for store in self.stores:
            store.close()
        self.folder.cleanup()
