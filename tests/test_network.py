"""The network as the composition root puts it together: settings, ports, and a switch that holds."""

import os
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lyra.app.network import Network, open_governed_network, open_network, service_states
from lyra.config import Settings, read_settings
from lyra.core.errors import ConfigError, InvalidInput, WebProblem
from lyra.core.pages import FetchedPage, FetchFailure
from lyra.core.records import Identifier, ProviderStatus
from tests.interfaces.terminal import Terminal
from tests.loopback import ollama, openalex, searxng, semantic_scholar, website
from tests.loopback.client import OpenGate
from tests.loopback.server import Reply, Seen, Server, serving
from tests.loopback.timing import MovedClock


def settings_for(tmp_path: Path, **values: str) -> Settings:
    flags = {"home": str(tmp_path / "home"), **{name.replace("__", "."): value for name, value in values.items()}}
    return read_settings(flags, {"LYRA_CONFIG": os.devnull})


@dataclass(frozen=True, slots=True)
class World:
    """All loopback services at once, and the settings that lead to them."""

    papers: Server
    works: Server
    engine: Server
    site: Server
    model: Server
    settings: Settings


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with ExitStack() as stack:
        address: list[str] = []
        site = stack.enter_context(serving(website.answering(lambda: address[0])))
        address.append(site.url)
        listed = [searxng.Listed(f"{site.url}/blog/tea", "My green tea", "What research says about blood pressure")]
        engine = stack.enter_context(serving(searxng.answering(listed)))
        papers = stack.enter_context(serving(semantic_scholar.answer))
        works = stack.enter_context(serving(openalex.wanting_key("k3y")))
        model = stack.enter_context(serving(ollama.answering(lambda _: "7")))
        settings = settings_for(
            tmp_path,
            fetch__allow_hosts=site.host,
            fetch__browser="never",
            providers__semantic_scholar_url=f"{papers.url}/graph/v1",
            providers__openalex_url=works.url,
            providers__openalex_key="k3y",
            providers__searxng_url=engine.url,
            llm__use="ollama",
            llm__url=model.url,
        )
        yield World(papers, works, engine, site, model, settings)


def opened(settings: Settings) -> AbstractContextManager[Network]:
    """The network with an open gate and a clock that never waits."""
    return open_network(settings, OpenGate(), clock=MovedClock())


def test_every_part_reaches_the_address_of_its_setting(world: World) -> None:
    with opened(world.settings) as network:
        for name in ("semantic_scholar", "openalex", "searxng"):
            assert network.provider(name).search("green tea blood pressure", 5).status is ProviderStatus.OK
        page = network.fetcher.fetch(f"{world.site.url}/blog/tea")
        assert network.llm is not None
        assert network.llm.answer("How many?", {"type": "integer"}) == 7
    assert isinstance(page, FetchedPage)
    assert page.links[0].target == Identifier("doi", "10.5555/ijc.2021.0001")
    assert all(len(server.requests) >= 1 for server in (world.papers, world.works, world.engine, world.site, world.model))


def test_an_answer_is_asked_for_once_and_kept_without_its_key(world: World) -> None:
    for _ in range(2):
        with opened(world.settings) as network:
            network.provider("openalex").search("green tea", 5)
    assert len(world.works.requests) == 1
    kept = b"".join(path.read_bytes() for path in (world.settings.home / "cache").rglob("*") if path.is_file())
    assert kept
    assert b"k3y" not in kept


def test_offline_nothing_opens_a_socket(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {setting.key: str(setting.value) for setting in world.settings.values if "key" not in setting.key}
    offline = read_settings({**values, "fetch.offline": "on"}, {"LYRA_CONFIG": os.devnull})

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    for name in ("socket", "create_connection", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, forbidden)
    with opened(offline) as network:
        for name in ("semantic_scholar", "openalex", "searxng"):
            answer = network.provider(name).search("green tea", 5)
            assert (answer.status, answer.code) == (ProviderStatus.REFUSED, "offline")
        outcome = network.fetcher.fetch(f"{world.site.url}/blog/tea")
        assert isinstance(outcome, FetchFailure)
        assert outcome.code == "offline"
        assert network.llm is not None
        with pytest.raises(WebProblem, match="switched off"):
            network.llm.answer("How many?", {"type": "integer"})
        with pytest.raises(ConfigError):
            network.provider("browser")
    assert [state.name for state in service_states(offline)]


def test_without_a_language_model_there_is_none(tmp_path: Path) -> None:
    with opened(settings_for(tmp_path)) as network:
        assert network.llm is None


def test_a_default_address_may_not_turn_out_to_be_a_private_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: private)
    with opened(settings_for(tmp_path)) as network:
        answer = network.provider("openalex").search("tea", 1)
    assert (answer.status, answer.code) == (ProviderStatus.REFUSED, "unsafe_address")


def test_an_unknown_provider_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    with opened(settings_for(tmp_path)) as network, pytest.raises(InvalidInput, match="use one of openalex"):
        network.provider("open_alex")


def test_pages_are_fetched_side_by_side(tmp_path: Path) -> None:
    """Twenty requests are on their way at once: each waits for all the others before it is answered."""
    everybody = threading.Barrier(20, timeout=20)

    def answer(seen: Seen) -> Reply:
        if seen.path == "/robots.txt":
            return Reply(b"", 404)
        everybody.wait()
        return Reply(website.article("Tea", "<p>" + f"Page {seen.path} tells of green tea. " * 20 + "</p>").encode())

    with serving(answer) as server:
        settings = settings_for(tmp_path, fetch__allow_hosts=server.host, fetch__browser="never")
        with opened(settings) as network, ThreadPoolExecutor(20) as pool:
            outcomes = list(pool.map(network.fetcher.fetch, [f"{server.url}/{number}" for number in range(20)]))
        assert len(server.seen) == 20 + 1  # the rules of the host are read once for all
    assert all(isinstance(outcome, FetchedPage) for outcome in outcomes)


