"""What is measured, and how: CPU seconds, the best of several runs, ratios side by side in one process."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. `at_most` and `at_least` are limits; a figure without any is only reported."""

    name: str
    value: float
    unit: str
    at_most: float | None = None
    at_least: float | None = None

    @property
    def fails(self) -> bool:
        """Whether a limit is missed."""
        too_much = self.at_most is not None and self.value > self.at_most
        return too_much or (self.at_least is not None and self.value < self.at_least)

    @property
    def limit(self) -> str:
        """The limit as it is shown."""
        if self.at_most is not None:
            return f"≤ {self.at_most:g}"
        return "" if self.at_least is None else f"≥ {self.at_least:g}"


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured. The quick sizes are for trying the programs, not for numbers: no limit holds there."""

    claims: int = 10_000
    edges_per_claim: int = 10
    fragments: int = 20_000
    pages: int = 2_000
    abstracts: int = 100_000
    ingested: int = 20_000
    vectors: int = 100_000
    duplicates: int = 100_000
    growth: tuple[int, ...] = (1_000, 3_000, 10_000, 30_000, 100_000)
    runs: int = 5
    limits: bool = True


QUICK = Sizes(
    claims=200,
    fragments=300,
    pages=40,
    abstracts=600,
    ingested=400,
    vectors=2_000,
    duplicates=400,
    growth=(50, 100, 200),
    runs=1,
    limits=False,
)


def limited(sizes: Sizes, figure: Figure) -> Figure:
    """Return a figure with its limits only where the sizes are those that the limits are meant for."""
    return figure if sizes.limits else Figure(figure.name, figure.value, figure.unit)


def spent() -> float:
    """Return the CPU seconds that this process has used."""
    return time.process_time()


def measured(work: Callable[[], Answer]) -> tuple[float, Answer]:
    """Return the CPU seconds of one run, and what it answered."""
    before = spent()
    answer = work()
    return spent() - before, answer


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Return the CPU seconds of the best of several runs: the one that others disturbed least."""
    return min(measured(work)[0] for _ in range(runs))
