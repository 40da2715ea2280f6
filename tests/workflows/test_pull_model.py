"""Which files of a model are brought, where they go, and what is refused before anything is fetched."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lyra.core.errors import HubError, InvalidInput, LyraError
from lyra.core.model_card import Wanted
from lyra.core.model_hub import HubFile, HubModel, files_needed, languages_of
from lyra.core.records import ModelInfo
from lyra.workflows.pull_model import PullRequest, pull
from tests.fakes import SilentProgress

COMMIT = "a" * 40
PATHS = ("README.md", "config.json", "model.safetensors", "onnx/model.onnx", "onnx/model_int8.onnx", "tokenizer.json")


def model_of(*paths: str) -> HubModel:
    return HubModel("owner/name", COMMIT, tuple(HubFile(path, 10, "0" * 64, None) for path in paths), ("en",))


class FakeHub:
    url = "https://hub.test"

    def __init__(self, model: HubModel) -> None:
        self.model = model
        self.fetched: list[tuple[str, Path]] = []

    def describe(self, name: str, revision: str) -> HubModel:
        return self.model

    def fetch(self, model: HubModel, file: HubFile, target: Path, advance: Callable[[int], None]) -> None:
        self.fetched.append((file.path, target))
        advance(file.size)


class FakeShelf:
    def __init__(self) -> None:
        self.added: list[tuple[Path, str, Wanted, str]] = []

    def add_pulled(self, folder: Path, graph: str, wanted: Wanted, source: str) -> ModelInfo:
        self.added.append((folder, graph, wanted, source))
        return ModelInfo("stance", wanted.name or "?", "1", None, wanted.languages)


def test_only_what_is_needed_is_fetched_into_a_folder_of_the_commit(tmp_path: Path) -> None:
    hub, shelf = FakeHub(model_of(*PATHS)), FakeShelf()
    pulled = pull(hub, shelf, tmp_path, PullRequest("owner/name"), SilentProgress())
    folder = tmp_path / "models" / "owner--name" / COMMIT[:12]
    assert [path for path, _ in hub.fetched] == ["onnx/model.onnx", "config.json", "tokenizer.json"]
    assert all(target.is_relative_to(folder) for _, target in hub.fetched)
    assert shelf.added == [(folder, "onnx/model.onnx", Wanted("owner/name", languages=("en",)), f"owner/name@{COMMIT}")]
    assert (pulled.info.name, pulled.commit, pulled.url) == ("owner/name", COMMIT, "https://hub.test")


def test_a_person_may_choose_graph_name_and_languages(tmp_path: Path) -> None:
    hub, shelf = FakeHub(model_of(*PATHS, "onnx/model_int8.onnx_data")), FakeShelf()
    request = PullRequest("owner/name", graph="onnx/model_int8.onnx", wanted=Wanted("mine", languages=("ja",)))
    pull(hub, shelf, tmp_path, request, SilentProgress())
    assert [path for path, _ in hub.fetched][:2] == ["onnx/model_int8.onnx", "onnx/model_int8.onnx_data"]
    assert shelf.added[0][2] == Wanted("mine", languages=("ja",))


@pytest.mark.parametrize("name", ["", "../x", "a/../b", "a/b/c", "a b", "a/b?x", "https://hub.test/a", "猫", "a" * 200, "-a"])
def test_a_name_that_could_lead_elsewhere_is_refused_before_anything_is_asked(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        pull(FakeHub(model_of(*PATHS)), FakeShelf(), tmp_path, PullRequest(name), SilentProgress())
    assert refusal.value.code == "hub_bad_name"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("revision", ["", "..", "a/b", "main?x", "a" * 200])
def test_a_revision_that_could_lead_elsewhere_is_refused(tmp_path: Path, revision: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        pull(FakeHub(model_of(*PATHS)), FakeShelf(), tmp_path, PullRequest("a/b", revision), SilentProgress())
    assert refusal.value.code == "hub_bad_revision"


@pytest.mark.parametrize(
    ("paths", "graph", "code"),
    [
        (("config.json", "tokenizer.json", "model.safetensors"), None, "hub_no_graph"),
        (("config.json", "tokenizer.json", "onnx/a.onnx"), None, "hub_other_graph"),
        (PATHS, "onnx/other.onnx", "hub_other_graph"),
        (PATHS, "config.json", "hub_other_graph"),
        (("onnx/model.onnx", "tokenizer.json"), None, "hub_file_absent"),
        (("onnx/model.onnx", "config.json"), None, "hub_file_absent"),
    ],
)
def test_a_model_that_lacks_something_is_refused_by_name(paths: tuple[str, ...], graph: str | None, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        files_needed(model_of(*paths), graph)
    assert refusal.value.code == code
    assert "owner/name" in str(refusal.value)


@pytest.mark.parametrize("path", ["../model.onnx", "/etc/model.onnx", "a//model.onnx", "a\\..\\model.onnx", "~/model.onnx"])
def test_a_path_that_leaves_the_folder_is_a_bad_answer(path: str) -> None:
    with pytest.raises(HubError) as failure:
        files_needed(model_of("config.json", "tokenizer.json", path), path)
    assert failure.value.code == "hub_bad_answer"


def test_a_file_without_a_sum_is_a_bad_answer() -> None:
    model = model_of("config.json", "tokenizer.json", "model.onnx")
    unproven = replace(model, files=(*model.files[:2], HubFile("model.onnx", 10, None, None)))
    with pytest.raises(HubError):
        files_needed(unproven, None)


def test_a_model_that_does_not_fit_on_the_disk_is_refused_before_it_is_fetched(tmp_path: Path) -> None:
    model = model_of("config.json", "tokenizer.json")
    huge = replace(model, files=(*model.files, HubFile("model.onnx", 10**18, "0" * 64, None)))
    hub = FakeHub(huge)
    with pytest.raises(LyraError) as refusal:
        pull(hub, FakeShelf(), tmp_path, PullRequest("a/b"), SilentProgress())
    assert refusal.value.code == "model_no_space"
    assert hub.fetched == []


def test_a_home_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("in the way", encoding="utf-8")
    with pytest.raises(LyraError) as refusal:
        pull(FakeHub(model_of(*PATHS)), FakeShelf(), tmp_path, PullRequest("a/b"), SilentProgress())
    assert refusal.value.code == "model_unwritable"


@pytest.mark.parametrize(
    ("card", "languages"),
    [
        ({"language": "en"}, ("en",)),
        ({"language": ["EN", "ja", "en"]}, ("en", "ja")),
        ({"language": ["multilingual", "en"]}, ()),
        ({"language": ["zh-Hant", 3]}, ()),
        ({}, ()),
        (None, ()),
        ("en", ()),
    ],
)
def test_the_languages_of_a_card_are_its_codes(card: object, languages: tuple[str, ...]) -> None:
    assert languages_of(card) == languages
