"""Pulling files from a hub: pinned, verified, resumed; outage, throttle, refusal and wrong content are told apart."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lyra.core.errors import EXIT_DEPENDENCY, HubError, LyraError, NotFound
from lyra.core.model_hub import HubFile, HubModel
from lyra.providers.model_hub import PARTIAL, HttpModelHub, HubManners
from tests.hub_server import COMMIT, Hub, hub_server
from tests.models.tiny_public import listing, write_public_model

NAME = "some-owner/tiny-nli"
GRAPH = "onnx/model.onnx"


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with hub_server(Hub(write_public_model(tmp_path / "offered", "stance"), NAME, ["en", "xx-long", 7])) as served:
        yield served


def client(hub: Hub, attempts: int = 3) -> HttpModelHub:
    return HttpModelHub(f"{hub.url}/", HubManners(2.0, 2.0, attempts), lambda _: None)


def fetched(hub: Hub, target: Path, path: str = GRAPH, attempts: int = 3) -> list[int]:
    """Fetch one file; returns the steps of progress."""
    service, steps = client(hub, attempts), list[int]()
    model = service.describe(NAME, "main")
    file = model.file(path)
    assert file is not None
    service.fetch(model, file, target, steps.append)
    return steps


def test_a_model_is_described_at_its_commit_with_the_sums_of_its_files(hub: Hub) -> None:
    model = client(hub).describe(NAME, "main")
    assert (model.name, model.commit, model.languages) == (NAME, COMMIT, ("en",))
    graph, config = model.file(GRAPH), model.file("config.json")
    assert graph is not None and config is not None
    assert graph.sha256 and not graph.blob_id
    assert config.blob_id and not config.sha256
    assert hub.asked == [(f"/api/models/{NAME}/revision/main", None)]


@pytest.mark.parametrize("path", [GRAPH, "config.json", "tokenizer.json"])
def test_a_file_arrives_whole_and_verified(hub: Hub, tmp_path: Path, path: str) -> None:
    steps = fetched(hub, tmp_path / "new" / path, path)
    content = (hub.folder / path).read_bytes()
    assert (tmp_path / "new" / path).read_bytes() == content
    assert sum(steps) == len(content)
    assert [entry.name for entry in (tmp_path / "new" / path).parent.iterdir()] == [Path(path).name]


def test_a_file_that_is_there_is_not_fetched_again(hub: Hub, tmp_path: Path) -> None:
    fetched(hub, tmp_path / "g.onnx")
    asked = len(hub.asked)
    assert sum(fetched(hub, tmp_path / "g.onnx")) == (hub.folder / GRAPH).stat().st_size
    assert len(hub.asked) == asked + 1  # the listing


def test_a_transfer_that_breaks_off_goes_on_where_it_was(hub: Hub, tmp_path: Path) -> None:
    hub.breaks = 2
    steps = fetched(hub, tmp_path / "g.onnx")
    size = (hub.folder / GRAPH).stat().st_size
    ranges = [wanted for path, wanted in hub.asked if "resolve" in path]
    assert ranges == [None, f"bytes={size // 2}-", f"bytes={size // 2 + (size - size // 2) // 2}-"]
    assert sum(steps) == size


def test_what_an_earlier_call_left_is_used_by_the_next(hub: Hub, tmp_path: Path) -> None:
    hub.breaks = 1
    with pytest.raises(HubError) as failure:
        fetched(hub, tmp_path / "g.onnx", attempts=1)
    assert (failure.value.code, failure.value.exit_code) == ("hub_unreachable", EXIT_DEPENDENCY)
    assert (tmp_path / f"g.onnx{PARTIAL}").exists()
    assert not (tmp_path / "g.onnx").exists()
    steps = fetched(hub, tmp_path / "g.onnx", attempts=1)
    assert sum(steps) == (hub.folder / GRAPH).stat().st_size
    assert steps[0] > 0
    assert hub.asked[-1][1] is not None


def test_a_hub_that_cannot_go_on_starts_again(hub: Hub, tmp_path: Path) -> None:
    hub.breaks, hub.ranges = 1, False
    steps = fetched(hub, tmp_path / "g.onnx")
    assert (tmp_path / "g.onnx").read_bytes() == (hub.folder / GRAPH).read_bytes()
    assert sum(steps) == (hub.folder / GRAPH).stat().st_size


@pytest.mark.parametrize("rest", [b"", b"more than was promised"])
@pytest.mark.parametrize("path", [GRAPH, "config.json"])
def test_content_with_another_sum_is_dropped(hub: Hub, tmp_path: Path, path: str, rest: bytes) -> None:
    content = bytearray((hub.folder / path).read_bytes())
    content[3] ^= 1
    hub.swaps[path] = bytes(content) + rest
    with pytest.raises(HubError) as failure:
        fetched(hub, tmp_path / "file", path)
    assert failure.value.code == "hub_wrong_content"
    assert list(tmp_path.glob("file*")) == []


def test_a_spoiled_leftover_is_dropped_and_the_next_try_is_whole(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / f"g.onnx{PARTIAL}").write_bytes(b"something else")
    with pytest.raises(HubError, match="dropped"):
        fetched(hub, tmp_path / "g.onnx")
    fetched(hub, tmp_path / "g.onnx")
    assert (tmp_path / "g.onnx").read_bytes() == (hub.folder / GRAPH).read_bytes()


def test_a_leftover_that_is_too_long_is_dropped(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / f"g.onnx{PARTIAL}").write_bytes(bytes(1_000_000))
    fetched(hub, tmp_path / "g.onnx")
    assert (tmp_path / "g.onnx").read_bytes() == (hub.folder / GRAPH).read_bytes()


@pytest.mark.parametrize(
    ("status", "headers", "code"),
    [
        (401, {}, "hub_model_unknown"),
        (404, {}, "hub_model_unknown"),
        (403, {}, "hub_refused"),
        (429, {"Retry-After": "17"}, "hub_throttled"),
        (503, {}, "hub_throttled"),
        (500, {}, "hub_bad_answer"),
        (200, {"Content-Encoding": "gzip"}, "hub_bad_answer"),
        (302, {"Location": "http://other.example/"}, "hub_bad_answer"),
        (302, {"Location": "http://[bad"}, "hub_bad_answer"),
        (302, {"Location": "/api/models/again"}, "hub_bad_answer"),
    ],
)
def test_every_answer_of_a_hub_has_its_own_name(hub: Hub, status: int, headers: dict[str, str], code: str) -> None:
    hub.answers["/api/"] = (status, headers, b"{}")
    with pytest.raises(LyraError) as failure:
        client(hub).describe(NAME, "main")
    assert failure.value.code == code
    assert hub.url in failure.value.sentence("ja")
    if status == 429:
        assert "17 s" in str(failure.value)
    assert isinstance(failure.value, NotFound) == (code == "hub_model_unknown")


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"siblings": 1}', b'{"siblings": [], "sha": "main"}', b"[" * 100_000, b"<html>", b"\xff"],
)
def test_a_listing_that_is_none_is_a_bad_answer(hub: Hub, body: bytes) -> None:
    hub.answers["/api/"] = (200, {}, body)
    with pytest.raises(HubError) as failure:
        client(hub).describe(NAME, "main")
    assert failure.value.code == "hub_bad_answer"


def test_entries_without_size_or_sum_are_left_out_or_left_without(hub: Hub) -> None:
    offered = listing(hub.folder, COMMIT)
    offered["siblings"] = [{"rfilename": "a"}, 3, {"rfilename": "b", "size": True}, {"rfilename": "c", "size": 1, "blobId": "?"}]
    hub.answers["/api/"] = (200, {}, json.dumps(offered).encode())
    assert client(hub).describe(NAME, "main").files == (HubFile("c", 1, None, None),)


def test_files_may_come_from_elsewhere_by_a_redirect(hub: Hub, tmp_path: Path) -> None:
    hub.redirect = hub.url
    fetched(hub, tmp_path / "g.onnx")
    assert hub.asked[-1][0] == "/cdn/onnx/model.onnx"


def test_a_file_is_refused_apart_from_its_model(hub: Hub, tmp_path: Path) -> None:
    hub.answers["/resolve/"] = (401, {}, b"")
    with pytest.raises(HubError) as failure:
        fetched(hub, tmp_path / "g.onnx")
    assert failure.value.code == "hub_refused"
    assert len([path for path, _ in hub.asked if "resolve" in path]) == 1


def test_nobody_there_is_an_outage(tmp_path: Path) -> None:
    service = HttpModelHub("http://127.0.0.1:9", HubManners(1.0, 1.0, 2), lambda _: None)
    with pytest.raises(HubError) as failure:
        service.describe(NAME, "main")
    assert failure.value.code == "hub_unreachable"
    with pytest.raises(HubError):
        service.fetch(HubModel(NAME, COMMIT, ()), HubFile("a", 1, "0" * 64, None), tmp_path / "a", lambda _: None)
