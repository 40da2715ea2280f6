"""Which claim of the AI is which claim of the person: one to one, by text; unclear pairs are listed, a person can set them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lyra.core.errors import InvalidInput
from lyra.reports.accuracy import Comparison
from lyra.reports.assignment import assign
from lyra.reports.derived import source_of
from lyra.reports.human import HumanScore
from lyra.reports.json_text import parse_json
from lyra.reports.model import Claim, Structured
from lyra.reports.similarity import similarities

# Below this similarity two texts are held to be about different things.
THRESHOLD = 0.2
# A pair that is ahead of its nearest rival by less is listed for a person to look at.
REVIEW_MARGIN = 0.1
_CLAIM_NAME = re.compile(r"^[#Cc]?(\d{1,9})$")


@dataclass(frozen=True, slots=True)
class Matching:
    """The pairs, what is left on either side, and the pairs that are not clear."""

    comparisons: tuple[Comparison, ...]
    unmatched_ai: tuple[Claim, ...]
    missing_in_ai: tuple[HumanScore, ...]

    @property
    def review(self) -> tuple[Comparison, ...]:
        """Return the pairs whose lead over the next best is small."""
        return tuple(one for one in self.comparisons if one.margin is not None and one.margin < REVIEW_MARGIN)


@dataclass(frozen=True, slots=True)
class Overrides:
    """Pairs that a person set: from a claim's id to the human score's number (where there are none its position), or none."""

    advantages: Mapping[int, int | None]
    connections: Mapping[int, int | None]


NO_OVERRIDES = Overrides({}, {})


def match_advantages(structured: Structured, humans: Sequence[HumanScore], overrides: Overrides, where: str) -> Matching:
    """Match competitive advantages with a person's scores by their texts."""
    claims = structured.advantages
    return _match(claims, [claim.claim for claim in claims], humans, overrides.advantages, where)


def match_connections(structured: Structured, humans: Sequence[HumanScore], overrides: Overrides, where: str) -> Matching:
    """Match CAGR connections with a person's scores; both texts begin with the advantage they rest on, where it is known."""
    claims = structured.connections
    return _match(claims, [_connection_text(structured, claim) for claim in claims], humans, overrides.connections, where)


def _connection_text(structured: Structured, connection: Claim) -> str:
    source = source_of(structured, connection)
    advantage = structured.claim(source) if source is not None else None
    parameters = " ".join(parameter.label for parameter in connection.parameters)
    return f"{advantage.claim if advantage else ''} {connection.claim} {parameters}".strip()


def _match(
    claims: Sequence[Claim], texts: Sequence[str], humans: Sequence[HumanScore], overrides: Mapping[int, int | None], where: str
) -> Matching:
    scores = similarities(texts, [human.text for human in humans])
    fixed = _fixed(claims, humans, overrides, where)
    free_rows = [row for row in range(len(claims)) if row not in fixed]
    free_columns = [column for column in range(len(humans)) if column not in fixed.values()]
    pairs = [(row, column, scores[row][column], None) for row, column in fixed.items() if column is not None]
    made = assign([[scores[row][column] for column in free_columns] for row in free_rows], THRESHOLD)
    every = [*pairs, *((free_rows[one.row], free_columns[one.column], one.score, one.margin) for one in made)]
    comparisons = tuple(Comparison(claims[row], humans[column], score, margin) for row, column, score, margin in sorted(every))
    rows, columns = {row for row, *_ in every}, {column for _, column, *_ in every}
    return Matching(
        comparisons,
        tuple(claim for row, claim in enumerate(claims) if row not in rows),
        tuple(human for column, human in enumerate(humans) if column not in columns),
    )


def _fixed(
    claims: Sequence[Claim], humans: Sequence[HumanScore], overrides: Mapping[int, int | None], where: str
) -> dict[int, int | None]:
    """The rows that a person settled, each with its column or with none."""
    rows = {claim.id: row for row, claim in enumerate(claims)}
    columns = {number: column for column, number in reversed(list(enumerate(_numbers(humans))))}
    fixed: dict[int, int | None] = {}
    for claim_id, number in overrides.items():
        if claim_id not in rows:
            raise InvalidInput("override_unknown_claim", path=where, id=claim_id)
        if number is not None and number not in columns:
            raise InvalidInput("override_unknown_score", path=where, number=number)
        column = None if number is None else columns[number]
        if column is not None and column in fixed.values():
            raise InvalidInput("override_twice", path=where, number=number)
        fixed[rows[claim_id]] = column
    return fixed


def _numbers(humans: Sequence[HumanScore]) -> list[int]:
    """What a person calls each score: its number in the file where every one has its own, else its position."""
    numbers = [human.number for human in humans]
    own = [number for number in numbers if number is not None]
    return own if len(set(own)) == len(humans) else list(range(1, len(humans) + 1))


def read_overrides(data: bytes, where: str) -> Overrides:
    """Return the pairs in an override file: `{"advantages": {"1": 2, "3": null}, "connections": {"C4": 1}}`.

    Raises InvalidInput for anything else.
    """
    value = parse_json(data, where)
    if not isinstance(value, dict) or set(value) - {"advantages", "connections"}:
        raise InvalidInput("override_shape", path=where)
    return Overrides(_pairs(value.get("advantages", {}), where), _pairs(value.get("connections", {}), where))


def _pairs(value: object, where: str) -> dict[int, int | None]:
    if not isinstance(value, dict):
        raise InvalidInput("override_shape", path=where)
    pairs: dict[int, int | None] = {}
    for name, number in value.items():
        named = _CLAIM_NAME.match(name)
        if named is None or not (number is None or (isinstance(number, int) and not isinstance(number, bool))):
            raise InvalidInput("override_shape", path=where)
        pairs[int(named[1])] = number
    return pairs
