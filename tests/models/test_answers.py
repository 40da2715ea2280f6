"""Questions as statements, as the judge is trained on them."""

import pytest

from training.answers import statements


@pytest.mark.parametrize(
    ("question", "said", "denied"),
    [
        ("Does early feeding shorten the stay?", "Early feeding shortens the stay.", "Early feeding does not shorten the stay."),
        ("Do statins have side effects?", "Statins have side effects.", "Statins do not have side effects."),
        ("Does zinc modify growth : a trial?", "Zinc modifies growth.", "Zinc does not modify growth."),
        ("Is age associated with outcome?", "Age is associated with outcome.", "Age is not associated with outcome."),
    ],
)
def test_a_question_is_said_and_denied(question: str, said: str, denied: str) -> None:
    assert statements(question) == (said, denied)


@pytest.mark.parametrize(
    "question",
    [
        "Is implementation of effective care worthwhile?",  # the subject would end in "of"
        "Does [ The test ] predict outcome?",
        "Why does it rain?",
        "",
    ],
)
def test_what_cannot_be_turned_is_left_out(question: str) -> None:
    assert statements(question) is None
