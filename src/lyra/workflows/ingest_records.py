"""Reading a file that holds many records: in batches, each committed by itself, in memory that one batch bounds."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lyra.core.identity import normalise_url, text_hash
from lyra.core.records import Document, FileStamp, LedgerEntry, Record
from lyra.store.evidence_store import EvidenceStore
from lyra.store.library import FileState
from lyra.store.library_records import MAX_NAMED_PROBLEMS, RecordState
from lyra.workflows.bench import Bench
from lyra.workflows.registering import take_in_all

Guard = Callable[[], None]
# What caused what happened while the library was read.
INGEST_CAUSE = "library"
_RECORDS_PER_BATCH = 1_000
# A batch of long abstracts is committed before it holds more than this.
_CHARS_PER_BATCH = 2_000_000


@dataclass(frozen=True, slots=True)
class RecordsOutcome:
    """What became of a file's records: counts, and the ones that could not be read."""

    counts: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[LedgerEntry, ...] = ()


def read_records(bench: Bench, root: str, stamp: FileStamp, guard: Guard) -> tuple[FileState, RecordsOutcome]:
    """Register every record of a file as a page of its own; returns the file's new state.

    Batches are committed as they are read and the ledger says "read" only at the end: after an interruption the file is
    read again, which adds nothing twice. Raises DocumentProblem for a file that cannot be read at all, or breaks off;
    then what was in it before is no longer in the library's scope.
    """
    library = bench.store.library
    generation = library.records.begin(root, stamp.path)
    address = normalise_url(Path(stamp.path).as_uri())
    counts: Counter[str] = Counter()
    notes: dict[str, None] = {}
    problems: list[LedgerEntry] = []
    for batch in _batches(bench.reader.records(stamp, Path(root))):
        with bench.store.transaction():
            guard()
            states = _register(bench, batch, address)
            for record in batch:
                _note(record, stamp, counts, notes, problems)
            room = MAX_NAMED_PROBLEMS - counts["named"]
            failed = [state for state in states if state.record.document is None]
            counts["named"] += len(failed[:room])
            kept = [state for state in states if state.record.document is not None]
            library.records.add(root, stamp.path, generation, [*kept, *failed[:room]])
    with bench.store.transaction():
        guard()
        removed = library.records.finish(root, stamp.path, generation)
        known: dict[str, object] = {
            "records": counts["records"],
            "records_failed": counts["records_failed"],
            "fragments": library.records.fragments(root, stamp.path),
        }
        state = FileState(status="read", params=known, notes=tuple(notes))
        library.record(root, stamp, state)
    found = {name: counts[name] for name in ("records", "records_failed")}
    return state, RecordsOutcome(found | {"records_removed": removed}, tuple(problems))


def known_records(store: EvidenceStore, root: str, path: str, params: Mapping[str, object]) -> RecordsOutcome:
    """Return what the ledger holds of the records of a file; `params` are those of its own entry."""
    if "records" not in params:
        return RecordsOutcome()
    counts = {name: int(str(params.get(name, 0))) for name in ("records", "records_failed")}
    entries = store.library.records.entries(root, path, problems_only=True) if counts["records_failed"] else []
    return RecordsOutcome(counts, tuple(entry for entry in entries if entry.status == "failed"))


def _batches(records: Iterator[Record]) -> Iterator[Sequence[Record]]:
    while first := next(records, None):
        batch, chars = [first], len(first.document.text) if first.document else 0
        while chars < _CHARS_PER_BATCH and len(batch) < _RECORDS_PER_BATCH:
            following = next(records, None)
            if following is None:
                break
            batch.append(following)
            chars += len(following.document.text) if following.document else 0
        yield batch


def _register(bench: Bench, batch: Sequence[Record], address: str) -> list[RecordState]:
    """Take in the records of a batch that could be read; returns the state of each, in order."""
    named = [(document, _address(address, record, document)) for record in batch if (document := record.document) is not None]
    sightings = iter(take_in_all(bench, named, INGEST_CAUSE))
    states = []
    for record in batch:
        sighting = None if record.document is None else next(sightings)
        states.append(
            RecordState(record) if sighting is None else RecordState(record, sighting.page_id, sighting.page_version_id)
        )
    return states


def _address(file: str, record: Record, document: Document) -> str:
    """Return under which address a record without any identifier is known: its file, its key and its title.

    Its place in the file says nothing: records are moved, and others put before them.
    """
    told = f"{record.key or ''}\n{document.title or ''}\n{'' if document.title else document.text}"
    return f"{file}#{text_hash(told)[:16]}"


def _note(record: Record, stamp: FileStamp, counts: Counter[str], notes: dict[str, None], problems: list[LedgerEntry]) -> None:
    if record.document is not None:
        counts["records"] += 1
        notes.update(dict.fromkeys(record.document.notes))
        return
    counts["records_failed"] += 1
    if len(problems) < MAX_NAMED_PROBLEMS:
        problems.append(LedgerEntry(stamp.path, "failed", record.code, record.params, record=record.key, line=record.line))
