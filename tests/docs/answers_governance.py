"""What the commands of governance answer with `--json`, in a life in which all of it happens."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from lyra.core.page_safety import Finding
from lyra.core.rejections import BlockRules
from lyra.store.evidence_store import open_store
from lyra.workflows.quarantine import quarantine
from tests.fakes import SystemClock
from tests.interfaces.terminal import Terminal

_CLAIM = "Evening coffee shortens sleep."
_PAGES = {
    "a.md": ("https://a.example.net/1", "Evening coffee shortens sleep in nurses."),
    "b.md": ("https://b.example.net/1", "We found that evening coffee shortens sleep of students."),
    "c.md": ("https://c.example.org/1", "Evening coffee never shortens sleep, says a seller."),
    "d.md": ("https://a.example.net/2", "Evening coffee shortens sleep in cats as well."),
}


def governance_outputs(folder: Path) -> Iterator[tuple[str, Any]]:
    """What every command of governance writes with `--json`."""
    folder.mkdir()
    for name, (url, text) in _PAGES.items():
        (folder / name).write_text(f"---\ntitle: {name}\nurl: {url}\ndate: 2021\n---\n{text}\n", encoding="utf-8")
    settings = {f"LYRA_SOURCE_VERIFICATION_{name}": "1" for name in ("HIGH_REJECTION_MIN_SAMPLES", "DANGEROUS_MIN_PAGES")}
    terminal = Terminal(folder / "home", settings)

    def answer(*words: str | Path) -> Any:
        return terminal.run(*words, "--json").json

    task = str(answer("check", _CLAIM, "--library", folder)["task_id"])
    claim = answer("materials", task)["claims"][0]
    against = next(edge for edge in claim["evidence"] if edge["relation"] == "refutes")
    yield "lyra lens", answer("lens", "contradictions", task)
    extracted = next(one for one in answer("search", task, "coffee and sleep")["claims"] if one["origin"])
    yield "lyra feedback claim_reject", answer("feedback", "claim_reject", extracted["claim_id"], "--reason", "vague")
    host = answer("status")["blocked_domains"][0]["domain"]
    yield "lyra lens", answer("lens", "not_adopted", task)
    yield "lyra feedback claim_restore", answer("feedback", "claim_restore", extracted["claim_id"])
    yield "lyra feedback edge_correct", answer("feedback", "edge_correct", against["edge_id"], "supports", "--reason", "no")
    yield "lyra feedback domain_block", answer("feedback", "domain_block", "*.example.net", "--reason", "spam")
    yield "lyra lens", answer("lens", "not_adopted", task)
    yield "lyra feedback domain_unblock", answer("feedback", "domain_unblock", "*.example.net", "--reason", "fine")
    yield "lyra feedback domain_clear_override", answer("feedback", "domain_clear_override", "*.example.net", "--reason", "over")
    answer("feedback", "domain_block", "c.example.org", "--reason", "sells coffee")
    page = answer("materials", task)["claims"][0]["evidence"][0]["page_id"]
    with open_store(terminal.home, SystemClock(), Random(7)) as store:
        quarantine(store, BlockRules(dangerous_min_pages=1), page, [Finding("instruction", "comment", "obey")], "job_1")
    (terminal.home / "domains.yaml").write_text("denylist: [{domain: c.example.org, reason: x}]\n", encoding="utf-8")
    yield "lyra lens", answer("lens", "not_adopted", task)
    (terminal.home / "domains.yaml").write_text("nonsense: 1\n", encoding="utf-8")
    answer("feedback", "claim_reject", extracted["claim_id"], "--reason", "vague")
    yield "lyra status", answer("status")
    yield "lyra config domains", answer("config", "domains", "--shipped")
    yield "lyra library release", answer("library", "release", page, "--reason", "a paper")
    yield "lyra trace claim", answer("trace", "claim", extracted["claim_id"])
    yield "lyra trace claim", answer("trace", "claim", claim["claim_id"])
    yield "lyra trace edge", answer("trace", "edge", against["edge_id"])
    for name in (host, "a.example.net", "b.example.net", "c.example.org"):
        yield "lyra trace domain", answer("trace", "domain", name)
