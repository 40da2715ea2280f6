"""`lyra cases adjudicate`: where people differ, the final word on it, and the set that comes of it."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from lyra.core.errors import EXIT_OK, InvalidInput
from lyra.interfaces.cli.cases_labels import FilesArgument, LabelProjectOption, labels_for, whole_number
from lyra.interfaces.cli.cases_source import open_cases, refuse_existing, whole_rows, write_new
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.presenter import Json, document
from lyra.interfaces.untrusted import on_one_line, shortened

if TYPE_CHECKING:
    from lyra.cases.adjudication import Item
    from lyra.cases.model import Annotation
    from lyra.core.case_records import Adjudication
    from lyra.store.evidence_store import EvidenceStore

_SHOWN = 20
_MOST_SHOWN = 1_000_000
_FORMATS = (".csv", ".json", ".jsonl")


def adjudicate(
    call: Invocation,
    files: FilesArgument = None,
    *,
    unit: Annotated[str | None, typer.Option("--unit", metavar="UNIT", help="help.adjudicate_unit")] = None,
    field: Annotated[str | None, typer.Option("--field", metavar="FIELD", help="help.adjudicate_field")] = None,
    value: Annotated[str | None, typer.Option("--value", metavar="VALUE", help="help.adjudicate_value")] = None,
    who: Annotated[str | None, typer.Option("--who", metavar="NAME", help="help.adjudicate_who")] = None,
    reason: Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="help.adjudicate_reason")] = None,
    limit: Annotated[str | None, typer.Option("--limit", metavar="N", help="help.adjudicate_limit")] = None,
    project: LabelProjectOption = None,
    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="help.adjudicate_out")] = None,
    cases: Annotated[str | None, typer.Option("--cases", metavar="FILE", help="help.adjudicate_cases")] = None,
    save: Annotated[bool, typer.Option("--save", help="help.agreement_save")] = False,
) -> int:
    """Show the queue, record a decision, or export the adjudicated set."""
    shown = whole_number("--limit", limit, _SHOWN, 1, _MOST_SHOWN)
    target = None if out is None else _checked_target(out)
    finished = None if cases is None else refuse_existing(cases)
    given = {"--unit": unit, "--field": field, "--value": value, "--who": who, "--reason": reason}
    deciding = any(one is not None for one in given.values())
    missing = [name for name, one in given.items() if not (one or "").strip()]
    if deciding and missing:
        raise InvalidInput("adjudication_incomplete", missing=", ".join(missing))
    from lyra.app import open_reading_store  # noqa: PLC0415 - help needs none of this
    from lyra.core.case_records import Adjudication  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.case_labels import decide, decisions_of, judged, keep_labels  # noqa: PLC0415 - numpy is slow to import

    labels: Sequence[Annotation] = labels_for(call, files, project)
    made = None
    with open_reading_store(call.settings) as store, store.transaction():  # labels and decision, or neither
        kept = keep_labels(store, labels) if save else None
        decisions = decisions_of(store)
        items = judged(labels, decisions.values())
        if deciding:
            wanted = Adjudication(unit or "", field or "", value or "", (who or "").strip(), (reason or "").strip())
            made = decide(store, items, wanted)
            decisions[made.unit, made.field] = made
            items = judged(labels, decisions.values())
        versions = _versions(store, files, project) if finished is not None else []
    rows = _export(items, list(decisions.values()), target)
    if finished is not None:
        _write_cases(finished, versions, items)
    view = _View(call, items, list(decisions.values()), made, rows)
    if call.as_json:
        write_json(view.answer(shown, {"out": out, "cases": cases, "saved": kept}))
    else:
        view.show(shown, out, kept)
        if cases is not None:
            write_text(call.say("text.cases_written", path=cases))
    return EXIT_OK


def _versions(store: "EvidenceStore", files: Sequence[str] | None, project: str | None) -> list[dict[str, Any]]:
    """Return everybody's version of the cases: those of the files, else every one that the store has kept."""
    if files:
        return [row.data for file in files for row in whole_rows(open_cases(file, project))]
    kept = [json.loads(one.content) for case in store.cases.all() for one in store.cases.revisions(case.case_id)]
    if not kept:
        raise InvalidInput("adjudication_no_cases")
    return kept


