"""Accuracy of a report as files: find the data and the person's evaluation, measure, write the result."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lyra.core.errors import InvalidInput
from lyra.reports.accuracy_report import Accuracy, HumanSource, Json, accuracy_json, measure
from lyra.reports.assumptions import Assumption
from lyra.reports.feedback import Feedback, feedback_json, read_feedback
from lyra.reports.human_reading import is_evaluation_of, read_human
from lyra.reports.json_text import write_json_text
from lyra.reports.matching import NO_OVERRIDES, read_overrides
from lyra.reports.model import Structured
from lyra.reports.reading import read_structured
from lyra.reports.verifying import decode_report
from lyra.workflows.report_belonging import STRUCTURED, VERIFIED_STRUCTURED, digest_of, refuse_other_file, refuse_stale_data
from lyra.workflows.report_files import load_knowledge, read_bytes, stamp_of, write_all

ACCURACY = "accuracy-report.json"
HUMAN = "human-evaluation.json"


@dataclass(frozen=True, slots=True)
class AccuracyOrder:
    """What to measure: the folder of a report, and a person's evaluation as a file or in a folder."""

    folder: Path
    now: datetime
    human: Path | None = None
    overrides: Path | None = None
    knowledge: Path | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class MeasuredFiles:
    """An accuracy report that was written, with the files it was measured from."""

    accuracy: Accuracy
    assumptions: tuple[Assumption, ...]
    data: Path
    human: Path | None
    path: Path
    written: Json


@dataclass(frozen=True, slots=True)
class FeedbackFiles:
    """A filled-in report that was read back, and where the result was written."""

    feedback: Feedback
    path: Path


def measure_files(order: AccuracyOrder) -> MeasuredFiles:
    """Write `accuracy-report.json` into the folder. Raises InvalidInput before anything is written.

    The corrected data is preferred to the given one, and refused when either has changed since. Full mode needs a person's
    evaluation: the given file, or the one named `*_{TICKER}_phase2.md` in the given folder or beside the report.
    """
    knowledge, moment = load_knowledge(order.knowledge), stamp_of(order.at, order.now)
    data = _data_of(order.folder)
    content = read_bytes(data)
    reading = read_structured(content, str(data))
    path, human = find_person(order, reading.structured)
    accuracy = measure(reading.structured, knowledge, human, moment, _given(order.folder, data))
    target = order.folder / ACCURACY
    written = {**accuracy_json(accuracy), "data_digest": digest_of(content)}
    write_all(order.folder, {target: write_json_text(written)})
    return MeasuredFiles(accuracy, reading.assumptions, data, path, target, written)


def read_feedback_file(report: Path, out: Path | None) -> FeedbackFiles:
    """Read a filled-in report and write what a person put into it as JSON, by default beside it. Raises InvalidInput."""
    target = out or report.with_name(HUMAN)
    if target.exists() and report.exists() and target.samefile(report):
        raise InvalidInput("report_out_is_input", path=target)
    refuse_other_file(target, "human-evaluation")
    feedback = read_feedback(decode_report(read_bytes(report), str(report)), str(report))
    write_all(target.parent, {target: write_json_text(feedback_json(feedback, report.name))})
    return FeedbackFiles(feedback, target)


def _data_of(folder: Path) -> Path:
    if not folder.is_dir():
        raise InvalidInput("report_no_folder", path=folder)
    verified = folder / VERIFIED_STRUCTURED
    if not verified.is_file():
        return folder / STRUCTURED
    refuse_stale_data(folder, folder)
    return verified


def _given(folder: Path, measured: Path) -> Structured | None:
    """The data before verification, where that is not what is measured anyway."""
    source = folder / STRUCTURED
    return read_structured(read_bytes(source), str(source)).structured if measured != source and source.is_file() else None


def find_person(order: AccuracyOrder, structured: Structured) -> tuple[Path | None, HumanSource | None]:
    """Return the person's evaluation and its file, or nothing where there is none. Writes nothing; raises InvalidInput."""
    path = _human_path(order, structured)
    if path is not None:
        return path, _human_source(order, path, structured)
    if order.overrides is not None:
        raise InvalidInput("override_without_human", path=order.overrides)
    return None, None


def _human_path(order: AccuracyOrder, structured: Structured) -> Path | None:
    if order.human is not None and not order.human.is_dir():
        return order.human
    folder = order.human or order.folder
    entries = folder.iterdir() if folder.is_dir() else ()
    found = sorted(path for path in entries if path.is_file() and is_evaluation_of(path.name, structured.ticker))
    if len(found) > 1:
        raise InvalidInput("human_several", path=folder, names=", ".join(path.name for path in found))
    return found[0] if found else None


def _human_source(order: AccuracyOrder, path: Path, structured: Structured) -> HumanSource:
    evaluation = read_human(read_bytes(path), str(path), structured.ticker)
    if order.overrides is None:
        return HumanSource(evaluation, path.name, NO_OVERRIDES)
    overrides = read_overrides(read_bytes(order.overrides), str(order.overrides))
    return HumanSource(evaluation, path.name, overrides, str(order.overrides))
