"""Figures of the workspace for cases, measured in one run: `make bench-cases`.

Speed of agreement with its bootstrap, beside a loop over established libraries on the same data; speed of validation;
accuracy of classification by class. CPU seconds are used, not wall time, because machines are shared. Exit code 1 when a
figure misses its limit.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from nltk.metrics.agreement import AnnotationTask  # noqa: E402 - after the path
from nltk.metrics.distance import binary_distance, interval_distance  # noqa: E402 - after the path
from sklearn.metrics import cohen_kappa_score  # noqa: E402 - after the path

from lyra.cases.agreement import Plan, measure  # noqa: E402 - after the path
from lyra.cases.agreement_fields import Wanted, measure_fields  # noqa: E402 - after the path
from lyra.cases.classification.claim import classify_claim  # noqa: E402 - after the path
from lyra.cases.classification.decomposition import decompose  # noqa: E402 - after the path
from lyra.cases.classification.source import classify_source, interest_of  # noqa: E402 - after the path
from lyra.cases.model import Annotation  # noqa: E402 - after the path
from lyra.cases.ratings import UNRATED, Level, Ratings  # noqa: E402 - after the path
from tests.cases.labelled import compounds, labelled_claims, labelled_urls  # noqa: E402 - after the path

UNITS, RATERS, SCALE, MISSING = 100_000, 3, 5, 0.2
REPLICATES = 1000
CASES = 100_000
AGREEMENT_LIMIT, VALIDATION_LIMIT, LEAST_FACTOR = 5.0, 10.0, 50.0
LEAST_ROLES, LEAST_CLAIMS = 0.95, 0.85


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: at most `most` or at least `least`, where one is set."""

    name: str
    value: float
    unit: str
    most: float | None = None
    least: float | None = None

    @property
    def fails(self) -> bool:
        """Whether a limit is missed."""
        return (self.most is not None and self.value > self.most) or (self.least is not None and self.value < self.least)

    @property
    def limit(self) -> str:
        """The limit as shown."""
        return f"<= {self.most:g}" if self.most is not None else f">= {self.least:g}" if self.least is not None else "-"


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call, in this process."""
    start = time.process_time()
    work()
    return time.process_time() - start


def random_ratings(units: int) -> Ratings:
    """Three raters who are right seven times in ten, with a fifth of the ratings missing."""
    source = np.random.default_rng(7)
    truth = source.integers(0, SCALE, units)
    columns = [np.where(source.random(units) < 0.7, truth, source.integers(0, SCALE, units)) for _ in range(RATERS)]  # noqa: PLR2004 - care
    codes = np.stack(columns, axis=1)
    codes[source.random(codes.shape) < MISSING] = UNRATED
    names = tuple(f"unit {number}" for number in range(units))
    return Ratings(tuple("abc"), names, tuple(str(place + 1) for place in range(SCALE)), codes)


def as_labels(ratings: Ratings) -> list[Annotation]:
    """The same ratings as single labels, as they are read from files."""
    return [
        Annotation(rater, unit, "score", ratings.categories[code] if code != UNRATED else None)
        for unit, row in zip(ratings.units, ratings.codes.tolist(), strict=True)
        for rater, code in zip(ratings.raters, row, strict=True)
    ]


def library_replicate(ratings: Ratings, source: np.random.Generator) -> None:
    """One bootstrap replicate with libraries: alpha nominal and interval, and kappa of the pairs; fewer figures than ours."""
    drawn = ratings.codes[source.integers(0, len(ratings.units), len(ratings.units))]
    data = [
        (rater, unit, value) for unit, row in enumerate(drawn.tolist()) for rater, value in enumerate(row) if value != UNRATED
    ]
    for distance in (binary_distance, interval_distance):
        AnnotationTask(data=data, distance=distance).alpha()
    for first, second in ((0, 1), (0, 2), (1, 2)):
        both = (drawn[:, first] != UNRATED) & (drawn[:, second] != UNRATED)
        cohen_kappa_score(drawn[both, first], drawn[both, second])


def agreement_figures(loops: int) -> list[Figure]:
    """Speed of agreement, ours and the libraries', on the same ratings."""
    ratings = random_ratings(UNITS)
    plan = Plan(Level.INTERVAL, replicates=REPLICATES)
    ours = min(cpu(lambda: measure(ratings, plan)) for _ in range(3))
    labels = as_labels(ratings)
    wanted = Wanted(plan, {"score": Level.INTERVAL})
    whole = min(cpu(lambda: measure_fields(labels, wanted)) for _ in range(2))
    source = np.random.default_rng(3)
    theirs = sum(cpu(lambda: library_replicate(ratings, source)) for _ in range(loops)) / loops * REPLICATES
    shape = f"{UNITS:,} units x {RATERS} raters, {MISSING:.0%} missing, {REPLICATES} replicates"
    return [
        Figure(f"agreement, all coefficients, {shape}", ours, "CPU s", most=AGREEMENT_LIMIT),
        Figure("the same from single labels", whole, "CPU s", most=AGREEMENT_LIMIT),
        Figure(f"nltk and scikit-learn in a loop, 3 coefficients (from {loops} replicates)", theirs, "CPU s"),
        Figure("libraries against ours", theirs / ours, "x", least=LEAST_FACTOR),
    ]


