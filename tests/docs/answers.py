"""What every command answers with `--json`, object by object."""

import json
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from lyra.app import models_of
from lyra.core.records import Relation, Stance
from lyra.core.sentences import split_sentences
from lyra.models.weights import Weights
from lyra.store.evidence_store import open_store
from tests.docs.agreement_answers import agreement_outputs
from tests.docs.answers_calibration import calibration_outputs
from tests.docs.answers_gathering import gathering_outputs
from tests.docs.answers_governance import governance_outputs
from tests.docs.model_answers import model_outputs
from tests.docs.report_answers import report_outputs
from tests.fakes import KeywordStance, SystemClock
from tests.interfaces.terminal import Terminal, fake_models


class DecisiveStance(KeywordStance):
    """Takes the first sentence of every fragment that takes a side as the one that decided."""

    def _judge(self, fragment: str, claim: str) -> Stance:
        judged = super()._judge(fragment, claim)
        decisive = None if judged.label is Relation.NEUTRAL else split_sentences(fragment)[0]
        return Stance(judged.label, judged.supports, judged.refutes, judged.neutral, judged.raw, decisive)


def outputs(folder: Path) -> Iterator[tuple[str, Any]]:
    """What every command writes with `--json`, in a life that leaves nothing empty."""
    library, texts = folder / "library", {"a.txt": "Evening coffee shortens sleep. It did so here.", "empty.txt": ""}
    texts |= {
        "b.txt": texts["a.txt"],
        "h.txt": texts["a.txt"],
        "c.txt": "Evening coffee lowered sleep by 39 minutes on average.",
        "d.docx": "x",
    }
    texts |= {"e.txt": "DOI: 10.1000/e\n\nEvening coffee shortens sleep, say nurses.\n"}
    texts |= {"f.txt": "DOI: 10.1000/f\n\nEvening coffee shortens sleep, see https://doi.org/10.1000/e for more.\n"}
    texts |= {"g.bib": "@misc{g, title={Coffee}}\n@misc{gone, title={Tea}}\n@misc{broken, title={"}
    library.mkdir()
    for name, text in texts.items():
        (library / name).write_text(text, encoding="utf-8")
    terminal = Terminal(folder / "home", models=fake_models(DecisiveStance()))

    def answer(*words: str | Path) -> Any:
        return terminal.run(*words, "--json").json

    yield "lyra library add", answer("library", "add", library, folder / "none")
    yield "lyra library list", answer("library", "list")
    checked = answer("check", "Evening coffee shortens sleep.", "!", "--library", library, "--library", folder / "none")
    yield "lyra check", checked
    task, item = checked["task_id"], checked["claims"][0]["evidence"][0]
    (library / "b.txt").unlink()
    (library / "g.bib").write_text("@misc{g, title={Coffee}}", encoding="utf-8")
    yield "lyra search", answer("search", task, "coffee and sleep")
    yield "lyra library text", answer("library", "text", item["page_id"])
    yield "lyra materials", answer("materials", task)
    yield "lyra materials --limit", answer("materials", task, "--limit", "1")
    yield from query_outputs(task, answer)
    yield "lyra materials --format md", answer("materials", task, "--format", "md")
    yield "lyra materials --format graph", answer("materials", task, "--format", "graph")
    yield "lyra materials --out", answer("materials", task, "--out", folder / "result.md")
    yield "lyra task list", answer("task", "list")
    yield "lyra task new", answer("task", "new", "Why?", "--library", library, "--library", folder / "none")
    with open_store(terminal.home, SystemClock(), Random(7)) as store:
        store.jobs.add("check", task)
    yield from case_outputs(folder, answer)
    yield from agreement_outputs(folder, answer)
    yield "lyra status", answer("status", task)
    without_models = Terminal(terminal.home, models=lambda settings: models_of(Weights(folder), settings))
    yield "lyra status", without_models.run("status", "--json").json
    yield "lyra task show", answer("task", "show", task)
    yield "lyra work", answer("work")
    yield "lyra library purge", answer("library", "purge", "--older-than", "0", "--dry-run")
    yield from report_outputs(terminal, folder, task)
    yield "lyra task stop", answer("task", "stop", task)
    yield "lyra library remove", answer("library", "remove", library, folder / "none")
    yield "lyra doctor", answer("doctor")
    yield "lyra config show", answer("config", "show")
    yield "lyra backup", answer("backup", folder / "lyra.backup")
    yield "lyra task delete", answer("task", "delete", task, "--hard")
    yield "lyra restore", answer("restore", folder / "lyra.backup")
    yield "lyra --version", answer("--version")
    yield from chain(governance_outputs(folder / "governance"), calibration_outputs(folder / "calibration"))
    yield from gathering_outputs(folder / "gathering")
    yield from model_outputs(folder / "models")
    yield "A failed command", answer("task", "show", "none")


def query_outputs(task: str, answer: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """What `lyra query` writes, each way of asking."""
    yield "lyra query --views", answer("query", "--views")
    yield "lyra query --view", answer("query", "--view", "best_supported", "--task", task)
    yield "lyra query SQL", answer("query", "SELECT zeroblob(3)")
    yield "lyra query --text", answer("query", "--text", "coffee")


def case_outputs(folder: Path, answer: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """What the commands for cases write: findings of every kind, a row that cannot be read, a source that cannot be opened."""
    source = {"url": "https://a.example/x", "source_role": "secondary_source", "coi_status": "none"}
    case = {"id": "a", "text": "Evening coffee shortens sleep.", "outcome": "success", "sources": [source], "tier": "gold"}
    path = folder / "cases.jsonl"
    path.write_text(json.dumps(case) + "\n", encoding="utf-8")
    (folder / "broken.jsonl").write_text(json.dumps(case) + "\n{\n", encoding="utf-8")
    yield "lyra cases validate", answer("cases", "validate", folder / "broken.jsonl")
    yield "lyra cases validate", answer("cases", "validate", path, "--save", "--who", "Ann")
    yield "lyra cases legal", answer("cases", "legal", path)
    yield "lyra cases migrate", answer("cases", "migrate", path, "--out", folder / "migrated.jsonl")
    yield "lyra cases convert", answer("cases", "convert", path, "--out", folder / "cases.csv")
    library = folder / "papers"
    library.mkdir()
    for name, text in {"x.md": "Evening coffee shortens sleep, say nurses.", "y.md": "Evening coffee shortens sleep."}.items():
        (library / name).write_text(f"---\nurl: https://a.example/{name[0]}\n---\n\n{text}\n", encoding="utf-8")
    unlabelled = {"id": "b", "text": "Evening coffee shortens sleep.", "sources": [{"url": "https://b.example"}]}
    path.write_text("".join(json.dumps(one) + "\n" for one in (case, unlabelled, {"id": ""})), encoding="utf-8")
    yield "lyra cases check", answer("cases", "check", path, "--library", library, "--save")
    yield "lyra cases list", answer("cases", "list")
    yield "lyra cases history", answer("cases", "history", "a")


def objects(value: Any, name: str) -> Iterator[tuple[str, set[str]]]:
    """Every object inside a JSON value by its path, with its fields."""
    if isinstance(value, dict):
        yield name, set(value)
        for key, inner in value.items():
            yield from objects(inner, key if name[0].isupper() or name.startswith("lyra") else f"{name}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from objects(inner, f"{name}[]")
