"""Texts and graphs to measure with: made up, the same on every machine, and shaped like the real thing.

Words follow Zipf's law over a vocabulary of 40,000 with English function words in front; a word has about six letters.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from lyra.core.identity import content_hash, fragment_id_of, hash_of_normalised
from lyra.core.records import Document, Identifier, Span
from lyra.core.sentences import split_sentences
from lyra.store.evidence_store import EvidenceStore, open_store
from lyra.store.page_batches import Registration

TASK = "task_bench"
_MOMENT = "2026-03-01T12:00:00.000000Z"
_FUNCTION_WORDS = (
    "the of and in to a with for was were that is on by as from at were this we or an not be than these which are between"
    " after in patients study group results our their had has more its no during both was using"
).split()
_SYLLABLES = "ba co de fi ga he in ju ka lo mi no per qui ra si ter un vo win al en or ist ment tion al ic".split()
_VOCABULARY = 40_000
_SENTENCE = 18
_BATCH = 1_000


class BenchClock:
    """The real time."""

    def now(self) -> datetime:
        """Return the present moment."""
        return datetime.now(UTC)


def open_bench_store(home: Path) -> EvidenceStore:
    """Open a store as the program does."""
    return open_store(home, BenchClock(), Random(1))


class Texts:
    """Draws words, sentences and abstracts."""

    def __init__(self, seed: int) -> None:
        rng = Random(5)
        words = dict.fromkeys(_FUNCTION_WORDS)
        while len(words) < _VOCABULARY:
            words["".join(rng.choices(_SYLLABLES, k=rng.choice((1, 2, 2, 3, 3, 3, 4))))[: rng.randint(4, 11)]] = None
            words[f"{rng.choice(_SYLLABLES)}{len(words)}"] = None
        self.words = list(words)
        weights = 1.0 / (np.arange(_VOCABULARY) + 2.7)
        self._cumulative = np.cumsum(weights) / weights.sum()
        self._rng = np.random.default_rng(seed)

    def draw(self, count: int) -> list[str]:
        """Return words."""
        places = np.searchsorted(self._cumulative, self._rng.random(count))
        return [self.words[place] for place in places.tolist()]

    def abstracts(self, count: int, words: int = 200, line_breaks: bool = False) -> Iterator[str]:
        """Yield texts of so many words, in sentences; with line breaks as a PDF gives them, if asked."""
        for start in range(0, count, _BATCH):
            drawn = self.draw(min(_BATCH, count - start) * words)
            for at in range(0, len(drawn), words):
                yield _text(drawn[at : at + words], line_breaks)

    def vectors(self, count: int, dimension: int = 384) -> NDArray[np.float32]:
        """Return unit vectors whose variance falls off as that of sentence embeddings does."""
        spectrum = (np.arange(dimension) + 4.0) ** -0.5
        found = self._rng.standard_normal((count, dimension)).astype(np.float32) * spectrum.astype(np.float32)
        turned = np.linalg.qr(np.random.default_rng(3).standard_normal((dimension, dimension)))[0].astype(np.float32)
        found = found @ turned
        unit: NDArray[np.float32] = found / np.linalg.norm(found, axis=1, keepdims=True)
        return unit


def _text(words: list[str], line_breaks: bool) -> str:
    sentences = [" ".join(words[at : at + _SENTENCE]).capitalize() + "." for at in range(0, len(words), _SENTENCE)]
    if not line_breaks:
        return " ".join(sentences)
    return "\n".join(" ".join(words[at : at + 12]) for words in [" ".join(sentences).split()] for at in range(0, len(words), 12))


def registrations(texts: list[str], first: int = 0) -> list[Registration]:
    """Return each text as a document with a DOI, title, author and year, as a bibliography gives it."""
    return [
        (
            Document(
                text=text,
                sections=(),
                title=f"A study of {text[:40]}",
                authors=("Ann Smith", "Bo Jones"),
                published_on="2021",
                venue="A journal",
                identifiers=(Identifier("doi", f"10.1000/bench.{first + number}"),),
                extractor="bench/1",
            ),
            "",
            [Span(0, len(text))],
        )
        for number, text in enumerate(texts)
    ]


def build_graph(home: Path, claims: int, per_claim: int, fragments: int, pages: int) -> None:
    """Write a task with claims and stance edges into a fresh store: rows as judging leaves them."""
    texts, rng = Texts(7), Random(9)
    with open_bench_store(home) as store:
        database = store.database
        bulk = database.run_bulk
        with store.transaction():
            database.run("INSERT INTO tasks VALUES (?, 'A question', NULL, 'active', ?, ?)", (TASK, _MOMENT, _MOMENT))
            known = _write_pages(store, texts, fragments, pages)
            names = [f"claim_{number:032x}" for number in range(claims)]
            bulk(
                "INSERT INTO claims (claim_id, task_id, claim_position, claim_text, claim_text_hash, claim_language, created_at)"
                " VALUES (?, ?, ?, ?, ?, 'en', ?)",
                (
                    (name, TASK, number + 1, text, hash_of_normalised(f"{number} {text}"), _MOMENT)
                    for number, (name, text) in enumerate(zip(names, texts.abstracts(claims, 12), strict=True))
                ),
            )
            bulk(
                "INSERT INTO edges (edge_id, fragment_id, claim_id, relation, nli_label, nli_confidence, nli_confidence_raw,"
                " nli_supports, nli_refutes, nli_neutral, nli_decisive_start, nli_decisive_end, nli_model, nli_model_version,"
                " calibration_version, source_domain_category, cause_id, created_at) VALUES"
                " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'stance', '1', 'c1', 'unverified', 'job_1', ?)",
                _edges(names, known, per_claim, rng),
            )
        store.edges.sum_up(TASK)


def _write_pages(store: EvidenceStore, texts: Texts, fragments: int, pages: int) -> list[tuple[str, tuple[int, int]]]:
    """Write pages with some fragments each; return the fragments, each with the span of its second sentence."""
    bulk, known = store.database.run_bulk, []
    per_page = max(1, fragments // pages)
    pieces = texts.abstracts(per_page * pages, 48)
    broken = Texts(8).abstracts(per_page * pages, 48, line_breaks=True)
    for page in range(pages):
        page_id, version_id, host = f"page_{page:032x}", f"version_{page:032x}", f"journal{page % 50}.example.org"
        source = broken if page % 3 == 0 else pieces  # a third of the pages are as PDFs give them
        quotes = [next(source) for _ in range(per_page)]
        text = "\n\n".join(quotes)
        bulk("INSERT OR IGNORE INTO domains VALUES (?, 'unverified', ?)", [(host, _MOMENT)])
        row = (
            page_id,
            f"https://{host}/{page}",
            host,
            f"Page {page} about {quotes[0][:40]}",
            '["Ann Smith"]',
            f"{1990 + page % 36}",
        )
        bulk(
            "INSERT INTO pages (page_id, url, domain, title, authors, published_on, doi, venue, work_key, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 'A journal', ?, ?)",
            [(*row, f"10.1000/{page}", f"page {page} about this and that|smith", _MOMENT)],
        )
        bulk("INSERT INTO resource_index VALUES ('doi', ?, ?)", [(f"10.1000/{page}", page_id)])
        bulk(
            "INSERT INTO page_versions (page_version_id, page_id, content_hash, extracted_text, extractor, first_read_at)"
            " VALUES (?, ?, ?, ?, 'bench/1', ?)",
            [(version_id, page_id, content_hash(text), text, _MOMENT)],
        )
        start = 0
        for quote in quotes:
            normalised = " ".join(quote.split())
            digest = hash_of_normalised(normalised)
            sentences = split_sentences(normalised)
            known.append((fragment_id_of(digest), sentences[min(1, len(sentences) - 1)]))
            bulk(
                "INSERT INTO fragments (fragment_id, text_hash, fragment_text, fragment_language, fragmenter_version, created_at)"
                " VALUES (?, ?, ?, 'en', '1', ?)",
                [(fragment_id_of(digest), digest, normalised, _MOMENT)],
            )
            bulk(
                "INSERT INTO extracted_from (fragment_id, page_id, page_version_id, char_start, char_end, section)"
                " VALUES (?, ?, ?, ?, ?, 'Results')",
                [(fragment_id_of(digest), page_id, version_id, start, start + len(quote))],
            )
            start += len(quote) + 2
    return known


def _edges(
    claims: list[str], fragments: list[tuple[str, tuple[int, int]]], per_claim: int, rng: Random
) -> Iterator[tuple[str | int | float | None, ...]]:
    number = 0
    for claim in claims:
        for fragment, (low, high) in rng.sample(fragments, per_claim):
            number += 1
            relation = rng.choices(("supports", "refutes", "neutral"), (5, 2, 3))[0]
            weight = rng.uniform(0.4, 0.999)
            rest = (1.0 - weight) / 2
            values = [weight if relation == one else rest for one in ("supports", "refutes", "neutral")]
            span = (None, None) if relation == "neutral" or not number % 3 else (low, high)
            yield (f"edge_{number:032x}", fragment, claim, relation, relation, weight, weight, *values, *span, _MOMENT)
