"""`lyra report build` and `lyra report verify`: reports from structured claims, and their verification."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lyra.app import SystemClock, has_store, open_reading_store
from lyra.core.errors import EXIT_NO, EXIT_OK, InvalidInput, StoreError
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import note, write_json, write_text
from lyra.interfaces.untrusted import on_one_line

if TYPE_CHECKING:
    from lyra.reports.assumptions import Assumption
    from lyra.reports.wording import Writer
    from lyra.workflows.report_files import EarlierReports, VerifiedFiles

StructuredArgument = Annotated[str, typer.Argument(metavar="STRUCTURED", help="help.report_structured")]
FolderArgument = Annotated[str, typer.Argument(metavar="DIR", help="help.report_folder")]
OutOption = Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="help.report_out")]
KnowledgeOption = Annotated[str | None, typer.Option("--knowledge", metavar="FILE", help="help.report_knowledge")]
HtmlOption = Annotated[bool, typer.Option("--html", help="help.report_html")]
AtOption = Annotated[str | None, typer.Option("--at", metavar="TIME", help="help.report_at")]
LlmOption = Annotated[bool, typer.Option("--llm", help="help.report_llm")]
ReplaceOption = Annotated[bool, typer.Option("--replace", help="help.report_replace")]


def build(
    call: Invocation,
    structured: StructuredArgument,
    *,
    out: OutOption,
    at: AtOption = None,
    research_id: Annotated[str | None, typer.Option("--research-id", metavar="ID", help="help.report_research_id")] = None,
    knowledge: KnowledgeOption = None,
    replace: ReplaceOption = False,
) -> int:
    """Write the report of a structured.json."""
    from lyra.interfaces.report_presenter import built_json  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_files import BuildOrder, build_files  # noqa: PLC0415 - help needs none of this

    given = None if knowledge is None else Path(knowledge)
    order = BuildOrder(Path(structured), Path(out), SystemClock().now(), at, research_id, given, replace)
    built = build_files(order)
    if call.as_json:
        write_json(built_json(built))
        return EXIT_OK
    note_assumptions(call, built.assumptions)
    counts = {"advantages": len(built.structured.advantages), "connections": len(built.structured.connections)}
    write_text(call.say("text.report_built", path=built.report, data=built.data, **counts))
    return EXIT_OK


def verify(
    call: Invocation,
    folder: FolderArgument,
    *,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="DIR", help="help.report_verify_out")] = None,
    at: AtOption = None,
    knowledge: KnowledgeOption = None,
    no_rewrite: Annotated[bool, typer.Option("--no-rewrite", help="help.report_no_rewrite")] = False,
    replace: ReplaceOption = False,
    llm: LlmOption = False,
    save: Annotated[bool, typer.Option("--save", help="help.report_save")] = False,
    html: HtmlOption = False,
) -> int:
    """Check a report against its data in three layers, and write it corrected."""
    from lyra.interfaces.cli.report_html import write_page  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.report_presenter import verified_json  # noqa: PLC0415 - help needs none of this
    from lyra.reports.results import FAIL  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.report_files import VerifyOrder, verify_files  # noqa: PLC0415 - help needs none of this

    target, given = (None if path is None else Path(path) for path in (out, knowledge))
    order = VerifyOrder(Path(folder), SystemClock().now(), target, at, given, not no_rewrite, replace)
    with earlier_reports(call, needed=save) as earlier, comment_writer(call, wanted=llm) as writer:
        files = verify_files(order, earlier, writer)
        saved = earlier.save(files.verified)[0] if save and earlier else None
    page = write_page(Path(folder), files.report.parent, call.lang) if html else None
    if call.as_json:
        write_json(verified_json(files, saved, page))
    else:
        _show(call, files, saved)
        if page is not None:
            write_text(call.say("text.file_written", path=page))
    return EXIT_NO if files.verified.status == FAIL else EXIT_OK


@contextmanager
def earlier_reports(call: Invocation, *, needed: bool) -> Iterator["EarlierReports | None"]:
    """Open the saved reports, if there is a store. One that cannot be opened only matters to a command that saves."""
    from lyra.workflows.report_files import EarlierReports  # noqa: PLC0415 - help needs none of this

    if not needed and not has_store(call.settings):
        yield None
        return
    opening = open_reading_store(call.settings)
    try:
        store = opening.__enter__()
    except StoreError as problem:
        if needed:
            raise
        note(problem.sentence(call.lang))
        yield None
        return
    try:
        yield EarlierReports(store.reports)
    finally:
        opening.__exit__(None, None, None)


@contextmanager
def comment_writer(call: Invocation, *, wanted: bool) -> Iterator["Writer | None"]:
    """Open the configured language model for rewriting, if it is wanted. Raises InvalidInput when none is configured."""
    if not wanted:
        yield None
        return
    from lyra.app.gathering import PROMPTS_FOLDER  # noqa: PLC0415 - most reports ask no model
    from lyra.app.network import open_governed_network  # noqa: PLC0415 - see above
    from lyra.models.prompt_files import load_prompts  # noqa: PLC0415 - see above
    from lyra.workflows.report_wording import PROMPT, ModelWriter  # noqa: PLC0415 - see above

    if call.settings.llm.use == "none":
        raise InvalidInput("report_no_llm")
    template = load_prompts(call.settings.home / PROMPTS_FOLDER)[PROMPT]
    with open_governed_network(call.settings) as network:
        if network.llm is None:
            raise InvalidInput("report_no_llm")
        yield ModelWriter(network.llm, template, lambda problem: note(problem.sentence(call.lang)))


def note_assumptions(call: Invocation, assumptions: Iterable["Assumption"]) -> None:
    """Write what was assumed while reading to stderr."""
    from lyra.interfaces.report_presenter import assumption_sentence  # noqa: PLC0415 - help needs none of this

    for one in assumptions:
        note(assumption_sentence(one, call.lang))


def _show(call: Invocation, files: "VerifiedFiles", saved: str | None) -> None:
    from lyra.interfaces.cli.tables import write_table  # noqa: PLC0415 - rich is slow to import
    from lyra.reports.checks import CHECKS  # noqa: PLC0415 - help needs none of this
    from lyra.reports.results import statistics  # noqa: PLC0415 - help needs none of this

    corrected = files.verified.corrected
    note_assumptions(call, files.assumptions)
    status = call.say(f"label.report_{files.verified.status}")
    write_text(call.say("text.report_verified", status=status, **statistics(corrected)))
    rows = [
        (check.id, call.say(f"label.severity_{check.severity}"), on_one_line(finding.details))
        for check in CHECKS
        for finding in corrected.findings[check.id]
    ]
    if rows:
        heads = [call.say(f"label.report_{name}") for name in ("check", "severity", "finding")]
        write_table(call.environ, heads, rows)
    for finding in corrected.remaining:
        write_text(call.say("text.report_left", check=finding.check, details=on_one_line(finding.details)))
    write_text(call.say("text.report_written", report=files.report, data=files.data, results=files.results))
    if saved:
        write_text(call.say("text.report_saved", id=saved))