def write_cases(path: Path, count: int) -> None:
    """Cases with two sources and two claims each; one in ten breaks a rule."""
    source = Random(5)
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            wrong = number % 10 == 0
            case = {
                "id": f"case-{number}",
                "text": f"Company {number} closed {source.randint(1, 9)} plants in {source.randint(1990, 2024)}.",
                "outcome": source.choice(["Success", "Failure", "Mixed"]),
                "outcome_status": "verified_correct",
                "verification_confidence": "low" if wrong else "medium",
                "sources": [
                    {
                        "id": "s1",
                        "url": f"https://press.example/{number}",
                        "source_role": "secondary_source",
                        "coi_status": "none",
                    },
                    {"id": "s2", "url": f"https://own.example/{number}", "source_role": "primary_source", "coi_status": "self"},
                ],
                "claims": [
                    {
                        "id": "1",
                        "text": "It closed.",
                        "claim_type": "factual",
                        "outcome_status": "verified_correct",
                        "source_refs": ["s1"],
                    },
                    {"id": "2", "text": "It was wise.", "claim_type": "evaluative", "outcome_status": "verified_correct"},
                ],
            }
            stream.write(json.dumps(case) + "\n")


def validation_figures() -> list[Figure]:
    """Speed of `lyra cases validate`, the whole command."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.jsonl"
        write_cases(path, CASES)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environ = {**os.environ, "LYRA_HOME": folder}
        command = [sys.executable, "-m", "lyra", "cases", "validate", str(path)]
        ran = subprocess.run(command, stdout=subprocess.DEVNULL, env=environ, cwd=ROOT, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode != 1:
        raise RuntimeError(f"lyra cases validate ended in {ran.returncode}")
    used = (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)
    return [Figure(f"lyra cases validate, {CASES:,} cases", used, "CPU s", most=VALIDATION_LIMIT)]


def role_figures(part: str) -> list[Figure]:
    """How often the role is right, by role, where the address decides; and where it is a proposal."""
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for one in labelled_urls(part):
        found = classify_source(one.url, interest_of(one.parties))
        for name in (f"{one.answered_by}: {one.source_role}", one.answered_by, *(["odd"] if one.kind == "odd" else [])):
            seen[name] += 1
            right[name] += found.source_role == one.source_role
    return [
        Figure(
            f"roles, {part}, {name} ({seen[name]})",
            right[name] / seen[name],
            "right",
            least=LEAST_ROLES if name == "mechanical" and part == "test" else None,
        )
        for name in sorted(seen)
    ]


def claim_figures(part: str) -> list[Figure]:
    """How often the type of a claim is right, by language and type; and of what is said for certain."""
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for one in labelled_claims(part):
        found = classify_claim(one.text)
        names = [f"{one.language} {one.claim_type}", "all", *(["certain"] if not found.walk.needs_person else [])]
        for name in names:
            seen[name] += 1
            right[name] += found.claim_type == one.claim_type
    return [
        Figure(
            f"claim types, {part}, {name} ({seen[name]})",
            right[name] / seen[name],
            "right",
            least=LEAST_CLAIMS if name == "all" and part == "test" else None,
        )
        for name in sorted(seen)
    ]


def compound_figures(part: str) -> list[Figure]:
    """How often a compound claim comes apart exactly as it should, types included."""
    known = compounds(part)
    right = [" ‖ ".join(f"{one.claim_type}:{one.text}" for one in decompose(text)) == parts for text, parts in known]
    return [Figure(f"compound claims, {part} ({len(known)})", sum(right) / len(known), "right")]


def main() -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--loops", type=int, default=3, help="replicates of the libraries to measure")
    loops: int = parser.parse_args().loops
    figures = [*agreement_figures(loops), *validation_figures()]
    for part in ("tune", "test", "fresh"):
        figures += role_figures(part)
    for part in ("tune", "test", "fresh", "later", "wide", "wider", "held", "blind"):
        figures += claim_figures(part)
    for part in ("tune", "test"):
        figures += compound_figures(part)
    width = max(len(figure.name) for figure in figures)
    print(f"{'what':{width}}  {'value':>9}  {'unit':6} limit")
    for figure in figures:
        print(f"{figure.name:{width}}  {figure.value:9.3f}  {figure.unit:6} {figure.limit}{'  MISSED' if figure.fails else ''}")
    return 1 if any(figure.fails for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
