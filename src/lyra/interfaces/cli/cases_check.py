"""`lyra cases check`, `list` and `history`: cases against the evidence, and the cases that are kept."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lyra.core.errors import EXIT_BAD_INPUT, EXIT_OK, InvalidInput
from lyra.interfaces.cli.beyond import OfflineOption, reaching
from lyra.interfaces.cli.cases import FileArgument, OutOption, ProjectOption, SaveOption, WhoOption, WhyOption
from lyra.interfaces.cli.cases_source import open_cases, refuse_existing, say_encoding, whole_rows, write_new
from lyra.interfaces.cli.check import LibraryOption
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import note_all, write_json, write_text
from lyra.interfaces.presenter import Json, document, problem_json
from lyra.interfaces.untrusted import on_one_line

if TYPE_CHECKING:
    from lyra.cases.reading import Row
    from lyra.store.evidence_store import EvidenceStore
    from lyra.workflows.case_check import CaseChecker


def check(
    call: Invocation,
    file: FileArgument,
    *,
    library: LibraryOption = None,
    fetch: Annotated[bool, typer.Option("--fetch", help="help.cases_check_fetch")] = False,
    offline: OfflineOption = False,
    project: ProjectOption = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="help.cases_check_out")] = None,
    save: SaveOption = False,
    who: WhoOption = None,
    why: WhyOption = None,
) -> int:
    """Verify cases against the library and propose their labels."""
    from lyra.app import open_judging_bench  # noqa: PLC0415 - help needs none of this
    from lyra.app.gathering import source_reader  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.case_check import CaseChecker, prepare_library  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.case_keeping import Keeping  # noqa: PLC0415 - help needs none of this

    source = open_cases(file, project)
    say_encoding(call, source)
    target = None if out is None else refuse_existing(out)
    rows = list(whole_rows(source))
    if not rows:
        raise InvalidInput("cases_empty", path=source.name)
    settings = reaching(call.settings, offline=offline)
    with open_judging_bench(settings, call.progress(), call.models) as bench:
        roots, problems = prepare_library(bench, library or ())
        checker = CaseChecker(bench, roots, source_reader(settings, bench) if fetch else None)
        run = _Run(call, bench.store, checker, source.name)
        for row in run.once(rows):
            run.look_at(row, Keeping("check", who, why, labels=False) if save else None)
    problems += run.problems
    note_all(call.lang, problems)
    if target is not None:
        _write(target, run.written)
    if call.as_json:
        unusable = [problem_json(one, call.lang) for one in problems]
        write_json(document(path=source.name, out=out, cases=run.shown, problems=unusable, saved=run.saved if save else None))
    elif target is not None:
        write_text(call.say("text.cases_written", path=out))
    return EXIT_BAD_INPUT if problems else EXIT_OK


class _Run:
    """Cases checked one after another; each is shown, and kept if wanted, as soon as it is done."""

    def __init__(self, call: Invocation, store: "EvidenceStore", checker: "CaseChecker", name: str) -> None:
        self._call = call
        self._store = store
        self._name = name
        self._checker = checker
        self.shown: list[Json] = []
        self.written: list[dict[str, Any]] = []
        self.problems: list[InvalidInput] = []
        self.saved = {"cases": 0, "labels": 0}

    def once(self, rows: "list[Row]") -> "Iterator[Row]":
        """Yield every case once. Several people's versions of a case are one; a second case of the same id is a problem."""
        seen: set[str] = set()
        for row in rows:
            identity = str(row.data.get("id") or "").strip()
            if identity and identity in seen:
                if row.rater is None:
                    place = {"path": self._name, "row": row.number, "id": identity}
                    self.problems.append(InvalidInput("cases_checked_once", **place))
                continue
            seen.add(identity)
            yield row

    def look_at(self, row: "Row", keeping: Any) -> None:
        """Check one case; one that cannot be checked is a problem, and the others go on."""
        from lyra.cases.reading import Row  # noqa: PLC0415 - help needs none of this
        from lyra.interfaces import case_check_presenter as presenter  # noqa: PLC0415 - help needs none of this
        from lyra.workflows.case_keeping import keep_cases  # noqa: PLC0415 - help needs none of this

        try:
            checked = self._checker.check(row.data, f"{self._name}:{row.number}")
        except InvalidInput as problem:
            self.problems.append(problem)
            return
        store = self._store
        written = presenter.written_case(checked, store.now())
        self.written.append(written)
        if keeping is not None:
            with store.transaction():
                self.saved["cases"] += keep_cases(store, [Row(row.number, written)], keeping, self._name).cases
                store.cases.set_task(checked.case.id, checked.task_id)
        if self._call.as_json:
            self.shown.append(presenter.checked_json(checked, self._call.lang))
        else:
            write_text("\n".join(presenter.checked_lines(checked, self._call.lang)))


def _write(target: Any, cases: list[dict[str, Any]]) -> None:
    from lyra.cases.writing import format_for, write_cases  # noqa: PLC0415 - help needs none of this

    form = format_for(target.suffix)
    write_new(target, lambda stream: write_cases(lambda: cases, stream, form))


def list_(call: Invocation, *, out: OutOption = None) -> int:
    """List the cases that are kept, and write them to a file if one is named."""
    from lyra.app import open_reading_store  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.case_presenter import kept_json  # noqa: PLC0415 - help needs none of this

    target = None if out is None else refuse_existing(out)
    with open_reading_store(call.settings) as store:
        kept = list(store.cases.all())
    if target is not None:
        _write(target, [json.loads(one.content) for one in kept])
    shown = [kept_json(one) for one in kept]
    if call.as_json:
        write_json(document(kept=shown, out=out))
        return EXIT_OK
    for one in shown:
        labels = [str(one[name]) for name in ("outcome_status", "verification_confidence") if one[name]]
        write_text(f"{str(one['updated_at'])[:16]} {one['id']} {', '.join(labels)}".rstrip())
    if not kept:
        write_text(call.say("text.cases_none_kept"))
    if out is not None:
        write_text(call.say("text.cases_written", path=out))
    return EXIT_OK


def history(call: Invocation, case: Annotated[str, typer.Argument(metavar="CASE", help="help.cases_case")]) -> int:
    """Show who said what of a case, when and why."""
    from lyra.app import open_reading_store  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.case_history import history_of  # noqa: PLC0415 - help needs none of this

    with open_reading_store(call.settings) as store:
        events = history_of(store, case)
    if call.as_json:
        write_json(document(id=case, events=events))
        return EXIT_OK
    for event in events:
        write_text(_event_line(call, event))
    return EXIT_OK


def _event_line(call: Invocation, event: Json) -> str:
    """Return one event as a line. The unit stands there in full: a case, its sources and its claims have the same fields."""
    shown = {name: on_one_line(str(value)) if value is not None else "" for name, value in event.items()}
    what = f"{shown['unit']} {shown['field']} = {shown['value']}" if shown["field"] else f"({shown['value']})"
    why = f" · {shown['why']}" if shown["why"] else ""
    who = f" {shown['who']}" if shown["who"] else ""
    return call.say("text.cases_event", at=shown["at"], kind=call.say(f"label.case_{event['kind']}"), who=who, what=what, why=why)
