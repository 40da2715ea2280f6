"""Sources of cases from the network: pages, copies in an archive, and every way in which there is none."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lyra.app.gathering import source_reader
from lyra.core.pages import FetchedPage, FetchFailure, FetchOutcome, NeedsPerson, Wall
from lyra.core.records import ProviderStatus
from lyra.core.source_reading import ArchiveLookup, ReadingStatus, Said, in_words
from lyra.interfaces.case_check_presenter import checked_json, written_case
from lyra.providers.html import read_web_page
from lyra.workflows.case_check import CaseChecker
from lyra.workflows.case_fetching import FetchingReader
from tests.case_sources import html
from tests.loopback.server import Reply
from tests.loopback.world import WIKI, World, loopback_world

URL = "https://news.example/story"
ARCHIVE = "https://archive.example/web"


def page(url: str, text: str, links: tuple[str, ...] = ()) -> FetchedPage:
    read = read_web_page(html("t", text, links=links).encode(), url)
    at = datetime(2026, 3, 1, tzinfo=UTC)
    return FetchedPage(url, url, read.document, "hash", b"", "text/html", at, read.links, read.cited)


class Shelf:
    """Brings what it has by address; anything else is gone."""

    def __init__(self, *outcomes: FetchOutcome) -> None:
        self._outcomes = {one.asked: one for one in outcomes}
        self.asked: list[str] = []

    def fetch(self, url: str) -> FetchOutcome:
        self.asked.append(url)
        return self._outcomes.get(url) or failure("not_found", url=url)


def failure(code: str, asked: str = URL, **params: object) -> FetchFailure:
    return FetchFailure(asked, code, ProviderStatus.REFUSED, params)


def test_a_page_is_read_with_the_works_it_refers_to() -> None:
    reading = FetchingReader(Shelf(page(URL, "It happened.", ("https://paper.example/1",))), ARCHIVE).read(URL)
    assert reading.status is ReadingStatus.OK and reading.document is not None
    assert "It happened." in reading.document.text
    assert "https://paper.example/1" in {name.value for name in reading.document.references}
    assert {name.value for name in reading.document.identifiers} == {URL}


def test_a_source_that_is_gone_is_looked_for_in_the_archive() -> None:
    shelf = Shelf(page(f"{ARCHIVE}/{URL}", "It happened."))
    reading = FetchingReader(shelf, ARCHIVE).read(URL)
    assert (reading.status, reading.archive) == (ReadingStatus.ARCHIVED, ArchiveLookup.FOUND)
    assert reading.document is not None and {name.value for name in reading.document.identifiers} == {URL}
    gone = FetchingReader(Shelf(), ARCHIVE).read(URL)
    assert (gone.status, gone.archive, gone.document) == (ReadingStatus.NOT_FOUND, ArchiveLookup.NOT_FOUND, None)
    assert in_words(gone.detail, "en") == f"{URL} does not exist there."
    assert "存在しません" in in_words(gone.detail, "ja")


def test_an_archive_that_is_down_was_not_searched_and_without_one_nobody_is_asked() -> None:
    down = Shelf(failure("server_error", f"{ARCHIVE}/{URL}", url=ARCHIVE, http_status=503))
    assert FetchingReader(down, ARCHIVE).read(URL).archive is ArchiveLookup.NOT_TRIED
    alone = Shelf()
    assert FetchingReader(alone, None).read(URL).archive is ArchiveLookup.NOT_TRIED
    assert alone.asked == [URL]


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (failure("access_refused", url=URL, http_status=402), ReadingStatus.PAYWALL),
        (failure("access_refused", url=URL, http_status=451), ReadingStatus.REGION_BLOCKED),
        (failure("access_refused", url=URL, http_status=403), ReadingStatus.OUTAGE),
        (failure("timed_out", url=URL), ReadingStatus.OUTAGE),
        (failure("throttled", url=URL, seconds=5), ReadingStatus.OUTAGE),
        (failure("no_text", url=URL), ReadingStatus.OUTAGE),
        (failure("robots", url=URL), ReadingStatus.NOT_ALLOWED),
        (failure("offline", host="news.example"), ReadingStatus.NOT_ALLOWED),
        (failure("blocked_domain", host="news.example", reason="manual"), ReadingStatus.NOT_ALLOWED),
        (NeedsPerson(URL, URL, "news.example", Wall.LOGIN, "password"), ReadingStatus.PAYWALL),
        (NeedsPerson(URL, URL, "news.example", Wall.CAPTCHA, "turnstile"), ReadingStatus.OUTAGE),
    ],
)
def test_every_failure_is_what_it_is_and_told_in_both_languages(outcome: FetchOutcome, status: ReadingStatus) -> None:
    reading = FetchingReader(Shelf(outcome), ARCHIVE).read(URL)
    assert (reading.status, reading.document) == (status, None)
    assert isinstance(reading.detail, Said)
    for lang in ("en", "ja"):
        sentence = in_words(reading.detail, lang)
        assert sentence and "{" not in sentence


# Through the network of this machine


@pytest.fixture
def world() -> Iterator[World]:
    with loopback_world(pages={"/broken": Reply(status=503)}) as services:
        yield services


def case(*urls: str, role: str = "secondary_source") -> dict[str, Any]:
    sources = [{"url": url, "source_role": role, "coi_status": "none"} for url in urls]
    return {"id": "a", "text": "Green tea lowers blood pressure.", "outcome": "Success", "sources": sources}


def check(world: World, home: Path, given: dict[str, Any], **settings: str) -> tuple[dict[str, Any], list[str]]:
    """The checked case as JSON, and the addresses that wait for a person."""
    with world.bench(home, None, **settings) as bench:
        reader = source_reader(world.settings(home, **settings), bench)
        result = CaseChecker(bench, [], reader).check(given)
        assert written_case(result, "now")["check"]["attempts"]
        waiting = [one.url for one in bench.store.interventions.all()]
    return dict(checked_json(result, "en")), waiting


def test_a_source_on_the_network_is_read_and_judged(world: World, tmp_path: Path) -> None:
    shown, _ = check(world, tmp_path / "home", case(world.at("/news/tea")))
    assert [(one["access"], one["place"]) for one in shown["attempts"]] == [("ok", "network")]
    assert shown["outcome_status"] is not None


def test_a_dead_source_is_unavailable_and_an_outage_is_not(world: World, tmp_path: Path) -> None:
    nowhere = {"fetch__archive_url": world.at("/nothing")}
    shown, _ = check(world, tmp_path / "home", case(world.at("/gone")), **nowhere)
    assert (shown["outcome_status"], shown["unverified_reason"]) == ("unverified", "source_unavailable")
    (attempt,) = shown["attempts"]
    assert (attempt["access"], attempt["archive_search"]) == ("404", "not_found") and "does not exist" in attempt["detail"]
    shown, _ = check(world, tmp_path / "home", case(world.at("/broken")), **nowhere)
    assert shown["outcome_status"] is None
    assert "503" in shown["questions"][0]["question"]


def test_a_login_waits_for_a_person_under_the_task_of_the_case(world: World, tmp_path: Path) -> None:
    shown, waiting = check(world, tmp_path / "home", case(world.at("/members")), fetch__archive_url="none")
    assert (shown["attempts"][0]["access"], shown["unverified_reason"]) == ("paywall", "source_unavailable")
    assert waiting == [world.at("/members")]


def test_an_encyclopaedia_is_descended_to_the_works_in_its_list(world: World, tmp_path: Path) -> None:
    given = case(world.at("/wiki/Green_tea", WIKI), role="pointer_only")
    shown, _ = check(world, tmp_path / "home", given, fetch__archive_url="none")
    assert world.at("/news/tea") in {one["url"] for one in shown["sources"]}


def test_with_the_network_switched_off_nothing_is_fetched_and_nothing_gone(world: World, tmp_path: Path) -> None:
    shown, _ = check(world, tmp_path / "home", case(world.at("/news/tea")), fetch__offline="on")
    assert (shown["outcome_status"], shown["attempts"][0]["access"]) == (None, "not_fetched")
    assert "switched off" in shown["questions"][0]["question"]
    assert world.asked() == 0
