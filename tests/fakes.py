"""Fakes at the ports: deterministic, without weights, network or a real clock."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lyra.core.domain_policy import Policy
from lyra.core.errors import DocumentProblem, NotFound
from lyra.core.ports import DocumentReader, PolicyReading, Progress, Step
from lyra.core.records import Document, Evidence, FileStamp, Identifier, Locator, ModelInfo, Record, Relation, Stance
from lyra.providers.policy_file import PolicyFile
from lyra.store.evidence_store import EvidenceStore
from lyra.workflows.bench import Bench, Limits
from lyra.workflows.domain_gate import PolicyGate

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LIBRARY = "/library"

_WORD = re.compile(r"\w+")
_DENIALS = ("does not", "do not", "did not", "no effect", "never", "cannot", "増やさない", "ない。")
_FILLING = frozenset("a an and the of in on to with by is are was were does do did not no effect never that for has have".split())


class FakeClock:
    """Stands still, or moves by `tick` every time it is looked at; `advance` moves it by hand."""

    def __init__(self, moment: datetime = START, tick: timedelta = timedelta(milliseconds=1)) -> None:
        self.moment = moment
        self.tick = tick

    def now(self) -> datetime:
        self.moment += self.tick
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


class SystemClock:
    """The real time, for processes that must agree on it."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class SilentProgress:
    """Shows nothing."""

    @contextmanager
    def track(self, code: str, total: int | None) -> Iterator[Step]:
        yield SilentStep()


class SilentStep:
    def advance(self, by: int = 1) -> None:
        pass


class TextPolicy:
    """A domain policy with a given text, which never changes."""

    def __init__(self, text: str = "") -> None:
        self._file = PolicyFile(Path("no-such-file.yaml"), FakeClock())
        self._text = text
        self.path = Path("no-such-file.yaml")

    def read(self) -> PolicyReading:
        return PolicyReading(self._file.parse(self._text), self._text)

    def parse(self, text: str) -> Policy:
        return self._file.parse(text)


class MemoryReader:
    """Documents in memory under absolute paths; counts how often each is read."""

    def __init__(self) -> None:
        self.documents: dict[str, Document | DocumentProblem] = {}
        self.record_files: dict[str, list[Record]] = {}
        self.stamps: dict[str, FileStamp] = {}
        self.reads: list[str] = []
        self.missing_roots: set[str] = set()
        self._saved = 0

    def put(self, path: str, document: str | Document | DocumentProblem) -> str:
        """Write a document, as if a file was saved just now; `path` is below the library unless absolute."""
        full = path if path.startswith("/") else f"{LIBRARY}/{path}"
        self._saved += 1
        kept = Document(text=document, sections=()) if isinstance(document, str) else document
        size = len(kept.text) if isinstance(kept, Document) else 0
        self.documents[full] = kept
        self.stamps[full] = FileStamp(full, size, self._saved)
        return full

    def put_records(self, path: str, *records: Document | Record) -> str:
        """Write a file of records, as if it was saved just now."""
        full = path if path.startswith("/") else f"{LIBRARY}/{path}"
        self._saved += 1
        self.record_files[full] = [
            record if isinstance(record, Record) else Record(number, number, f"key{number}", record)
            for number, record in enumerate(records, start=1)
        ]
        self.stamps[full] = FileStamp(full, len(records), self._saved)
        return full

    def drop(self, path: str) -> None:
        full = path if path.startswith("/") else f"{LIBRARY}/{path}"
        self.documents.pop(full, None)
        self.record_files.pop(full, None)
        del self.stamps[full]

    def scan(self, root: Path) -> Iterator[FileStamp]:
        if str(root) in self.missing_roots:
            raise NotFound("path_missing", path=str(root))
        for path in sorted(self.stamps):
            if Path(path).is_relative_to(root):
                yield self.stamps[path]

    def is_document(self, path: str) -> bool:
        return path.endswith((".txt", ".md", ".pdf", ".bib"))

    def holds_records(self, path: str) -> bool:
        return path.endswith(".bib")

    def records(self, stamp: FileStamp, root: Path) -> Iterator[Record]:
        self.reads.append(stamp.path)
        yield from self.record_files[stamp.path]

    def read(self, stamp: FileStamp, root: Path) -> Document:
        self.reads.append(stamp.path)
        found = self.documents[stamp.path]
        if isinstance(found, DocumentProblem):
            raise found
        return found


class TextFileReader:
    """Reads the `.txt` files of a real folder as they are."""

    def scan(self, root: Path) -> Iterator[FileStamp]:
        for path in sorted(root.glob("**/*.txt")):
            known = path.stat()
            yield FileStamp(str(path), known.st_size, known.st_mtime_ns)

    def is_document(self, path: str) -> bool:
        return path.endswith(".txt")

    def holds_records(self, path: str) -> bool:
        return False

    def records(self, stamp: FileStamp, root: Path) -> Iterator[Record]:
        raise NotImplementedError

    def read(self, stamp: FileStamp, root: Path) -> Document:
        return Document(text=Path(stamp.path).read_text(encoding="utf-8"), sections=(), extractor="plain/1")


