"""What cannot be taken back needs the user's word: by argument, or asked through the client."""

from pathlib import Path
from typing import Any

import pytest
from mcp.client.session import ClientRequestContext
from mcp.server.lowlevel import Server
from mcp_types import ElicitRequestParams, ElicitResult

from lyra.app import open_reading_store
from lyra.core.page_safety import Finding
from tests.interfaces.mcp.client import MODES, Talk, converse, said, served, settings_of

CLAIM = ["Daily walking increases attention in children."]


class User:
    """A person behind a client, who answers what is asked."""

    def __init__(self, answer: ElicitResult) -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        return self.answer


AGREES = ElicitResult(action="accept", content={"confirm": True})


async def delete(talk: Talk, **more: Any) -> tuple[bool, Any]:
    made = await talk.ask("check_claims", claims=CLAIM, wait_seconds=50)
    result = await talk.call("stop_task", {"task_id": made["task_id"], "cleanup": "hard", **more})
    status = await talk.ask("get_status")
    return made["task_id"] in [task["task_id"] for task in status["tasks"]], said(result)


@pytest.mark.parametrize("mode", MODES)
def test_a_client_that_cannot_ask_is_told_to_confirm(server: Server[Any], mode: str) -> None:
    exists, answer = converse(server, delete, mode)
    assert exists and answer["error"]["code"] == "mcp_needs_confirm"
    assert "confirm: true" in answer["error"]["next_step"] and "1 claims" in answer["error"]["message"]


@pytest.mark.parametrize("mode", MODES)
def test_with_confirm_nobody_is_asked(server: Server[Any], mode: str) -> None:
    user = User(AGREES)
    exists, answer = converse(server, lambda talk: delete(talk, confirm=True), mode, elicitation_callback=user)
    assert not exists and answer["task_status"] == "deleted" and user.asked == []


@pytest.mark.parametrize("mode", MODES)
def test_a_user_who_agrees_is_asked_once_and_the_task_goes(server: Server[Any], mode: str) -> None:
    user = User(AGREES)
    exists, answer = converse(server, delete, mode, elicitation_callback=user)
    assert not exists and answer["task_status"] == "deleted" and len(user.asked) == 1
    assert "for good?" in user.asked[0]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "said",
    [
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        ElicitResult(action="accept", content={"confirm": False}),
        ElicitResult(action="accept", content={}),
    ],
)
def test_a_user_who_does_not_agree_keeps_the_task(server: Server[Any], mode: str, said: ElicitResult) -> None:
    exists, answer = converse(server, delete, mode, elicitation_callback=User(said))
    assert exists and answer["error"]["code"] == "mcp_declined"


@pytest.mark.parametrize("mode", MODES)
def test_a_dry_run_and_a_mere_stop_need_no_word(server: Server[Any], mode: str) -> None:
    exists, answer = converse(server, lambda talk: delete(talk, dry_run=True), mode)
    assert exists and answer["deleted"]["tasks"] == 1 and answer["task_status"] == "active"


def quarantine_twice(home: Path) -> str:
    """Two pages of a host with planted instructions, so that it is blocked as dangerous."""
    from lyra.core.rejections import BlockRules  # noqa: PLC0415 - only here
    from lyra.workflows.quarantine import quarantine  # noqa: PLC0415 - only here
    from tests.fakes import document  # noqa: PLC0415 - only here

    with open_reading_store(settings_of(home)) as store:
        for number in range(2):
            made = document(f"Text {number}.", f"url:https://bad.example/{number}")
            page = store.pages.register(made, f"https://bad.example/{number}", [])
            quarantine(store, BlockRules(), page.page_id, [Finding("override", "body", "ignore previous instructions")], "job_1")
    return "bad.example"


@pytest.mark.parametrize("mode", MODES)
def test_unblocking_a_dangerous_domain_needs_a_word_and_shows_in_the_status(home: Path, library: Path, mode: str) -> None:
    async def unblock(talk: Talk) -> None:
        arguments = {"action": "domain_unblock", "domain_pattern": domain, "reason": "a false alarm"}
        (blocked,) = (await talk.ask("get_status"))["blocked_domains"]
        assert (blocked["domain"], blocked["domain_unblock_risk"], blocked["is_blocked"]) == (domain, "high", True)
        assert (await talk.fail("feedback", **arguments))["code"] == "mcp_needs_confirm"
        assert (await talk.ask("feedback", **arguments, confirm=True))["changed"]
        status = await talk.ask("get_status", detail="full")
        assert status["blocked_domains"][0]["override"]["is_overridden"]
        assert [rule["domain_pattern"] for rule in status["domain_overrides"]] == [domain]
        assert len(status["full"]["quarantined_pages"]) == 2

    with served(home, library) as server:
        domain = quarantine_twice(home)
        converse(server, unblock, mode)


def test_unblocking_a_harmless_domain_needs_none(server: Server[Any]) -> None:
    async def unblock(talk: Talk) -> None:
        assert (await talk.ask("feedback", action="domain_block", domain_pattern="dull.example", reason="dull"))["changed"]
        assert (await talk.ask("feedback", action="domain_unblock", domain_pattern="dull.example", reason="not dull"))["changed"]

    converse(server, unblock)
