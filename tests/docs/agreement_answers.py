"""What classification, agreement and adjudication answer with `--json`, in a life that leaves nothing empty."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LABELS = """rater,unit,field,value
ann,c1,outcome,Success
bob,c1,outcome,Success
ann,c2,outcome,Failure
bob,c2,outcome,Mixed
ann,c3,outcome,Failure
bob,c3,outcome,Success
"""


def agreement_outputs(folder: Path, answer: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The answers, command by command."""
    case = {
        "id": "k1",
        "text": "x",
        "sources": [{"url": "https://unknown.example/x"}],
        "claims": [{"text": "It opened in 1990, and the launch was a success."}],
    }
    cases, labels = folder / "classify.jsonl", folder / "labels.csv"
    cases.write_text(json.dumps(case) + "\n", encoding="utf-8")
    labels.write_text(LABELS, encoding="utf-8")
    yield "lyra cases classify", answer("cases", "classify", cases)
    yield "lyra cases agreement", answer("cases", "agreement", labels)
    decision = ["--unit", "c2", "--field", "outcome", "--value", "Mixed", "--who", "chie", "--reason", "one of two plants"]
    yield "lyra cases adjudicate", answer("cases", "adjudicate", labels, *decision)
