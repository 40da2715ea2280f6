"""How well Japanese passages are found: the suite of our own in `retrieval_ja`, by the product's own store and search."""

import csv
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lyra.app import Models, SilentProgress, chosen_models, open_bench
from lyra.config import Settings, read_settings
from lyra.core.fragments import cut_fragments
from lyra.core.records import Document, Section
from lyra.workflows.bench import Bench
from lyra.workflows.judging import Finder, vector_version

HERE = Path(__file__).resolve().parent / "retrieval_ja"
TOP = 10
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for, and the passages that answer it."""

    number: str
    half: str
    text: str
    relevant: frozenset[str]


@dataclass(frozen=True, slots=True)
class Found:
    """The passages found for each query, best first: by words alone, and by words and vectors."""

    queries: tuple[Query, ...]
    by_words: tuple[tuple[str, ...], ...]
    by_both: tuple[tuple[str, ...], ...]

    def recall(self, found: Sequence[Sequence[str]], half: str | None = None) -> float:
        """Return the share of relevant passages among the first ten, averaged over the queries (of one half)."""
        shares = [
            len(query.relevant.intersection(names[:TOP])) / len(query.relevant)
            for query, names in zip(self.queries, found, strict=True)
            if half in (None, query.half)
        ]
        return sum(shares) / len(shares)


def passages() -> dict[str, str]:
    """Return the passages by name."""
    found = {}
    for path in sorted((HERE / "passages").glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            number, text = line.split("\t")
            found[f"{path.stem}-{number}"] = text
    return found


def queries() -> tuple[Query, ...]:
    """Return the queries in order."""
    with (HERE / "queries.tsv").open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(Query(row["id"], row["half"], row["query"], frozenset(row["relevant"].split())) for row in rows)


def search(texts: dict[str, str], asked: Sequence[Query], models: Callable[[Settings], Models] = chosen_models) -> Found:
    """Put the passages into a fresh store and search it for every query."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "lyra.toml").touch()
        settings = read_settings({"home": folder}, {"LYRA_CONFIG": str(home / "lyra.toml")})
        with open_bench(settings, SilentProgress(), models) as bench:
            names = dict(_stored(bench, texts))
            bench.store.searching.open_whole_scope()
            words = [bench.store.searching.lexical(query.text, TOP) for query in asked]
            by_words = tuple(tuple(names[seq] for seq in found) for found in words)
            _embed(bench)
            finder = Finder(bench)
            identities = {identity: names[seq] for seq, identity in _identities(bench)}
            both = [finder.asked(query.text, TOP) for query in asked]
            by_both = tuple(tuple(identities[item.fragment_id] for item in found) for found in both)
    return Found(tuple(asked), by_words, by_both)


def _stored(bench: Bench, texts: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Store each passage as a page of one fragment; yield the number of the fragment with the name of the passage."""
    for name, text in texts.items():
        sections = (Section(0, len(text)),)
        sighting = bench.store.pages.register(Document(text, sections), f"passage:{name}", cut_fragments(text, sections))
        if sighting.new_fragments != 1:
            raise ValueError(f"{name} is not one fragment of its own")
        yield _identities(bench)[-1][0], name


def _identities(bench: Bench) -> list[tuple[int, str]]:
    rows = bench.store.database.rows("SELECT fragment_seq, fragment_id FROM fragments ORDER BY fragment_seq")
    return [(int(seq or 0), str(identity)) for seq, identity in rows]


def _embed(bench: Bench) -> None:
    version = vector_version(bench)
    while batch := bench.store.searching.without_vector(version, _BATCH):
        vectors = bench.embedder.embed([text for _, text in batch])
        bench.store.searching.add_vectors(version, [seq for seq, _ in batch], vectors)


def main() -> int:
    """Print recall by half, and the queries of the tuning half that miss something: those of the other half stay unread."""
    found = search(passages(), queries())
    for title, names in (("words", found.by_words), ("words and vectors", found.by_both)):
        shares = ", ".join(f"{half or 'all'} {found.recall(names, half):.3f}" for half in ("tune", "test", None))
        print(f"{title}: R@{TOP} {shares}")
    for query, words, both in zip(found.queries, found.by_words, found.by_both, strict=True):
        missed = [query.relevant - set(names) for names in (words, both)]
        if query.half == "tune" and any(missed):
            print(query.number, query.text, *(",".join(sorted(names)) or "-" for names in missed), sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
