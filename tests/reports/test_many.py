"""Many reports in one process: nothing is kept from one to the next."""

import gc
from pathlib import Path

from lyra.reports.accuracy_report import HumanSource, accuracy_json, measure
from lyra.reports.builder import build_report
from lyra.reports.human_reading import read_human
from lyra.reports.knowledge import shipped_knowledge
from lyra.reports.reading import read_structured
from lyra.reports.verifying import Request, verify_report

SAMPLE = Path(__file__).parents[2] / "sample" / "report"


def one_report() -> None:
    knowledge = shipped_knowledge()
    reading = read_structured((SAMPLE / "structured.json").read_bytes(), "structured.json")
    verified = verify_report(reading, build_report(reading.structured, knowledge), Request(knowledge, "2026-01-01T00:00:00Z"))
    person = read_human((SAMPLE / "human_XMPL_phase2.md").read_bytes(), "human_XMPL_phase2.md", "XMPL")
    assert accuracy_json(measure(verified.structured, knowledge, HumanSource(person, "x"), ""))["mode"] == "full"


def test_nothing_is_left_over_from_one_report_to_the_next() -> None:
    left = []
    for _ in range(3):
        one_report()
        gc.collect()
        left.append(len(gc.get_objects()))
    assert left[2] - left[1] < 50