class HashEmbedder:
    """Unit vectors from hashed words: texts with the same words are near each other."""

    dimension = 32

    def __init__(self, version: str = "1") -> None:
        self.info = ModelInfo(kind="embedder", name="hash", version=version)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in _WORD.findall(text.lower()):
                digest = hashlib.blake2b(word.encode(), digest_size=2).digest()
                vectors[row, digest[0] % self.dimension] += 1.0 if digest[1] % 2 else -1.0
            vectors[row, 0] += 0.5
            vectors[row] /= np.linalg.norm(vectors[row]) or 1.0
        return vectors


class KeywordStance:
    """Supports or refutes by shared words and denials; neutral where too few words are shared.

    The confidence is fixed by the pair of texts, between 0.60 and 0.95.
    """

    def __init__(self, version: str = "1") -> None:
        self.info = ModelInfo(kind="stance", name="keyword", version=version, calibration_version="none")
        self.judged: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        self.judged.extend(pairs)
        return [self._judge(fragment, claim) for fragment, claim in pairs]

    def _judge(self, fragment: str, claim: str) -> Stance:
        wanted = _telling_words(claim)
        shared = wanted & _telling_words(fragment)
        if len(shared) * 2 <= len(wanted):
            return stance(Relation.NEUTRAL, 0.8)
        agrees = _denies(fragment) == _denies(claim)
        digest = hashlib.blake2b(f"{fragment}|{claim}".encode(), digest_size=2).digest()
        weight = 0.60 + 0.35 * int.from_bytes(digest) / 65535
        return stance(Relation.SUPPORTS if agrees else Relation.REFUTES, weight)


class OverlapReranker:
    """Prefers texts that share more words with the query."""

    info = ModelInfo(kind="reranker", name="overlap", version="1")

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        wanted = _telling_words(query)
        return [len(wanted & _telling_words(text)) / max(1, len(wanted)) for text in texts]


def _telling_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _FILLING


def _denies(text: str) -> bool:
    return any(denial in text.lower() for denial in _DENIALS)


def stance(label: Relation | str, weight: float, decisive: tuple[int, int] | None = None) -> Stance:
    """A judgement with the given label and calibrated probability."""
    rest = (1.0 - weight) / 2.0
    values = {relation: weight if relation == label else rest for relation in Relation}
    return Stance(
        label=Relation(label),
        supports=values[Relation.SUPPORTS],
        refutes=values[Relation.REFUTES],
        neutral=values[Relation.NEUTRAL],
        raw=min(1.0, weight + 0.01),
        decisive=decisive,
    )


def named(*names: str) -> tuple[Identifier, ...]:
    """Identifiers from `kind:value`, as in `doi:10.1000/a`."""
    return tuple(Identifier(kind, value) for kind, _, value in (name.partition(":") for name in names))


def document(text: str, *names: str) -> Document:
    """A document by its text and its own identifiers; other facts come by `dataclasses.replace`."""
    return Document(text=text, sections=(), identifiers=named(*names), extractor="fake/1")


def make_bench(
    store: EvidenceStore, reader: DocumentReader, *, owner: str = "elsewhere:1", progress: Progress | None = None
) -> Bench:
    """A bench of fakes around a real store; other parts come by `dataclasses.replace`."""
    return Bench(
        store=store,
        reader=reader,
        embedder=HashEmbedder(),
        stance=KeywordStance(),
        reranker=None,
        progress=progress or SilentProgress(),
        limits=Limits(),
        owner=owner,
        gate=PolicyGate(store),
    )


def evidence(edge_id: str, relation: str, weight: float, page_id: str = "page_a") -> Evidence:
    """A stance edge on its own; other facts come by `dataclasses.replace`."""
    judged = stance(relation, weight)
    return Evidence(
        edge_id=edge_id,
        claim_id="claim_1",
        relation=judged.label,
        nli_label=judged.label,
        nli_confidence=judged.nli_confidence,
        nli_confidence_raw=judged.raw,
        probabilities=(judged.supports, judged.refutes, judged.neutral),
        model="keyword",
        model_version="1",
        calibration_version=None,
        quote="quote",
        decisive=None,
        locator=Locator(page_version_id=f"version of {page_id}", content_hash="0", start=0, end=5),
        fragment_id=f"frag_{edge_id}",
        page_id=page_id,
        url=f"https://example.org/{page_id}",
        title=None,
        published_on=None,
        doi=None,
        venue=None,
        source_domain_category=None,
        target_domain_category=None,
        retracted=False,
        edge_human_corrected=False,
    )
