"""How well planted instructions are found, by family, on the labelled corpus: `make bench-detector`.

Recall on attacks and false positives on ordinary passages, for the part that the patterns were written with (`tune`) and the
part that was held out (`test`). Where the SciFact corpus lies beside the project, its abstracts are scanned too: none of them
holds an instruction. Exit code 1 when a figure of the held-out part misses its limit.
"""

import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lyra.core.dangerous.scanning import PatternScanner, find_patterns  # noqa: E402 - after the path
from tests.planting import Planted, corpus, planted  # noqa: E402 - after the path

SCIFACT = ROOT.parent / "shared" / "data" / "scifact" / "corpus.jsonl.gz"
LEAST_RECALL, MOST_FALSE = 0.8, 0.02


def measure(kind: str, part: str) -> tuple[Counter[str], Counter[str], Counter[bool], Counter[bool]]:
    """Return rows and findings by family, and by whether the text stands in the open."""
    scanner = PatternScanner()
    rows, found = Counter[str](), Counter[str]()
    open_rows, open_found = Counter[bool](), Counter[bool]()
    for row in corpus(kind, part):
        hit = bool(scanner.scan(planted(row)))
        rows[row.family] += 1
        found[row.family] += hit
        open_rows[_in_the_open(row)] += 1
        open_found[_in_the_open(row)] += hit
    return rows, found, open_rows, open_found


def _in_the_open(row: Planted) -> bool:
    return row.place == "visible"


def table(title: str, rows: Counter[str], found: Counter[str]) -> None:
    """Print found / rows for each family."""
    print(f"\n{title}")
    for family in sorted(rows):
        print(f"  {family:<18}{found[family]:>4} / {rows[family]:<4}{found[family] / rows[family]:>7.1%}")
    print(f"  {'together':<18}{found.total():>4} / {rows.total():<4}{found.total() / rows.total():>7.1%}")


def abstracts() -> list[str]:
    """The abstracts of SciFact, where they are."""
    if not SCIFACT.exists():
        return []
    with gzip.open(SCIFACT, "rt", encoding="utf-8") as file:
        return [f"{record['title']}\n\n{' '.join(record['abstract'])}" for record in map(json.loads, file)]


def cpu(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def scan_abstracts(texts: Sequence[str]) -> None:
    """Print how many abstracts are taken for planted ones, and how fast they are scanned."""
    wrong: list[str] = []
    seconds = cpu(lambda: wrong.extend(text for text in texts if find_patterns(text)))
    size = sum(map(len, texts))
    print(f"\nSciFact abstracts taken for planted: {len(wrong)} / {len(texts)}")
    print(f"Speed: {size / seconds / 1e6:.2f} million characters per CPU second")


def main() -> int:
    """Print every figure; fail where the held-out part misses a limit."""
    fails = False
    for part in ("tune", "test"):
        rows, found, open_rows, open_found = measure("attacks", part)
        table(f"Attacks found, {part}", rows, found)
        for is_open, name in ((True, "in the open"), (False, "where nobody reads, or in disguise")):
            print(f"  {name}: {open_found[is_open]} / {open_rows[is_open]} ({open_found[is_open] / open_rows[is_open]:.1%})")
        benign, wrong, _, _ = measure("benign", part)
        table(f"Ordinary passages taken for attacks, {part}", benign, wrong)
        if part == "test":
            fails = found.total() < LEAST_RECALL * rows.total() or wrong.total() > MOST_FALSE * benign.total()
    texts = abstracts()
    if texts:
        scan_abstracts(texts)
    else:
        print("\nSciFact abstracts: not there, not scanned")
    verdict = "MISSED" if fails else "met"
    print(f"\nLimits on the held-out part: recall at least {LEAST_RECALL:.0%}, false at most {MOST_FALSE:.0%}: {verdict}")
    return 1 if fails else 0


if __name__ == "__main__":
    sys.exit(main())