def _write_cases(target: Path, versions: "Sequence[dict[str, Any]]", items: "Sequence[Item]") -> None:
    from lyra.cases.adjudication import final_labels  # noqa: PLC0415 - numpy is slow to import
    from lyra.cases.settled import settled_cases  # noqa: PLC0415 - as above
    from lyra.cases.writing import format_for, write_cases  # noqa: PLC0415 - help needs none of this

    settled = settled_cases(versions, final_labels(items))
    write_new(target, lambda stream: write_cases(lambda: settled, stream, format_for(target.suffix)))


def _checked_target(out: str) -> Path:
    if Path(out).suffix.lower() not in _FORMATS:
        raise InvalidInput("adjudication_bad_format", path=out)
    return refuse_existing(out)


def _export(items: "Sequence[Item]", decisions: "Sequence[Adjudication]", target: Path | None) -> list[Json]:
    from lyra.cases.adjudication import final_labels  # noqa: PLC0415 - numpy is slow to import
    from lyra.cases.tables import cell_of  # noqa: PLC0415 - help needs none of this
    from lyra.interfaces.agreement_presenter import final_rows  # noqa: PLC0415 - as above

    rows = final_rows(final_labels(items), decisions)
    if target is None:
        return rows

    def write(stream: TextIO) -> None:
        if target.suffix.lower() == ".csv":
            table = csv.writer(stream)
            names = ["unit", "field", "value", "basis", "probability", "decided_by", "reason", "decided_at"]
            table.writerow(names)
            table.writerows([cell_of(row[name]) for name in names] for row in rows)
        elif target.suffix.lower() == ".jsonl":
            stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        else:
            json.dump(document(labels=rows), stream, ensure_ascii=False, indent=2)

    write_new(target, write)
    return rows


class _View:
    """What came of the command, for a program or a person."""

    def __init__(
        self,
        call: Invocation,
        items: "Sequence[Item]",
        decisions: "Sequence[Adjudication]",
        made: "Adjudication | None",
        rows: Sequence[Json],
    ) -> None:
        from lyra.cases.adjudication import queue  # noqa: PLC0415 - numpy is slow to import

        self._call, self._made = call, made
        self._open = queue(items)
        self._decisions = decisions
        self._bases = Counter(str(row["basis"]) for row in rows)

    def answer(self, shown: int, written: Json) -> Json:
        """Return the one JSON value."""
        from lyra.interfaces.agreement_presenter import decision_json, item_json  # noqa: PLC0415 - numpy is slow to import

        counts = {"decided": self._bases["decided"], "unanimous": self._bases["unanimous"]}
        counts |= {"consensus": self._bases["consensus"], "single": self._bases["single"]}
        return document(
            open=len(self._open),
            queue=[item_json(item) for item in self._open[:shown]],
            decision=None if self._made is None else decision_json(self._made),
            decisions=[decision_json(one) for one in self._decisions],
            bases=counts,
            **written,
        )

    def show(self, shown: int, out: str | None, kept: int | None) -> None:
        """Write the result for a person."""
        say, made = self._call.say, self._made
        if kept is not None:
            write_text(say("text.agreement_saved", count=kept))
        if made is not None:
            place, value = on_one_line(made.unit), on_one_line(made.value)
            write_text(
                say("text.adjudicate_decided", unit=place, field=made.field, value=value, who=on_one_line(made.decided_by))
            )
        bases = self._bases
        if out is not None:
            numbers = {"decided": bases["decided"], "agreed": bases["unanimous"], "consensus": bases["consensus"]}
            write_text(say("text.adjudicate_written", count=bases.total(), path=out, single=bases["single"], **numbers))
        if not self._open:
            write_text(say("text.adjudicate_nothing"))
            return
        write_text(say("text.adjudicate_open", count=len(self._open), decided=bases["decided"], agreed=bases["unanimous"]))
        for item in self._open[:shown]:
            write_text("\n".join(self._lines(item)))
        if len(self._open) > shown:
            write_text(say("text.adjudicate_more", count=len(self._open) - shown))

    def _lines(self, item: "Item") -> list[str]:
        """Return an open label as lines. The unit stands in full: it is what `--unit` takes."""
        said = "  ".join(f"{shortened(on_one_line(rater), 30)}: {on_one_line(value)}" for rater, value in item.given.items())
        share = f"{item.probabilities[item.proposed]:.2f}"
        head = {"bits": f"{item.information:.2f}", "field": item.field, "unit": on_one_line(item.unit)}
        proposal = self._call.say("text.adjudicate_proposed", value=on_one_line(item.proposed), share=share)
        return [self._call.say("text.adjudicate_item", **head), f"    {said}", f"    {proposal}"]
