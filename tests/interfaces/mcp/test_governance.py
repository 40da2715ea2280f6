"""The rules about domains and claims, as an AI client meets them: each holds for the next judgement and the next read."""

from pathlib import Path
from typing import Any

import pytest

from tests.interfaces.mcp.client import MODES, Talk, converse, served

CLAIM = "Daily walking increases attention in children."
PAGES = {
    "a.md": ("https://www.nature.com/walking", "Daily walking increases attention in children, a trial says."),
    "b.md": ("https://blog.example.net/walking", "Daily walking does not increase attention in children, says our blog."),
}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    folder.mkdir()
    for name, (url, text) in PAGES.items():
        (folder / name).write_text(f"---\ntitle: {name}\nurl: {url}\n---\n{text}\n", encoding="utf-8")
    return folder


async def hosts(talk: Talk) -> set[str]:
    """The hosts that a new check takes evidence from."""
    made = await talk.ask("check_claims", claims=[CLAIM], wait_seconds=50)
    (claim,) = made["materials"]["claims"]
    return {str(edge["url"]).split("/")[2] for edge in claim["evidence"]}


@pytest.mark.parametrize("mode", MODES)
def test_a_block_holds_for_the_next_check_and_its_undoing_too(home: Path, library: Path, mode: str) -> None:
    async def talk_(talk: Talk) -> None:
        assert await hosts(talk) == {"www.nature.com", "blog.example.net"}
        refused = await talk.fail("feedback", action="domain_block", domain_pattern="*.net", reason="all of them")
        assert refused["code"] == "pattern_public_suffix"
        given = {"domain_pattern": "*.example.net", "reason": "copies others"}
        blocked = await talk.ask("feedback", action="domain_block", **given)
        assert blocked["changed"]
        assert await hosts(talk) == {"www.nature.com"}
        (shown,) = (await talk.ask("get_status"))["blocked_domains"]
        assert (shown["domain"], shown["domain_block_reason"], shown["restore_via"]) == (
            "blog.example.net",
            "manual",
            "feedback(domain_unblock)",
        )
        undo = {name: value for name, value in blocked["undo"].items() if value is not None}
        await talk.ask("feedback", **undo)
        assert await hosts(talk) == {"www.nature.com", "blog.example.net"}

    with served(home, library) as server:
        converse(server, talk_, mode)


def test_the_denylist_of_the_policy_file_holds_at_once(home: Path, library: Path) -> None:
    async def talk_(talk: Talk) -> None:
        assert await hosts(talk) == {"www.nature.com", "blog.example.net"}
        (home / "domains.yaml").write_text("denylist: [{domain: example.net, reason: spam}]\n", encoding="utf-8")
        assert await hosts(talk) == {"www.nature.com"}
        (home / "domains.yaml").write_text("denylist: [{domain: example.ne\n", encoding="utf-8")
        status: Any = await talk.ask("get_status")
        assert "in line 2" in status["config_errors"][0]["detail"]
        assert await hosts(talk) == {"www.nature.com"}  # the last good policy holds

    with served(home, library) as server:
        converse(server, talk_)


def test_a_rejected_claim_is_named_by_the_lens_with_the_way_back(home: Path, library: Path) -> None:
    async def talk_(talk: Talk) -> None:
        made = await talk.ask("check_claims", claims=[CLAIM], wait_seconds=50)
        claim_id = made["materials"]["claims"][0]["claim_id"]
        await talk.ask("feedback", action="claim_reject", claim_id=claim_id, reason="too broad")
        answer = await talk.ask("get_materials", task_id=made["task_id"], lens="not_adopted")
        (item,) = answer["lens"]["items"]
        assert (item["status"], item["reason"], item["reason_detail"]) == ("rejected", "manual", "too broad")
        assert item["recovery"]["conditions"][0]["code"] == "claim_restore"

    with served(home, library) as server:
        converse(server, talk_)
