"""Reading the library: every changed file once, each in its own transaction."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lyra.core.errors import DocumentProblem, InvalidInput
from lyra.core.identity import normalise_url
from lyra.core.records import FileStamp, LedgerEntry, ProviderReport, ProviderStatus
from lyra.store.library import FileState
from lyra.workflows.bench import Bench
from lyra.workflows.ingest_records import INGEST_CAUSE, Guard, RecordsOutcome, known_records, read_records
from lyra.workflows.registering import take_in

_FILES_PER_HEARTBEAT = 500


@dataclass(slots=True)
class LibraryReport:
    """What one pass over the library did: counts by status and the files and records that could not be read."""

    counts: Counter[str] = field(default_factory=Counter)
    problems: list[LedgerEntry] = field(default_factory=list)

    def note(self, entry: LedgerEntry) -> None:
        """Count what became of a file, and keep it if it could not be read."""
        self.counts[entry.status] += 1
        if entry.status in ("skipped", "failed"):
            self.problems.append(entry)

    def note_records(self, outcome: RecordsOutcome) -> None:
        """Count what became of the records of a file, and keep those that could not be read."""
        for name, count in outcome.counts.items():
            if count:
                self.counts[name] += count
        self.problems += outcome.problems

    def provider(self) -> ProviderReport:
        """Return the library's line among the providers."""
        found = self.counts["read"] + self.counts["unchanged"]
        return ProviderReport(
            name="library",
            status=ProviderStatus.OK if found else ProviderStatus.NOTHING_FOUND,
            detail=", ".join(f"{status} {count}" for status, count in sorted(self.counts.items())),
            counts=dict(self.counts),
            problems=tuple(self.problems),
        )


def resolve_root(path: str | Path) -> Path:
    """Return the absolute form under which a library root is known, or raise InvalidInput for what is no path."""
    try:
        if not str(path).strip():  # Path would take it as the current folder
            raise ValueError(path)
        root = Path(path).expanduser().resolve()
        str(root).encode()
    except (OSError, RuntimeError, ValueError) as problem:
        shown = str(path).encode("utf-8", "replace").decode()
        raise InvalidInput("path_unreadable", path=shown) from problem
    return root


def read_library(bench: Bench, roots: Sequence[str], guard: Guard, *, reread: bool = False) -> LibraryReport:
    """Bring the store up to date with the files below `roots`.

    Each file is committed by itself together with its ledger row, so an interrupted pass loses nothing and
    the next one goes on. A file that cannot be read is recorded with its reason and the others are read; a root
    that cannot be listed is a problem of the report, and what was read from it before stays. `guard` is called
    inside every transaction and may raise to stop the pass. Raises InvalidInput when no root can be listed.
    """
    report = LibraryReport()
    unusable: list[InvalidInput] = []
    for root in roots:
        try:
            stamps = list(bench.reader.scan(Path(root)))
        except InvalidInput as problem:
            unusable.append(problem)
            report.note(LedgerEntry(path=root, status="failed", code="unreadable", params={"path": root}))
            continue
        with bench.progress.track("progress.reading", len(stamps)) as step:
            for number, stamp in enumerate(stamps, start=1):
                entry, records = _read_file(bench, root, stamp, guard, reread=reread)
                report.note(entry)
                report.note_records(records)
                if number % _FILES_PER_HEARTBEAT == 0:  # unchanged files write nothing, and the lease must not run out
                    guard()
                step.advance()
        with bench.store.transaction():
            guard()
            gone = bench.store.library.mark_removed(root, {stamp.path for stamp in stamps})
        if gone:
            report.counts["removed"] += len(gone)
    if unusable and len(unusable) == len(roots):
        raise unusable[0]
    if report.counts["read"]:  # a page just read may be one that was retracted since
        with bench.store.transaction():
            guard()
            bench.store.retractions.apply(INGEST_CAUSE)
    if in_quarantine := bench.store.quarantines.in_library(roots):
        report.counts["quarantined"] = in_quarantine
    return report


def add_roots(bench: Bench, paths: Sequence[str | Path]) -> tuple[list[str], list[InvalidInput]]:
    """Register the paths that can be used as library roots; returns them and the problems of the others."""
    roots, problems = usable_roots(bench, paths)
    register_roots(bench, roots)
    return roots, problems


def register_roots(bench: Bench, roots: Sequence[str]) -> None:
    """Make roots known to the library; those it knows stay as they are. One transaction."""
    with bench.store.transaction():
        for root in roots:
            bench.store.library.add_root(root)


def usable_roots(bench: Bench, paths: Sequence[str | Path]) -> tuple[list[str], list[InvalidInput]]:
    """Return the roots that the paths stand for, and the problems of those that cannot be used. Writes nothing.

    A path that does not exist, cannot be listed, or holds no document is a problem.
    """
    roots, problems = [], []
    for path in paths:
        try:
            root = resolve_root(path)
            if not any(bench.reader.is_document(stamp.path) for stamp in bench.reader.scan(root)):
                raise InvalidInput("library_empty", path=path)
        except InvalidInput as problem:
            problems.append(problem)
            continue
        roots.append(str(root))
    return roots, problems


def _read_file(bench: Bench, root: str, stamp: FileStamp, guard: Guard, *, reread: bool) -> tuple[LedgerEntry, RecordsOutcome]:
    library = bench.store.library
    known = None if reread else library.unchanged(root, stamp)
    if known is not None and known.root != root and (known.status != "read" or Path(stamp.path).is_symlink()):
        known = None  # what another root may read, or not, says nothing about this one
    if known is not None:
        if known.root != root:
            with bench.store.transaction():
                guard()
                library.record(root, stamp, known)
                if known.root is not None:
                    library.records.copy(stamp.path, known.root, root)
        entry = _entry(stamp, known, "unchanged" if known.status == "read" else known.status)
        return entry, known_records(bench.store, root, stamp.path, known.params)
    try:
        if bench.reader.holds_records(stamp.path):
            state, outcome = read_records(bench, root, stamp, guard)
            return _entry(stamp, state, state.status), outcome
        document = bench.reader.read(stamp, Path(root))
    except DocumentProblem as problem:
        state = FileState(status=problem.status, code=problem.code, params=problem.params)
        with bench.store.transaction():
            guard()
            library.record(root, stamp, state)
            library.records.drop(root, stamp.path)
        return _entry(stamp, state, state.status), RecordsOutcome()
    with bench.store.transaction():
        guard()
        sighting = take_in(bench, document, normalise_url(Path(stamp.path).as_uri()), INGEST_CAUSE)
        state = FileState(
            status="read",
            page_id=sighting.page_id,
            page_version_id=sighting.page_version_id,
            notes=document.notes,
        )
        library.record(root, stamp, state)
    return _entry(stamp, state, "read"), RecordsOutcome()


def _entry(stamp: FileStamp, state: FileState, status: str) -> LedgerEntry:
    return LedgerEntry(stamp.path, status, state.code, state.params, state.page_id)
