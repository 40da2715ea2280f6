"""Flow charts as data, and the one engine that walks them.

A chart is a list of questions. Each answer leads to another question or ends in a label. Whoever answers, a program or
a person, leaves the same trail: which question was answered how, and by what. An answer that a machine only proposes
makes the whole walk a proposal, with the question to put to a person.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

LABEL_SIGN = "="


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to one question. `because` is a code for what decided; `detail` what it was found in.

    An answer that is not `certain` is what is likely, not what is known.
    """

    value: str
    because: str
    detail: str = ""
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One question of a chart: where each answer leads, to another question or, after `=`, to a label."""

    question: str
    leads: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Chart:
    """A flow chart: its questions by name, the first one first."""

    name: str
    steps: Mapping[str, Step]

    @property
    def start(self) -> str:
        """The first question."""
        return next(iter(self.steps))

    def labels(self) -> set[str]:
        """Every label the chart can end in."""
        return {
            target.removeprefix(LABEL_SIGN)
            for step in self.steps.values()
            for target in step.leads.values()
            if target.startswith(LABEL_SIGN)
        }


@dataclass(frozen=True, slots=True)
class Answered:
    """One step of a trail."""

    question: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a chart led, and the way there. `asks` is the first question that a person has to answer, if any."""

    chart: str
    label: str
    trail: tuple[Answered, ...]

    @property
    def asks(self) -> str | None:
        """The first question whose answer is only a proposal."""
        return next((step.question for step in self.trail if not step.answer.certain), None)

    @property
    def needs_person(self) -> bool:
        """Whether a person has to confirm."""
        return self.asks is not None


def walk(chart: Chart, answer: Callable[[str], Answer]) -> Walk:
    """Walk a chart from its first question. Raises KeyError for an answer that the chart does not foresee."""
    place, trail = chart.start, []
    while True:
        step = chart.steps[place]
        given = answer(step.question)
        trail.append(Answered(step.question, given))
        target = step.leads[given.value]
        if target.startswith(LABEL_SIGN):
            return Walk(chart.name, target.removeprefix(LABEL_SIGN), tuple(trail))
        place = target


@cache
def charts() -> Mapping[str, Chart]:
    """Return the shipped charts by name."""
    text = (resources.files("lyra.cases.classification") / "flows.toml").read_text(encoding="utf-8")
    found = {}
    for name, questions in tomllib.loads(text).items():
        steps = {question: Step(question, dict(leads)) for question, leads in questions.items()}
        found[name] = Chart(name, steps)
    return found
