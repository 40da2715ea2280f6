"""Searching beyond the library from the command line: providers, addresses, DOIs, the queue, and pages that wait for a person."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interfaces.terminal import Terminal
from tests.loopback.website import article
from tests.loopback.world import World, loopback_world

QUESTION = "Does green tea lower blood pressure?"
CLAIM = "Green tea lowers systolic blood pressure in adults."
ARTICLE = article("Members only", "<p>Green tea lowered systolic blood pressure by 4 mmHg in 90 adults, members read.</p>" * 3)


@pytest.fixture
def world() -> Iterator[World]:
    with loopback_world(by_number=True) as services:
        yield services


@pytest.fixture
def online(tmp_path: Path, world: World) -> Terminal:
    home = tmp_path / "home"
    home.mkdir()
    (home / "domains.yaml").write_text("default: {qps: 1000}\n", encoding="utf-8")
    return Terminal(home, {**world.environ(), "LYRA_FETCH_ATTEMPTS": "1"})


def new_task(terminal: Terminal) -> str:
    return str(terminal.run("task", "new", QUESTION, "--json").json["task_id"])


def test_a_search_with_providers_needs_no_library_and_shows_how_each_answered(online: Terminal, world: World) -> None:
    task = new_task(online)
    ran = online.run("search", task, "green tea trial", "--provider", "openalex", "--provider", "searxng", "--json")
    assert ran.code == 0
    answer = ran.json
    statuses = {one["name"]: one["status"] for one in answer["providers"]}
    assert statuses == {"openalex": "ok", "searxng": "ok", "pages": "ok"}
    assert {world.works.url, world.engine.url, "127.0.0.1"} <= set(answer["endpoints"])
    assert answer["paths"]["extract_claims"] == "built_in"
    assert any(claim["evidence"] for claim in answer["claims"])
    again = online.run("materials", task, "--json").json
    assert {one["name"]: one["status"] for one in again["providers"]} == statuses
    assert again["paths"] == answer["paths"]


def test_the_result_for_people_names_providers_addresses_and_paths(online: Terminal, world: World) -> None:
    task = new_task(online)
    ran = online.run("search", task, "green tea trial", "--provider", "openalex")
    assert "openalex: ok (" in ran.out
    assert f"Asked: {world.works.url}" in ran.out.replace("\n", " ")
    assert "claims: built in" in ran.out.replace("\n", " ")
    japanese = online.run("search", task, "green tea trial", "--provider", "openalex", "--lang", "ja")
    assert "openalex: 正常" in japanese.out
    assert "問い合わせ先" in japanese.out


def test_a_check_with_a_provider(online: Terminal) -> None:
    ran = online.run("check", CLAIM, "--provider", "semantic_scholar", "--json")
    assert ran.code == 0
    (claim,) = ran.json["claims"]
    assert claim["supporting_count"] > 0
    assert claim["refuting_count"] > 0


def test_addresses_and_dois(online: Terminal, world: World) -> None:
    task = new_task(online)
    ran = online.run(
        "search",
        task,
        "--url",
        f"{world.site.url}/blog/tea",
        "--doi",
        "10.5555/kiz.2022.0021",
        "--provider",
        "openalex",
        "--json",
    )
    assert ran.code == 0
    urls = {edge["url"] for claim in ran.json["claims"] for edge in claim["evidence"]}
    assert {f"{world.site.url}/blog/tea", "https://doi.org/10.5555/kiz.2022.0021"} & urls


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--provider", "opnalex"), "unknown_provider"),
        (("--url", "file:///etc/passwd"), "bad_url"),
        (("--url", "http://127.0.0.1@example.org/"), "bad_url"),
        (("--doi", "nonsense"), "bad_doi"),
        (("--max-pages", "-1"), "bad_number"),
        (("--max-seconds", "0"), "bad_number"),
        (("--provider", "browser\x00"), "unknown_provider"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(online: Terminal, arguments: tuple[str, ...], code: str) -> None:
    task = new_task(online)
    ran = online.run("search", task, *arguments, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)
    assert online.run("status", task, "--json").json["jobs"] == []


def test_offline_opens_no_connection(online: Terminal, world: World) -> None:
    task = new_task(online)
    ran = online.run("search", task, "green tea trial", "--provider", "openalex", "--offline", "--json")
    assert ran.code == 0
    assert world.asked() == 0
    (provider,) = ran.json["providers"]
    assert provider["status"] != "nothing_found"
    assert "switched off" in provider["detail"]


def test_a_queued_search_is_worked_off_by_another_command(online: Terminal, world: World) -> None:
    task = new_task(online)
    queued = online.run("search", task, "green tea trial", "--provider", "openalex", "--queue", "--json")
    assert (queued.code, queued.json["job"]["status"]) == (0, "queued")
    assert world.asked() == 0
    (job,) = online.run("work", "--json").json["jobs"]
    assert (job["job_id"], job["status"]) == (queued.json["job"]["job_id"], "done")
    assert job["new_edges"] > 0


def test_a_queued_check_says_which_job_it_is(online: Terminal) -> None:
    ran = online.run("check", CLAIM, "--provider", "openalex", "--queue")
    assert ran.code == 0
    assert "lyra work" in ran.out


def waiting(terminal: Terminal, world: World) -> tuple[str, str]:
    """A task with a page that waits for a person, and the id under which it does."""
    task = new_task(terminal)
    terminal.run("search", task, "--url", f"{world.site.url}/members", "--json")
    (one,) = terminal.run("auth", "list", "--json").json["interventions"]
    assert (one["url"], one["wall"], one["status"], one["task_id"]) == (f"{world.site.url}/members", "login", "pending", task)
    return task, str(one["intervention_id"])


def test_a_page_that_a_person_hands_in_is_judged(online: Terminal, world: World, tmp_path: Path) -> None:
    task, name = waiting(online, world)
    online.run("check", CLAIM, "--task", task, "--provider", "openalex")
    page = tmp_path / "saved.html"
    page.write_text(ARTICLE, encoding="utf-8")
    ran = online.run("auth", "resolve", name, "--page", page, "--json")
    assert (ran.code, ran.json["settled"][0]["outcome"]) == (0, "handed_in")
    assert online.run("work", "--json").json["jobs"][0]["status"] == "done"
    claims = online.run("materials", task, "--json").json["claims"]
    edges = [edge for claim in claims if claim["text"] == CLAIM for edge in claim["evidence"]]
    found = next(edge for edge in edges if edge["url"] == f"{world.site.url}/members")
    raw = online.run("library", "text", found["page_id"], "--raw")
    assert raw.out == ARTICLE
    assert online.run("auth", "list").out == "Nothing waits for a person.\n"


def test_a_page_is_tried_again_or_given_up(online: Terminal, world: World) -> None:
    task, name = waiting(online, world)
    assert online.run("auth", "resolve", name, "--json").json["settled"][0]["outcome"] == "retried"
    online.run("work")
    assert len([seen for seen in world.site.requests if seen.path == "/members"]) == 2
    (again,) = online.run("auth", "list", "--task", task, "--json").json["interventions"]
    assert again["intervention_id"] == name
    assert online.run("auth", "resolve", "127.0.0.1", "--skip", "--json").json["settled"][0]["outcome"] == "given_up"
    online.run("search", task, "--url", f"{world.site.url}/members")
    assert len([seen for seen in world.site.requests if seen.path == "/members"]) == 2
    (gone,) = online.run("auth", "list", "--all", "--json").json["interventions"]
    assert gone["status"] == "skipped"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("nothing.example.org",), "unknown_intervention"),
        (("ID", "--page", "missing.html"), "path_missing"),
        (("ID", "--page", "missing.html", "--skip"), "page_and_skip"),
    ],
)
def test_what_cannot_be_settled_is_said(online: Terminal, world: World, arguments: tuple[str, ...], code: str) -> None:
    _, name = waiting(online, world)
    ran = online.run("auth", "resolve", *(name if one == "ID" else one for one in arguments), "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, code)
    assert len(online.run("auth", "list", "--json").json["interventions"]) == 1


def test_a_settled_page_is_not_settled_twice(online: Terminal, world: World) -> None:
    _, name = waiting(online, world)
    online.run("auth", "resolve", name, "--skip")
    ran = online.run("auth", "resolve", name, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "intervention_settled")


def test_the_body_of_a_page_that_was_not_fetched_is_not_there(online: Terminal) -> None:
    ran = online.run("library", "text", "page_x", "--raw", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (2, "no_raw_page")


def test_a_broken_template_is_named(online: Terminal, world: World) -> None:
    task = new_task(online)
    folder = online.home / "prompts"
    folder.mkdir()
    (folder / "detect_citation.txt").write_text("Is it?", encoding="utf-8")
    ran = online.run("search", task, "--url", f"{world.site.url}/blog/tea")
    assert ran.code == 2
    assert "detect_citation.txt has no place {context}" in ran.err


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({}, "built-in"),
        ({"LYRA_LLM_USE": "ollama"}, "qwen2.5:3b"),
        ({"LYRA_LLM_USE": "ollama", "LYRA_FETCH_OFFLINE": "on"}, "built-in"),
    ],
)
def test_the_doctor_says_by_which_way_texts_are_understood(terminal: Terminal, environ: dict[str, str], words: str) -> None:
    found = Terminal(terminal.home, environ, models=terminal.models).run("doctor", "--json").json["checks"]
    (paths,) = [one for one in found if one["name"] == "paths"]
    assert paths["status"] == "ok"
    assert words in paths["detail"]


def test_the_doctor_finds_a_template_that_cannot_be_used(terminal: Terminal) -> None:
    (terminal.home / "prompts").mkdir(parents=True)
    (terminal.home / "prompts" / "summarise_page.txt").write_text("Sum it up.", encoding="utf-8")
    ran = Terminal(terminal.home, {"LYRA_LLM_USE": "ollama"}, models=terminal.models).run("doctor", "--json")
    assert ran.code == 3
    assert "summarise_page.txt has no place {text}" in next(one["detail"] for one in ran.json["checks"] if one["name"] == "paths")


def test_a_purge_leaves_no_text_of_a_fetched_page_behind(online: Terminal, world: World) -> None:
    kept = Terminal(online.home, {**online.environ, "LYRA_FETCH_CACHE_MB": "64"}, models=online.models)
    kept.run("search", new_task(kept), "--url", f"{world.site.url}/blog/tea")
    assert any((kept.home / "cache" / "web").glob("??/*"))
    kept.run("library", "purge", "--older-than", "0", "--dry-run")
    assert any((kept.home / "cache" / "web").glob("??/*"))
    assert kept.run("library", "purge", "--older-than", "0").code == 0
    assert not any((kept.home / "cache" / "web").glob("??/*"))


def test_deleting_a_task_takes_what_was_gathered_for_it_alone(online: Terminal, world: World) -> None:
    task, other = new_task(online), new_task(online)
    online.run("search", task, "--url", f"{world.site.url}/blog/tea", "--url", f"{world.site.url}/news/tea")
    online.run("search", other, "--url", f"{world.site.url}/news/tea")
    before = online.run("status", "--json").json["counts"]["pages"]
    predicted = online.run("task", "delete", task, "--hard", "--dry-run", "--json").json
    assert online.run("task", "delete", task, "--hard", "--json").json["deleted"] == predicted["deleted"]
    after = online.run("status", "--json").json["counts"]["pages"]
    assert before - after == predicted["deleted"]["pages"]
    left = online.run("materials", other, "--json").json
    assert left["claims"]


def test_with_all_providers_off_but_the_library_everything_is_as_before(online: Terminal, world: World, library: Path) -> None:
    ran = online.run("check", "Cats sleep most of the day.", "--library", library, "--provider", "library", "--json")
    assert ran.code == 0
    assert [one["name"] for one in ran.json["providers"]] == ["library"]
    assert (ran.json["endpoints"], ran.json["paths"], world.asked()) == ([], {}, 0)
    refused = online.run("search", new_task(online), "tea", "--provider", "library", "--json")
    assert refused.code == 0
    assert {one["name"] for one in refused.json["providers"]} == {"library"}
