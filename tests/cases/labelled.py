"""The labelled claims and addresses, as records."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lyra.cases.model import Party, PartyRelation, RelationKind

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True, slots=True)
class LabelledUrl:
    part: str
    answered_by: str
    kind: str
    source_role: str
    primary_type: str
    coi_status: str
    parties: tuple[Party, ...]
    url: str


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    part: str
    language: str
    claim_type: str
    text: str


def rows(name: str) -> Iterator[dict[str, str]]:
    with (CORPUS / name).open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)


def labelled_urls(part: str | None = None) -> list[LabelledUrl]:
    found = []
    for row in rows("urls.tsv"):
        subjects = tuple(domain for domain in row["subject_domains"].split(",") if domain)
        affiliated = tuple(domain for domain in row["affiliated_domains"].split(",") if domain)
        parties = (Party(("subject",), subjects), Party(("other",), affiliated, (PartyRelation(RelationKind.PARENT),)))
        found.append(
            LabelledUrl(
                part=row["part"],
                answered_by=row["answered_by"],
                kind=row["kind"],
                source_role=row["source_role"],
                primary_type=row["primary_type"],
                coi_status=row["coi_status"],
                parties=parties,
                url=row["url"],
            )
        )
    return [one for one in found if part in (None, one.part)]


def labelled_claims(part: str | None = None) -> list[LabelledClaim]:
    read = [row for name in ("claims.tsv", "blind.tsv") for row in rows(name)]
    found = [LabelledClaim(row["part"], row["language"], row["claim_type"], row["text"]) for row in read]
    return [one for one in found if part in (None, one.part)]


def compounds(part: str | None = None) -> list[tuple[str, str]]:
    return [(row["text"], row["parts"]) for row in rows("compounds.tsv") if part in (None, row["part"])]
