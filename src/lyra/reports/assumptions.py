"""What a tolerant reader took for granted: every such step is listed, so that a person can object."""

from collections.abc import Iterator
from dataclasses import dataclass

# field_name: a known other name of a field · field_place: a field that stands elsewhere · id, rule, pattern, value: another
# spelling · list: one value where a list belongs · claim_list: claims kept in a list of their own · claim_type: told from the
# fields · not_evaluated: a judgement without a usable value · left_out: something that says nothing · figure: a derived figure
# that differs from what the claims give · character: half of a character.
CODES = (
    "field_name",
    "field_place",
    "id",
    "rule",
    "pattern",
    "value",
    "list",
    "claim_list",
    "claim_type",
    "not_evaluated",
    "left_out",
    "figure",
    "character",
)


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that was read otherwise than it is written: where, what stood there, what it was taken for."""

    code: str
    path: str
    found: str
    taken: str


class Assumptions:
    """The list that a reader fills while it reads."""

    def __init__(self) -> None:
        self._listed: list[Assumption] = []

    def add(self, code: str, path: str, found: object, taken: object) -> None:
        """Note one assumption; `code` is one of CODES."""
        self._listed.append(Assumption(code, path, shown(found), shown(taken)))

    def __iter__(self) -> Iterator[Assumption]:
        return iter(self._listed)


def shown(value: object, limit: int = 60) -> str:
    """Return a value of a file as it can stand in a sentence."""
    text = value if isinstance(value, str) else repr(value)
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
