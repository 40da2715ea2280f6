"""Figures on reports: the tone analyser, speed, and memory over many reports. `make bench-reports`.

CPU seconds of this process, the best of several runs. Exit code 1 when a figure misses its limit.
"""

import argparse
import gc
import resource
import sys
import time
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from lyra.reports.accuracy_report import HumanSource, accuracy_json, measure  # noqa: E402 - the source tree comes first
from lyra.reports.builder import build_report  # noqa: E402 - as above
from lyra.reports.human_reading import read_human  # noqa: E402 - as above
from lyra.reports.json_text import write_json_text  # noqa: E402 - as above
from lyra.reports.knowledge import shipped_knowledge  # noqa: E402 - as above
from lyra.reports.model import Structured  # noqa: E402 - as above
from lyra.reports.reading import read_structured  # noqa: E402 - as above
from lyra.reports.tone import analyse  # noqa: E402 - as above
from lyra.reports.verifying import Request, verify_report  # noqa: E402 - as above
from lyra.reports.writing import structured_text  # noqa: E402 - as above

CORPUS = ROOT / "tests" / "reports" / "tone"
SAMPLE = ROOT / "sample" / "report"
CLAIMS = 15
AT = "2026-01-15T09:00:00Z"
TONE_ACCURACY, FALSE_CRITICAL = 0.85, 0.03
CPU_LIMIT = 1.5
# Between the first hundred reports and the last: what the allocator keeps back, not what grows with every report.
GROWTH_LIMIT = 8.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table; `limit` is what the value must not exceed, or, with `at_least`, must reach."""

    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False

    @property
    def fails(self) -> bool:
        """Whether the limit is missed."""
        if self.limit is None:
            return False
        return self.value < self.limit if self.at_least else self.value > self.limit


def tone(part: str, published: bool, note: str = "") -> Iterator[Figure]:
    """Return how often a comment is read as labelled, and how often a wrong reading would be corrected as Critical.

    A Critical follows from a sure reading as positive or negative. Every comment so read against its label counts, whatever
    the confidence it stands with. Beside it: how often it is so read at all, and how many of the comments that are positive
    or negative are read so, and surely.
    """
    rows = [line.split("\t") for line in (CORPUS / f"{part}.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    right: Counter[str] = Counter()
    total: Counter[str] = Counter(kind for _, kind, _ in rows)
    false, against, sure = 0, 0, 0
    for label, kind, comment in rows:
        reading = analyse(comment)
        right[kind] += reading.polarity == label
        if reading.polarity in ("positive", "negative"):
            against += reading.polarity != label
            false += reading.sure and reading.polarity != label
            sure += reading.sure and reading.polarity == label
    limits = (TONE_ACCURACY, FALSE_CRITICAL) if published else (None, None)
    yield Figure(
        f"tone, {part} part{note}, {len(rows)} comments: right", right.total() / len(rows), "share", limits[0], at_least=True
    )
    yield Figure(f"tone, {part} part: false Critical", false / len(rows), "share", limits[1])
    yield Figure(f"tone, {part} part: read as positive or negative against the label", against / len(rows), "share")
    decided = sum(label in ("positive", "negative") for label, *_ in rows)
    yield Figure(f"tone, {part} part: positive and negative ones ({decided}) read so and surely", sure / decided, "share")
    for kind in sorted(total):
        yield Figure(f"tone, {part} part, {kind} ({total[kind]}): right", right[kind] / total[kind], "share")


def report_of_15() -> tuple[Structured, bytes]:
    """Return the worked example grown to fifteen advantages: the last five repeat the first ones in other words."""
    structured = read_structured((SAMPLE / "structured.json").read_bytes(), "structured.json").structured
    more = [
        replace(claim, id=100 + claim.id, claim=f"{claim.claim}（別の地域での例）", cagr_connections=(), supported_by_facts=())
        for claim in structured.advantages[: CLAIMS - len(structured.advantages)]
    ]
    return replace(structured, claims=(*structured.claims, *more)), (SAMPLE / "human_XMPL_phase2.md").read_bytes()


def vocabulary() -> Iterator[Figure]:
    """Return how many entries of the word list occur in the test part and not in the tuning part, and how many there are."""
    source = (ROOT / "src" / "lyra" / "reports" / "tone_lexicon.toml").read_text(encoding="utf-8")
    entries = {word for section in tomllib.loads(source).values() for words in section.values() for word in words.split()}
    tuned, tested = (unicodedata.normalize("NFKC", (CORPUS / f"{part}.tsv").read_text("utf-8")) for part in ("tune", "test"))
    yield Figure("tone, word list: entries", len(entries), "words")
    yield Figure("tone, word list: in the test part only", sum(word in tested and word not in tuned for word in entries), "words")


def one_report(data: bytes, human: bytes) -> int:
    """Build, verify and measure one report from its bytes to its bytes; returns how many bytes that made."""
    knowledge = shipped_knowledge()
    reading = read_structured(data, "structured.json")
    verified = verify_report(reading, build_report(reading.structured, knowledge), Request(knowledge, AT))
    source = HumanSource(read_human(human, "human_XMPL_phase2.md", reading.structured.ticker), "human_XMPL_phase2.md")
    accuracy = write_json_text(accuracy_json(measure(verified.structured, knowledge, source, AT)))
    return len(verified.report) + len(verified.structured_text) + len(verified.results_text) + len(accuracy)


def best_of(action: Callable[[], object], runs: int) -> float:
    """Return the smallest CPU time of several runs."""
    times = []
    for _ in range(runs):
        begun = time.process_time()
        action()
        times.append(time.process_time() - begun)
    return min(times)


def resident() -> float:
    """Return the memory of this process now, in MB; the peak where the system does not say."""
    gc.collect()
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def many(data: bytes, human: bytes, count: int) -> Iterator[Figure]:
    """Return what a long run takes in memory: at the end against after the first tenth."""
    begun, early = time.process_time(), 0.0
    for number in range(count):
        one_report(data, human)
        if number + 1 == max(1, count // 10):
            early = resident()
    late = resident()
    yield Figure(f"{count} reports in one run: CPU per report", (time.process_time() - begun) / count, "CPU s", CPU_LIMIT)
    yield Figure(f"{count} reports in one run: memory at the end", late, "MB")
    yield Figure(f"{count} reports in one run: growth after the first tenth", late - early, "MB", GROWTH_LIMIT)


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--reports", type=int, default=1000, help="reports in the long run")
    parser.add_argument("--runs", type=int, default=5, help="runs per figure; the best counts")
    given = parser.parse_args()
    structured, human = report_of_15()
    data = structured_text(structured).encode()
    figures = [
        *tone("blind2", published=True),
        *tone("test", published=False),
        *tone("unseen", published=False, note=" (learned from)"),
        *tone("blind", published=False, note=" (learned from)"),
        *tone("tune", published=False),
        *vocabulary(),
        Figure(
            f"build + verify + accuracy, {CLAIMS} claims",
            best_of(lambda: one_report(data, human), given.runs),
            "CPU s",
            CPU_LIMIT,
        ),
        *many(data, human, given.reports),
    ]
    width = max(len(figure.name) for figure in figures)
    print(f"{'what':{width}}  {'value':>8}  {'unit':6} {'limit':>7}")
    for figure in figures:
        limit = "-" if figure.limit is None else f"{'>=' if figure.at_least else '<='} {figure.limit:g}"
        print(f"{figure.name:{width}}  {figure.value:8.3f}  {figure.unit:6} {limit:>7}{'  MISSED' if figure.fails else ''}")
    return 1 if any(figure.fails for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
