"""`lyra models` and `lyra task rejudge` from the command line, with tiny models and a hub on this machine."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lyra.app import chosen_models
from lyra.models.weights import Weights
from tests.hub_server import COMMIT, Hub, hub_server
from tests.interfaces.terminal import Terminal
from tests.models.tiny import SUPPORTING, Outputs, embedding_rows, write_graph
from tests.models.tiny_public import write_public_model

NAME = "some-owner/tiny-nli"
SHIPPED = Weights().info("stance").name
CLAIM = "word1 word2 word3."


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with hub_server(Hub(write_public_model(tmp_path / "offered", "stance"), NAME)) as served:
        yield served


@pytest.fixture
def own(tmp_path: Path) -> Terminal:
    """A terminal that uses the models chosen in its home; the judge and the embedder are tiny ones."""
    terminal = Terminal(tmp_path / "home", models=chosen_models)
    for kind in ("stance", "embedder"):
        assert terminal.run("models", "use", write_public_model(tmp_path / f"tiny-{kind}", kind)).code == 0
    return terminal


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.txt").write_text(f"word1 word2 {SUPPORTING}.\n", encoding="utf-8")
    (folder / "b.txt").write_text("word1 word5 word6.\n", encoding="utf-8")
    return folder


def at(terminal: Terminal, hub: Hub) -> Terminal:
    return Terminal(terminal.home, {"LYRA_MODELS_HUB_URL": hub.url}, models=terminal.models)


def test_the_list_names_the_shipped_models_in_both_languages(terminal: Terminal, japanese: Terminal) -> None:
    listed = terminal.run("models", "list")
    assert (listed.code, listed.err) == (0, "")
    assert f"{SHIPPED} " in listed.out and "in use" in listed.out
    assert "使用中" in japanese.run("models", "list").out
    assert {model["in_use"] for model in terminal.run("models", "list", "--json").json["models"]} == {True}


def test_listing_loads_no_model_and_makes_no_home(tmp_path: Path) -> None:
    program = (
        "import sys; from lyra.interfaces.cli.main import run; code = run(['models', 'list', '--home', sys.argv[1]]);"
        "sys.exit(code or bool({'numpy', 'onnxruntime', 'httpx2'} & set(sys.modules)))"
    )
    source = Path(__file__).parents[2] / "src"
    command = [sys.executable, "-c", program, str(tmp_path / "home")]
    run = subprocess.run(command, env={"PYTHONPATH": str(source), "PATH": os.defpath}, capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")
    assert not (tmp_path / "home").exists()


def test_a_model_from_disk_judges_and_is_named_beside_every_edge(own: Terminal, papers: Path) -> None:
    answer = own.run("check", CLAIM, "--library", papers, "--json")
    assert answer.code == 0, answer.err
    (claim,) = answer.json["claims"]
    assert {edge["model"] for edge in claim["evidence"]} == {"tiny-stance"}
    assert {edge["calibration_version"] for edge in claim["evidence"]} == {None}
    assert {(edge["claim_language"], edge["fragment_language"]) for edge in claim["evidence"]} == {("en", "en")}
    assert [edge["relation"] for edge in claim["evidence"]] == ["supports", "neutral"]
    assert answer.json["models"]["embedder"]["name"] == "tiny-embedder"
    assert own.run("status").out.count("tiny-") == 2
    assert own.run("doctor", "--json").json["ok"]


def test_a_re_ranker_decides_the_order_and_is_named(own: Terminal, papers: Path, tmp_path: Path) -> None:
    own.run("models", "use", write_public_model(tmp_path / "tiny-reranker", "reranker"))
    single = Terminal(own.home, {"LYRA_JUDGE_TOP_K": "1"}, models=chosen_models)
    answer = single.run("check", "word5 word6.", "--library", papers, "--json").json
    (edge,) = answer["claims"][0]["evidence"]
    assert edge["quote"].startswith("word1 word2")  # without it, the text that shares the words would come first
    assert answer["models"]["reranker"]["name"] == "tiny-reranker"


def test_changing_the_model_judges_again_only_on_request(own: Terminal, papers: Path, tmp_path: Path) -> None:
    checked = own.run("check", CLAIM, "--library", papers, "--json").json
    task, before = checked["task_id"], checked["claims"][0]["evidence"]
    contrary = {"0": "contradiction", "1": "entailment", "2": "neutral"}
    used = own.run("models", "use", write_public_model(tmp_path / "contrary", "stance", id2label=contrary))
    assert "lyra task rejudge TASK" in used.out
    assert own.run("materials", task, "--json").json["claims"][0]["evidence"] == before
    corrected = own.run("feedback", "edge_correct", before[1]["edge_id"], "supports")
    assert corrected.code == 0, corrected.err
    answer = own.run("task", "rejudge", task, "--json").json
    assert (answer["status"], answer["rejudged_edges"], answer["corrected_edges"], answer["edge_count"]) == ("done", 1, 1, 2)
    after = {edge["edge_id"]: edge for edge in own.run("materials", task, "--json").json["claims"][0]["evidence"]}
    assert after[before[0]["edge_id"]]["relation"] == "refutes"
    assert after[before[0]["edge_id"]]["model"] == "contrary"
    assert after[before[1]["edge_id"]]["edge_human_corrected"]
    said = Terminal(own.home, {"LYRA_LANG": "ja"}, models=chosen_models).run("task", "rejudge", task)
    assert (said.code, said.out.count("0 件を判定し直しました")) == (0, 1)
    assert "judged again" in own.run("trace", "edge", before[0]["edge_id"]).out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("use", "no-such-model"), "model_unknown"),
        (("use", SHIPPED, "--as", "embedder"), "model_of_other_kind"),
        (("use", SHIPPED, "--as", "oracle"), "model_kind_bad"),
        (("use", SHIPPED, "--languages", "english"), "model_language_bad"),
        (("use", "none"), "model_none_only_reranker"),
        (("pull", "../../etc"), "hub_bad_name"),
        (("pull", NAME, "--revision", "a/b"), "hub_bad_revision"),
        (("pull", NAME, "--offline"), "pull_offline"),
        (("pull", NAME, "--as", "x"), "model_kind_bad"),
    ],
)
def test_bad_input_ends_in_one_sentence_and_writes_nothing(terminal: Terminal, words: tuple[str, ...], code: str) -> None:
    answer = terminal.run("models", *words, "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, code)
    assert answer.err.count("\n") == 1
    assert not (terminal.home / "models.json").exists()


def test_nothing_is_pulled_while_the_settings_say_offline(own: Terminal) -> None:
    answer = Terminal(own.home, {"LYRA_FETCH_OFFLINE": "on"}).run("models", "pull", NAME, "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, "pull_offline")


def test_an_unknown_name_lists_the_known_ones(own: Terminal) -> None:
    answer = own.run("models", "use", "no-such-model")
    for name in (SHIPPED, "tiny-stance", "tiny-embedder"):
        assert name in answer.err


def test_a_changed_or_missing_file_is_named_before_a_check_writes_anything(own: Terminal, papers: Path, tmp_path: Path) -> None:
    graph = tmp_path / "tiny-stance" / "onnx" / "model.onnx"
    whole = graph.read_bytes()
    write_graph(graph, Outputs(embedding_rows()))
    assert str(graph) in own.run("models", "list").out
    for gone in (False, True):
        if gone:
            graph.unlink()
        answer = own.run("check", CLAIM, "--library", papers)
        assert answer.code == 3
        assert str(graph) in answer.err and "lyra models use" in answer.err
    assert own.run("models", "list").code == 3
    assert own.run("doctor").code == 3
    assert own.run("task", "list", "--json").json["tasks"] == []
    graph.write_bytes(whole)
    assert own.run("check", CLAIM, "--library", papers).code == 0


def test_the_shipped_judge_comes_back_by_its_name(own: Terminal) -> None:
    assert own.run("models", "use", SHIPPED).code == 0
    models = {model["name"]: model["in_use"] for model in own.run("models", "list", "--json").json["models"]}
    assert (models[SHIPPED], models["tiny-stance"], models["tiny-embedder"]) == (True, False, True)


def test_a_broken_registry_is_told_by_status_doctor_and_check(own: Terminal, papers: Path) -> None:
    (own.home / "models.json").write_text("{", encoding="utf-8")
    assert own.run("status", "--json").json["model_problem"]["code"] == "model_registry_broken"
    assert own.run("doctor").code == 3
    assert own.run("check", CLAIM, "--library", papers, "--json").json["error"]["code"] == "model_registry_broken"


def test_a_pulled_model_is_registered_and_used_when_asked(terminal: Terminal, hub: Hub, papers: Path) -> None:
    answer = at(terminal, hub).run("models", "pull", NAME, "--json").json
    assert (answer["name"], answer["kind"], answer["commit"], answer["in_use"]) == (NAME, "stance", COMMIT, False)
    assert answer["endpoints"] == [hub.url]
    assert {path for path, _ in hub.asked} == {
        f"/api/models/{NAME}/revision/main",
        *(f"/{NAME}/resolve/{COMMIT}/{name}" for name in ("config.json", "onnx/model.onnx", "tokenizer.json")),
    }
    listed = {model["name"]: model for model in terminal.run("models", "list", "--json").json["models"]}
    assert (listed[NAME]["origin"], listed[NAME]["in_use"]) == ("hub", False)
    hub.asked.clear()
    chosen = Terminal(terminal.home, models=chosen_models)
    assert chosen.run("models", "use", NAME).code == 0
    checked = chosen.run("check", CLAIM, "--library", papers, "--json").json
    assert {edge["model"] for edge in checked["claims"][0]["evidence"]} == {NAME}
    assert hub.asked == []


def test_a_second_pull_goes_on_and_restores_what_was_lost(terminal: Terminal, hub: Hub) -> None:
    hub.languages = ["en"]
    pulled = at(terminal, hub).run("models", "pull", NAME, "--use", "--json").json
    assert (pulled["languages"], pulled["in_use"]) == (["en"], True)
    graph = Path(pulled["path"]) / "onnx" / "model.onnx"
    graph.unlink()
    lost = terminal.run("models", "use", NAME)
    assert lost.code == 3
    assert f"lyra models pull {NAME} --revision {COMMIT}" in lost.err
    hub.asked.clear()
    assert at(terminal, hub).run("models", "pull", NAME, "--revision", COMMIT).code == 0
    assert [path for path, _ in hub.asked if "resolve" in path] == [f"/{NAME}/resolve/{COMMIT}/onnx/model.onnx"]
    assert graph.is_file()


def test_a_model_of_the_wrong_kind_on_the_hub_is_refused_by_name(terminal: Terminal, hub: Hub) -> None:
    answer = at(terminal, hub).run("models", "pull", NAME, "--as", "reranker", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, "model_of_other_kind")
    assert NAME in answer.err
    assert not (terminal.home / "models.json").exists()


def test_outage_throttle_and_wrong_content_are_three_things(terminal: Terminal, hub: Hub) -> None:
    here = at(terminal, hub)
    hub.answers["/api/"] = (429, {"Retry-After": "9"}, b"")
    assert here.run("models", "pull", NAME, "--json").json["error"]["code"] == "hub_throttled"
    hub.answers.clear()
    hub.swaps["tokenizer.json"] = b"?" * (hub.folder / "tokenizer.json").stat().st_size
    wrong = here.run("models", "pull", NAME, "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (3, "hub_wrong_content")
    gone = Terminal(terminal.home, {"LYRA_MODELS_HUB_URL": "http://127.0.0.1:9"})
    assert gone.run("models", "pull", NAME, "--json").json["error"]["code"] == "hub_unreachable"
    assert not (terminal.home / "models.json").exists()


@pytest.mark.parametrize("url", ["http://hub.example", "ftp://hub.example", "https://a@hub.example", "https://h/?x", "hub", ""])
def test_an_address_that_is_not_safe_is_refused(terminal: Terminal, tmp_path: Path, url: str) -> None:
    (tmp_path / "lyra.toml").write_text(f'[models]\nhub_url = "{url}"\n', encoding="utf-8")
    answer = Terminal(terminal.home, {"LYRA_CONFIG": str(tmp_path / "lyra.toml")}).run("models", "list", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, "bad_setting")
