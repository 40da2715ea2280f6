"""Names that were given up do not come back: each meant something that is said better by what replaced it."""

import ast
import re
from pathlib import Path

import lyra

SOURCE = Path(str(lyra.__file__)).parent
ABOLISHED = (
    "trust_level is_influential is_contradiction can_restore rejected_claims rejection_rate calibrated_score is_verified"
    " confidence_score adoption_status is_academic"
).split()
# Case tools read data of older tools, whose names these are; the schemas of reports have words of their own.
APART = ("cases", "reports")
TEXTS = (".py", ".sql", ".toml", ".yaml", ".json", ".html", ".js")


def texts() -> dict[Path, str]:
    found = {}
    for path in sorted(SOURCE.rglob("*")):
        parts = path.relative_to(SOURCE).parts
        if path.suffix in TEXTS and not any(part.startswith(APART) for part in parts):
            found[path.relative_to(SOURCE)] = path.read_text(encoding="utf-8")
    return found


def findings(found: dict[Path, str]) -> list[str]:
    pattern = re.compile(rf"\b({'|'.join(ABOLISHED)})\b")
    return [f"{path}: {match}" for path, text in found.items() for match in pattern.findall(text)]


def fields_named(name: str, text: str) -> bool:
    """Whether a record has a field, or a JSON object a key, of this name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            return True
        if isinstance(node, ast.Dict) and any(isinstance(key, ast.Constant) and key.value == name for key in node.keys):
            return True
    return False


def test_no_abolished_name_is_in_the_source() -> None:
    assert findings(texts()) == []


def test_no_claim_or_edge_has_a_verdict() -> None:
    assert [str(path) for path, text in texts().items() if path.suffix == ".py" and fields_named("verdict", text)] == []
    assert [str(path) for path, text in texts().items() if path.suffix == ".sql" and re.search(r"\bverdict\b", text)] == []


def test_an_abolished_name_would_be_noticed() -> None:
    assert findings({Path("x.py"): "claim.adoption_status"}) == ["x.py: adoption_status"]
    assert findings({Path("x.py"): "claim_adoption_status high_rejection_rate_threshold"}) == []
    assert fields_named("verdict", "class A:\n    verdict: str") and fields_named("verdict", 'x = {"verdict": 1}')
    assert not fields_named("verdict", "verdict = 1")