def test_under_the_policy_of_the_home_a_block_holds_at_once_and_lifts_at_once(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From several threads, while another process changes its mind."""
    host, terminal = "tea.example.org", Terminal(tmp_path / "home")
    url = f"{world.site.url}/blog/tea".replace("127.0.0.1", host)
    fetch = replace(world.settings.fetch, cache_mb=0, allow_hosts=frozenset({host}))
    found = socket.getaddrinfo("127.0.0.1", world.site.port, type=socket.SOCK_STREAM)

    def blocked(network: Network) -> set[bool]:
        with ThreadPoolExecutor(4) as pool:
            outcomes = list(pool.map(network.fetcher.fetch, [url] * 8))
        assert {outcome.code for outcome in outcomes if isinstance(outcome, FetchFailure)} <= {"blocked_domain"}
        return {isinstance(outcome, FetchFailure) for outcome in outcomes}

    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    with open_governed_network(replace(world.settings, fetch=fetch), MovedClock()) as network:
        assert blocked(network) == {False}
        assert terminal.run("feedback", "domain_block", host, "--reason", "test").code == 0
        assert blocked(network) == {True}
        assert terminal.run("feedback", "domain_unblock", host, "--reason", "test").code == 0
        assert blocked(network) == {False}


def test_the_states_of_all_services_are_known_without_asking_them(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, providers__use="openalex,nowhere,library", llm__use="openai", llm__key="s3cret")
    states = {state.name: state for state in service_states(settings)}
    assert (states["openalex"].in_use, states["openalex"].key) == (True, "missing")
    assert (states["semantic_scholar"].in_use, states["semantic_scholar"].key) == (False, "optional")
    assert states["searxng"].problem == "provider_not_set_up"
    assert (states["nowhere"].in_use, states["nowhere"].problem) == (True, "unknown_provider")
    assert (states["llm"].endpoint, states["llm"].key) == ("http://127.0.0.1:11434", "set")
    assert "library" not in states
    assert "s3cret" not in str(states)


def test_the_doctor_lists_services_and_addresses(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "home", environ={"LYRA_PROVIDERS_USE": "openalex,semantic_scholar", "LYRA_LLM_USE": "ollama"})
    ran = terminal.run("doctor", "--json")
    assert ran.code == 0
    assert ran.json["endpoints"] == [
        "https://api.openalex.org",
        "https://api.semanticscholar.org/graph/v1",
        "http://127.0.0.1:11434",
    ]
    (check,) = [check for check in ran.json["checks"] if check["name"] == "providers"]
    assert check["status"] == "warning"
    assert "openalex (in use, no key)" in check["detail"]
    off = Terminal(tmp_path / "home", environ={"LYRA_PROVIDERS_USE": "openalex", "LYRA_FETCH_OFFLINE": "on"})
    assert off.run("doctor", "--json").json["endpoints"] == []
    assert "接続は一切行いません" in off.run("doctor", "--lang", "ja").out


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("providers.use", "openalex, searxng ,openalex", "openalex,searxng"),
        ("providers.use", "NONE".lower(), "none"),
        ("fetch.allow_hosts", "Example.ORG:8080, [::1]:80,例え.jp", "example.org:8080,::1:80,xn--r8jz45g.jp"),
        ("providers.searxng_url", "http://LOCALHOST:8888/", "http://localhost:8888"),
        ("fetch.offline", "ON", "on"),
        ("llm.model", " llama3:8b ", "llama3:8b"),
        ("providers.openalex_key", "abc-DEF_123", "***"),
        ("providers.browser_url", "https://search.example.org/?q={query}&l=en", "https://search.example.org/?q={query}&l=en"),
    ],
)
def test_a_setting_of_the_network_has_one_spelling(tmp_path: Path, key: str, value: str, shown: str) -> None:
    settings = settings_for(tmp_path, **{key.replace(".", "__"): value})
    assert next(setting.value for setting in settings.values if setting.key == key) == shown


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("providers.use", "open alex"),
        ("providers.use", ","),
        ("fetch.allow_hosts", "http://example.org"),
        ("fetch.allow_hosts", "a@b"),
        ("providers.searxng_url", "localhost:8888"),
        ("providers.searxng_url", "ftp://localhost"),
        ("providers.browser_url", "https://search.example.org/"),
        ("fetch.offline", "maybe"),
        ("fetch.browser", "sometimes"),
        ("llm.url", "none"),
        ("llm.model", "none"),
        ("fetch.max_mb", "0"),
        ("fetch.attempts", "nan"),
        ("fetch.contact", "two\nlines"),
        ("providers.openalex_key", "with space"),
        ("providers.openalex_key", "日本"),
    ],
)
def test_a_value_that_a_setting_cannot_take_is_refused(tmp_path: Path, key: str, value: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        settings_for(tmp_path, **{key.replace(".", "__"): value})
    assert refusal.value.code == "bad_setting"
    if "key" in key:
        assert value not in str(refusal.value)


def test_lists_and_switches_may_be_written_as_toml_has_them(tmp_path: Path) -> None:
    path = tmp_path / "lyra.toml"
    path.write_text('[fetch]\noffline = true\nallow_hosts = ["a.example.org"]\n[providers]\nuse = []\n', encoding="utf-8")
    settings = read_settings({}, {"LYRA_CONFIG": str(path)})
    assert settings.fetch.offline
    assert settings.fetch.allow_hosts == {"a.example.org"}
    assert settings.providers.use == ()
