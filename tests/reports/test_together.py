"""Several defects at once: the corrected report is clean, and verifying it again changes nothing."""

from itertools import combinations
from random import Random

import pytest

from tests.reports.breaking import BREAKS, BY_CHECK, Break, again, broken, detected

INFO = {"B-4", "C-4"}
# On one claim these cannot stand together: the section is gone, one value excludes the other, or both change the same field.
EXCLUDED = {
    ("A-3", "B-8"),
    ("A-3", "C-1"),
    ("A-5", "C-1"),
    ("A-5", "C-2"),
    ("A-6", "C-2"),
    ("A-6", "C-4"),
    ("A-2", "B-8"),
    ("B-7", "C-1"),
    ("B-7", "C-2"),
    ("B-8", "C-2"),
    ("B-8", "C-4"),
    ("C-1", "C-2"),
    ("C-1", "C-3"),
    ("C-1", "C-4"),
    ("C-2", "C-3"),
    ("C-2", "C-4"),
    ("C-3", "C-4"),
}
SEEN_IN_THE_DATA = {"B-7", "B-8", "C-1", "C-2", "C-4"}


def possible(first: str, second: str) -> bool:
    """Whether both can hold on one claim."""
    if (first, second) in EXCLUDED:
        return False
    return first != "A-1" or second in SEEN_IN_THE_DATA


def becomes_clean(*breaks: tuple[Break, int]) -> set[str]:
    """Verify a broken report; assert that the outcome is clean and final, and return what was detected."""
    report = broken(*breaks)
    verified = report.verified()
    assert verified.corrected.remaining == ()
    second = again(verified, report.earlier)
    assert detected(second) <= INFO
    assert (second.report, second.structured) == (verified.report, verified.structured)
    assert second.status == "pass"
    return detected(verified)


@pytest.mark.parametrize("first", BREAKS[:-1], ids=lambda one: one.check)
def test_every_two_checks_on_different_claims(first: Break) -> None:
    for second in BREAKS[BREAKS.index(first) + 1 :]:
        assert becomes_clean((first, 1), (second, 3)) == {first.check, second.check}


@pytest.mark.parametrize("first", BREAKS[:-1], ids=lambda one: one.check)
def test_every_two_checks_on_one_claim_where_both_can_hold(first: Break) -> None:
    for second in BREAKS[BREAKS.index(first) + 1 :]:
        if possible(first.check, second.check):
            assert {first.check, second.check} <= becomes_clean((first, 2), (second, 2))


def test_most_pairs_can_hold_on_one_claim() -> None:
    pairs = [(one.check, two.check) for one, two in combinations(BREAKS, 2)]
    assert sum(possible(*pair) for pair in pairs) == 190 - len(EXCLUDED) - 14


@pytest.mark.parametrize("seed", range(20))
def test_random_triples(seed: int) -> None:
    rng = Random(seed)
    for _ in range(25):
        one, two, three = (BY_CHECK[check] for check in rng.sample(sorted(BY_CHECK), 3))
        places = [1, 2, 3]
        rng.shuffle(places)
        becomes_clean(*zip((one, two, three), places, strict=True))
