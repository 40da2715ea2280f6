"""Signs of retraction in a document itself."""

import pytest

from lyra.core.records import Section
from lyra.providers.retraction import retraction_notice, title_says_retracted


@pytest.mark.parametrize(
    "title",
    [
        "RETRACTED: A trial",
        "Retracted Article: A trial",
        "Retracted article A trial",
        "[RETRACTED] A trial",
        "WITHDRAWN: A trial",
        "【撤回】試験",
        "撤回：試験",
        "撤回: 試験",
    ],
)
def test_a_marked_title_is_recognised(title: str) -> None:
    assert title_says_retracted(title)


@pytest.mark.parametrize(
    "title",
    [
        None,
        "",
        "Retraction notice to: A trial",
        "Why retracted trials are still cited",
        "撤回された論文の引用",
        "A trial (retracted data)",
    ],
)
def test_a_title_about_retraction_is_not_marked(title: str | None) -> None:
    assert not title_says_retracted(title)


def notice(heading: str, body: str, title: str | None = "A trial") -> str | None:
    return retraction_notice(body, [Section(0, len(body), heading)], title)


def test_the_sentence_with_the_reason_is_preferred() -> None:
    assert (
        notice("Retraction notice", "We are sorry. It was retracted because data were missing.")
        == "It was retracted because data were missing."
    )
    assert notice("撤回のお知らせ", "本論文は撤回された。") == "本論文は撤回された。"


def test_a_notice_is_about_another_work() -> None:
    assert notice("Retraction notice", "It was retracted.", title="Retraction notice") is None


@pytest.mark.parametrize("heading", ["Retractions in medicine", "Results", "撤回の歴史"])
def test_other_sections_are_no_notice(heading: str) -> None:
    assert notice(heading, "It was retracted because data were missing.") is None
