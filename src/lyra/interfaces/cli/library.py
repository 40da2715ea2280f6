"""`lyra library`: the documents Lyra may search, with a ledger of every file."""

from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from lyra.app import open_bench, open_reading_store
from lyra.core.errors import EXIT_BAD_INPUT, EXIT_OK, InvalidInput, NotFound
from lyra.core.identity import content_hash
from lyra.core.records import LedgerEntry
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.layout import two_columns
from lyra.interfaces.cli.output import note_all, width, write_body, write_exactly, write_json, write_text
from lyra.interfaces.presenter import counts_sentence, document, entry_sentence, problem_json, problem_lines, provider_json
from lyra.interfaces.state_presenter import ledger_json
from lyra.interfaces.untrusted import on_one_line

PathsArgument = Annotated[list[str], typer.Argument(metavar="PATH", help="help.library_path")]
_PROBLEMS = ("skipped", "failed")


def add(
    call: Invocation,
    paths: PathsArgument,
    *,
    reread: Annotated[bool, typer.Option("--reread", help="help.check_reread")] = False,
) -> int:
    """Add folders or files, and read what is new in them."""
    from lyra.workflows.ingest import add_roots, read_library  # noqa: PLC0415 - help needs none of this

    with open_bench(call.settings, call.progress(), call.models) as bench:
        roots, problems = add_roots(bench, paths)
        if not roots:
            note_all(call.lang, problems[1:])
            raise problems[0]
        report = read_library(bench, roots, lambda: None, reread=reread).provider()
    note_all(call.lang, problems)
    if call.as_json:
        unusable = [problem_json(problem, call.lang) for problem in problems]
        write_json(document(roots=roots, providers=[provider_json(report, call.lang)], problems=unusable))
    else:
        for root in roots:
            write_text(call.say("text.root_added", path=on_one_line(root)))
        write_text(f"{call.say('label.documents')}: {counts_sentence(report.counts, call.lang)}")
        for line in problem_lines(report.problems, call.lang):
            write_text(on_one_line(line))
    return EXIT_BAD_INPUT if problems else EXIT_OK


def list_(
    call: Invocation,
    *,
    problems: Annotated[bool, typer.Option("--problems", help="help.library_problems")] = False,
    records: Annotated[bool, typer.Option("--records", help="help.library_records")] = False,
) -> int:
    """List the library: its folders and every file with what became of it."""
    with open_reading_store(call.settings) as store:
        roots, files = store.library.roots(), store.library.ledger_with_records(problems_only=not records)
    shown = [entry for entry in files if not problems or entry.status in _PROBLEMS]
    if call.as_json:
        write_json(document(roots=roots, files=[ledger_json(entry, call.lang) for entry in shown]))
        return EXIT_OK
    if not roots:
        write_text(call.say("text.no_roots"))
    for root in roots:
        write_text(f"{call.say('label.library')}: {on_one_line(root)}")
    if files:
        counts = Counter(entry.status for entry in files if entry.line is None)
        counts += Counter({name: sum(_counted(entry, name) for entry in files) for name in ("records", "records_failed")})
        write_text(f"{call.say('label.documents')}: {counts_sentence(counts, call.lang)}")
    _show_files(call, shown)
    return EXIT_OK


def remove(call: Invocation, paths: PathsArgument) -> int:
    """Take folders or files out of the library; what was read from them stays in the results, marked as outdated."""
    from lyra.workflows.ingest import resolve_root  # noqa: PLC0415 - help needs none of this

    removed: dict[str, int] = {}
    problems: list[InvalidInput] = []
    with open_reading_store(call.settings) as store:
        for path in paths:
            root = str(resolve_root(path))
            files = store.library.remove_root(root)
            if files is None:
                problems.append(NotFound("unknown_root", path=path))
            else:
                removed[root] = files
    if not removed:
        note_all(call.lang, problems[1:])
        raise problems[0]
    note_all(call.lang, problems)
    if call.as_json:
        gone = [{"root": root, "files": files} for root, files in removed.items()]
        write_json(document(removed=gone, problems=[problem_json(problem, call.lang) for problem in problems]))
    else:
        for root, files in removed.items():
            write_text(call.say("text.root_removed", path=on_one_line(root), count=files))
    return EXIT_BAD_INPUT if problems else EXIT_OK


def text(
    call: Invocation,
    page_id: Annotated[str, typer.Argument(metavar="PAGE_ID", help="help.library_page")],
    *,
    version: Annotated[str | None, typer.Option("--version", metavar="ID", help="help.library_version")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="help.library_raw")] = False,
) -> int:
    """Write the stored text of a page exactly, so that the place of a quote can be checked."""
    if raw:
        return _raw(call, page_id, version)
    with open_reading_store(call.settings) as store:
        version_id, stored = store.pages.text(page_id, version)
    if call.as_json:
        digest = content_hash(stored)
        write_json(document(page_id=page_id, page_version_id=version_id, content_hash=digest, text=stored))
    else:
        write_exactly(stored)
    return EXIT_OK


def _raw(call: Invocation, page_id: str, version: str | None) -> int:
    with open_reading_store(call.settings) as store:
        found = store.gathered.raw(page_id, version)
    if call.as_json:
        body = b64encode(found.body).decode()
        where = {"page_id": page_id, "page_version_id": found.page_version_id, "url": found.url}
        write_json(document(**where, media_type=found.media_type, body_base64=body))
    else:
        write_body(found.body)
    return EXIT_OK


def _show_files(call: Invocation, entries: Sequence[LedgerEntry]) -> None:
    rows = []
    for entry in entries:
        status = call.say(f"label.{entry.status}")
        rows.append((status, on_one_line(entry_sentence(entry, call.lang) or _name(entry))))
        if entry.records is not None:
            rows.append(("", call.say("label.count_records", count=entry.records)))
        elif entry.page_id is not None and entry.line is not None:
            line = call.say("text.record_line", page=entry.page_id, count=entry.fragments, line=entry.line)
            rows.append(("", line))
        elif entry.page_id is not None:
            rows.append(("", call.say("text.page_line", page=entry.page_id, count=entry.fragments)))
    if rows:
        write_text("\n".join(two_columns(rows, width(call.environ), indent=0)))


def _name(entry: LedgerEntry) -> str:
    return entry.path if entry.record is None else f"{entry.path} · {entry.record}"


def _counted(entry: LedgerEntry, name: str) -> int:
    value = entry.params.get(name, 0)
    return value if isinstance(value, int) and entry.line is None else 0
