"""`lyra cases validate`, `legal`, `migrate`, `convert` and `schema`: cases as files."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lyra.core.errors import EXIT_BAD_INPUT, EXIT_NO, EXIT_OK, InvalidInput
from lyra.interfaces.cli.cases_source import open_cases, refuse_existing, say_encoding, whole_rows, with_rater, write_new
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import note, write_json, write_text
from lyra.interfaces.presenter import Json, document, problem_json
from lyra.interfaces.untrusted import on_one_line

if TYPE_CHECKING:
    from lyra.cases.findings import Finding
    from lyra.cases.migration import Migrated
    from lyra.cases.reading import CaseFile, Row

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="help.cases_file")]
ProjectOption = Annotated[str | None, typer.Option("--project", metavar="ID", help="help.cases_project")]
SaveOption = Annotated[bool, typer.Option("--save", help="help.cases_save")]
WhoOption = Annotated[str | None, typer.Option("--who", metavar="NAME", help="help.cases_who")]
WhyOption = Annotated[str | None, typer.Option("--why", metavar="TEXT", help="help.cases_why")]
OutOption = Annotated[str | None, typer.Option("--out", metavar="FILE", help="help.cases_out")]
_LINES_AT_ONCE = 200
_SHOWN = 50


def validate(
    call: Invocation,
    file: FileArgument,
    *,
    project: ProjectOption = None,
    errors_only: Annotated[bool, typer.Option("--errors-only", help="help.cases_errors_only")] = False,
    save: SaveOption = False,
    who: WhoOption = None,
    why: WhyOption = None,
) -> int:
    """Check every rule of every case, one line for each finding."""
    source = open_cases(file, project)
    say_encoding(call, source)
    run = _Validation(call, errors_only=errors_only)
    for row in source.rows():
        run.look_at(row)
    run.show_rest()
    if save and not run.unreadable:
        from lyra.workflows.case_keeping import Keeping  # noqa: PLC0415 - help needs none of this

        run.kept = _keep(call, source, Keeping("validate", who, why))
    if call.as_json:
        write_json(run.answer(source))
    else:
        run.sum_up()
    return EXIT_BAD_INPUT if run.unreadable else EXIT_NO if run.counts["error"] else EXIT_OK


class _Validation:
    """One pass over a file: findings are written as they come, or kept for the one JSON value."""

    def __init__(self, call: Invocation, *, errors_only: bool) -> None:
        from lyra.cases.validation import CaseValidator  # noqa: PLC0415 - help needs none of this

        self._call = call
        self._errors_only = errors_only
        self._validator = CaseValidator()
        self._shown: list[Any] = []
        self.cases = self.invalid = 0
        self.counts: Counter[str] = Counter()
        self.unreadable: list[InvalidInput] = []
        self.kept: Json | None = None

    def look_at(self, row: "Row | InvalidInput") -> None:
        """Validate one row, or note that it cannot be read."""
        if isinstance(row, InvalidInput):
            self.unreadable.append(row)
            note(row.sentence(self._call.lang))
            return
        self.cases += 1
        found = self._validator.validate(row.data, row.number, row.rater)
        if not found:
            return
        self.invalid += any(one.is_error for one in found)
        self.counts.update(one.severity.value for one in found)
        self._show(row, [one for one in found if one.is_error or not self._errors_only])

    def _show(self, row: "Row", found: "list[Finding]") -> None:
        from lyra.interfaces.case_presenter import finding_json, finding_line, place_of  # noqa: PLC0415 - only where findings are

        lang, identity = self._call.lang, str(row.data.get("id") or "")
        if self._call.as_json:
            where = {"row": row.number, "id": on_one_line(identity) or None, "rater": row.rater}
            self._shown += [where | finding_json(one, lang) for one in found]
            return
        place = place_of(row.number, row.rater, lang)
        self._shown += [finding_line(one, identity, place, lang) for one in found]
        if len(self._shown) >= _LINES_AT_ONCE:
            self.show_rest()

    def show_rest(self) -> None:
        """Write the lines that wait."""
        if self._shown and not self._call.as_json:
            write_text("\n".join(self._shown))
            self._shown = []

    def sum_up(self) -> None:
        """Write the last lines: how many cases there were, and what is wrong with them."""
        say, counts = self._call.say, self.counts
        if counts["error"]:
            numbers = {"invalid": self.invalid, "errors": counts["error"], "warnings": counts["warning"]}
            write_text(say("text.cases_not_valid", count=self.cases, **numbers))
        else:
            write_text(say("text.cases_valid", count=self.cases, warnings=counts["warning"]))
        if self.unreadable:
            write_text(say("text.cases_unreadable", count=len(self.unreadable)))
        if self.kept is not None:
            write_text(say("text.cases_saved", count=self.kept["cases"], labels=self.kept["labels"]))

    def answer(self, source: "CaseFile") -> Json:
        """Return the one JSON value."""
        return document(
            path=source.name,
            format=source.format.value,
            encoding=source.encoding,
            cases=self.cases,
            invalid=self.invalid,
            errors=self.counts["error"],
            warnings=self.counts["warning"],
            findings=self._shown,
            unreadable=[problem_json(one, self._call.lang) for one in self.unreadable],
            saved=self.kept,
        )


def _keep(call: Invocation, source: "CaseFile", keeping: Any) -> Json:
    from lyra.app import open_reading_store  # noqa: PLC0415 - only --save needs it
    from lyra.workflows.case_keeping import keep_cases  # noqa: PLC0415 - only --save needs it

    with open_reading_store(call.settings) as store:
        kept = keep_cases(store, whole_rows(source), keeping, source.name)
    return {"cases": kept.cases, "labels": kept.labels}


def legal(
    call: Invocation,
    file: FileArgument,
    *,
    id_: Annotated[str | None, typer.Option("--id", metavar="ID", help="help.cases_id")] = None,
    field: Annotated[str | None, typer.Option("--field", metavar="LABEL", help="help.cases_field")] = None,
) -> int:
    """Show what may still be chosen in one case."""
    from lyra.cases.legal import label_paths, legal_values  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.case_presenter import legal_json, legal_lines  # noqa: PLC0415 - help needs none of this

    case = _one_case(open_cases(file), id_)
    if field is not None and field not in label_paths(case):
        raise InvalidInput("cases_no_label", path=field, paths=", ".join(label_paths(case)))
    found = legal_values(case, field)
    if call.as_json:
        write_json(document(id=case.get("id"), **legal_json(found, call.lang)))
    else:
        write_text("\n".join(legal_lines(found, call.lang)))
    return EXIT_OK


def _one_case(source: "CaseFile", wanted: str | None) -> dict[str, Any]:
    chosen: dict[str, Any] | None = None
    for row in whole_rows(source):
        if wanted is not None and str(row.data.get("id")) == wanted:
            return row.data
        if wanted is None:
            if chosen is not None:
                raise InvalidInput("cases_more_than_one", path=source.name)
            chosen = row.data
    if chosen is None:
        missing = InvalidInput("cases_empty", path=source.name)
        raise missing if wanted is None else InvalidInput("cases_unknown_id", path=source.name, id=wanted)
    return chosen


def migrate(call: Invocation, file: FileArgument, *, project: ProjectOption = None, out: OutOption = None) -> int:
    """Carry old labels over, and report what changed and what a person must decide."""
    from lyra.cases.migration import migrate_case  # noqa: PLC0415 - help needs none of this
    from lyra.cases.writing import format_for, write_cases  # noqa: PLC0415 - help needs none of this

    source = open_cases(file, project)
    say_encoding(call, source)
    target = None if out is None else refuse_existing(out)
    report = _Migration(call)
    for row in whole_rows(source):
        report.note(row, migrate_case(row.data))
    if target is not None:
        form = format_for(target.suffix)
        write_new(target, lambda stream: write_cases(lambda: _migrated(source), stream, form))
    if call.as_json:
        write_json(report.answer(source, out))
    else:
        report.show()
        write_text(call.say("text.cases_written", path=out) if out else call.say("text.cases_dry"))
    return EXIT_OK


def _migrated(source: "CaseFile") -> Iterator[dict[str, Any]]:
    from lyra.cases.migration import migrate_case  # noqa: PLC0415 - help needs none of this

    for row in whole_rows(source):
        yield with_rater(row, migrate_case(row.data).case)


class _Migration:
    """What a migration did, and what is left for a person."""

    def __init__(self, call: Invocation) -> None:
        self._call = call
        self.cases = self.migrated = 0
        self._changes: list[Json] = []
        self._work: list[Json] = []
        self._needy: set[int] = set()

    def note(self, row: "Row", done: "Migrated") -> None:
        """Take one case into the report."""
        from lyra.cases.validation import validate_case  # noqa: PLC0415 - help needs none of this
        from lyra.interfaces.case_presenter import change_json, finding_json  # noqa: PLC0415 - help needs none of this

        self.cases += 1
        if not done.changes:
            return
        self.migrated += 1
        where: Json = {"row": row.number, "id": on_one_line(str(row.data.get("id") or "")) or None}
        self._changes += [where | change_json(one) for one in done.changes]
        left = [one for one in validate_case(done.case) if one.is_error]
        self._work += [where | finding_json(one, self._call.lang) for one in left]
        if left:
            self._needy.add(row.number)

    def show(self) -> None:
        """Write the report for a person."""
        from lyra.interfaces.case_presenter import changed_to, place_of, shown_id, shown_value  # noqa: PLC0415 - help needs none of this

        say, lang = self._call.say, self._call.lang
        for one in self._changes[:_SHOWN]:
            place, shown = place_of(int(str(one["row"])), None, lang), shown_id(one["id"])
            before, after = shown_value(one["before"], lang), changed_to(one["after"], lang)
            write_text(say("text.cases_change", place=place, id=shown, path=one["field"], before=before, after=after))
        self._more(len(self._changes))
        write_text(say("text.cases_migrated", count=self.cases, migrated=self.migrated, unchanged=self.cases - self.migrated))
        if not self._work:
            return
        write_text(say("text.cases_review", count=len(self._needy)))
        for one in self._work[:_SHOWN]:
            write_text(f"  {shown_id(one['id'])} {one['rule']} {one['field']}: {one['message']}")
        self._more(len(self._work))

    def _more(self, count: int) -> None:
        if count > _SHOWN:
            write_text(self._call.say("text.cases_more", count=count - _SHOWN))

    def answer(self, source: "CaseFile", out: str | None) -> Json:
        """Return the one JSON value."""
        counts = {"cases": self.cases, "migrated": self.migrated, "unchanged": self.cases - self.migrated}
        return document(path=source.name, out=out, **counts, changes=self._changes, review=self._work)


def convert(
    call: Invocation,
    file: FileArgument,
    *,
    out: Annotated[str, typer.Option("--out", metavar="FILE", help="help.cases_out")],
    to: Annotated[str | None, typer.Option("--to", metavar="FORMAT", help="help.cases_to")] = None,
    project: ProjectOption = None,
    who: WhoOption = None,
) -> int:
    """Write cases, or their single labels, in another format."""
    from lyra.cases.reading import Format  # noqa: PLC0415 - help needs none of this
    from lyra.cases.writing import format_for, write_annotations, write_cases  # noqa: PLC0415 - help needs none of this

    known = [form.value for form in Format]
    if to is not None and to not in known:
        raise InvalidInput("cases_unknown_format", value=to, formats=", ".join(known))
    source = open_cases(file, project)
    say_encoding(call, source)
    target = refuse_existing(out)
    form = Format(to) if to is not None else format_for(target.suffix)
    count = 0

    def write(stream: Any) -> None:
        nonlocal count
        if form is Format.LONG:
            count = write_annotations(source.annotations(who), stream)
        else:
            count = write_cases(lambda: (with_rater(row, row.data) for row in whole_rows(source)), stream, form)

    write_new(target, write)
    if call.as_json:
        write_json(document(path=source.name, out=out, format=form.value, written=count))
    else:
        write_text(call.say("text.cases_written", path=out))
    return EXIT_OK


def schema(call: Invocation) -> int:
    """Print the JSON Schema that ships with the package."""
    from lyra.cases.schema import shipped_schema  # noqa: PLC0415 - help needs none of this

    write_json(document(schema=shipped_schema()) if call.as_json else shipped_schema())
    return EXIT_OK
