"""Agreement as a plain call, for programs that have ratings of their own."""

from collections.abc import Iterable, Sequence

from lyra.cases.agreement import MOST_REPLICATES, REPLICATES, Agreement, Plan, measure
from lyra.cases.ratings import Level, Weighting, collect
from lyra.core.errors import InvalidInput


def agreement(
    ratings: Iterable[tuple[str, str, str | None]],
    *,
    level: str = "nominal",
    categories: Sequence[str] | None = None,
    weights: str = "quadratic",
    replicates: int = REPLICATES,
) -> Agreement:
    """Return how far raters agree, from (rater, unit, value) triples; None is a missing value.

    `level` is nominal, ordinal or interval; `categories` the whole scale in its order, else the values that occur,
    sorted; `weights` (linear, quadratic, ordinal) weigh partial agreement on ordered scales. A coefficient that is
    undefined has no value and says why. Raises InvalidInput for a rating that is no triple, a value off the scale, two
    values of one rater for one unit, an unknown level or weights, and a number of replicates that cannot be.
    """
    if level not in {one.value for one in Level}:
        raise InvalidInput("agreement_bad_level", value=level)
    if weights not in {one.value for one in Weighting}:
        raise InvalidInput("agreement_bad_weights", value=weights)
    if not 0 <= replicates <= MOST_REPLICATES:
        raise InvalidInput("agreement_bad_number", option="replicates", least=0, most=MOST_REPLICATES, value=replicates)
    plan = Plan(Level(level), Weighting(weights), replicates)
    return measure(collect(_checked(ratings), categories, "value"), plan)


def _checked(ratings: Iterable[object]) -> Iterable[tuple[str, str, str | None]]:
    for position, one in enumerate(ratings, start=1):
        match one:
            case (str(rater), str(unit), (str() | None) as value):
                yield rater, unit, value
            case _:
                raise InvalidInput("agreement_bad_triple", position=position)
