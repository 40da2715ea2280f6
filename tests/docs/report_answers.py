"""What the report commands answer with `--json`, in a life that leaves nothing empty."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.interfaces.terminal import Terminal

SAMPLE = Path(__file__).parents[2] / "sample" / "report"
_HUMAN = """| 優位性 | 評価 | CAGR への影響 | 評価 |
|---|---|---|---|
| 店舗網の密度が支える当日配送の速さ | 却下（1 ０%） | 売上成長寄与 | かなり納得（99%） |
| 全店員が受ける接客研修 | まあ納得（50%） | | |
| 全店員が受ける接客研修 | まあ納得（50%） | | |
| qqq | まあ納得（50%） | zzz | まあ納得（50%） |
"""


def report_outputs(terminal: Terminal, folder: Path, task: str) -> Iterator[tuple[str, Any]]:
    """Answers of every report command; `task` has the claim that evening coffee shortens sleep."""
    given, out = folder / "given", folder / "report"
    given.mkdir()
    value = json.loads((SAMPLE / "structured.json").read_bytes())
    value["claims"][0]["ca_confidence"] = value["claims"][0]["rule_evaluation"].pop("confidence")
    value["claims"][1]["cagr_connections"] = [12, 999]
    value["claims"].append({"id": 50, "claim_type": "factual_claim", "claim": "Evening coffee shortens sleep."})
    (given / "structured.json").write_text(json.dumps(value), encoding="utf-8")
    (given / "human.md").write_text(_HUMAN, encoding="utf-8")

    def answer(*words: str | Path) -> Any:
        return terminal.run("report", *words, "--json").json

    yield "lyra report build", answer("build", given / "structured.json", "--out", out)
    yield "lyra report verify", answer("verify", out, "--save", "--html")
    yield "lyra report accuracy", answer("accuracy", out, "--human", given / "human.md")
    filled = (out / "report.md").read_text(encoding="utf-8").replace("10% / 30%", "○10% / ○30%", 1)
    (out / "filled.md").write_text(filled.replace("□ はい", "☑ はい"), encoding="utf-8")
    known = json.loads((given / "structured.json").read_bytes()) | {"ticker": "LLY"}
    (given / "known.json").write_text(json.dumps(known), encoding="utf-8")
    answer("run", given / "known.json", "--out", folder / "known")
    yield "lyra report accuracy", answer("accuracy", folder / "known", "--human", given / "human.md")
    yield "lyra report feedback", answer("feedback", out / "filled.md")
    near = {"id": 51, "claim_type": "factual_claim", "claim": "Evening coffee shortens the sleep of nurses."}
    (given / "near.json").write_text(json.dumps({"ticker": "XMPL", "claims": [near]}), encoding="utf-8")
    yield "lyra report factcheck", answer("factcheck", given / "near.json", "--task", task)
    yield "lyra report factcheck", answer("factcheck", given / "structured.json", "--task", task)
    yield "lyra report run", answer("run", given / "structured.json", "--out", folder / "run", "--html")
