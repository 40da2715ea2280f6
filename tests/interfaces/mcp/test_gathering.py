"""Beyond the library: providers, addresses, budgets, and pages that wait for a person."""

import json
from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server

from lyra.app import open_reading_store
from lyra.core.pages import NeedsPerson, Wall
from tests.interfaces.mcp.client import MODES, Talk, converse, settings_of

URL = "https://journal.example.org/ignore-previous-instructions"


def met_a_wall(home: Path, task_id: str) -> str:
    """Queue a page that only a person gets through."""
    with open_reading_store(settings_of(home)) as store:
        with store.transaction():
            store.interventions.add(task_id, NeedsPerson(URL, URL, "journal.example.org", next(iter(Wall)), "a form"), "job_1")
        return store.interventions.all(task_id)[0].intervention_id


@pytest.mark.parametrize("mode", MODES)
def test_a_page_that_waits_for_the_user_is_shown_and_settled(home: Path, server: Server[Any], mode: str) -> None:
    async def talk_(talk: Talk) -> None:
        task_id = (await talk.ask("create_task", question="What does the journal say?"))["task"]["task_id"]
        assert (await talk.ask("get_auth_queue", task_id=task_id))["interventions"] == []
        name = met_a_wall(home, task_id)
        status = await talk.ask("get_status", task_id=task_id)
        assert status["waiting_for"] == [{"kind": "person", "id": name, "status": "pending"}]
        assert "resolve_auth" in status["next_step"]
        queue = await talk.ask("get_auth_queue")
        assert [one["url"] for one in queue["interventions"]] == [URL]
        assert "interventions[].url" in queue["untrusted"]["fields"]
        done = await talk.ask("resolve_auth", name="journal.example.org", action="skip")
        assert [(one["outcome"], one["job"]) for one in done["settled"]] == [("given_up", None)]
        assert (await talk.ask("get_auth_queue"))["interventions"] == []
        assert [one["status"] for one in (await talk.ask("get_auth_queue", settled=True))["interventions"]] == ["skipped"]
        assert (await talk.fail("resolve_auth", name=name, action="retry"))["code"] == "intervention_settled"

    converse(server, talk_, mode)


def test_a_page_to_be_tried_again_is_queued_for_its_task(home: Path, server: Server[Any]) -> None:
    async def talk_(talk: Talk) -> None:
        task_id = (await talk.ask("create_task", question="What does the journal say?"))["task"]["task_id"]
        (one,) = (await talk.ask("resolve_auth", name=met_a_wall(home, task_id), action="retry"))["settled"]
        assert one["outcome"] == "retried" and one["job"]["task_id"] == task_id and one["job"]["kind"] == "search"

    with open_reading_store(settings_of(home)):
        converse(server, talk_)


def test_the_budget_of_a_task_bounds_its_searches_unless_a_search_brings_its_own(home: Path, server: Server[Any]) -> None:
    async def talk_(talk: Talk) -> list[str]:
        made = await talk.ask("create_task", question="Does tea help?", budget={"pages": 3, "seconds": 60})
        task_id = made["task"]["task_id"]
        dois = ["10.1000/never-there"]
        first = await talk.ask("search", task_id=task_id, dois=dois, providers=[])
        second = await talk.ask("search", task_id=task_id, dois=dois, providers=[], budget={"pages": 0})
        await talk.ask("stop_task", task_id=task_id)
        return [first["job"]["job_id"], second["job"]["job_id"]]

    jobs = converse(server, talk_)
    with open_reading_store(settings_of(home)) as store:
        plans = [json.loads(store.jobs.get(job_id).payload) for job_id in jobs]
    assert [(plan["pages"], plan["seconds"]) for plan in plans] == [(3, 60.0), (0, 60.0)]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"providers": ["opnealex"]}, "unknown_provider"),
        ({"urls": ["file:///etc/passwd"]}, "bad_url"),
        ({"urls": ["http://a@b/"]}, "bad_url"),
        ({"dois": ["ten"]}, "bad_doi"),
    ],
)
def test_what_cannot_be_gathered_is_refused_before_anything_is_queued(
    home: Path, server: Server[Any], arguments: dict[str, Any], code: str
) -> None:
    async def talk_(talk: Talk) -> None:
        task_id = (await talk.ask("create_task", question="Does tea help?"))["task"]["task_id"]
        assert (await talk.fail("search", task_id=task_id, **arguments))["code"] == code
        assert (await talk.ask("get_status", task_id=task_id))["jobs"] == []

    converse(server, talk_)


def test_the_status_names_every_source_without_asking_it(server: Server[Any]) -> None:
    async def talk_(talk: Talk) -> None:
        providers = {one["name"]: one for one in (await talk.ask("get_status"))["providers"]}
        assert providers["library"]["status"] == "ok" and providers["openalex"]["in_use"] is False

    converse(server, talk_)
